"""The decided issues that a model may learn from, and the undecided ones that it may be tried on."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import sqlalchemy
import structlog
from sqlalchemy import Row, Select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.decisions.teaching import Decided, Tendency, teaches
from bot.evidence.prose import unpack
from bot.store.configurations import configuration_of
from bot.store.database import Database
from bot.store.proposals import newest_proposals
from bot.store.tables import Decision, EvidenceText, Proposal, Record, Repository
from classifier import IssueText

log = structlog.get_logger(__name__)

_AT_ONCE = 200

_STANDING = (
    select(col(Decision.issue_id).label("issue_id"), func.max(col(Decision.id)).label("row_id"))
    .where(col(Decision.undone_at).is_(None))
    .group_by(col(Decision.issue_id))
    .subquery()
)
_DECIDED: Select[Any] = (
    sqlalchemy.select(
        _STANDING.c.row_id,
        col(Repository.full_name),
        col(Repository.in_comparison),
        col(Repository.private),
        col(Record.state),
        col(Record.category),
        col(Record.bug_type),
        col(Record.decided_at),
    )
    .join(Record, col(Record.issue_id) == _STANDING.c.issue_id)
    .join(Repository, col(Repository.id) == col(Record.repository_id))
    .join(EvidenceText, col(EvidenceText.issue_id) == col(Record.issue_id))
    .where(col(Record.decided_at).is_not(None))
    .order_by(_STANDING.c.row_id)
)
"""What `Decided` holds, in the order of its fields and without the text, of every issue with a text and a decision."""


@dataclass(frozen=True)
class Undecided:
    """An eligible issue that nobody decided yet, with its text and its newest proposal, None where it has none."""

    repository: str
    repository_id: int
    number: int
    text: IssueText
    proposal: Proposal | None


async def decided_issues(session: AsyncSession) -> list[Decided]:
    """Return every issue that a model may learn from and whose text is still kept.

    Texts stay packed until they are asked for; one that cannot be read is left out, and that is logged.
    """
    found = []
    for row in await session.execute(_DECIDED.add_columns(col(EvidenceText.text))):
        packed: bytes = row[-1]
        one = _decided(row, partial(unpack, packed))
        if teaches(one) and _is_readable(packed, one.row_id):
            found.append(one)
    return found


async def usable_row_ids(session: AsyncSession) -> frozenset[int]:
    """Return the ids of the decisions that a model may learn from now, without their texts."""
    listed = _DECIDED.where(col(Repository.in_comparison), col(Repository.private).is_(False))
    rows = await session.execute(listed)
    return frozenset(one.row_id for row in rows if teaches(one := _decided(row, _no_text)))


async def undecided_issues(session: AsyncSession) -> AsyncIterator[Undecided]:
    """Give the eligible closings without a decision, the newest first, a few at a time."""
    wanted = (
        select(Record.issue_id)
        .join(EvidenceText, col(EvidenceText.issue_id) == col(Record.issue_id))
        .where(col(Record.decided_at).is_(None), col(Record.is_open).is_(False))
        .where(col(Record.eligible_system) | col(Record.eligible_bug))
        .order_by(col(Record.closed_at).desc(), col(Record.issue_id))
    )
    issue_ids = list((await session.execute(wanted)).scalars())
    for start in range(0, len(issue_ids), _AT_ONCE):
        some = issue_ids[start : start + _AT_ONCE]
        proposals = await newest_proposals(session, some)
        rows = await session.execute(
            select(Record, Repository.full_name, EvidenceText.text)
            .join(Repository, col(Repository.id) == col(Record.repository_id))
            .join(EvidenceText, col(EvidenceText.issue_id) == col(Record.issue_id))
            .where(col(Record.issue_id).in_(some))
            .order_by(col(Record.closed_at).desc(), col(Record.issue_id))
        )
        for record, name, packed in rows.all():
            if _is_readable(packed, record.issue_id):
                yield Undecided(
                    name, record.repository_id, record.number, unpack(packed), proposals.get(record.issue_id)
                )


async def tendency_of(database: Database, repository_id: int) -> Tendency:
    """Return what a repository's own decisions say of the causes there, and the threshold that it set itself."""
    async with database.sessions() as session:
        return await tendency(session, repository_id)


async def tendency(session: AsyncSession, repository_id: int) -> Tendency:
    """Return the same as `tendency_of`, in a transaction that is open already."""
    configuration = await configuration_of(session, repository_id)
    return Tendency(await sampled_counts(session, repository_id), configuration.own_threshold)


async def sampled_counts(session: AsyncSession, repository_id: int) -> Counter[str]:
    """Count a repository's decided issues of the random sample by category: what occurs there, not what was asked."""
    counted = (
        select(col(Record.category), func.count())
        .where(Record.repository_id == repository_id, Record.selection == "random")
        .where(col(Record.category).is_not(None), col(Record.decided_at).is_not(None))
        .group_by(col(Record.category))
    )
    return Counter({category: number for category, number in await session.execute(counted) if category})


def _decided(row: Row[Any], text: Callable[[], IssueText]) -> Decided:
    row_id, repository, listed, private, state, category, bug_type, decided_at = tuple(row)[:8]
    return Decided(row_id, repository, listed, private, state, category, bug_type, decided_at, text)


def _no_text() -> IssueText:
    raise LookupError("the texts were not asked for")


def _is_readable(packed: bytes, row: int) -> bool:
    try:
        unpack(packed)
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        log.error("a stored text cannot be read and teaches nothing", row=row, error=type(error).__name__)  # noqa: TRY400
        return False
    return True
