"""Whether medians can be: the study's contradictions, and our own tables, which have none."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import build_report
from reports.feasible import is_median_of_counts, overall_median
from reports.vocabulary import OVERALL
from tests.reports.synthetic import PERIOD, synthetic_rows


def test_the_studys_words_in_ml() -> None:
    """Its overall 113 words lie below all six medians, which cover 109 of 121 issues: 61 of at most 66 must be low."""
    parts = [(16, 127.0), (6, 167.0), (11, 136.5), (36, 131.0), (16, 143.0), (24, 186.0)]
    found = overall_median(113.0, 121, parts)
    assert (found.needed, found.most_below, found.possible) == (61, 66, True)
    assert not overall_median(113.0, 109, parts).possible


@pytest.mark.parametrize(
    ("n", "median", "possible"),
    [(11, 3.5, False), (17, 0.5, False), (13, 1.5, False), (11, 3.0, True), (6, 1.5, True), (6, 1.25, False)],
)
def test_a_median_of_whole_numbers(n: int, median: float, possible: bool) -> None:
    assert is_median_of_counts(n, median) is possible


@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=6), min_size=1, max_size=5))
def test_what_is_there_is_possible(parts: list[list[int]]) -> None:
    everything = [value for part in parts for value in part]
    found = overall_median(
        float(np.median(everything)), len(everything), [(len(part), float(np.median(part))) for part in parts]
    )
    assert found.possible


def test_an_impossible_overall_median_is_found_by_trying_all_values() -> None:
    """Three values with median 2 and two free ones from 0 to 3: exactly the medians that can be are called so."""
    triples = [one for one in product(range(4), repeat=3) if np.median(one) == 2]
    reached = {float(np.median([*three, *two])) for three in triples for two in product(range(4), repeat=2)}
    assert {median for median in range(4) if overall_median(median, 5, [(3, 2.0)]).possible} == reached


def test_our_own_medians_are_possible() -> None:
    for row in (report := build_report(synthetic_rows(4, 30), PERIOD)).tables.difficulty:
        if row.category != OVERALL:
            continue
        parts = [
            (one.ml.n, one.ml.median)
            for one in report.tables.difficulty
            if one.category != OVERALL and one.indicator == row.indicator and one.ml.median is not None
        ]
        assert row.ml.median is not None
        assert sum(n for n, _ in parts) == row.ml.n
        assert overall_median(row.ml.median, row.ml.n, parts).possible
