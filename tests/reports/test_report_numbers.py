"""How numbers are printed."""

import pytest

from reports.numbers import counted, measure, percent_interval, probability, probability_cell, signed


@pytest.mark.parametrize(
    ("p", "text", "cell"),
    [
        (None, "–", "–"),
        (0.0, "< .001", "<.001"),
        (0.00099, "< .001", "<.001"),
        (0.0123, "= .012", ".012"),
        (0.0999, "= .100", ".100"),
        (0.25, "= .25", ".25"),
        (0.999, "= 1", "1"),
        (1.0, "= 1", "1"),
    ],
)
def test_probabilities(p: float | None, text: str, cell: str) -> None:
    assert (probability(p), probability_cell(p)) == (text, cell)


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0.0, "0"), (7.0, "7"), (7.46, "7.5"), (99.96, "100"), (1234.5, "1,234")]
)
def test_measures(value: float | None, text: str) -> None:
    assert measure(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0.001, "0.00"), (-0.001, "0.00"), (0.25, "+0.25"), (-1.0, "-1.00")]
)
def test_signed_numbers(value: float | None, text: str) -> None:
    assert signed(value) == text


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(0, "issue", "0 issues"), (1, "issue", "1 issue"), (1200, "repository", "1,200 repositories")],
)
def test_counted(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text


def test_intervals() -> None:
    assert percent_interval(None) == "–"
    assert percent_interval((0.2233, 0.3842)) == "22.3–38.4"
    assert percent_interval((-0.05, 0.1)) == "-5.0 to 10.0"
