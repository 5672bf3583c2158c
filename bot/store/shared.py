"""What the pages may show: public repositories that chose to be named, their periods, and marks of what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Text, and_, cast, literal, literal_column
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel, col, func, or_, select

from bot.store.tables import Decision, Imported, Participation, Person, Proposal, Record, Report, Repository

_READ_BY_REPORTS: tuple[type[SQLModel], ...] = (
    Repository, Record, Decision, Proposal, Participation, Person, Imported,
)  # fmt: skip


def _shown() -> ColumnElement[bool]:
    return and_(col(Repository.private).is_(False), col(Repository.share) == "named")


async def named_repositories(session: AsyncSession) -> Sequence[Repository]:
    """Return the public repositories with `share: named`, by name."""
    wanted = select(Repository).where(_shown()).order_by(func.lower(Repository.full_name), col(Repository.id))
    return (await session.execute(wanted)).scalars().all()


async def named_repository(session: AsyncSession, key: str | int) -> Repository | None:
    """Return the public repository with `share: named` of this id or of this `owner/name` in any case, or None.

    A name belongs to the repository that was seen last under it: where that one is not shown, nothing is.
    """
    if isinstance(key, int):
        return (await session.execute(select(Repository).where(Repository.id == key, _shown()))).scalars().first()
    wanted = select(Repository).where(func.lower(Repository.full_name) == key.lower())
    last = wanted.order_by(col(Repository.updated_at).desc(), col(Repository.id).desc()).limit(1)
    found = (await session.execute(last)).scalars().first()
    return found if found is not None and not found.private and found.share == "named" else None


async def posted_reports(session: AsyncSession, repository_ids: Sequence[int]) -> Sequence[Report]:
    """Return the reports that were posted to these repositories, the newest period first."""
    wanted = select(Report).where(col(Report.repository_id).in_(repository_ids), Report.state != "due")
    return (await session.execute(wanted.order_by(col(Report.period).desc()))).scalars().all()


async def newest_report(session: AsyncSession) -> tuple[Repository, str] | None:
    """Return the repository and the period of the report that was posted last of those that may be shown, or None."""
    place = and_(col(Report.repository_id) == Repository.id, col(Report.state) != "due")
    newest = (col(Report.period).desc(), col(Report.posted_at).desc().nulls_last(), col(Report.id).desc())
    wanted = select(Repository, Report.period).join(Report, place).where(_shown()).order_by(*newest).limit(1)
    found = (await session.execute(wanted)).first()
    return (found[0], found[1]) if found is not None else None


async def sharing_mark(session: AsyncSession, repository_id: int) -> str:
    """Return a text that changes with what repositories allow, are compared by or must tell, in this one's report."""
    facts = func.concat_ws(
        "|", Repository.id, Repository.full_name, Repository.share, Repository.paradigm, Repository.in_comparison,
        Repository.matched_with, func.array_to_string(Repository.notes, "|"),
    )  # fmt: skip
    all_of_them = func.md5(func.string_agg(facts, aggregate_order_by(literal("\n"), col(Repository.id))))
    seen = select(all_of_them).where(or_(col(Repository.private).is_(False), col(Repository.id) == repository_id))
    packages = func.md5(func.string_agg(cast(Imported.row, Text), aggregate_order_by(literal("\n"), col(Imported.key))))
    imported = select(packages).where(Imported.kind == "repository")
    return f"{(await session.execute(seen)).scalar_one()} {(await session.execute(imported)).scalar_one()}"


async def change_mark(session: AsyncSession) -> str:
    """Return a text that changes with any row that reports are computed from.

    Of each table it holds the number of rows and the newest transaction that wrote one, since most of them keep no
    time of their last change.
    """
    marks = []
    newest: ColumnElement[int] = literal_column("max(xmin::text::bigint)")
    for table in _READ_BY_REPORTS:
        count, written = (await session.execute(select(func.count(), newest).select_from(table))).one()
        marks.append(f"{count}:{written}")
    return " ".join(marks)


def is_period_of(period: str, posted: Sequence[Report], now: datetime) -> bool:
    """Whether a page stands for a month: its report was posted, or it is the running one."""
    return period == running_period(now) or any(one.period == period for one in posted)


def running_period(now: datetime) -> str:
    """Return the running month as `YYYY-MM`, in UTC."""
    return f"{now:%Y-%m}"
