"""What a writer needs beside GitHub, held in memory: its turns, and what it wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from bot.github.limits import WriteBudget, reserve
from bot.github.writer import WrittenItem
from tests.support.clock import VirtualClock


@dataclass
class MemoryPacer:
    """The turns of one process, at GitHub's own limits."""

    clock: VirtualClock
    budget: WriteBudget = field(default_factory=WriteBudget)

    async def reserve(self, installation_id: int) -> datetime:
        slot, self.budget = reserve(self.budget, self.clock.now(), 1.0, 80, 500)
        return slot


@dataclass
class MemoryWritten:
    """A store of one process."""

    items: dict[str, WrittenItem] = field(default_factory=dict)

    async def get(self, marker: str) -> WrittenItem | None:
        return self.items.get(marker)

    async def put(self, marker: str, item: WrittenItem) -> None:
        self.items.setdefault(marker, item)


class Forgetful:
    """A store that remembers nothing, so that everything has to be found on GitHub."""

    async def get(self, marker: str) -> WrittenItem | None:
        return None

    async def put(self, marker: str, item: WrittenItem) -> None:
        return
