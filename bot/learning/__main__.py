"""The process of one refit: `python -m bot.learning`, told on its standard input where database and corpus are.

It ends with whoever started it: the other end of its standard input closes then, whatever way that process ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bot.clock import SystemClock
from bot.learning.outcome import Outcome
from bot.learning.refit import refit
from bot.logs import configure_logs
from bot.store.database import normalise_url, open_database

_NICENESS = 10
"""So that webhooks are answered while it computes."""

_ABANDONED = 3


def main() -> None:
    """Read the request, make the refit, and print its outcome as one JSON line."""
    configure_logs(json_lines=not sys.stderr.isatty())
    os.nice(_NICENESS)
    request: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout.write(json.dumps(asdict(asyncio.run(_run(request["url"], Path(request["corpus"]))))) + "\n")


async def _run(url: str, corpus: Path) -> Outcome:
    async with open_database(normalise_url(url)) as database:
        return await refit(database, SystemClock(), corpus)


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(_ABANDONED)


if __name__ == "__main__":
    main()
