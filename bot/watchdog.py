"""A process that is stuck ends: whatever keeps its event loop from going on, the platform starts another one.

Nobody can ask a worker how it is; its end is what a platform sees. Nothing is lost by it: what was under way is taken
up as after a `kill -9`.
"""

from __future__ import annotations

import asyncio
import faulthandler
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.beside import beside

PATIENCE_SECONDS = 120.0
"""A machine that swaps, or a debugger, may hold a loop up for long; no work of ours does for a tenth of this."""

_EVERY_SECONDS = 15.0
_STDERR = 2


@asynccontextmanager
async def watched(patience_seconds: float = PATIENCE_SECONDS) -> AsyncIterator[None]:
    """End the process with exit code 1, after the places where its threads stand, once its loop is stuck for so long.

    Only files, lines and names of functions are shown, no values.
    """
    try:
        async with beside(_alive(patience_seconds)):
            yield
    finally:
        faulthandler.cancel_dump_traceback_later()


async def _alive(patience_seconds: float) -> None:
    while True:
        # Its timer is a thread that needs no lock of the interpreter, which whatever is stuck may hold.
        faulthandler.dump_traceback_later(patience_seconds, exit=True, file=_STDERR)
        await asyncio.sleep(min(_EVERY_SECONDS, patience_seconds / 3))
