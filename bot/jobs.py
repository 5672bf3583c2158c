"""The jobs: every task of the queue, and how each is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procrastinate import JobContext

from bot.queue import BACKFILL_PRIORITY, LATER_PRIORITY, NOW_PRIORITY, BackOff, app, defer

if TYPE_CHECKING:
    from bot.services import Services


@app.task(name="process", queue="live", retry=BackOff(), pass_context=True)
async def process(context: JobContext, unit: str) -> None:
    """Drain the waiting deliveries of one unit of work."""
    from bot.drain import drain

    await drain(_services(context), unit)


@app.task(name="refresh_inbox", queue="live", retry=BackOff(), pass_context=True)
async def refresh_inbox(context: JobContext, repository_id: int) -> None:
    """Bring the inbox issue of one repository up to date, and what is shown on the issues themselves."""
    from bot.features.inbox_issue import refresh
    from bot.features.showing import show

    await refresh(_services(context), repository_id)
    await show(_services(context), repository_id)


@app.task(name="publish_report", queue="reports", retry=BackOff(), pass_context=True)
async def publish_report(
    context: JobContext,
    repository_id: int,
    period: str,
    window_months: int = 12,
    again: bool = False,
) -> None:
    """Build and post one repository's report of one period, unless it stands already and nobody asked for it again."""
    from bot.features.monthly_report import publish

    await publish(_services(context), repository_id, period, window_months=window_months, again=again)


@app.task(name="backfill", queue="backfill", retry=BackOff(), pass_context=True)
async def backfill(context: JobContext) -> None:
    """Read one page of one repository's history, then ask for the next."""
    from bot.features.backfill import read_one_page

    await read_one_page(_services(context))


@app.task(name="read_people", queue="people", retry=BackOff(), pass_context=True)
async def read_people(context: JobContext, installation_id: int) -> None:
    """Read the people in one installation's records who are unknown yet, or were read too long ago."""
    from bot.features.people import refresh

    await refresh(_services(context), installation_id)


@app.task(name="find_late_links", queue="people", retry=BackOff(), pass_context=True)
async def find_late_links(context: JobContext, installation_id: int) -> None:
    """Look again at the closed issues of one installation whose fix is not known and is due to be looked for."""
    from bot.features.late_links import look_again

    await look_again(_services(context), installation_id)


@app.task(name="look_for_missed", queue="missed", retry=BackOff(), pass_context=True)
async def look_for_missed(context: JobContext) -> None:
    """Ask GitHub to send again what never arrived, then for closed issues to be compared with what is recorded."""
    from bot.features.missed_deliveries import look_for_missed as look

    await look(_services(context))


@app.task(name="compare_closings", queue="missed", retry=BackOff(), pass_context=True)
async def compare_closings(context: JobContext, repository_id: int) -> None:
    """Compare one repository's closed issues with what is recorded, and record what is missing."""
    from bot.features.missed_closings import compare_closings as compare

    await compare(_services(context), repository_id)


@app.task(name="recheck_issue", queue="live", retry=BackOff(), pass_context=True)
async def recheck_issue(context: JobContext, repository_id: int, number: int) -> None:
    """Gather one issue and predict again, as `/rootcause recheck` does."""
    from bot.features.rechecking import recheck

    await recheck(_services(context), repository_id, number)


@app.task(name="refit_model", queue="models", retry=BackOff(), pass_context=True)
async def refit_model(context: JobContext) -> None:
    """Fit a model on all that was decided and promote it where it is not worse than the champion."""
    from bot.features.refit import refit

    await refit(_services(context))


@app.task(name="prune_storage", queue="pruning", retry=BackOff(), pass_context=True)
async def prune_storage(context: JobContext) -> None:
    """Delete what is old enough and nobody needs any more."""
    from bot.features.pruning import prune_now

    await prune_now(_services(context))


async def defer_process(unit: str, *, priority: int, delay_seconds: float = 0.0) -> None:
    """Ask for a unit of work to be drained, now or after so many seconds."""
    await defer(process, unit, priority, delay_seconds, unit=unit)


async def defer_inbox(repository_id: int, delay_seconds: float) -> None:
    """Ask for an inbox to be brought up to date; requests that come before it runs are one."""
    await defer(refresh_inbox, f"inbox:{repository_id}", LATER_PRIORITY, delay_seconds, repository_id=repository_id)


async def defer_people(installation_id: int, delay_seconds: float) -> None:
    """Ask for an installation's people to be read; requests that come before it runs are one."""
    lock = f"people:{installation_id}"
    await defer(read_people, lock, BACKFILL_PRIORITY, delay_seconds, installation_id=installation_id)


async def defer_links(installation_id: int, delay_seconds: float) -> None:
    """Ask for an installation's late links to be looked for; requests that come before it runs are one."""
    lock = f"links:{installation_id}"
    await defer(find_late_links, lock, BACKFILL_PRIORITY, delay_seconds, installation_id=installation_id)


async def defer_report(repository_id: int, period: str, window_months: int = 12) -> None:
    """Ask for a report; asking again before it is posted changes nothing."""
    arguments = {"repository_id": repository_id, "period": period, "window_months": window_months}
    await defer(publish_report, f"report:{repository_id}", LATER_PRIORITY, 0.0, **arguments)


async def defer_report_again(repository_id: int, period: str) -> None:
    """Ask for a report because a person wants it now: one that stands is written anew."""
    arguments = {"repository_id": repository_id, "period": period, "again": True}
    await defer(publish_report, f"report:{repository_id}", NOW_PRIORITY, 0.0, **arguments)


async def defer_backfill(delay_seconds: float = 0.0) -> None:
    """Ask for the next page of whatever history is due; one lock, so that backfills never fill the workers."""
    await defer(backfill, "backfill", BACKFILL_PRIORITY, delay_seconds)


async def defer_missed(delay_seconds: float = 0.0) -> None:
    """Ask for a look at what was missed; one lock, so that one looks at a time over all replicas."""
    await defer(look_for_missed, "missed", LATER_PRIORITY, delay_seconds)


async def defer_closings(repository_id: int, delay_seconds: float) -> None:
    """Ask for a repository's closed issues to be compared; requests that come before that are one."""
    lock = f"closings:{repository_id}"
    await defer(compare_closings, lock, BACKFILL_PRIORITY, delay_seconds, repository_id=repository_id)


async def defer_recheck(unit: str, repository_id: int, number: int) -> None:
    """Ask for an issue to be gathered again, in its own unit of work, so never beside one of its deliveries."""
    await defer(recheck_issue, unit, NOW_PRIORITY, 0.0, repository_id=repository_id, number=number)


async def defer_refit() -> None:
    """Ask for a refit; one lock, so that one is made at a time over all replicas."""
    await defer(refit_model, "models", BACKFILL_PRIORITY, 0.0)


async def defer_pruning() -> None:
    """Ask for what is old to be deleted; one lock, so that one does it at a time over all replicas."""
    await defer(prune_storage, "pruning", BACKFILL_PRIORITY, 0.0)


def _services(context: JobContext) -> Services:
    services: Services = context.additional_context["services"]
    return services
