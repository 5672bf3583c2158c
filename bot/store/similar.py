"""The confirmed closed issues that one may be compared with, and the ones most like it."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, and_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.evidence.prose import unpack
from bot.evidence.similar import MOST_SIMILAR, nearest, words_of
from bot.store.tables import EvidenceText, Fix, Record, Repository

MOST_COMPARED = 300
"""Newest confirmed issues that are read for one answer, of the repository and once more of the others."""


@dataclass(frozen=True)
class Confirmed:
    """A confirmed issue, where it is, and what fixed it, if that is known and no secret to readers of the issue."""

    record: Record
    repository: Repository
    fix: Fix | None


async def similar_records(session: AsyncSession, record: Record) -> list[Confirmed]:
    """Return up to three confirmed closed issues like this one, with where they are, the nearest first.

    Those of the same repository come first; where they are fewer than three, public issues follow of repositories in
    the comparison that agreed to be named (`share: named`).
    """
    asked = await session.get(EvidenceText, record.issue_id)
    if asked is None:
        return []
    same = col(Record.repository_id) == record.repository_id
    others = and_(
        col(Record.repository_id) != record.repository_id,
        col(Repository.private).is_(False),
        col(Repository.in_comparison),
        col(Repository.share) == "named",
    )
    found: list[int] = []
    for where in (same, others):
        if len(found) < MOST_SIMILAR:
            known = await _newest_texts(session, record.issue_id, where)
            ranked = await asyncio.to_thread(_rank, asked.text, known)
            found += ranked[: MOST_SIMILAR - len(found)]
    return await _without_private_fixes(session, await _confirmed(session, found))


async def _newest_texts(session: AsyncSession, asked: int, where: ColumnElement[bool]) -> list[tuple[int, bytes]]:
    """Return the newest confirmed issues but `asked`, with their packed texts and nothing else: they are hundreds."""
    # Which ones are compared is found first, by an index and by the state alone, which says the rest already: more
    # conditions let the planner expect so few rows that it reads and sorts them all.
    newest = (
        select(Record.issue_id, EvidenceText.text, Record.category, Record.decided_at)
        .join(Repository, col(Repository.id) == col(Record.repository_id))
        .join(EvidenceText, col(EvidenceText.issue_id) == col(Record.issue_id))
        .where(where, Record.issue_id != asked, col(Record.is_open).is_(False))
        .where(col(Record.state).in_(("confirmed", "corrected", "rejected")))
        .order_by(col(Record.closed_at).desc(), col(Record.issue_id))
        .limit(MOST_COMPARED)
        .subquery()
    )
    decided = newest.c.category.is_not(None) & newest.c.decided_at.is_not(None)
    return [(issue, packed) for issue, packed in await session.execute(select(newest.c[0], newest.c[1]).where(decided))]


async def _confirmed(session: AsyncSession, issue_ids: Sequence[int]) -> list[Confirmed]:
    """Return these issues, in their order, with where they are and what fixed them."""
    wanted = (
        select(Record, Repository, Fix)
        .join(Repository, col(Repository.id) == col(Record.repository_id))
        .outerjoin(Fix, col(Fix.issue_id) == col(Record.issue_id))
        .where(col(Record.issue_id).in_(issue_ids))
    )
    rows = await session.execute(wanted)
    by_id = {one.issue_id: Confirmed(one, repository, fix) for one, repository, fix in rows.all()}
    return [by_id[issue_id] for issue_id in issue_ids]


async def _without_private_fixes(session: AsyncSession, found: Sequence[Confirmed]) -> list[Confirmed]:
    """Leave out fixes that lie in another, private repository: the answer is read by people who may not know of it."""
    names = {one.fix.repository.lower() for one in found if one.fix is not None and one.fix.repository is not None}
    wanted = select(func.lower(Repository.full_name)).where(
        func.lower(Repository.full_name).in_(names), col(Repository.private)
    )
    private = set((await session.execute(wanted)).scalars())

    def is_hidden(one: Confirmed) -> bool:
        where = (one.fix.repository or "").lower() if one.fix is not None else ""
        return where in private and where != one.repository.full_name.lower()

    return [replace(one, fix=None) if is_hidden(one) else one for one in found]


def _rank(asked: bytes, known: Sequence[tuple[int, bytes]]) -> list[int]:
    texts = {}
    for issue_id, packed in known:
        try:
            texts[issue_id] = words_of(unpack(packed))
        except (ValueError, KeyError, TypeError, zlib.error):
            continue  # a text that cannot be read is like no other
    return [issue_id for issue_id, _ in nearest(words_of(unpack(asked)), texts)]
