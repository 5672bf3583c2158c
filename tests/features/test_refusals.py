"""A label of ours that a person took off, among other people's words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.decisions.verdict import Said, settle

START = datetime(2026, 11, 2, 9, tzinfo=UTC)


def refused(person: int, minute: int = 0) -> Said:
    return Said(person, None, None, None, "label", START + timedelta(minutes=minute))


def said(person: int, category: str, minute: int) -> Said:
    return Said(person, category, None, None, "comment", START + timedelta(minutes=minute))


@pytest.mark.parametrize(
    ("words", "state", "category"),
    [
        ([refused(1)], "rejected", None),
        ([refused(1), refused(2, 1)], "rejected", None),
        ([refused(1), said(1, "data-race", 1)], "corrected", "data-race"),
        ([said(1, "memory-leak", 0), refused(1, 1)], "rejected", None),
        ([said(1, "memory-leak", 0), refused(2, 1)], "disputed", None),
        ([refused(1), Said(2, None, None, None, "study", START)], "rejected", None),
        ([Said(2, None, None, None, "study", START)], "proposed", None),
    ],
)
def test_a_refusal_is_a_word_without_a_category(words: list[Said], state: str, category: str | None) -> None:
    settled = settle(words, "memory-leak", proposed=True)
    assert (settled.state, settled.category) == (state, category)
    assert (settled.decided_at is None) == (state == "proposed")
