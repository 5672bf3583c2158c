"""The inboxes handled well and badly: ticks, two at once, commands in bulk, broken texts, closed and reopened."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.month.stage import CHARTS, ENGINE, GREETER, LIGHTS, STALE, Act, Cue, Stage, day


def inbox_stories() -> Iterator[Cue]:
    """Yield what people and bots do to the inboxes."""
    for number in (8, 9, 10, 14, 16, 22, 25):
        yield Cue(day(number, 20), ENGINE, _tick(ENGINE, "maint-core", 0, 2))
    yield Cue(day(11, 20), ENGINE, _tick(ENGINE, "maint-core", 0))
    yield Cue(day(11, 20), ENGINE, _tick(ENGINE, "maint-admin", 1, from_before=True))
    yield Cue(day(12, 20), ENGINE, _bulk(ENGINE, "maint-night", "/rootcause confirm {0} {1}\n/rootcause none {2}"))
    yield Cue(day(13, 20), ENGINE, _bulk(ENGINE, "stranger-07", "/rootcause confirm {0}"))
    yield Cue(day(13, 20, 10), ENGINE, _bulk(ENGINE, GREETER, "/rootcause confirm {0}"))
    yield Cue(day(15, 20), ENGINE, _breaks(ENGINE, "maint-lead"))
    yield Cue(day(15, 20, 1), ENGINE, _tick(ENGINE, "maint-core", 0))
    yield Cue(day(18, 7), ENGINE, lambda stage: _at_inbox(stage, ENGINE, STALE, close=True))
    yield Cue(day(20, 20), ENGINE, lambda stage: _at_inbox(stage, ENGINE, "maint-admin", say="/rootcause on"))
    yield Cue(day(20, 20, 30), ENGINE, lambda stage: _at_inbox(stage, ENGINE, "maint-admin", reopen=True))
    yield Cue(day(17, 20), CHARTS, _bulk(CHARTS, "maint-docs", "/rootcause confirm {0}"))
    yield Cue(day(26, 7), LIGHTS, lambda stage: _at_inbox(stage, LIGHTS, "maint-lead", close=True))


def _lines(body: str) -> list[str]:
    return re.findall(r"^- \[ \] .*$", body, re.MULTILINE)


def _tick(place: str, login: str, first: int, last: int = 0, *, from_before: bool = False) -> Act:
    """Tick some lines; with `from_before` by a page loaded before anybody else's tick of the same moment."""

    def act(stage: Stage) -> None:
        inbox = stage.inbox(place)
        if inbox is None:
            return
        body = inbox.body or ""
        if from_before:
            body = body.replace("- [x] ", "- [ ] ")
        for line in _lines(body)[first : max(last, first + 1)]:
            body = body.replace(line, line.replace("- [ ] ", "- [x] ", 1))
        stage.sandbox.edit_issue(stage.names[place], inbox.number, login, body=body)

    return act


def _bulk(place: str, login: str, command: str) -> Act:
    def act(stage: Stage) -> None:
        inbox = stage.inbox(place)
        numbers = re.findall(r"\[(#[0-9]+)\]\(", (inbox.body or "") if inbox else "")
        if inbox is not None and len(numbers) > 2:
            stage.say(place, inbox.number, login, command.format(*numbers))

    return act


def _breaks(place: str, login: str) -> Act:
    def act(stage: Stage) -> None:
        inbox = stage.inbox(place)
        if inbox is not None:
            kept = [line for line in (inbox.body or "").splitlines() if line.startswith("- ")]
            stage.sandbox.edit_issue(stage.names[place], inbox.number, login, body="\n".join(["Mine now.", *kept]))

    return act


def _at_inbox(
    stage: Stage, place: str, login: str, *, close: bool = False, reopen: bool = False, say: str | None = None
) -> None:
    inbox = stage.inbox(place)
    if inbox is None:
        return
    if close and inbox.closed_at is None:
        stage.sandbox.close(stage.names[place], inbox.number, login, "not_planned")
    if reopen and inbox.closed_at is not None:
        stage.sandbox.reopen(stage.names[place], inbox.number, login)
    if say is not None:
        stage.say(place, inbox.number, login, say)
