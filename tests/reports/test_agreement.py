"""Cohen's kappa against hand-computed values and scikit-learn's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from reports.agreement import Agreement, cohens_kappa


def pairs(table: dict[tuple[str, str], int]) -> list[tuple[str, str]]:
    return [pair for pair, count in table.items() for _ in range(count)]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({}, Agreement(0, None, None)),
        ({("a", "a"): 3}, Agreement(3, 1.0, None)),  # nothing but chance needed
        ({("a", "a"): 1, ("b", "b"): 1}, Agreement(2, 1.0, 1.0)),
        ({("a", "b"): 1, ("b", "a"): 1}, Agreement(2, 0.0, -1.0)),
        # 20 and 15 alike of 50; by chance .5 * .6 + .5 * .4 = .5; (.7 - .5) / .5
        ({("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15}, Agreement(50, 0.7, 0.4)),
    ],
)
def test_kappa_by_hand(table: dict[tuple[str, str], int], expected: Agreement) -> None:
    found = cohens_kappa(pairs(table))
    assert found.n == expected.n
    assert found.observed == expected.observed
    assert found.kappa == (None if expected.kappa is None else pytest.approx(expected.kappa, abs=1e-12))


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), min_size=1))
def test_kappa_is_scikit_learns(said: list[tuple[str, str]]) -> None:
    found = cohens_kappa(said)
    if found.kappa is None:
        assert len({category for pair in said for category in pair}) == 1
    else:
        firsts, seconds = zip(*said, strict=True)
        assert found.kappa == pytest.approx(cohen_kappa_score(firsts, seconds), abs=1e-12)
