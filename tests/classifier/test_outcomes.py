import pytest

from classifier.measure.outcomes import (
    Outcome,
    accuracy,
    calibration_error,
    confusions,
    interval,
    kappa,
    macro_f1,
    outcome,
    per_class,
    risk_coverage,
    summary,
    top3,
)


def guess(true: str, category: str, probability: float, *others: str, group: str = "a/a") -> Outcome:
    return Outcome(true, (category, *others), probability, group)


FOUR = [
    guess("memory-leak", "memory-leak", 0.95, "none", "conversion"),
    guess("none", "memory-leak", 0.55, "none", "conversion"),
    guess("none", "none", 0.35, "conversion", "memory-leak"),
    guess("conversion", "none", 0.35, "data-race", "memory-leak"),
]


def test_figures_of_a_small_table_worked_by_hand() -> None:
    assert accuracy(FOUR) == 0.5
    assert top3(FOUR) == 0.75
    assert macro_f1(FOUR) == pytest.approx((2 / 3 + 0.5 + 0) / 3)
    assert calibration_error(FOUR) == pytest.approx((0.05 + 0.55 + 0.3) / 4)
    assert confusions(FOUR) == [
        {"true": "conversion", "guessed": "none", "n": 1},
        {"true": "none", "guessed": "memory-leak", "n": 1},
    ]
    leak, conversion, none = per_class(FOUR)
    assert leak == {"category": "memory-leak", "n": 1, "guessed": 2, "precision": 0.5, "recall": 1.0, "f1": 2 / 3}
    assert (conversion["precision"], conversion["recall"], none["f1"]) == (None, 0.0, 0.5)


def test_coverage_ends_at_the_last_point_of_enough_precision() -> None:
    rows = {row["precision"]: row for row in risk_coverage(FOUR)}
    assert rows[0.9] == {"precision": 0.9, "threshold": 0.95, "coverage": 0.25}
    wrong_first = [guess("none", "memory-leak", 0.99), *(guess("none", "none", 0.5) for _ in range(9))]
    assert risk_coverage(wrong_first)[2] == {"precision": 0.9, "threshold": 0.5, "coverage": 1.0}
    assert risk_coverage(wrong_first[:1])[0] == {"precision": 0.8, "threshold": None, "coverage": 0.0}


def test_an_interval_draws_whole_repositories() -> None:
    even = [guess("none", "none" if right else "data-race", 0.5, group=f"{at}") for at in range(6) for right in (1, 0)]
    assert interval(even, accuracy) == (0.5, 0.5)
    split = [guess("none", "none" if at % 2 else "data-race", 0.5, group=f"{at}") for at in range(6)]
    low, high = interval(split, accuracy) or (0.5, 0.5)
    assert low < 0.2 < 0.8 < high
    assert interval(split[:4], accuracy) is None


def test_kappa_by_hand() -> None:
    pairs = [("a", "a")] * 4 + [("b", "b")] * 2 + [("a", "b")] * 2 + [("b", "a")] * 2
    assert kappa(pairs) == pytest.approx((0.6 - 0.52) / 0.48)
    assert kappa([]) is None
    assert kappa([("a", "a")]) is None


def test_an_outcome_ranks_by_probability_and_counts_what_was_proposed() -> None:
    one = outcome("none", {"conversion": 0.4, "none": 0.4, "data-race": 0.2}, "a/a", proposed=True)
    assert (one.ranked[:3], one.confidence) == (("conversion", "none", "data-race"), 0.4)
    figures = summary([one, outcome("conversion", {"conversion": 0.9, "none": 0.1}, "a/a")])
    assert (figures["proposed"], figures["proposed_right"], figures["accuracy"]) == (0.5, 0.0, 0.5)
