"""The published tables and the contradictions that must be told with them."""

import json
from pathlib import Path

import pytest

from reports import build_report
from reports.study import load_study
from reports.vocabulary import CATEGORY_KEYS, DIFFICULTY, GROUPS, INFORMATION, OVERALL
from tests.reports.synthetic import PERIOD, synthetic_rows


def test_counts_add_up_to_the_printed_denominators_and_not_to_the_stated_ones() -> None:
    study = load_study()
    assert study.denominator_printed == {"ml": 121, "traditional": 362}
    assert study.n_stated == {"ml": 121, "traditional": 332}
    for group in GROUPS:
        assert sum(study.shares[key][group].n for key in CATEGORY_KEYS) == study.denominator_printed[group]
    assert study.frameworks == {"ml": 10, "traditional": 10}


@pytest.mark.parametrize(
    ("category", "group", "share", "low", "high"),
    [
        ("configuration-error", "traditional", 0.409, 0.359, 0.460),
        ("memory-leak", "ml", 0.298, 0.223, 0.384),
        ("multi-threading", "traditional", 0.036, 0.021, 0.060),
    ],
)
def test_shares_carry_their_wilson_interval(category: str, group: str, share: float, low: float, high: float) -> None:
    one = next(one for name, one in load_study().shares[category].items() if name == group)
    assert one.share == pytest.approx(share, abs=5e-4)
    assert one.ci == pytest.approx((low, high), abs=6e-4)


def test_nine_printed_medians_cannot_be() -> None:
    impossible = [
        (category, indicator, group)
        for (category, indicator), pair in load_study().medians.items()
        for group, one in pair.items()
        if one.impossible
    ]
    assert len(impossible) == 9
    assert {(category, group) for category, _, group in impossible} == {
        ("io-slowdown", "ml"),
        ("io-slowdown", "traditional"),
        ("multi-threading", "traditional"),
    }


def test_six_categories_and_overall_have_all_measures() -> None:
    categories = {category for category, _ in load_study().medians}
    assert len(categories) == 7
    assert OVERALL in categories
    expected = {(category, one.key) for category in categories for one in (*DIFFICULTY, *INFORMATION)}
    assert set(load_study().medians) == expected


def test_the_notes_name_what_does_not_add_up() -> None:
    notes = " ".join(load_study().notes)
    for words in (
        "362",
        "332",
        "resource usage",
        "9 cells",
        "97 tests",
        "fewer than three comments",
        "5 categories occur in ML alone and 1 in traditional",
        "61 values would have to lie that low, and at most 66 can",
        "rest on 6 and 8 issues",
        "47 in its Table 4, 57 in its text",
        "never gives 121 issues",
        "13 people with over 40,000 followers",
        "Table 6",
    ):
        assert words in notes


@pytest.mark.parametrize(("ml", "traditional", "shown"), [(4, 4, False), (3, 4, True), (4, 3, True), (4, 0, True)])
def test_the_reference_stands_until_four_repositories_a_group_are_live(ml: int, traditional: int, shown: bool) -> None:
    report = build_report(synthetic_rows(ml, 10, traditional=traditional), PERIOD)
    assert (report.study is not None) is shown


def test_the_figures_are_those_of_the_shared_copy() -> None:
    shared = Path(__file__).parents[2] / "../shared/data/study1-tables.json"
    if not shared.is_file():
        pytest.skip("the shared data folder is not here")
    data = json.loads(shared.read_text(encoding="utf-8"))
    study = load_study()
    for key, pair in data["table3"]["counts"].items():
        assert [study.shares[key][group].n for group in GROUPS] == [pair[group] for group in GROUPS]
    for table in ("table4_medians", "table5_medians"):
        for category, row in data[table].items():
            for name, pair in row.items():
                medians = study.medians[category, name.replace("pr_", "fix_")]
                assert [medians[group].value for group in GROUPS] == [pair[group] for group in GROUPS]
