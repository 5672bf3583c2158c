"""No repository counts more than a tenth of all that is learned from: worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.learning.weights import LARGEST_SHARE, capped


def test_one_heavy_repository_is_cut_to_a_tenth_of_the_new_total() -> None:
    # c = 0.1 * (90 + c), so c = 10: ten of a hundred.
    assert capped({"a/a": 200.0}, free=90.0) == {"a/a": pytest.approx(10.0)}


def test_cutting_the_heaviest_brings_the_next_above_the_limit() -> None:
    # The first cut alone gives c = (79 + 11) / 9 = 10, which 11 exceeds; both: c = 0.1 * (79 + 2c), so c = 9.875.
    found = capped({"a/a": 100.0, "b/b": 11.0, "c/c": 0.0}, free=79.0)
    assert found == {"a/a": pytest.approx(9.875), "b/b": pytest.approx(9.875), "c/c": 0.0}


def test_who_stays_below_keeps_all() -> None:
    assert capped({"a/a": 10.0, "b/b": 3.0}, free=87.0) == {"a/a": 10.0, "b/b": 3.0}
    ten = {f"r/{number}": 5.0 for number in range(10)}
    assert capped(ten, free=0.0) == pytest.approx(ten), "ten equal ones have a tenth each"


def test_where_no_weights_can_do_nothing_is_left() -> None:
    assert capped({"a/a": 3.0, "b/b": 1.0}, free=0.0) == {"a/a": 0.0, "b/b": 0.0}
    assert capped({}, free=5.0) == {}


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1e4), max_size=25), st.floats(0, 1e4))
def test_no_share_exceeds_a_tenth_and_nobody_gains(weights: dict[str, float], free: float) -> None:
    found = capped(weights, free)
    total = free + sum(found.values())
    for name, weight in found.items():
        assert 0 <= weight <= weights[name]
        assert weight <= LARGEST_SHARE * total * (1 + 1e-6) + 1e-9
        assert weight == weights[name] or weight >= max(found.values()) * (1 - 1e-9), "only the heaviest are cut"
