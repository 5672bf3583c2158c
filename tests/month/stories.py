"""What happens once: issues that were open before, reopened and deleted ones, a broken configuration, and all moves."""

from __future__ import annotations

from collections.abc import Iterator

from tests.month.conversations import conversations
from tests.month.inbox_stories import inbox_stories
from tests.month.stage import (
    ATTIC,
    CHARTS,
    CONFIGURATIONS,
    ELSEWHERE,
    ENGINE,
    FILE,
    HARBOR,
    LIGHTS,
    NEW_ENGINE,
    QUAY,
    STALE,
    STRANGERS,
    Act,
    Cue,
    Stage,
    day,
)

_STALE_SAYS = "This issue has had no activity for a while.\n\n/rootcause none\n"


def stories() -> Iterator[Cue]:
    """Yield everything that happens once, in no order."""
    yield from _installing()
    for index, number in enumerate(range(0, 24, 2)):
        yield from _open_issue(index, number)
    yield from inbox_stories()
    yield from conversations()
    yield from _reopening()
    yield from _configuration()
    yield from _moving()


def _installing() -> Iterator[Cue]:
    yield Cue(day(0, 9), ENGINE, lambda stage: _install(stage, HARBOR, ENGINE))
    yield Cue(day(0, 9), CHARTS, lambda stage: _install(stage, QUAY, LIGHTS, CHARTS))
    yield Cue(day(1, 9), ATTIC, lambda stage: stage.sandbox.select_repositories(HARBOR, add=(ATTIC,)))


def _install(stage: Stage, owner: str, *names: str) -> None:
    stage.sandbox.install(owner, list(names))


def _open_issue(index: int, number: int) -> Iterator[Cue]:
    """Tell the story of an issue that strangers open and somebody closes days later."""
    place, key, author = (ENGINE, LIGHTS, CHARTS)[index % 3], f"open-{index}", STRANGERS[index]

    def opens(stage: Stage) -> None:
        title = "The scheduler hangs in a deadlock of two threads"
        body = "Two worker threads wait for each other for ever after an hour. Nothing is printed meanwhile."
        issue = stage.sandbox.open_issue(stage.names[place], author, f"{title} ({index})", body)
        stage.open_issues[key] = issue.number

    def closes(by: str, reason: str = "completed") -> Act:
        def act(stage: Stage) -> None:
            found = stage.open_issues[key]
            stage.sandbox.close(stage.names[place], found, by, reason)  # type: ignore[arg-type]  # one of two literals
            stage.closed[place].append(found)

        return act

    def says(login: str, body: str) -> Act:
        return lambda stage: stage.say(place, stage.open_issues[key], login, body)

    yield Cue(day(number, 11), place, opens)
    yield Cue(day(number, 11, 5), place, says(STRANGERS[-1 - index], "I can reproduce it, every time."))
    yield Cue(day(number, 11, 6), place, says(STRANGERS[-2 - index], "/rootcause confirm"))
    match index % 4:
        case 0:
            yield Cue(day(number + 1, 11), place, says("maint-docs", "/rootcause deadlock"))
            yield Cue(day(number + 2, 15), place, closes("maint-core"))
        case 1:
            yield Cue(day(number + 1, 11), place, says(author, "/rootcause off"))
            yield Cue(day(number + 2, 15), place, closes("maint-core"))
        case 2:
            yield Cue(day(number + 3, 15), place, says(STALE, _STALE_SAYS))
            yield Cue(day(number + 3, 15), place, closes(STALE, "not_planned"))
        case _:
            yield Cue(day(number + 1, 15), place, closes("maint-lead"))
            yield Cue(day(number + 1, 15), place, says("maint-lead", "Fixed on the main branch.\n/rootcause threading"))


def _reopening() -> Iterator[Cue]:
    for number, place in ((4, LIGHTS), (8, CHARTS), (10, ENGINE), (17, ENGINE), (19, LIGHTS), (23, CHARTS)):
        key = f"reopened-{number}"

        def reopens(stage: Stage, place: str = place, key: str = key) -> None:
            stage.open_issues[key] = stage.recent(place, 1)
            stage.sandbox.reopen(stage.names[place], stage.open_issues[key], "maint-core")

        def closes(stage: Stage, place: str = place, key: str = key) -> None:
            stage.sandbox.close(stage.names[place], stage.open_issues[key], "maint-core")

        yield Cue(day(number, 6), place, reopens)
        yield Cue(day(number, 22), place, closes)
    for number, place in ((6, ENGINE), (12, LIGHTS), (21, CHARTS)):
        yield Cue(day(number, 22, 30), place, _deletes(place))


def _deletes(place: str) -> Act:
    def act(stage: Stage) -> None:
        stage.sandbox.delete_issue(stage.names[place], stage.closed[place].pop(-2), "maint-admin")

    return act


def _configuration() -> Iterator[Cue]:
    broken = "mode: active\npropose: loudly\nlabel: {}\n"

    def writes(place: str, text: str | None) -> Act:
        return lambda stage: stage.sandbox.put_file(stage.names[place], FILE, text)

    yield Cue(day(9, 9), LIGHTS, writes(LIGHTS, broken))
    yield Cue(day(11, 9), LIGHTS, writes(LIGHTS, CONFIGURATIONS[LIGHTS]))
    yield Cue(day(13, 9), CHARTS, writes(CHARTS, "mode: active\n propose: [\n"))
    yield Cue(day(14, 9), CHARTS, writes(CHARTS, CONFIGURATIONS[CHARTS]))


def _moving() -> Iterator[Cue]:
    def rename(stage: Stage) -> None:
        stage.sandbox.rename_repository(ENGINE, NEW_ENGINE.partition("/")[2])
        stage.names[ENGINE] = NEW_ENGINE

    def transfer(source: str, target: str, back: int) -> Act:
        def act(stage: Stage) -> None:
            number = stage.closed[source].pop(-back)
            stage.sandbox.transfer_issue(stage.names[source], number, stage.names[target], "maint-admin")

        return act

    def leave(stage: Stage) -> None:
        name = LIGHTS.partition("/")[2]
        stage.sandbox.transfer_repository(LIGHTS, ELSEWHERE)
        stage.names[LIGHTS] = f"{ELSEWHERE}/{name}"

    yield Cue(day(14, 7), ENGINE, rename)
    yield Cue(day(15, 22), ENGINE, transfer(ENGINE, ATTIC, 2))
    yield Cue(day(16, 22, 50), CHARTS, transfer(CHARTS, LIGHTS, 1))
    yield Cue(day(27, 7), LIGHTS, leave)
    yield Cue(day(31, 7), ENGINE, lambda stage: stage.sandbox.uninstall(HARBOR))
    yield Cue(day(31, 7), CHARTS, lambda stage: stage.sandbox.uninstall(QUAY))
