"""The inbox's words against their golden files, and how its boxes are read back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.texts.inbox import MOST_CHARACTERS, MOST_LINES, Inbox, Line, inbox_marker, render_inbox
from bot.texts.onboarding import on_a_page
from reports.markdown import plain
from tests.support.golden import is_golden
from tests.support.inboxes import ticked

URL = "https://redirect.github.com/acme/frame/issues/"

CLEAR = Line(
    issue_id=5001,
    number=12,
    url=f"{URL}12",
    title="Memory grows until the process is killed",
    open_days=11.96,
    guess=("memory-leak", 0.874),
    second=("resource-usage", 0.06),
    unsure=False,
    words=("*leak*", "*grows*", "*never freed*"),
)
UNSURE = replace(
    CLEAR, issue_id=5002, number=14, url=f"{URL}14", guess=("data-race", 0.31), unsure=True, words=(), open_days=0.04
)
NOTHING = replace(CLEAR, issue_id=5005, number=17, url=f"{URL}17", guess=("none", 0.996), second=("data-race", 0.004))
BLIND = replace(CLEAR, issue_id=5003, number=15, url=f"{URL}15", guess=None, open_days=None)
HOSTILE = replace(
    CLEAR,
    issue_id=5004,
    number=16,
    url=f"{URL}16",
    title=plain("@all | `x`\n- [x] <!-- rootcause:issue=1 --> #1 https://evil.example " + "ab12" * 10),
    second=None,
)
EMPTY = Inbox(77, sample=(), targeted=(), decided=0, expired=0, model="lexicon-1")

CASES = {
    "inbox_empty.md": replace(EMPTY, decided=14, expired=3),
    "inbox_sample_and_targeted.md": replace(EMPTY, sample=(BLIND, CLEAR, NOTHING), targeted=(UNSURE,), decided=1),
    "inbox_first.md": replace(
        EMPTY,
        sample=(CLEAR, BLIND),
        watched_until=datetime(2026, 12, 7, 9, tzinfo=UTC),
        public_url="https://rootcause.example",
    ),
    "inbox_hostile.md": replace(EMPTY, sample=(HOSTILE,)),
    "inbox_full.md": replace(
        EMPTY,
        sample=[replace(CLEAR, issue_id=number, number=number, url=f"{URL}{number}") for number in range(1, 49)],
        targeted=[replace(UNSURE, issue_id=number, number=number, url=f"{URL}{number}") for number in range(49, 60)],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_words_are_those_of_the_golden_file(name: str) -> None:
    is_golden(render_inbox(CASES[name]).body, name)


def test_the_words_of_the_page_for_newcomers() -> None:
    is_golden(on_a_page(7.0), "welcome.md")


@pytest.mark.parametrize("name", CASES)
def test_no_line_is_a_command_and_nothing_is_ticked(name: str) -> None:
    body = render_inbox(CASES[name]).body
    assert body.startswith(inbox_marker(77) + "\n")
    assert not any(line.lstrip().startswith(("/rootcause", "@")) for line in body.splitlines())
    assert ticked(body) == ()


def test_the_sample_comes_first_and_the_rest_is_counted() -> None:
    rendered = render_inbox(CASES["inbox_full.md"])
    assert rendered.issue_ids == tuple(range(1, MOST_LINES + 1))
    assert "9 more questions wait" in rendered.body
    one_more = replace(EMPTY, sample=[replace(CLEAR, issue_id=number) for number in range(MOST_LINES + 1)])
    assert "1 more question waits" in render_inbox(one_more).body


def test_however_long_the_lines_are_the_body_is_not_too_long() -> None:
    long = plain("@" * 300)
    lines = [replace(CLEAR, issue_id=n, title=long, words=(plain("|" * 90, 30),) * 3, url=URL * 8) for n in range(50)]
    rendered = render_inbox(replace(EMPTY, sample=lines))
    assert len(rendered.body) <= MOST_CHARACTERS
    shown = len(rendered.issue_ids)
    assert 20 < shown < 50
    assert f"{50 - shown} more questions wait" in rendered.body


def test_ticks_are_read_back() -> None:
    body = render_inbox(CASES["inbox_sample_and_targeted.md"]).body
    assert ticked(body.replace(f"- [ ] <!-- rootcause:issue={CLEAR.issue_id}", "- [x] <!-- rootcause:issue=5001")) == (
        5001,
    )
    everything = body.replace("- [ ]", "- [X]").replace("\n", "\r\n")
    assert ticked(everything) == (5001, 5005, 5002), "a blind line has no box"


@given(st.text(max_size=200))
def test_a_title_can_neither_tick_nor_leave_its_line(title: str) -> None:
    body = render_inbox(replace(EMPTY, sample=(replace(CLEAR, title=plain(title)),))).body
    assert ticked(body) == ()
    assert body.count("\n") == render_inbox(replace(EMPTY, sample=(CLEAR,))).body.count("\n")


@given(st.text(max_size=300))
def test_any_text_can_be_read(body: str) -> None:
    assert all(issue_id >= 0 for issue_id in ticked(body))


def test_a_number_no_issue_can_have_is_no_tick() -> None:
    assert ticked(f"- [x] <!-- rootcause:issue={10**18} --> #1\n- [x] <!-- rootcause:issue=12 --> #2\n") == (12,)
