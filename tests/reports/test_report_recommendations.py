"""What a report suggests to its repository: each with its numbers, nothing from too little, at most five."""

from dataclasses import replace
from functools import cache

import pytest

from reports import Record, Rows, build_report, render
from reports.expertise import EXPERTISE
from reports.model import Report
from reports.recommendations import MIN_OWN, MOST, Recommendation, recommendations
from reports.vocabulary import CATEGORY_KEYS
from tests.reports.synthetic import PERIOD, synthetic_rows

OWN = 30


def changed(record: Record) -> Record:
    """Return a record of repository 1 as it stands out: leaks, short reports, long debate, half with a form."""
    number = record.number
    return replace(
        record,
        category="memory-leak" if number < 24 else "conversion",
        selection="random",
        description_words=300 if number in (4, 9) else 5 + number % 3,
        code_lines=90 if number in (4, 9) else 1,
        attached_files=2 if number == 9 else 0,
        issue_comments=30 + number % 4,
        issue_form=number % 2 == 0,
    )


def rows_of(count: int = OWN, repositories: int = 6) -> Rows:
    """Return ML repositories of 30 issues each with the mix of the synthetic rows, the first one standing out."""
    rows = synthetic_rows(repositories, OWN, traditional=0)
    own = [changed(one) for one in rows.records if one.repository_id == 1][:count]
    others = [replace(one, selection="random", issue_form=None) for one in rows.records if one.repository_id != 1]
    return replace(rows, records=(*own, *others))


@cache
def standing_out() -> Report:
    return build_report(rows_of(), PERIOD, repository_id=1)


def kinds(report: Report) -> list[str]:
    return [one.kind for one in recommendations(report)]


def of(kind: str, report: Report) -> Recommendation:
    return next(one for one in recommendations(report) if one.kind == kind)


def test_all_that_stands_out_is_suggested_once_and_rests_on_its_issues() -> None:
    found = recommendations(standing_out())
    assert [one.kind for one in found] == ["category", "information", "form", "debate", "examples"]
    assert len(found) <= MOST
    assert all(one.issues >= MIN_OWN for one in found)
    text = render(standing_out())
    assert all(f"\n- {one.text}\n" in text for one in found)


def test_a_frequent_root_cause_asks_for_its_expertise() -> None:
    text = of("category", standing_out()).text
    assert text.startswith("**Memory leak is far more frequent here than in the group**: 24 of 30 issues drawn")
    assert "(80.0 %)" in text
    assert "in 5 other ML repositories" in text
    assert EXPERTISE["memory-leak"] in text
    assert set(EXPERTISE) == set(CATEGORY_KEYS)


def test_missing_information_is_named_with_both_medians() -> None:
    text = of("information", standing_out()).text
    assert "fewer words in the description (median 6 against " in text
    assert "fewer lines of code (median 1 against 12)" in text
    assert "30 issues here" in text


def test_forms_are_compared_only_where_it_is_known_who_used_one() -> None:
    assert "15 reports were made with one and 15 without" in of("form", standing_out()).text
    rows = rows_of()
    none = replace(rows, records=tuple(replace(one, issue_form=False) for one in rows.records))
    assert of("form", build_report(none, PERIOD, repository_id=1)).text.startswith("**None of 30 reports was made with")
    unknown = replace(rows, records=tuple(replace(one, issue_form=None) for one in rows.records))
    assert "form" not in kinds(build_report(unknown, PERIOD, repository_id=1))


def test_long_debate_here_or_over_one_root_cause() -> None:
    text = of("debate", standing_out()).text
    assert "**Debate is long here**: medians of 31 comments against 9" in text
    rows = rows_of()
    usual = tuple(replace(one, issue_comments=20, category=_by_number(one)) for one in rows.records)
    usual = tuple(replace(one, issue_comments=4) if one.category == "io-slowdown" else one for one in usual)
    report = build_report(replace(rows, records=usual), PERIOD, repository_id=1)
    assert "**Debate is longest over memory leak**: a median of 20 comments in 12 issues, against 4 over all 30" in (
        of("debate", report).text
    )


def _by_number(record: Record) -> str:
    return "memory-leak" if record.number < 12 else "io-slowdown"


def test_good_reports_are_linked_quietly_the_richest_first() -> None:
    text = of("examples", standing_out()).text
    link = "[issue {0}](https://redirect.github.com/made-up/framework1/issues/{0})"
    assert f"{link.format(9)}, {link.format(4)} are in the quarter of 30 fixed reports" in text
    assert "with the most words (from 7) and in that with the most lines of code (from 90)" in text
    assert "#" not in text


@pytest.mark.parametrize("count", [0, 5, MIN_OWN - 1])
def test_nothing_is_suggested_from_too_little(count: int) -> None:
    report = build_report(rows_of(count), PERIOD, repository_id=1)
    assert recommendations(report) == ()
    assert "Nothing this time: " in render(report)


def test_without_a_group_nothing_is_compared_with_one() -> None:
    report = build_report(rows_of(repositories=3), PERIOD, repository_id=1)
    assert not {"category", "information"} & set(kinds(report))
    assert recommendations(build_report(rows_of(), PERIOD)) == ()


def test_what_is_as_in_the_group_is_left_alone() -> None:
    report = build_report(synthetic_rows(6, OWN, traditional=0), PERIOD, repository_id=2)
    assert kinds(report) == ["examples"]
