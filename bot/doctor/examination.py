"""The whole examination: settings, database, GitHub's side and the webhook address, none of which stops the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace

from bot.clock import Clock
from bot.doctor.database_side import look_at_database
from bot.doctor.finding import Finding
from bot.doctor.github_side import look_at_github
from bot.doctor.here import look_here, of_a_demo
from bot.doctor.reach import look_at_reach
from bot.secrecy import SECRECY
from bot.settings import Settings

_SECONDS = 45.0
"""For one group; each of its own waits is shorter."""


async def examine(settings: Settings, clock: Clock) -> list[Finding]:
    """Return all findings in the order in which they are to be mended, without secrets; of a demo only that."""
    demo = of_a_demo(settings)
    if demo is not None:
        return [demo]
    groups = await asyncio.gather(
        _in_time("database", look_at_database(settings)),
        _in_time("GitHub", look_at_github(settings, clock)),
        _in_time("webhook", look_at_reach(settings)),
    )
    found = [*look_here(settings), *(finding for group in groups for finding in group)]
    return [replace(one, said=SECRECY.mask_secrets(one.said), cure=_masked(one.cure)) for one in found]


async def _in_time(check: str, looking: Awaitable[list[Finding]]) -> list[Finding]:
    """Await a group; where the time is up, or the system itself refuses, say that it is not known."""
    try:
        async with asyncio.timeout(_SECONDS):
            return await looking
    except TimeoutError:
        return [Finding(check, "unknown", f"It took longer than {_SECONDS:.0f} s to look at.", "Try again later.")]
    except OSError as error:
        said = f"It could not be looked at: {error.strerror or type(error).__name__}."
        cure = "Let this machine open more files and connections (`ulimit -n`, memory, disk), then look again."
        return [Finding(check, "unknown", said, cure)]


def _masked(cure: str | None) -> str | None:
    return None if cure is None else SECRECY.mask_secrets(cure)
