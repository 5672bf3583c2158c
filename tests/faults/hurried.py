"""A process of Rootcause whose waits for GitHub are short, so that hundreds of injuries fit into a minute.

Usage: python -m tests.faults.hurried web|worker
"""

from __future__ import annotations

from datetime import timedelta

import aiohttp

from bot.cli import main
from bot.github import classify, limits, retries, sender, transport, writer
from bot.store import limits as shared_limits


def hurry() -> None:
    """Shorten what no setting shortens: it is GitHub who asks for the minute after an unnamed limit."""
    transport.TIMEOUT = aiohttp.ClientTimeout(total=3, connect=2)
    for module in (classify, limits, shared_limits):
        vars(module)["UNNAMED_WAIT"] = timedelta(seconds=1)
    for module in (sender, writer):
        vars(module)["READ_BACK_SECONDS"] = 0.2
    retries._FIRST_WAIT_SECONDS = 0.3


if __name__ == "__main__":
    hurry()
    main()
