"""Questions, enhancements and duplicates, told by labels, issue types and the marks of templates."""

from __future__ import annotations

from typing import Any

import pytest

from bot.evidence.kinds import asks_for_enhancement, has_label, is_duplicate, is_question
from tests.evidence.made_evidence import evidence


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("question", True),
        ("Question", True),
        ("type: question", True),
        ("kind/question", True),
        ("T: Question ❓", True),
        ("status:type:question", True),
        ("question: answered", False),
        ("questionable", False),
        ("type", False),
        ("", False),
    ],
)
def test_a_label_whatever_its_case_and_prefix(label: str, found: bool) -> None:
    assert has_label(("bug", label), frozenset({"question"})) is found


@pytest.mark.parametrize(
    ("changes", "question", "enhancement"),
    [
        ({}, False, False),
        ({"labels": ("how-to",)}, True, False),
        ({"labels": ("stat:awaiting response",)}, False, False),
        ({"labels": ("type:feature",)}, False, True),
        ({"labels": ("c: new feature",)}, False, True),
        ({"labels": ("feature: loader",)}, False, False),
        ({"labels": ("ask",)}, True, False),
        ({"labels": ("idea",)}, False, True),
        ({"issue_type": "Question"}, True, False),
        ({"issue_type": "Feature Request"}, False, True),
        ({"issue_type": "Bug"}, False, False),
        ({"title": "[Q] Why is it slow"}, True, False),
        ({"title": "Question: why is it slow"}, True, False),
        ({"title": "A question of memory"}, False, False),
        ({"title": "[RFC] A faster loader"}, False, True),
        ({"title": "Enhancement: a faster loader"}, False, True),
        ({"title": "Feature maps leak"}, False, False),
        ({"body": "\r\n## ❓ Questions and Help\r\n\r\nWhy?"}, True, False),
        ({"body": "**Is your feature request related to a problem?** Yes."}, False, True),
        ({"body": "### 🚀 Feature\n\nFaster."}, False, True),
        ({"body": "The feature vector is wrong."}, False, False),
    ],
)
def test_questions_and_enhancements(changes: dict[str, Any], question: bool, enhancement: bool) -> None:
    made = evidence(**changes)

    assert is_question(made, frozenset({"Ask"})) is question
    assert asks_for_enhancement(made, frozenset({"Idea"})) is enhancement


@pytest.mark.parametrize(
    ("changes", "duplicate"),
    [
        ({}, False),
        ({"state_reason": "duplicate"}, True),
        ({"state_reason": None, "labels": ("resolution: duplicate",)}, True),
        ({"labels": ("r/Duplicate",)}, False),
        ({"labels": ("duplicate keys",)}, False),
    ],
)
def test_duplicates(changes: dict[str, Any], duplicate: bool) -> None:
    assert is_duplicate(evidence(**changes)) is duplicate
