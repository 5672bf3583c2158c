"""Reads the App's list of deliveries from GitHub, the newest first and no further back than it is wanted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime

import structlog

from bot.github.app import GitHubApp
from bot.pull.listing import Listed

log = structlog.get_logger(__name__)

LIST = "/app/hook/deliveries"
_PAGE = 100


async def pages_back_to(github: GitHubApp, since: datetime) -> AsyncIterator[list[Listed]]:
    """Yield page after page, the newest deliveries first; the last one is that which reaches back to `since`.

    A row that is none is left out and logged. Raises the client's errors.
    """
    async for rows in github.app_pages(LIST, {"per_page": _PAGE}):
        page = [one for row in rows if (one := _read(row)) is not None]
        yield page
        if any(one.delivered_at < since for one in page):
            break


def _read(row: object) -> Listed | None:
    try:
        return Listed.of(row) if isinstance(row, dict) else None
    except (KeyError, TypeError, ValueError):
        log.warning("a row of the list of deliveries cannot be read")
        return None
