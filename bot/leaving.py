"""The end of a process in time: asked to stop it has ten seconds, whatever still holds it up."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

log = structlog.get_logger(__name__)

_LAST_SECONDS = 9.0
"""Platforms kill a process about 10 s after they asked it to stop."""


@contextmanager
def stopping_in_time(stop: asyncio.Event) -> Iterator[None]:
    """Set `stop` on SIGTERM and Ctrl-C; end the process as it is where the block still lasts 9 s later.

    A database that keeps its connections and answers nothing can hold up a clean end for as long as it likes. Nothing
    is lost by that: what is under way is taken up as after a `kill -9`.
    """
    loop = asyncio.get_running_loop()
    last: list[asyncio.TimerHandle] = []

    def end() -> None:
        stop.set()
        last.append(loop.call_later(_LAST_SECONDS, _leave))

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        for handle in last:
            handle.cancel()


def _leave() -> None:
    log.warning("the end took too long, leaving at once")
    os._exit(0)
