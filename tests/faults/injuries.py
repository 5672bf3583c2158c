"""What breaks, in the seeded order: processes, the database, lines to it, tokens, and whatever GitHub can answer."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.sandbox.faults import Fault
from tests.faults.place import Place

READS = (
    ("POST", "/graphql"),
    ("GET", "/repos/*/issues/*"),
    ("GET", "/repos/*/collaborators/*"),
    ("POST", "/app/installations/*/access_tokens"),
)
WRITES = (
    ("POST", "/repos/*/issues/*/comments"),
    ("POST", "/repos/*/issues/comments/*/reactions"),
    ("POST", "/repos/*/issues/*/labels"),
    ("POST", "/repos/*/issues"),
    ("PATCH", "/repos/*/issues/*"),
)
FOR_GOOD = (Fault.ARCHIVED, Fault.FORBIDDEN, Fault.NOT_FOUND, Fault.GONE, Fault.INVALID)
"""What GitHub says once and for all; of a collaborator or a token it would be a lie about the whole repository."""

PASSING = tuple(fault for fault in Fault if fault not in FOR_GOOD)
_ABOUT_ONE_ISSUE = (*WRITES, *READS[:2])
_ACTS_BETWEEN_FAULTS = 3
BROKEN = ("web", "worker-1", "worker-2", "database", "connections", "wire", "tokens")


@dataclass
class Injuries:
    """Injures a place at seeded points of so many acts, every kind equally often."""

    place: Place
    generator: random.Random
    acts: int
    each: int
    cuts: int = 0
    tokens: int = 0
    _at: dict[int, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Choose the points, and in which order GitHub fails."""
        self._faults = self._endless_faults()
        for kind in BROKEN:
            for part in range(self.each):
                point = int(self.acts * (part + self.generator.uniform(0.1, 0.9)) / self.each)
                self._at.setdefault(point, []).append(kind)

    async def injure(self, act: int) -> None:
        """Do what is due at this act."""
        if act % _ACTS_BETWEEN_FAULTS == 0:
            method, path, fault = next(self._faults)
            self.place.sandbox.faults.add(method, path, fault)
        for kind in self._at.pop(act, []):
            await self._break(kind)

    async def _break(self, kind: str) -> None:
        if kind == "database":
            await self.place.kill_database()
        elif kind == "connections":
            await self.place.cut_connections()
            self.cuts += 1
        elif kind == "wire":
            self.place.wire.cut()
            self.cuts += 1
        elif kind == "tokens":
            self.place.expire_tokens()
            self.tokens += 1
        else:
            self.place.fleet.kill(kind)

    def _endless_faults(self) -> Iterator[tuple[str, str, Fault]]:
        """Yield every fault at every kind of request that it may strike, in an order of chance, over and over."""
        passing = itertools.product((*READS, *WRITES), PASSING)
        for_good = itertools.product(_ABOUT_ONE_ISSUE, FOR_GOOD)
        combined = [(method, path, fault) for (method, path), fault in (*passing, *for_good)]
        while True:
            # Each kind comes once before any comes again, at a request of chance.
            self.generator.shuffle(combined)
            combined.sort(key=lambda one: one[2].name)
            kinds = [list(group) for _, group in itertools.groupby(combined, key=lambda one: one[2])]
            for turn in range(min(map(len, kinds))):
                yield from self.generator.sample([kind[turn] for kind in kinds], len(kinds))
