"""A process that was asked to stop ends in time, also where something holds up its clean end."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import nullcontext
from typing import Any

import pytest

from bot import leaving
from bot.leaving import stopping_in_time, until_stopped


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    codes: list[int] = []
    monkeypatch.setattr(leaving, "_LAST_SECONDS", 0.05)
    monkeypatch.setattr(os, "_exit", codes.append)
    return codes


ENDS = pytest.mark.parametrize(
    ("number", "code", "end"),
    [(signal.SIGTERM, 0, nullcontext()), (signal.SIGINT, 130, pytest.raises(KeyboardInterrupt))],
)


@ENDS
async def test_what_ends_in_time_is_left_to_end(left: list[int], number: int, code: int, end: Any) -> None:
    stop = asyncio.Event()
    with end, stopping_in_time(stop):
        os.kill(os.getpid(), number)
        await stop.wait()
    await asyncio.sleep(0.1)
    assert left == [], code


@ENDS
async def test_what_does_not_is_left_behind(left: list[int], number: int, code: int, end: Any) -> None:
    stop = asyncio.Event()
    with end, stopping_in_time(stop):
        for _ in range(2):
            os.kill(os.getpid(), number)
        await stop.wait()
        await asyncio.sleep(0.1)
    assert left == [code]


@ENDS
async def test_work_is_broken_off_by_the_first_signal_and_ends_cleanly(
    number: int, code: int, end: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []

    async def work() -> None:
        try:
            os.kill(os.getpid(), number)
            await asyncio.Event().wait()
        finally:
            os.kill(os.getpid(), number)
            await asyncio.sleep(0)
            done.append(capsys.readouterr().err)

    with end:
        assert not await until_stopped(work()), code
    assert done == ["Stopping; all that was started is ended first.\n"], "said once, before the end"


async def test_work_that_nobody_stops_comes_to_its_end_or_fails() -> None:
    assert await until_stopped(asyncio.sleep(0))

    async def break_off() -> None:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        await until_stopped(break_off())
