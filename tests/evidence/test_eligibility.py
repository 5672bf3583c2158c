"""Both verdicts and every reason."""

from __future__ import annotations

import time
from typing import Any

import pytest

from bot.evidence.eligibility import EligibilityRules, judge, written_words
from bot.evidence.kinds import closed_for_inactivity
from bot.evidence.model import Actor, Span
from tests.evidence.made_evidence import ANN, BOB, HELPER, OPENED, at, comment, evidence, fix

RULES = EligibilityRules(own_user_id=4711, exclude_labels=frozenset({"Flaky"}), exclude_authors=frozenset({"Eve"}))


def test_a_bug_with_a_landed_fix_and_enough_talk_is_eligible_for_both() -> None:
    found = judge(evidence(), RULES)

    assert (found.eligible_bug, found.eligible_system, found.exclusions) == (True, True, ())


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        pytest.param({"spans": (Span(OPENED, None),), "state": "open"}, ("not_closed",), id="open"),
        pytest.param({"is_pull_request": True}, ("pull_request",), id="pull request"),
        pytest.param({"author": Actor("bot", 4711, "rootcause")}, ("own_issue",), id="our own"),
        pytest.param({"labels": ("flaky",)}, ("excluded_label",), id="label"),
        pytest.param({"author": Actor("human", 6, "eve")}, ("excluded_author",), id="author"),
        pytest.param({"labels": ("type: question",)}, ("question",), id="question label"),
        pytest.param({"labels": ("type:support",)}, ("question",), id="support label"),
        pytest.param({"title": "[Question] why does it crash"}, ("question",), id="question title"),
        pytest.param({"issue_type": "Question"}, ("question",), id="question type"),
        pytest.param({"body": "## ❓ Questions and Help\n\nWhy does it hang so?"}, ("question",), id="template"),
        pytest.param({"labels": ("kind/feature",)}, ("enhancement",), id="feature label"),
        pytest.param({"labels": ("Feature Request",)}, ("enhancement",), id="feature request label"),
        pytest.param({"title": "Feature request: a faster loader"}, ("enhancement",), id="feature title"),
        pytest.param({"issue_type": "Feature"}, ("enhancement",), id="feature type"),
        pytest.param(
            {"body": "### 🚀 The feature, motivation and pitch\n\nMake it fast for us."},
            ("enhancement",),
            id="feature form",
        ),
        pytest.param({"state_reason": "duplicate"}, ("duplicate",), id="duplicate"),
        pytest.param({"labels": ("duplicate",)}, ("duplicate",), id="duplicate label"),
        pytest.param({"state_reason": "not_planned"}, ("not_planned",), id="not planned"),
        pytest.param({"fix": None, "fix_link": None}, ("no_fix",), id="no fix"),
        pytest.param({"fix": fix(landed=False)}, ("fix_not_landed",), id="not landed"),
        pytest.param({"fix": None, "fix_link": "private"}, ("fix_unreadable",), id="private"),
        pytest.param({"fix": None, "fix_link": None, "labels": ("stale",)}, ("closed_inactive", "no_fix"), id="stale"),
        pytest.param({"labels": ("stale",)}, (), id="stale once, but mended"),
        pytest.param({"labels": ("bug", "windows support", "feature: loader")}, (), id="labels that only sound so"),
    ],
)
def test_reasons_against_both(changes: dict[str, Any], reasons: tuple[str, ...]) -> None:
    found = judge(evidence(**changes), RULES)

    assert found.exclusions == reasons
    assert (found.eligible_bug, found.eligible_system) == (not reasons, not reasons)


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        pytest.param({"comments": (comment(BOB, 1), comment(ANN, 2))}, ("fewer_than_3_comments",), id="two comments"),
        pytest.param(
            {"comments": (comment(BOB, 1), comment(HELPER, 1), comment(ANN, 2), comment(BOB, 9))},
            ("fewer_than_3_comments",),
            id="bots and late comments",
        ),
        pytest.param(
            {"title": "Crash", "body": "<!-- tell us all you know about it -->"}, ("too_little_text",), id="text"
        ),
    ],
)
def test_reasons_against_the_first_study_alone(changes: dict[str, Any], reasons: tuple[str, ...]) -> None:
    found = judge(evidence(**changes), RULES)

    assert (found.eligible_bug, found.eligible_system, found.exclusions) == (True, False, reasons)


def test_all_reasons_are_kept_in_order() -> None:
    found = judge(evidence(labels=("question", "enhancement"), fix=None, fix_link=None, comments=()), RULES)

    assert found.exclusions == ("question", "enhancement", "no_fix", "fewer_than_3_comments")


def test_a_repository_may_set_its_own_rules() -> None:
    rules = EligibilityRules(min_comments=5, question_labels=frozenset({"Ask Me"}), bots=frozenset({"bob"}))

    assert judge(evidence(), rules).exclusions == ("fewer_than_5_comments",)
    assert judge(evidence(labels=("ask-me",)), rules).exclusions == ("question", "fewer_than_5_comments")


@pytest.mark.parametrize(
    ("body", "inactive"),
    [
        ("Closing as stale. Please reopen if this is still an issue.", True),
        ("This issue was closed because it has been inactive for 7 days.", True),
        ("No response from the author, closing.", True),
        ("Closing due to lack of activity", True),
        ("We close the file handle twice.", False),
        ("The cache holds a stale entry.", False),
        ("Closing, fixed on master. There was no activity on the socket", False),
    ],
)
def test_closed_for_inactivity(body: str, inactive: bool) -> None:
    assert closed_for_inactivity(evidence(comments=(comment(HELPER, 2.4, body),))) is inactive


def test_what_is_said_after_the_closing_did_not_cause_it() -> None:
    assert not closed_for_inactivity(evidence(comments=(comment(HELPER, 3, "Closing as stale."),)))
    assert not closed_for_inactivity(evidence(spans=(Span(OPENED, at(1)), Span(at(2), None)), labels=("stale",)))


@pytest.mark.parametrize("piece", ["\n", "\r\n", "_\n", "#\n", "<!--", " "])
def test_counting_words_of_a_hostile_text_takes_no_time(piece: str) -> None:
    began = time.process_time()
    written_words((piece * 65_536)[:65_536])
    assert time.process_time() - began < 1


def test_written_words_leave_out_what_a_form_says() -> None:
    assert (
        written_words("### What happened?\n\nIt hangs\n\n### Log\n\n_No response_\n<!-- x y z -->\n```\na b\n```") == 4
    )
