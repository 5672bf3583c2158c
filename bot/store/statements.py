"""What people said of an issue's fix and reproduction: added once each, undone, and heeded by every later gathering."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from sqlalchemy import ColumnElement
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from bot.github.linking import ManualFix
from bot.store.tables import Decision, Record, Statement

T = TypeVar("T", Decision, Statement)


async def add_statement(session: AsyncSession, statement: Statement) -> None:
    """Add a statement unless the same source was counted before."""
    row = statement.model_dump(exclude={"id"})
    await session.execute(insert(Statement).values(**row).on_conflict_do_nothing())


async def newest_said(session: AsyncSession, issue_id: int) -> Decision | Statement | None:
    """Return what was said last of an issue and still stands: a decision, a fix or a reproduction.

    A researcher's decision is not said on GitHub, so nobody there can mean it.
    """
    decided = _last(Decision, issue_id).where(Decision.via != "study")
    stated = _last(Statement, issue_id)
    found: list[Decision | Statement] = [*(await session.execute(decided)).scalars()]
    found += (await session.execute(stated)).scalars()
    return max(found, key=lambda one: one.id or 0, default=None)


def _last(table: type[T], issue_id: int) -> SelectOfScalar[T]:
    standing = (table.issue_id == issue_id, col(table.undone_at).is_(None))
    return select(table).where(*standing).order_by(col(table.id).desc()).limit(1)


async def standing_fixes(session: AsyncSession, issue_ids: Collection[int]) -> dict[int, ManualFix]:
    """Return the change that people named for each of these issues, where they did, by issue id."""
    about = col(Statement.issue_id).in_(issue_ids)
    return {one.issue_id: _change(one) for one in (await _standing(session, about, "fix")).values()}


async def fixes_by_number(session: AsyncSession, repository_id: int) -> dict[int, ManualFix]:
    """Return the change that people named for issues of a repository, by the issues' numbers."""
    about = col(Statement.repository_id) == repository_id
    return {one.number: _change(one) for one in (await _standing(session, about, "fix")).values()}


async def heed_reproduced(session: AsyncSession, records: Mapping[int, Record]) -> None:
    """Let what people said of reproduction stand in these records, whatever was measured."""
    about = col(Statement.issue_id).in_(records)
    for issue_id, statement in (await _standing(session, about, "reproduced")).items():
        records[issue_id].comments_until_reproduced = statement.position
        records[issue_id].comments_until_reproduced_source = "command"


async def heed_bug_type(session: AsyncSession, record: Record) -> None:
    """Let the bug type that was named last and not taken back stand in a record; no gathering touches it."""
    said = select(Statement).where(Statement.issue_id == record.issue_id, Statement.kind == "type")
    named = (await session.execute(said.order_by(col(Statement.id)))).scalars().all()
    if named:
        standing = [one.bug_type for one in named if one.undone_at is None]
        record.bug_type = standing[-1] if standing else None


async def _standing(session: AsyncSession, about: ColumnElement[bool], kind: str) -> dict[int, Statement]:
    """Return the newest standing statement of a kind for each issue, by issue id."""
    standing = (
        select(Statement)
        .where(about, Statement.kind == kind, col(Statement.undone_at).is_(None))
        .order_by(col(Statement.id))
    )
    return {one.issue_id: one for one in (await session.execute(standing)).scalars()}


def _change(statement: Statement) -> ManualFix:
    if statement.fix_repository is None:
        raise ValueError(f"the fix of statement {statement.id} has no repository")
    return ManualFix(statement.fix_repository, statement.fix_number, statement.fix_sha)
