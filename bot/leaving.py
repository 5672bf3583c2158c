"""The end of a process: asked to stop by SIGTERM or Ctrl-C, in ten seconds, whatever still holds it up."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import structlog

log = structlog.get_logger(__name__)

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_LAST_SECONDS = 9.0
"""Platforms kill a process about 10 s after they asked it to stop."""


@dataclass
class Asked:
    """How the process was asked to stop: None until then; by a person's Ctrl-C it ends with 130."""

    by: int | None = None

    @property
    def by_hand(self) -> bool:
        """Whether it was Ctrl-C."""
        return self.by == signal.SIGINT


@contextmanager
def listening(stop: Callable[[], object]) -> Iterator[Asked]:
    """Call `stop` on the first SIGTERM or Ctrl-C while the block lasts; a second one breaks off no clean end."""
    loop, asked = asyncio.get_running_loop(), Asked()

    def heard(number: int) -> None:
        if asked.by is None:
            asked.by = number
            stop()

    for number in _SIGNALS:
        loop.add_signal_handler(number, heard, number)
    try:
        yield asked
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


async def until_stopped(work: Coroutine[Any, Any, None]) -> bool:
    """Do work until its end, or until SIGTERM or Ctrl-C breaks it off; tell whether it came to its end.

    That it was heard is said on standard error at once, since a clean end may take some seconds. Raises
    KeyboardInterrupt where Ctrl-C broke it off, and what the work raises.
    """
    doing = asyncio.create_task(work)

    def stop() -> None:
        sys.stderr.write("Stopping; all that was started is ended first.\n")
        doing.cancel()

    with listening(stop) as asked:
        await asyncio.wait([doing])
    if not doing.cancelled():
        doing.result()
    elif asked.by_hand:
        raise KeyboardInterrupt
    return not doing.cancelled()


@contextmanager
def stopping_in_time(stop: asyncio.Event) -> Iterator[None]:
    """Set `stop` on SIGTERM and Ctrl-C; end the process as it is where the block still lasts 9 s later.

    A database that keeps its connections and answers nothing can hold up a clean end for as long as it likes. Nothing
    is lost by that: what is under way is taken up as after a `kill -9`. Raises KeyboardInterrupt at the end of a block
    that Ctrl-C has ended.
    """
    loop = asyncio.get_running_loop()
    last: list[asyncio.TimerHandle] = []

    def end() -> None:
        stop.set()
        last.append(loop.call_later(_LAST_SECONDS, lambda: _leave(asked)))

    try:
        with listening(end) as asked:
            yield
    finally:
        for handle in last:
            handle.cancel()
    if asked.by_hand:
        raise KeyboardInterrupt


def _leave(asked: Asked) -> None:
    log.warning("the end took too long, leaving at once")
    os._exit(130 if asked.by_hand else 0)
