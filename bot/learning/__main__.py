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

_NICENESS = 10
"""So that webhooks are answered while it computes."""

_ABANDONED = 3


def main() -> None:
    """Read the request, make the refit, and print its outcome as one JSON line."""
    os.nice(_NICENESS)
    request: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    outcome = asyncio.run(_run(request["url"], Path(request["corpus"])))
    sys.stdout.write(json.dumps(outcome) + "\n")


async def _run(url: str, corpus: Path) -> dict[str, Any]:
    # Imported late: they take time, in which the parent may end.
    from bot.clock import SystemClock
    from bot.learning.refit import refit
    from bot.logs import configure_logs
    from bot.store.database import normalise_url, open_database

    configure_logs(json_lines=not sys.stderr.isatty())
    async with open_database(normalise_url(url)) as database:
        return asdict(await refit(database, SystemClock(), corpus))


def _end_with_parent() -> None:
    # Not through `sys.stdin`, whose lock would be held when the interpreter shuts down.
    os.read(sys.stdin.fileno(), 1)
    os._exit(_ABANDONED)


if __name__ == "__main__":
    main()
