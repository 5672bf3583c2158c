"""What each installation has left of its limits, the models, and the newest reports, for the operator's page."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

MOST = 100
"""Installations, windows and repositories that are listed; those that need a look come first."""

_MOST_MODELS = 6

_WRITES = text("""
    SELECT i.id AS installation_id, i.account_login AS account, i.state,
        (SELECT count(*) FROM unnest(i.recent_writes) AS w WHERE w > now() - interval '1 minute') AS minute,
        (SELECT count(*) FROM unnest(i.recent_writes) AS w WHERE w > now() - interval '1 hour') AS hour
    FROM installation AS i WHERE i.state <> 'removed' ORDER BY hour DESC, lower(i.account_login) LIMIT :most
""")

# A window that has ended is as if nothing were used of it.
_READS = text("""
    SELECT g.installation_id, i.account_login AS account, g.resource, g.allowance,
        CASE WHEN g.resets_at > now() THEN g.used ELSE 0 END + g.cost_now + g.cost_before AS used,
        CASE WHEN b.resets_at > now() THEN b.spent ELSE 0 END AS background,
        CASE WHEN g.resets_at > now() THEN g.resets_at END AS resets_at,
        CASE WHEN g.closed_until > now() THEN g.closed_until END AS closed_until
    FROM github_limit AS g
    LEFT JOIN installation AS i ON i.id = g.installation_id
    LEFT JOIN read_budget AS b ON b.installation_id = g.installation_id AND b.resource = g.resource
    WHERE i.state IS DISTINCT FROM 'removed'
    ORDER BY closed_until DESC NULLS LAST, used DESC, g.installation_id, g.resource LIMIT :most
""")

_MODELS = text("""
    SELECT version, state, created_at, promoted_at FROM model_version
    ORDER BY state = 'champion' DESC, created_at DESC, version LIMIT :most
""")
_LAST_USED = text("SELECT model, created_at FROM proposal ORDER BY id DESC LIMIT 1")
_LAST_FIT = text("SELECT max(created_at) FROM model_version WHERE state <> 'shipped'")

# A report that failed for good has no job left that would post it.
_REPORTS = text("""
    WITH asked AS (
        SELECT CASE WHEN args ->> 'repository_id' ~ '^[0-9]{1,18}$' THEN (args ->> 'repository_id')::bigint END
                AS repository_id, args ->> 'period' AS period,
            bool_or(status IN ('todo', 'doing')) AS waits, bool_or(status IN ('failed', 'aborted')) AS failed
        FROM procrastinate_jobs
        WHERE task_name = 'publish_report' AND status IN ('todo', 'doing', 'failed', 'aborted') GROUP BY 1, 2
    ), newest AS (
        SELECT DISTINCT ON (repository_id) repository_id, period,
            CASE WHEN r.state <> 'due' THEN 'posted' WHEN a.waits THEN 'waiting' WHEN a.failed THEN 'failed'
            ELSE 'waiting' END AS state, r.posted_at, r.url
        FROM report AS r FULL JOIN asked AS a USING (repository_id, period)
        ORDER BY repository_id, period DESC
    )
    SELECT p.full_name AS repository, p.private, n.period, n.state, n.posted_at, n.url
    FROM newest AS n JOIN repository AS p ON p.id = n.repository_id WHERE p.state <> 'removed'
    ORDER BY n.state = 'posted', n.state, n.period DESC, lower(p.full_name) LIMIT :most
""")


@dataclass(frozen=True)
class Writes:
    """What an installation wrote within a minute and an hour, moments that are booked ahead included."""

    installation_id: int
    account: str | None
    state: str
    minute: int
    hour: int


@dataclass(frozen=True)
class Reads:
    """One window of GitHub's hourly limits; `used` holds what is under way, `background` is what nobody waits for.

    The installation 0 is the read token, -1 the App itself. `closed_until` is set while requests are refused.
    """

    installation_id: int
    account: str | None
    resource: str
    allowance: int
    used: int
    background: int
    resets_at: datetime | None
    closed_until: datetime | None


@dataclass(frozen=True)
class ModelStanding:
    """A stored model: shipped, candidate, shadow, champion or retired."""

    version: str
    state: str
    created_at: datetime
    promoted_at: datetime | None


@dataclass(frozen=True)
class Models:
    """The newest models, the champion first; which one predicted last, and when one was last fitted here."""

    newest: tuple[ModelStanding, ...]
    used: str | None
    used_at: datetime | None
    fitted_at: datetime | None


@dataclass(frozen=True)
class ReportStanding:
    """A repository's newest report: posted, waiting or failed."""

    repository: str
    private: bool
    period: str
    state: str
    posted_at: datetime | None
    url: str | None


async def writes(session: AsyncSession) -> tuple[Writes, ...]:
    """Return the installations with what they wrote, those that wrote most first."""
    return tuple(Writes(**row._mapping) for row in await session.execute(_WRITES, {"most": MOST}))


async def reads(session: AsyncSession) -> tuple[Reads, ...]:
    """Return the windows with what is used of them, closed ones first."""
    return tuple(Reads(**row._mapping) for row in await session.execute(_READS, {"most": MOST}))


async def models(session: AsyncSession) -> Models:
    """Return how the models stand."""
    newest = tuple(ModelStanding(**row._mapping) for row in await session.execute(_MODELS, {"most": _MOST_MODELS}))
    used = (await session.execute(_LAST_USED)).first()
    fitted = (await session.execute(_LAST_FIT)).scalar_one()
    return Models(newest, used.model if used else None, used.created_at if used else None, fitted)


async def reports(session: AsyncSession) -> tuple[ReportStanding, ...]:
    """Return the newest report of each repository, those that failed or wait first."""
    return tuple(ReportStanding(**row._mapping) for row in await session.execute(_REPORTS, {"most": MOST}))
