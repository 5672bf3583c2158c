"""A refit in a process of its own, as its parent sees it: started, waited for, and never left behind."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

from bot.learning.outcome import Outcome
from bot.store.database import Database
from classifier.examples import CORPUS

LONGEST_SECONDS = 1_800.0
"""After which a refit is ended: forty times what 10,000 decisions may take."""

_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class RefitFailedError(Exception):
    """The refit's process did not come to an end of its own; its log says why."""


async def refit_apart(database: Database, corpus: Path = CORPUS, longest_seconds: float = LONGEST_SECONDS) -> Outcome:
    """Make a refit beside this process, whose event loop and memory it leaves alone, and return its outcome.

    The database's address may hold a password, so it goes through standard input, which stays open as long as this
    process lives: at its end the other one ends too. Raises `RefitFailedError`; where the caller is cancelled the
    other process is killed.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.learning",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, **_ONE_THREAD},
    )
    if process.stdin is None or process.stdout is None:
        raise RefitFailedError("the refit's process has no standard input or output")
    try:
        async with asyncio.timeout(longest_seconds):
            request = {"url": database.url.render_as_string(hide_password=False), "corpus": str(corpus)}
            process.stdin.write(json.dumps(request).encode() + b"\n")
            answer = await process.stdout.read()
            code = await process.wait()
    except TimeoutError as error:
        raise RefitFailedError(f"the refit took more than {longest_seconds:.0f} s and was ended") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if code != 0:
        raise RefitFailedError(f"the refit's process ended with code {code}")
    return Outcome(**json.loads(answer))
