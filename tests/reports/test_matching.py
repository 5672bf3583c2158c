"""Matching of frameworks: the study's Table 2, the rule of one a domain, and balance by hand."""

from __future__ import annotations

import math
import random
import statistics

import pytest

from reports.errors import ReportInputError
from reports.matching import INDICATORS, Framework, match, study_frameworks


def framework(name: str, paradigm: str, size: int, domain: str | None = "d") -> Framework:
    return Framework(name, paradigm, domain, (size, size, size, size, size))


def test_table_2_is_carried_along() -> None:
    frameworks = {one.name: one for one in study_frameworks()}
    assert len(frameworks) == 20
    assert sum(one.paradigm == "ml" for one in frameworks.values()) == 10
    assert frameworks["TensorFlow"].values == (8585, 127514, 74602, 55724, 1987)
    assert frameworks["Grafana"].domain == "Log System"


def test_the_studys_frameworks_are_all_matched_one_a_domain() -> None:
    matching = match(study_frameworks())
    assert len(matching.pairs) == 10
    assert len({pair.ml.name for pair in matching.pairs}) == 10
    assert len({pair.traditional.domain for pair in matching.pairs}) == 10
    assert matching.unmatched == ()
    assert [pair.distance for pair in matching.pairs[:3]] == sorted(pair.distance for pair in matching.pairs)[:3]
    assert all(one.before == one.after for one in matching.balance)  # nobody was left out


def test_the_studys_own_example_is_what_the_indicators_give() -> None:
    nearest = {pair.ml.name: pair.nearest for pair in match(study_frameworks()).pairs}
    assert nearest["TensorFlow"] == "React"


def test_the_order_of_the_input_does_not_matter() -> None:
    frameworks = list(study_frameworks())
    expected = [(pair.ml.name, pair.traditional.name) for pair in match(frameworks).pairs]
    for seed in range(5):
        random.Random(seed).shuffle(frameworks)  # noqa: S311
        assert [(pair.ml.name, pair.traditional.name) for pair in match(frameworks).pairs] == expected


def test_the_nearest_of_a_domain_is_taken_and_the_domain_is_spent() -> None:
    frameworks = [
        framework("ml-small", "ml", 100),
        framework("ml-large", "ml", 100_000),
        framework("ui-small", "traditional", 110, "UI"),
        framework("ui-large", "traditional", 100_100, " ui "),
        framework("cloud", "traditional", 3_000, "Cloud"),
    ]
    matching = match(frameworks)
    found = {pair.ml.name: pair.traditional.name for pair in matching.pairs}
    assert found == {"ml-large": "ui-large", "ml-small": "cloud"}


def test_what_has_no_domain_left_stays_unmatched_and_unknown_domains_are_their_own() -> None:
    traditional = [framework("t1", "traditional", 200, "UI"), framework("t2", "traditional", 300, "UI")]
    ml = [framework("m1", "ml", 200), framework("m2", "ml", 400)]
    matching = match([*ml, *traditional])
    assert [(pair.ml.name, pair.traditional.name) for pair in matching.pairs] == [("m1", "t1")]
    assert [one.name for one in matching.unmatched] == ["m2"]
    free = [framework("t1", "traditional", 200, None), framework("t2", "traditional", 300, None)]
    assert len(match([*ml, *free]).pairs) == 2


def test_balance_by_hand() -> None:
    """One traditional framework too many, of a domain that is spent: it leaves, and the means come closer."""
    sizes = {"m1": 100, "m2": 1_000, "t1": 110, "t2": 1_100, "t3": 60_000}
    frameworks = [
        framework("m1", "ml", 100),
        framework("m2", "ml", 1_000),
        framework("t1", "traditional", 110, "A"),
        framework("t2", "traditional", 1_100, "B"),
        framework("t3", "traditional", 60_000, "B"),
    ]
    matching = match(frameworks)
    assert {pair.traditional.name for pair in matching.pairs} == {"t1", "t2"}
    logs = {name: math.log1p(size) for name, size in sizes.items()}  # any scale: the difference is standardised
    ml, traditional = [logs["m1"], logs["m2"]], [logs["t1"], logs["t2"], logs["t3"]]
    spread = math.sqrt((statistics.variance(ml) + statistics.variance(traditional)) / 2)
    before = (statistics.mean(ml) - statistics.mean(traditional)) / spread
    after = (statistics.mean(ml) - statistics.mean(traditional[:2])) / spread
    assert [one.indicator for one in matching.balance] == list(INDICATORS)
    for one in matching.balance:
        assert one.before == pytest.approx(before)
        assert one.after == pytest.approx(after)
    assert abs(after) < abs(before)


def test_equal_frameworks_are_told_apart_by_name_alone() -> None:
    same = [
        framework(name, paradigm, 50, name)
        for name, paradigm in zip("abcd", ["ml", "ml"] + ["traditional"] * 2, strict=True)
    ]
    matching = match(same)
    assert [(pair.ml.name, pair.traditional.name, pair.distance) for pair in matching.pairs] == [
        ("a", "c", 0.0),
        ("b", "d", 0.0),
    ]
    assert all((one.before, one.after) == (0.0, 0.0) for one in matching.balance)


def test_a_group_of_one_cannot_be_matched() -> None:
    with pytest.raises(ReportInputError, match="at least two ML and two traditional"):
        match([framework("m", "ml", 1), framework("t", "traditional", 2), framework("u", "traditional", 3)])
