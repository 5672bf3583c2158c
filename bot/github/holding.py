"""Whether the job that a write belongs to is still this process's own: asked right before the write leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol


class JobLost(asyncio.CancelledError):
    """Another replica has taken up the job, or may do so by now: whatever runs for it here ends as if cancelled."""


class Hold(Protocol):
    """What a process holds its job by; all replicas must share it."""

    async def sure(self) -> None:
        """Return while nobody else can have taken up the job; raises `JobLost`, or what a database raises."""
        ...


_hold: ContextVar[Hold | None] = ContextVar("hold", default=None)


@contextmanager
def holding(hold: Hold) -> Iterator[None]:
    """Let every write that is made in this block, and by the tasks that it starts, ask the hold first."""
    before = _hold.set(hold)
    try:
        yield
    finally:
        _hold.reset(before)


async def still_ours() -> None:
    """Return where a write may leave: no job is under way here (a command of a person), or it is still held."""
    hold = _hold.get()
    if hold is not None:
        await hold.sure()
