"""Several processes beside each other: all replaced in turn under load, one stopped in the middle, one cut off."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.sandbox.faults import Fault
from tests.faults.once import issues_with, said_by_us
from tests.faults.people import MAINTAINER, People
from tests.faults.place import Place, until

_ACTS_A_REPLACEMENT = 8
_REPLACEMENTS = {"web": "web-next", "worker-1": "worker-3", "worker-2": "worker-4"}
_CAUGHT_SECONDS = 3.0
_TAKEN_UP = "a job was taken up by another worker meanwhile"


async def roll(place: Place, people: People) -> list[tuple[str, int, float]]:
    """Replace one process after another while people act; return of each its name, exit code and seconds to its end.

    As platforms do, the next one is there before the old one is asked to end; one request of a worker GitHub keeps
    waiting for good, so that there is work under way.
    """
    ended = []
    refused = place.redelivered
    for old, new in _REPLACEMENTS.items():
        place.start(new)
        if old == "web":
            await place.ready(new)
        for act in range(_ACTS_A_REPLACEMENT):
            if act == _ACTS_A_REPLACEMENT // 2 and old != "web":
                place.sandbox.faults.add("POST", "/graphql", Fault.HANG)
            people.act()
            await asyncio.sleep(0.1)
        ended.append((old, *await place.fleet.stop(old)))
    place.sandbox.faults.clear()
    await place.come_to_rest()
    assert place.redelivered == refused, "no delivery was refused while the web process was replaced"
    return ended


async def freeze(place: Place, frozen: str, other: str, repository: str) -> None:
    """Stop a worker right before it posts a report, for longer than its heartbeat may be missing; let it go on then.

    Raises AssertionError where the other one does not take the job up meanwhile, or the thawed one goes on writing.
    """
    before = place.fleet.log(frozen).count(_TAKEN_UP)
    period = f"{place.sandbox.world.now():%Y-%m}"
    marker = f"<!-- rootcause:report repository={place.sandbox.repository(repository).id} period={period} -->"
    place.fleet.freeze(other)
    async with _caught(place, "GET", f"/repos/{repository}/issues"):
        await _ask_for_report(place, repository, period)
    place.fleet.freeze(frozen)
    assert issues_with(place.sandbox, marker) == 0
    place.fleet.thaw(other)

    async def is_posted() -> bool:
        return issues_with(place.sandbox, marker) == 1

    await until(is_posted, "the other worker takes up the job of the stopped one")
    place.fleet.thaw(frozen)

    async def has_noticed() -> bool:
        return place.fleet.log(frozen).count(_TAKEN_UP) > before

    await until(has_noticed, "the worker that goes on notices that its job is another's")
    await place.come_to_rest()
    assert issues_with(place.sandbox, marker) == 1


async def _ask_for_report(place: Place, repository: str, period: str) -> None:
    repository_id = place.sandbox.repository(repository).id
    arguments = json.dumps({"repository_id": repository_id, "period": period})
    job = f"ROW('reports', 'publish_report', 0, 'report:{repository_id}', NULL, '{arguments}'::jsonb, NULL)"
    await place.query(f"SELECT procrastinate_defer_jobs_v1(ARRAY[{job}::procrastinate_job_to_defer_v1])")


async def cut_off(place: Place, other: str, issue: tuple[str, int]) -> None:
    """Take the database away from the wired worker right before it writes, and give it back later.

    Raises AssertionError where anything leaves for GitHub while the database is away, or the job is not done after.
    """
    name, number = issue
    place.fleet.freeze(other)
    # A token that GitHub refuses keeps the write waiting for a new one, when all else has been asked and answered.
    place.sandbox.faults.add("POST", f"/repos/{name}/issues/{number}/comments", Fault.TOKEN_EXPIRED)
    async with _caught(place, "POST", "/app/installations/*/access_tokens"):
        place.sandbox.comment(name, number, MAINTAINER, "/rootcause help")
    place.wire.open = False
    place.wire.cut()
    await asyncio.sleep(place.sandbox.faults.slow_seconds + 2)
    assert said_by_us(place.sandbox, name, number) == [], "who has lost the database writes nothing"
    place.wire.open = True
    place.fleet.thaw(other)
    await place.come_to_rest()
    assert len(said_by_us(place.sandbox, name, number)) == 1


@asynccontextmanager
async def _caught(place: Place, method: str, path: str) -> AsyncIterator[None]:
    """Do what is in the block, then return while a worker waits for the late answer to the given request."""
    place.sandbox.faults.slow_seconds = _CAUGHT_SECONDS
    place.sandbox.faults.add(method, path, Fault.SLOW)
    struck = len(place.sandbox.faults.struck)
    yield

    async def is_caught() -> bool:
        return any(fault is Fault.SLOW for _, _, fault in place.sandbox.faults.struck[struck:])

    await until(is_caught, f"a worker waits for {method} {path}")
