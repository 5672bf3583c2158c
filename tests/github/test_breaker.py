"""The circuit-breaker: a circle ends within five writes, and people at work are not taken for one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice

import pytest

from bot.github.actions import (
    Action,
    AddLabel,
    Cause,
    CreateComment,
    CreateIssue,
    React,
    RemoveLabel,
    UpdateComment,
    UpdateIssue,
)
from bot.github.breaker import MOST_IN_A_CIRCLE, MOST_IN_AN_ISSUE, MOST_SAME, PERIOD, Write, may_write, write_of

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
WHERE = (1, "acme/frame")


class Issue:
    """An issue with the writes of the last hour in it, as the writer and the breaker treat them together."""

    def __init__(self, *, is_own: bool = False) -> None:
        self.is_own = is_own
        self.now = START
        self.past: list[Write] = []

    def perform(self, action: Action) -> bool:
        write = write_of(action, self.now)
        assert write is not None
        self.past = [one for one in self.past if one.at > self.now - PERIOD]
        if not may_write(self.past, write, is_own=self.is_own):
            return False
        self.past.append(write)
        return True

    def answer(self, who: str, said: str, *, in_words: bool) -> list[bool]:
        """Answer a comment by a reaction and perhaps in words; a minute goes by."""
        self.now += timedelta(minutes=1)
        cause = Cause(who, said, self.now.isoformat())
        actions: list[Action] = [React(*WHERE, 12, 5, "+1", cause)]
        if in_words:
            actions.append(UpdateComment(*WHERE, 7, said, 12, cause))
        return [self.perform(action) for action in actions]


def repeated(*said: str) -> Iterable[str]:
    return islice(cycle(said), 30)


@pytest.mark.parametrize("in_words", [True, False])
@pytest.mark.parametrize("said", [("?",), ("help",), ("explain", "similar"), ("confirm", "undo")])
@pytest.mark.parametrize("is_own", [True, False])
def test_a_circle_ends_within_five_writes(said: tuple[str, ...], in_words: bool, is_own: bool) -> None:
    issue = Issue(is_own=is_own)
    for words in repeated(*said):
        issue.answer("another App", words, in_words=in_words)
    assert 3 <= len(issue.past) <= MOST_IN_A_CIRCLE


def test_an_hour_later_it_may_answer_again() -> None:
    issue = Issue()
    for words in repeated("?"):
        issue.answer("another App", words, in_words=True)
    issue.now += PERIOD
    assert issue.answer("another App", "?", in_words=True) == [True, True]


def test_a_maintainer_who_tries_every_command_is_answered() -> None:
    issue = Issue()
    tried = ["explain", "similar", "confirm", "undo", "none", "undo", "help", "memory-leak", "type memory", "fix #9"]
    words = {"explain", "similar", "help"}
    assert all(all(issue.answer("ann", said, in_words=said in words)) for said in tried)


def test_many_maintainers_in_an_inbox_are_answered() -> None:
    inbox = Issue(is_own=True)
    for number in range(1, 41):
        assert all(inbox.answer(f"person {number % 5}", f"confirm #{number}", in_words=number % 10 == 0))
    for person in range(5):
        assert all(inbox.answer(f"person {person}", "help", in_words=True)), "each of them may ask the same"


def test_what_is_tried_again_after_a_failure_is_no_repetition() -> None:
    issue, cause = Issue(), Cause("ann", "confirm", "delivery")
    for _ in range(MOST_IN_A_CIRCLE * 2):
        assert issue.perform(React(*WHERE, 12, 5, "+1", cause))


def test_whatever_is_said_there_is_an_end() -> None:
    issue = Issue()
    for number in range(60):
        issue.now += timedelta(seconds=1)
        issue.perform(React(*WHERE, 12, 5, "+1", Cause("another App", f"none {number}", str(number))))
    assert len(issue.past) == MOST_IN_AN_ISSUE


def test_a_fight_over_a_label_ends() -> None:
    issue = Issue()
    for number in range(20):
        issue.now += timedelta(minutes=1)
        kind = AddLabel if number % 2 == 0 else RemoveLabel
        issue.perform(kind(*WHERE, "root-cause/", "memory-leak", 12))
    assert len(issue.past) == MOST_IN_A_CIRCLE


def test_an_inbox_is_rewritten_as_often_as_it_changes_and_a_fight_over_its_text_ends() -> None:
    inbox = Issue(is_own=True)
    for number in range(40):
        inbox.now += timedelta(minutes=1)
        assert inbox.perform(UpdateIssue(*WHERE, 3, body=f"{40 - number} questions"))
    fought = Issue(is_own=True)
    for _ in range(20):
        fought.now += timedelta(minutes=1)
        fought.perform(UpdateIssue(*WHERE, 3, body="The same text, which a formatter changes each time"))
    assert len(fought.past) == MOST_SAME


def test_what_stands_in_no_known_issue_is_not_counted() -> None:
    assert write_of(CreateIssue(*WHERE, "Title", "<!-- m -->", "<!-- m -->"), START) is None
    assert write_of(UpdateComment(*WHERE, 7, "text"), START) is None
    comment = write_of(CreateComment(*WHERE, 12, "<!-- m -->", "<!-- m -->"), START)
    assert comment is not None
    assert (comment.number, comment.who, comment.loud) == (12, "", True)
