"""Commands that are edited and deleted, and labels: the repository's own that decide, and ours that are fought over."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.month.stage import CHARTS, ENGINE, GREETER, LIGHTS, STALE, Act, Cue, Stage, day


def conversations() -> Iterator[Cue]:
    """Yield the edited commands and the labels."""
    yield from _comments_changed()
    yield from _labels()


def _comments_changed() -> Iterator[Cue]:
    """Commands that are mended by an edit, edited again without one, and deleted."""
    for number, place, first, then in (
        (3, LIGHTS, "/rootcause memry-leak", "/rootcause memory-leak"),
        (9, ENGINE, "/rootcause perff", "Better:\n/rootcause perf"),
        (12, CHARTS, "/rootcause build", "/rootcause build\n/rootcause explain"),
    ):
        key = f"edited-{number}"

        def writes(stage: Stage, place: str = place, body: str = first, key: str = key) -> None:
            stage.say(place, stage.recent(place, 2), "maint-admin", body, key)

        def edits(stage: Stage, key: str = key, body: str = then) -> None:
            if key in stage.comments:
                stage.sandbox.edit_comment(stage.comments[key].id, "maint-admin", body)

        def edits_again(stage: Stage, edits: Callable[..., None] = edits, body: str = then) -> None:
            edits(stage, body=f"{body}\n\nThanks!")

        def deletes(stage: Stage, key: str = key) -> None:
            if key in stage.comments:
                stage.sandbox.delete_comment(stage.comments[key].id, "maint-admin")

        yield Cue(day(number, 21), place, writes)
        yield Cue(day(number, 21, 5), place, edits)
        yield Cue(day(number, 21, 9), place, edits_again)
        yield Cue(day(number, 21, 30), place, deletes)


def _labels() -> Iterator[Cue]:
    """The lights' own label decides; ours is taken off by a person, and fought over by another bot."""

    def own(stage: Stage) -> None:
        stage.open_issues["labelled"] = stage.recent(LIGHTS, 2)
        stage.sandbox.label(stage.names[LIGHTS], stage.open_issues["labelled"], "maint-docs", "topic: memory")

    def not_own(stage: Stage) -> None:
        stage.sandbox.unlabel(stage.names[LIGHTS], stage.open_issues["labelled"], "maint-docs", "topic: memory")

    yield Cue(day(2, 9), LIGHTS, lambda stage: stage.set_up_labels(LIGHTS))
    yield Cue(day(5, 21), LIGHTS, own)
    yield Cue(day(5, 21, 20), LIGHTS, not_own)
    yield Cue(day(6, 21), LIGHTS, own)
    for number, login in ((7, "maint-docs"), (9, "maint-core"), (13, GREETER), (19, "maint-night")):
        yield Cue(day(number, 21, 40), LIGHTS, _takes_ours_off(login))
    for minute in range(0, 40, 8):
        yield Cue(day(16, 21, minute), LIGHTS, _takes_ours_off(STALE, 4))
        yield Cue(day(16, 21, minute + 4), LIGHTS, _puts_ours_on(STALE, 4))


def _ours(stage: Stage, number: int) -> list[str]:
    return [name for name in stage.sandbox.labels(stage.names[LIGHTS], number) if name.startswith("root-cause/")]


def _takes_ours_off(login: str, back: int | None = None) -> Act:
    def act(stage: Stage) -> None:
        for number in [stage.recent(LIGHTS, back)] if back else reversed(stage.closed[LIGHTS]):
            if stage.find(LIGHTS, number) is not None and (names := _ours(stage, number)):
                stage.sandbox.unlabel(stage.names[LIGHTS], number, login, names[0])
                return

    return act


def _puts_ours_on(login: str, back: int) -> Act:
    return lambda stage: _label(stage, stage.recent(LIGHTS, back), login, "root-cause/memory-leak")


def _label(stage: Stage, number: int, login: str, name: str) -> None:
    stage.sandbox.label(stage.names[LIGHTS], number, login, name)
