"""What happens every day: closings in bursts, and what strangers, maintainers and other bots say about them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count

from tests.month.closings import closing
from tests.month.stage import (
    ATTIC,
    CHARTS,
    ENGINE,
    GREETER,
    LIGHTS,
    LOCKER,
    START,
    STRANGERS,
    TRIAGERS,
    WRITERS,
    Act,
    Cue,
    Stage,
)

DAYS = 28
CLOSINGS = 296
"""Issues that are closed in bursts; the stories of issues that were open before close the others."""

_PLACES = (ENGINE, ENGINE, LIGHTS, ENGINE, CHARTS, LIGHTS, ENGINE, CHARTS, ATTIC, LIGHTS)
_MAINTAINERS_SAY = (
    "/rootcause confirm",
    "/rootcause memory-leak",
    "Thanks for the report, this one is easy.\n\n/rootcause deadlock",
    "/rootcause none question",
    "/rootcause memry-leak",
    "/rootcause explain",
    "> /rootcause confirm\n\nI would not say so.",
    "/rootcause help",
    "/rootcause build config\n/rootcause reproduced 2",
    "/rootcause undo",
    "```\n/rootcause confirm\n```",
    "/rootcause similar",
    "<!-- /rootcause none -->\nHm.",
    "/rootcause perf",
    "/rootcause do what you think is right",
    "@rootcause leak",
    "/rootcause recheck",
    "/rootcause off",
    "/rootcause on",
    "/rootcause type memory",
)
_STRANGERS_SAY = (
    "Same here, thank you!",
    "/rootcause confirm",
    "When will this be released?",
    "/rootcause whatever",
    "Works for me now.",
    "/rootcause help",
    "/rootcause report",
)
_GREETING = "Thanks for using our things! How satisfied are you?\n\n/rootcause confirm\n"


def daily_cues(seed: int) -> Iterator[Cue]:
    """Yield what happens at the sessions of work of each day."""
    generator = random.Random(seed)  # noqa: S311 - the same month at every run is wanted
    sessions = [moment for day in range(DAYS) for moment in _sessions(day, generator)]
    shares = _shares(CLOSINGS, len(sessions), generator)
    turns, talk = count(), count()
    for session, (begin, share) in enumerate(zip(sessions, shares, strict=True)):
        places = [_PLACES[next(turns) % len(_PLACES)] for _ in range(share)]
        for index, place in enumerate(places):
            yield Cue(begin + timedelta(seconds=index // 4), place, _close(place, generator.randrange(2**32)))
            if generator.random() < 0.2:
                yield Cue(begin + timedelta(seconds=index // 4), place, _says(place, GREETER, _GREETING))
        if share == 0:
            continue
        for minutes in (4, 4, 4):
            place = generator.choice(places)
            yield Cue(begin + timedelta(minutes=minutes), place, _talk(next(talk), place))
        if session % 3 == 2:
            place = generator.choice(places)
            yield Cue(begin + timedelta(minutes=8), place, _lock(place))


def _sessions(day: int, generator: random.Random) -> list[datetime]:
    morning = START + timedelta(days=day, hours=2)
    weekend = morning.weekday() >= 5
    hours = (4,) if weekend else (0, 7)
    return [morning + timedelta(hours=hour, minutes=generator.randrange(40)) for hour in hours]


def _shares(total: int, parts: int, generator: random.Random) -> list[int]:
    """Split closings into bursts of very different sizes."""
    cuts = sorted(generator.randrange(total + 1) for _ in range(parts - 1))
    return [after - before for before, after in zip([0, *cuts], [*cuts, total], strict=True)]


def _close(place: str, seed: int) -> Act:
    def act(stage: Stage) -> None:
        name = stage.names[place]
        number = stage.sandbox.repository(name).last_number + 1
        record = closing(place, number, stage.clock.now(), random.Random(seed))  # noqa: S311 - wanted to repeat
        stage.sandbox.seed_issue(name, record, closed_by=WRITERS[seed % len(WRITERS)], emit=True)
        stage.closed[place].append(number)

    return act


def _says(place: str, login: str, body: str, back: int = 1) -> Act:
    return lambda stage: stage.say(place, stage.recent(place, back), login, body)


def _talk(turn: int, place: str) -> Act:
    """Two of three who speak are strangers, most of whom want nothing of us."""
    if turn % 3 < 1:
        said = turn // 3
        return _says(place, TRIAGERS[said % len(TRIAGERS)], _MAINTAINERS_SAY[said % len(_MAINTAINERS_SAY)], turn % 4)
    return _says(place, STRANGERS[turn % len(STRANGERS)], _STRANGERS_SAY[turn % len(_STRANGERS_SAY)], turn % 5)


def _lock(place: str) -> Act:
    def act(stage: Stage) -> None:
        number = stage.recent(place, 3)
        issue = stage.find(place, number)
        if issue is not None and not issue.locked:
            stage.sandbox.lock(stage.names[place], number, LOCKER, "resolved")

    return act
