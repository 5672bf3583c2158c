"""A month of maintainers, strangers and other bots, on a virtual clock: what the App wrote, and what it must not.

After a wanted change, `ROOTCAUSE_UPDATE_GOLDEN=1` writes the golden lists anew; read what changed before keeping it.
"""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.month.again import deliver_again, deliver_as_new, recorded, was_so_already
from tests.month.ledger import golden
from tests.month.play import END, UNINSTALLED, Played, opened_month, play
from tests.month.rules import breaches
from tests.month.stage import HARBOR, PLACES, QUAY, day

GOLDEN = Path(__file__).parent.parent / "golden"
CLOSINGS = {HARBOR: 150, QUAY: 150}
"""Closings that the App hears of in a month."""

_NOT_HANDLED = text("SELECT event, action, error FROM delivery WHERE state NOT IN ('done', 'ignored')")
_NOT_RUN = text(
    "SELECT task_name, attempts FROM procrastinate_jobs "
    "WHERE status <> 'todo' OR scheduled_at IS NULL OR scheduled_at <= now()"
)


@pytest.mark.month
@pytest.mark.parametrize("owner", list(PLACES))
async def test_the_month(owner: str, database_url: str) -> None:
    async with opened_month(database_url, owner) as played:
        sandbox = played.bot.sandbox
        await play(played, day(30))
        closings = [one for one in recorded(played) if (one.event, one.action) == ("issues", "closed")]
        assert len(closings) >= CLOSINGS[owner]
        assert await deliver_again(played, recorded(played)) == []
        aside = await deliver_as_new(played, day(24), day(26))
        assert [one for one in aside if not was_so_already(one)] == []
        await play(played, END)
        assert await deliver_again(played, recorded(played)) == []
        assert await _unfinished(played) == []

        assert breaches(sandbox, day(0, 9) + timedelta(days=7), UNINSTALLED) == []
        path = GOLDEN / f"month-{owner}.txt"
        written = golden([one for one in sandbox.writes if one not in aside], sandbox.base_url)
        if os.environ.get("ROOTCAUSE_UPDATE_GOLDEN"):
            path.write_text(written, encoding="utf-8", newline="\n")
        assert written == path.read_text(encoding="utf-8")


async def _unfinished(played: Played) -> list[str]:
    """Return the deliveries and jobs that should have been carried out by now and were not."""
    async with played.bot.services.database.sessions() as session:
        deliveries = await session.execute(_NOT_HANDLED)
        jobs = await session.execute(_NOT_RUN)
        return [str(tuple(row)) for row in (*deliveries, *jobs)]
