"""What GitHub could not deliver is sent again.

Purpose: an event that came while nobody was there to take it is not lost; GitHub itself never tries twice. Trigger: the
start of a process, and every hour the clock; `rootcause redeliver`. Effects: GitHub is asked to send those deliveries
again of which no attempt arrived, each after longer and longer waits, and at last no more; then closings are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

import structlog
from apscheduler.triggers.cron import CronTrigger

from bot.features.missed_closings import ask_for_closings
from bot.features.registration import Entry, Times
from bot.github.errors import GitHubError, Gone, Invalid, NotFound, RateLimited, Transient
from bot.jobs import defer_missed
from bot.metrics import MISSED
from bot.pull.listing import LONGEST_BACK, Listed, concerns_us
from bot.pull.missed import MOST_ASKED, Missed, failed, may_ask_at, missed
from bot.pull.pages import pages_back_to
from bot.services import Services
from bot.store.missed import claim_look, first_sent, known_deliveries, last_look, locked, not_asked, note_look

log = structlog.get_logger(__name__)

MISSED_MINUTE = 40
"""Of every hour, at which is looked for deliveries that never arrived, and for closings of which nothing came."""

APART = timedelta(minutes=30)
"""Between two looks that the clocks of several replicas ask for."""

OVERLAP = timedelta(hours=1)
"""How far before the last look the list is read again, even where it is very long."""

MOST_PAGES = 100
"""Of the list, a hundred deliveries each, beyond which it is read no further than to the last look."""

MOST_AT_ONCE = 500
"""Deliveries asked for in one go; where there are more, the next go comes a minute later."""

_NEXT_GO_SECONDS = 60.0
CLOSINGS_AFTER_SECONDS = 60.0
"""After which what was asked for has arrived, so that the comparison finds only what never will."""

Outcome = Literal["asked", "waits", "given up", "refused"]


async def ask_for_missed(services: Services) -> None:
    """Ask for a look at what was missed, unless another replica just did."""
    async with services.database.sessions.begin() as session:
        app_id, now = services.settings.app_id or 0, services.clock.now()
        claimed = await claim_look(session, app_id, now, APART)
    if claimed:
        await defer_missed()


async def look_for_missed(services: Services) -> None:
    """Ask GitHub for what was missed, and for closed issues to be compared, whether or not GitHub gives its list.

    Where deliveries are pulled none is asked for: whatever became of it, it is fetched from the list. Raises
    `RateLimited` and `Transient`, so that the job is tried again.
    """
    try:
        if not services.settings.pull:
            found = await find_missed(services, services.clock.now() - LONGEST_BACK)
            if await send_again(services, found) >= MOST_AT_ONCE:
                await defer_missed(_NEXT_GO_SECONDS)
    except (RateLimited, Transient):
        raise
    except GitHubError as error:
        log.warning("missed deliveries not asked for", error=str(error))
    finally:
        await ask_for_closings(services, CLOSINGS_AFTER_SECONDS)


async def find_missed(services: Services, since: datetime) -> list[Missed]:
    """Return the deliveries sent since a moment of which no attempt arrived, the oldest first."""
    app_id, began_at = services.settings.app_id or 0, services.clock.now()
    async with services.database.sessions() as session:
        looked_at = await last_look(session, app_id)
    enough = since if looked_at is None else max(since, looked_at - OVERLAP)
    listed: list[Listed] = []
    pages = 0
    async for page in pages_back_to(services.github, since):
        listed += [one for one in page if concerns_us(one)]
        pages += 1
        if pages >= MOST_PAGES and any(one.delivered_at < enough for one in page):
            break
    attempts = failed(listed)
    async with services.database.sessions.begin() as session:
        known = await known_deliveries(session, attempts.keys())
        sent = await first_sent(session, attempts.keys())
        if since <= began_at - LONGEST_BACK:
            await note_look(session, app_id, began_at)
    return missed(attempts, known, sent, since)


def _tell_nobody(_: Missed, __: Outcome) -> None:
    pass


async def send_again(
    services: Services,
    found: Sequence[Missed],
    *,
    by_hand: bool = False,
    tell: Callable[[Missed, Outcome], None] = _tell_nobody,
) -> int:
    """Ask GitHub to send these deliveries again, at most `MOST_AT_ONCE`, and return for how many it was asked.

    `by_hand` asks at once for what would have to wait, or was given up. Raises what concerns all of them, such as a
    limit; what was asked for until then is not asked for again.
    """
    asked = 0
    for one in found:
        if asked >= MOST_AT_ONCE:
            break
        outcome = await _send_again(services, one, by_hand=by_hand)
        tell(one, outcome)
        if outcome in {"asked", "refused"}:
            asked += 1
            await services.clock.sleep(services.settings.write_interval_seconds)
    if found:
        log.info("missed deliveries", missed=len(found), asked=asked)
    return asked


async def _send_again(services: Services, one: Missed, *, by_hand: bool) -> Outcome:
    """Ask for one delivery where that is due; it is counted before, so that two replicas never ask for it at once."""
    bound = log.bind(delivery=one.guid, github_event=one.event, action=one.action, sent_at=one.sent_at.isoformat())
    now = services.clock.now()
    async with services.database.sessions.begin() as session:
        row = await locked(session, one.guid, one.event, one.action, one.sent_at)
        before = row.asked, row.asked_at
        due = may_ask_at(*before)
        if not by_hand and due is not None and due > now:
            return "given up" if row.given_up_at is not None else "waits"
        if not by_hand and row.asked >= MOST_ASKED:
            if row.given_up_at is None:
                row.given_up_at = now
                MISSED.labels(outcome="given_up").inc()
                bound.error("a missed delivery is given up", asked=row.asked)
            return "given up"
        row.asked, row.asked_at, row.given_up_at = row.asked + 1, now, None
    try:
        await services.github.send_again(one.id)
    except RateLimited:
        async with services.database.sessions.begin() as session:
            await not_asked(session, one.guid, *before)
        raise
    except (NotFound, Gone, Invalid) as error:
        MISSED.labels(outcome="refused").inc()
        bound.warning("GitHub does not send a missed delivery again", error=str(error))
        return "refused"
    MISSED.labels(outcome="asked").inc()
    bound.info("a missed delivery is sent again", asked=before[0] + 1)
    return "asked"


TIMES: Times = (Entry("missed deliveries", ask_for_missed, CronTrigger(minute=MISSED_MINUTE, timezone=UTC)),)
