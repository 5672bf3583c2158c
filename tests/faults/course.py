"""One run from the first delivery to the last check, and its figures."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults import once
from tests.faults.injuries import Injuries
from tests.faults.people import REPOSITORIES, People
from tests.faults.place import Place, injured_place
from tests.faults.replicas import cut_off, freeze, roll

_DELIVERIES_A_SECOND = 12.0
_ACTS_BETWEEN_LOOKS, _MOST_LEFT = 10, 40
_INJURIES_EACH = 100
"""Deliveries for one injury of each kind, so that every kind comes twice in a run of 200."""


@dataclass
class Figures:
    """What a run came to."""

    deliveries: int = 0
    redelivered: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    ended_by_themselves: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    cuts: str = ""
    records: int = 0
    decisions: int = 0
    reports: int = 0
    writes: int = 0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    dead: Counter[str] = field(default_factory=Counter)
    ended: list[tuple[str, int, float]] = field(default_factory=list)
    """Which process ended on being asked to (SIGTERM), with which code, after how many seconds."""

    seconds: dict[str, float] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """Return the figures in words, a line each."""
        seconds = ", ".join(f"{phase} {taken:.1f}" for phase, taken in self.seconds.items())
        return [
            f"deliveries       {self.deliveries} accepted and kept, {self.redelivered} sent again",
            f"kills -9         {_counted(self.kills)}; ended by themselves: {_counted(self.ended_by_themselves)}",
            f"faults injected  {self.faults.total()}: {_counted(self.faults)}",
            f"cuts             {self.cuts}",
            f"outcome          {self.records} records, {self.decisions} decisions, {self.reports} reports",
            f"GitHub           {self.writes} writes",
            f"lost             {len(self.lost)} {self.lost or ''}".rstrip(),
            f"doubled          {len(self.doubled)} {self.doubled or ''}".rstrip(),
            f"dead-lettered    {self.dead.total()}: {_counted(self.dead)}",
            "ended on SIGTERM "
            + (", ".join(f"{name} {code} after {taken:.1f} s" for name, code, taken in self.ended) or "none"),
            f"seconds          {sum(self.seconds.values()):.1f}: {seconds}",
        ]


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{times} {what}" for what, times in sorted(counter.items())) or "none"


async def prepare(place: Place) -> None:
    """Start everything and let the App get to know its repositories, which were there before the last month's end."""
    for name in ("web", "worker-1", "worker-2"):
        place.start(name)
    await place.ready("web")
    await place.come_to_rest()
    assert await place.count("repository") == len(REPOSITORIES)
    # So that a report of the last month is due, which every start of a worker asks for.
    await place.query("UPDATE repository SET created_at = created_at - interval '70 days' RETURNING id")


async def injure(place: Place, people: People, injuries: Injuries) -> None:
    """Let people act while everything breaks, then heal it and wait until all is done."""
    for act in range(people.acts):
        # So that what breaks, breaks in the middle of work, however slow the machine is.
        if act % _ACTS_BETWEEN_LOOKS == 0:
            await place.do_most(_MOST_LEFT)
        people.act()
        await injuries.injure(act)
        await asyncio.sleep(injuries.generator.expovariate(_DELIVERIES_A_SECOND))
    place.sandbox.faults.clear()
    await place.come_to_rest()


async def figures_of(place: Place, people: People, injuries: Injuries) -> Figures:
    """Look through the database and the local GitHub, once everything has come to rest."""
    return Figures(
        deliveries=len(place.accepted()),
        redelivered=place.redelivered,
        kills=place.fleet.kills,
        ended_by_themselves=place.fleet.ended_by_themselves,
        faults=Counter(fault.value for _, _, fault in place.sandbox.faults.struck),
        cuts=f"{injuries.cuts} times: {place.terminated} connections by the server, {place.wire.cuts} on the way; "
        f"all tokens expired {injuries.tokens} times",
        records=await place.count("record"),
        decisions=await place.count("decision"),
        reports=await place.count("report", "state <> 'due'"),
        writes=len(place.sandbox.writes),
        lost=await once.lost(place, people),
        doubled=await once.doubled(place) + await once.reports_not_once(place),
        dead=await once.dead_letters(place),
    )


async def run(folder: Path, deliveries: int, seed: int, *, with_replicas: bool) -> Figures:
    """Play a whole run of so many deliveries, and what happens between replicas where wanted; return its figures."""
    generator = random.Random(seed)  # noqa: S311 - the same run for the same seed is wanted
    moments = [time.monotonic()]
    ended = []
    async with injured_place(folder) as place:
        people = People(place.sandbox, generator, deliveries)
        injuries = Injuries(place, generator, deliveries, max(deliveries // _INJURIES_EACH, 1))
        async with place.delivering():
            await prepare(place)
            moments.append(time.monotonic())
            await injure(place, people, injuries)
            moments.append(time.monotonic())
            if with_replicas:
                ended = await roll(place, people)
                issue = people.unspoken()
                await place.come_to_rest()
                await freeze(place, frozen="worker-3", other="worker-4", repository=issue[0])
                await cut_off(place, other="worker-3", issue=issue)
        moments.append(time.monotonic())
        figures = await figures_of(place, people, injuries)
    figures.ended = ended
    taken = [later - earlier for earlier, later in itertools.pairwise(moments)]
    figures.seconds = dict(zip(("start", "faults", "replicas"), taken, strict=True))
    return figures
