"""A process for the tests: it enters the embedded database, says so, and leaves when its input ends.

Usage: hold_database.py FOLDER
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bot.store.embedded import embedded_database


async def hold(folder: Path) -> None:
    async with embedded_database(folder) as server:
        sys.stdout.write(server.start.split("\n", 1)[0] + "\n")
        sys.stdout.flush()
        await asyncio.to_thread(sys.stdin.read)


asyncio.run(hold(Path(sys.argv[1])))
