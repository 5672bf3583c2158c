"""Indicators of one issue, each against a value worked out by hand."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from bot.evidence.indicators import Indicators, measure
from bot.evidence.model import Actor, FixFile, Labelling, Span
from reports import Record
from tests.evidence.made_evidence import ANN, BOB, CY, GHOST, HELPER, OPENED, at, comment, evidence, fix


def test_the_fields_are_those_of_a_record() -> None:
    assert {one.name for one in fields(Indicators)} <= {one.name for one in fields(Record)}


def test_a_plain_issue() -> None:
    found = measure(evidence())

    assert (found.open_days, found.first_close_days, found.reopened) == (2.5, 2.5, 0)
    assert (found.issue_comments, found.issue_participants) == (3, 3)
    assert (found.members, found.non_members) == (1, 2)
    assert found.participation_percent == pytest.approx(100 / 3)
    assert (found.fix_comments, found.fix_participants) == (4, 2)
    assert (found.changed_lines, found.changed_files) == (16, 2)
    assert (found.description_words, found.code_lines, found.attached_files) == (11, 0, 0)
    assert (found.languages, found.mpl, found.mpl_with_tests) == (["C/C++", "Python"], True, True)
    # 12 and 4 of 16 lines: -(3/4 log2 3/4 + 1/4 log2 1/4) / log2 2.
    assert found.change_entropy == pytest.approx(0.811278, abs=1e-6)


def test_reopening_adds_to_the_open_days_and_keeps_the_first_closing() -> None:
    spans = (Span(OPENED, at(1)), Span(at(3), at(4)), Span(at(6), at(10)))

    found = measure(evidence(spans=spans))

    assert (found.reopened, found.first_close_days, found.open_days) == (2, 1.0, 10.0)


def test_an_issue_that_is_open_again_has_no_open_days_yet() -> None:
    found = measure(evidence(state="open", spans=(Span(OPENED, at(1)), Span(at(3), None))))

    assert (found.open_days, found.first_close_days, found.reopened) == (None, 1.0, 1)
    assert found.issue_comments == 3


def test_what_comes_after_the_closing_does_not_count() -> None:
    late = (comment(BOB, 1), comment(CY, 2.5), comment(ANN, 2.6), comment(Actor("human", 8, "eve"), 30))

    found = measure(evidence(comments=late))

    # The comment written at the very moment of the closing is the one that closes it.
    assert (found.issue_comments, found.issue_participants) == (2, 3)


def test_bots_never_count_however_they_are_known() -> None:
    talk = (
        comment(HELPER, 1),
        comment(Actor("human", 10, "stale[bot]"), 1.1),
        comment(Actor("human", 11, "Merge-Robot"), 1.2, association="MEMBER"),
        comment(BOB, 2),
    )
    change = fix(participants=(CY, Actor("human", 11, "merge-robot")))

    found = measure(evidence(comments=talk, fix=change), frozenset({"merge-robot"}))

    assert (found.issue_comments, found.issue_participants, found.members) == (1, 2, 0)
    assert found.fix_participants == 1


def test_each_deleted_account_is_one_unknown_person() -> None:
    found = measure(evidence(author=GHOST, comments=(comment(GHOST, 1), comment(BOB, 2), comment(BOB, 2.1))))

    assert (found.issue_comments, found.issue_participants) == (3, 3)
    assert (found.members, found.non_members, found.participation_percent) == (0, 3, 0.0)


def test_nobody_took_part_in_an_issue_of_a_bot_alone() -> None:
    found = measure(evidence(author=HELPER, comments=()))

    assert (found.issue_participants, found.members, found.participation_percent) == (0, 0, None)


def test_a_member_counts_once_and_by_any_of_their_comments() -> None:
    talk = (comment(ANN, 1, association="COLLABORATOR"), comment(BOB, 1, association="OWNER"), comment(BOB, 2))

    found = measure(evidence(comments=talk))

    assert (found.members, found.non_members, found.participation_percent) == (2, 0, 100.0)


def test_without_a_fix_nothing_is_known_of_it() -> None:
    found = measure(evidence(fix=None, fix_link=None))

    unknown = (
        found.fix_comments,
        found.fix_participants,
        found.changed_lines,
        found.changed_files,
        found.languages,
        found.languages_with_tests,
        found.mpl,
        found.mpl_with_tests,
        found.change_entropy,
        found.change_entropy_with_tests,
    )
    assert set(map(str, unknown)) == {"None"}


def test_a_description_whose_first_version_is_lost_is_not_measured() -> None:
    found = measure(evidence(first_body=None))

    assert (found.description_words, found.attached_files, found.code_lines) == (None, None, None)


def test_the_first_version_is_measured_not_the_last() -> None:
    assert measure(evidence(body="Now there are many more words", first_body="Two words")).description_words == 2


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(
            {"files": (FixFile("README.md", 3, 0),), "changed_files": 1},
            {"languages": [], "languages_with_tests": [], "mpl": None, "mpl_with_tests": None, "change_entropy": None},
            id="no source file at all",
        ),
        pytest.param(
            {"files": (FixFile("a.py", 3, 0), FixFile("tests/test_a.cc", 5, 0)), "changed_files": 2},
            {"languages": ["Python"], "mpl": False, "mpl_with_tests": True, "change_entropy": 0.0},
            id="a second language in the tests alone",
        ),
        pytest.param(
            {"files": (FixFile("a.py", 3, 0),), "changed_files": 3_500, "files_truncated": True},
            {"languages": ["Python"], "mpl": None, "mpl_with_tests": None, "change_entropy": None},
            id="a list of files cut short that shows one language",
        ),
        pytest.param(
            {"files": (FixFile("a.py", 3, 0), FixFile("a.go", 0, 0)), "changed_files": 3_500, "files_truncated": True},
            {"mpl": True, "mpl_with_tests": True, "change_entropy": None, "changed_lines": 16},
            id="a list of files cut short that shows two",
        ),
        pytest.param({"files": (), "changed_files": 2}, {"languages": None, "mpl": None}, id="files not known"),
        pytest.param({"files": (), "changed_files": 0}, {"languages": [], "mpl": None}, id="an empty change"),
        pytest.param({"comments": None}, {"fix_comments": None, "fix_participants": None}, id="comments not known"),
        pytest.param({"additions": None}, {"changed_lines": None}, id="lines not known"),
    ],
)
def test_fixes(changes: dict[str, Any], expected: dict[str, Any]) -> None:
    found = measure(evidence(fix=fix(**changes)))

    assert {name: getattr(found, name) for name in expected} == expected


def test_a_label_says_when_it_was_reproduced_and_goes_before_a_guess() -> None:
    talk = (comment(CY, 1), comment(BOB, 1.5, "I can reproduce this.", "MEMBER"), comment(ANN, 2))
    guessed = measure(evidence(comments=talk))
    labelled = measure(evidence(comments=talk, labellings=(Labelling(at(1.2), "confirmed"),)))
    late = measure(evidence(comments=talk, labellings=(Labelling(at(9), "confirmed"),)))

    assert (guessed.comments_until_reproduced, guessed.comments_until_reproduced_source) == (2, "heuristic")
    assert (labelled.comments_until_reproduced, labelled.comments_until_reproduced_source) == (1, "label")
    assert late == guessed
    assert measure(evidence()).comments_until_reproduced is None
    assert measure(evidence()).comments_until_reproduced_source is None


def test_the_order_of_later_events_changes_nothing() -> None:
    """A record made at once and one made years later agree."""
    live = evidence()
    later = replace(
        live,
        comments=(*live.comments, comment(Actor("human", 8, "eve"), 400, "I can reproduce", "MEMBER")),
        labellings=(Labelling(at(500), "confirmed"),),
        locked=True,
    )

    assert measure(live) == measure(later)
