"""Which ticks stand after people, bots and the App wrote one text of an inbox over another."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.inbox_issue import seconds_of_quiet
from bot.features.tick_history import last_edit, standing_ticks, unread_of
from bot.github.edits import TextVersion

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
NOBODY = frozenset[str]()
APP = {"id": 900, "login": "rootcause[bot]", "type": "Bot"}
ANN = {"id": 1, "login": "ann", "type": "User"}
BEN = {"id": 2, "login": "ben", "type": "User"}


def inbox(*ticked: int, of: int = 3) -> str:
    """Return an inbox with some boxes ticked; the numbers are the ids and ten more."""
    lines = [
        f"- [{'x' if n in ticked else ' '}] <!-- rootcause:issue={n} --> [#{n + 10}](https://x/{n}) Title\n  **leak**"
        for n in range(1, of + 1)
    ]
    return "Introduction\n\n" + "\n".join(lines) + "\n"


def history(*edits: tuple[dict[str, object] | None, str]) -> list[TextVersion]:
    """Return the versions of a text, a minute apart, from the App's own first one on."""
    made = [(APP, inbox()), *edits]
    return [
        TextVersion(f"edit-{n}", START + timedelta(minutes=n), text, editor) for n, (editor, text) in enumerate(made)
    ]


def stands(*edits: tuple[dict[str, object] | None, str], bots: frozenset[str] = NOBODY) -> dict[int, object]:
    """Return who is found to have ticked what."""
    ticks = standing_ticks(history(*edits), bots)
    return {tick.issue_id: tick.version.editor and tick.version.editor["login"] for tick in ticks}


def test_a_tick_is_its_editors() -> None:
    assert stands((ANN, inbox(1)), (BEN, inbox(1, 3))) == {1: "ann", 3: "ben"}
    assert stands() == {}
    assert standing_ticks([], NOBODY) == ()


@pytest.mark.parametrize(
    "text",
    [
        inbox(2).replace("[x]", "[X]"),
        inbox(2).replace("\n", "\r\n"),
        inbox(2).replace("<!-- rootcause:issue=2 --> ", ""),
        inbox(2).replace("- [", "* ["),
        inbox(2).partition("\n\n")[2],
        inbox(2).replace("- [ ] <!-- rootcause:issue=1 --> [#11](https://x/1) Title\n", ""),
    ],
    ids=["capital X", "CRLF", "no mark", "stars", "no introduction", "a line less"],
)
def test_whatever_else_an_edit_did_its_tick_counts(text: str) -> None:
    assert stands((ANN, text)) == {2: "ann"}


def test_everything_ticked_by_search_and_replace() -> None:
    assert stands((ANN, inbox().replace("[ ]", "[x]"))) == {1: "ann", 2: "ann", 3: "ann"}


def test_a_tick_that_was_taken_back_is_none() -> None:
    assert stands((ANN, inbox(1)), (ANN, inbox())) == {}
    assert stands((ANN, inbox(1)), (BEN, inbox())) == {}
    assert stands((ANN, inbox(1)), (ANN, inbox(2))) == {2: "ann"}, "they changed their mind"
    assert stands((ANN, inbox(1)), (ANN, inbox()), (BEN, inbox(1))) == {1: "ben"}


def test_two_people_at_once_lose_nothing() -> None:
    assert stands((ANN, inbox(1)), (BEN, inbox(2))) == {1: "ann", 2: "ben"}
    assert stands((ANN, inbox(1)), (BEN, "")) == {1: "ann"}
    assert stands((ANN, inbox(1)), (BEN, inbox(2)), (ANN, inbox(2, 3)), (ANN, inbox(2))) == {1: "ann", 2: "ben"}
    assert stands((ANN, inbox(1)), (APP, inbox())) == {1: "ann"}, "the App wrote over a tick it had not seen"
    assert stands((ANN, inbox(1)), (BEN, inbox()), bots=frozenset({"ben"})) == {1: "ann"}


def test_bots_tick_nothing_and_the_gone_are_named_as_nobody() -> None:
    assert stands((APP, inbox(1))) == {}
    assert stands((ANN, inbox(1)), bots=frozenset({"ann"})) == {}
    assert stands((None, inbox(1))) == {1: None}


def test_what_was_read_is_not_read_again() -> None:
    versions = history((ANN, inbox(1)), (BEN, inbox(1, 2)))
    assert unread_of(versions, None) == versions
    assert unread_of(versions, "edit-1") == versions[2:]
    assert unread_of(versions, "edit-2") == []
    assert unread_of(versions, "one that GitHub shows no more") == versions


def test_the_last_edit_is_a_persons() -> None:
    assert last_edit(history(), NOBODY) is None
    assert last_edit(history((APP, inbox(of=2))), NOBODY) is None
    assert last_edit(history((ANN, inbox(1)), (APP, inbox()), (APP, inbox(of=2))), NOBODY) == START + timedelta(
        minutes=1
    )
    assert last_edit([], NOBODY) is None


def test_quiet_is_two_minutes_whatever_the_clocks_say() -> None:
    ago = {seconds: seconds_of_quiet(START - timedelta(seconds=seconds), START, 120) for seconds in (0, 30, 120, 1e6)}
    assert ago == {0: 120, 30: 90, 120: 0, 1e6: 0}
    assert seconds_of_quiet(START + timedelta(hours=1), START, 120) == 120
    assert seconds_of_quiet(None, START, 120) == 0


@given(st.lists(st.tuples(st.sampled_from([APP, ANN, BEN, None]), st.text(max_size=60) | st.just(inbox(1, 3)))))
def test_any_history_can_be_read(edits: list[tuple[dict[str, object] | None, str]]) -> None:
    assert set(stands(*edits)) <= {1, 3}
