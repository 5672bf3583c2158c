"""kill -9, cut lines and a GitHub that fails in every way: nothing is lost and nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bot.sandbox.faults import Fault
from tests.faults.course import run
from tests.support.subprocesses import processes_below

SEED = 20_261_130
DELIVERIES = 200
MOST_SECONDS_TO_END = 10.0


async def test_two_hundred_deliveries_while_everything_breaks(
    memory_folder: Path, record_property: Callable[[str, object], None]
) -> None:
    figures = await run(memory_folder, DELIVERIES, SEED, with_replicas=True)
    record_property("figures", "\n".join(figures.lines()))
    assert figures.lost == []
    assert figures.doubled == []
    assert figures.deliveries >= DELIVERIES
    assert figures.reports >= 4
    assert {"web", "worker", "database"} == set(figures.kills)
    assert set(figures.faults) >= {fault.value for fault in Fault}
    assert [code for _, code, _ in figures.ended] == [0, 0, 0]
    assert max(seconds for _, _, seconds in figures.ended) < MOST_SECONDS_TO_END
    assert processes_below(memory_folder) == []
