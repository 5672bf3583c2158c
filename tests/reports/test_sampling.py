"""Sample sizes against published values, allocation by its properties, and draws that every machine repeats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.errors import ReportInputError
from reports.sampling import allocate, draw, rank, sample_size


@pytest.mark.parametrize(
    ("population", "margin", "confidence", "proportion", "exact", "issues"),
    [
        (1000, 0.10, 0.95, 0.5, "87.62", 88),
        (1000, 0.05, 0.95, 0.5, "277.54", 278),
        (10_000, 0.05, 0.95, 0.5, "369.95", 370),
        (1e9, 0.05, 0.95, 0.5, "384.16", 385),
        (100, 0.10, 0.90, 0.5, "40.35", 41),  # n0 = 1.645^2 / 4 / .01 = 67.65; 67.65 / 1.6765
        (100, 0.10, 0.99, 0.5, "62.39", 63),  # n0 = 2.576^2 / 4 / .01 = 165.89; 165.89 / 2.6589
        (1000, 0.10, 0.95, 0.1, "33.42", 34),  # n0 = 3.8416 * .09 / .01 = 34.57; 34.57 / 1.03457
        (1, 0.9, 0.95, 0.5, "0.54", 1),
    ],
)
def test_equation_1(
    population: float, margin: float, confidence: float, proportion: float, exact: str, issues: int
) -> None:
    size = sample_size(population, margin, confidence, proportion)
    assert f"{size.exact:.2f}" == exact
    assert size.issues == issues


def test_no_population_gives_the_studys_121_at_10_percent_but_332_at_5_percent_has_some() -> None:
    assert max(sample_size(10**power, 0.1).exact for power in range(16)) < 96.04 + 1e-9
    assert [n for n in range(2_000, 3_000) if sample_size(n, 0.05).issues == 332] == list(range(2_392, 2_446))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((0, 0.1), "whole number"),
        ((2.5, 0.1), "whole number"),
        ((float("nan"), 0.1), "whole number"),
        ((float("inf"), 0.1), "whole number"),
        ((10, 0.0), "margin of error lies between 0 and 1"),
        ((10, 1.0), "margin of error lies between 0 and 1"),
        ((10, 0.1, 95), "confidence lies between 0 and 1"),
        ((10, 0.1, 1 - 2**-53), "too close to 1"),
        ((10, 0.1, 0.95, 0.0), "proportion lies between 0 and 1"),
    ],
)
def test_numbers_out_of_range_are_refused_in_words(arguments: tuple[float, ...], sentence: str) -> None:
    with pytest.raises(ReportInputError, match=sentence):
        sample_size(*arguments)


def test_a_margin_too_fine_to_be_squared_asks_for_everybody() -> None:
    assert sample_size(1_000, 1e-300).issues == 1_000


@given(st.floats(1, 1e12).map(int), st.floats(0.001, 0.999), st.floats(0.01, 0.999), st.floats(0.01, 0.99))
def test_a_sample_never_exceeds_its_population(n: int, margin: float, confidence: float, proportion: float) -> None:
    size = sample_size(n, margin, confidence, proportion)
    assert 1 <= size.issues <= n
    assert size.exact <= size.issues + 1e-9


@pytest.mark.parametrize(
    ("size", "populations", "parts"),
    [
        (10, {"a": 50, "b": 30, "c": 20}, {"a": 5, "b": 3, "c": 2}),
        (5, {"a": 6, "b": 3, "c": 1}, {"a": 3, "b": 2, "c": 0}),  # 3, 1.5, 0.5: equal remainders, the larger first
        (2, {"z": 1, "y": 1, "x": 1}, {"z": 0, "y": 1, "x": 1}),  # all equal: then the name
        (7, {"a": 7, "b": 0}, {"a": 7, "b": 0}),
        (10, {"a": 9, "b": 1}, {"a": 9, "b": 1}),
    ],
)
def test_allocation_by_hand(size: int, populations: dict[str, int], parts: dict[str, int]) -> None:
    assert allocate(size, populations) == parts


@given(st.dictionaries(st.text(max_size=5), st.integers(0, 10**9), min_size=1), st.data())
def test_allocation_sums_up_and_stays_within_a_unit_of_the_quota(
    populations: dict[str, int], data: st.DataObject
) -> None:
    total = sum(populations.values())
    if total == 0:
        with pytest.raises(ReportInputError):
            allocate(1, populations)
        return
    size = data.draw(st.integers(1, total))
    parts = allocate(size, populations)
    assert list(parts) == list(populations)
    assert sum(parts.values()) == size
    for name, count in populations.items():
        assert 0 <= parts[name] <= count
        assert abs(parts[name] * total - size * count) < total  # less than one issue from its exact share


@pytest.mark.parametrize(("size", "sentence"), [(0, "at least one"), (4, "3 issues to draw from, fewer than the 4")])
def test_what_cannot_be_allocated_is_refused_in_words(size: int, sentence: str) -> None:
    with pytest.raises(ReportInputError, match=sentence):
        allocate(size, {"a": 2, "b": 1})


def test_a_draw_is_the_same_on_every_machine() -> None:
    assert rank(1, 42) >> 96 == 497_112_330
    assert draw(range(100, 120), 5, seed=1) == [107, 100, 101, 108, 105]
    assert draw(list(reversed(range(100, 120))), 5, seed=1) == [107, 100, 101, 108, 105]
    assert draw(range(100, 120), 5, seed=1) != draw(range(100, 120), 5, seed=2)


@given(st.sets(st.integers(0, 10**6), min_size=1), st.integers(0, 99), st.data())
def test_a_larger_draw_of_the_same_seed_holds_the_smaller(ids: set[int], seed: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(ids)))
    drawn = draw(sorted(ids), count, seed)
    assert len(set(drawn)) == count
    assert set(drawn) <= ids
    assert draw(sorted(ids), len(ids), seed)[:count] == drawn


def test_every_issue_is_drawn_about_equally_often() -> None:
    drawn = [identity for seed in range(2_000) for identity in draw(range(10), 3, seed)]
    assert all(520 < drawn.count(identity) < 680 for identity in range(10))  # 600 expected, SD 20.5
