"""Deleting people's data: what is left are numbers about issues, which name nobody.

Texts, titles, commands, deliveries, which change fixed an issue and who took part are deleted. Decisions and statements
stay, each of their people being a random number that leads nowhere, so that agreement can still be computed. Why jobs
failed is deleted whoever is forgotten: any of these reasons may quote a request or a text that names them.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, CursorResult, Select, exists, or_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel, col, delete, func, select, update

from bot.store.among import among
from bot.store.tables import (
    Command,
    ConfigurationFile,
    Contribution,
    Decision,
    Delivery,
    EvidenceText,
    FailedJob,
    Fix,
    FixFile,
    Installation,
    LaterComments,
    Participation,
    Person,
    Proposal,
    Record,
    Report,
    Repository,
    Span,
    Statement,
    Written,
)

_SAYING: tuple[type[Decision | Statement], ...] = (Decision, Statement)
_TEXTS: tuple[type[EvidenceText | LaterComments], ...] = (EvidenceText, LaterComments)


@dataclass(frozen=True)
class Forgotten:
    """How much was forgotten; `installed` of the repositories are installed still, and record anew."""

    repositories: int
    issues: int
    people: int
    installed: int = 0


async def forget_repositories(session: AsyncSession, repository_ids: Collection[int], now: datetime) -> Forgotten:
    """Delete the people in these repositories' records, and everything they wrote; the numbers stay.

    A repository that the App left loses its name too.
    """
    here = col(Repository.id).in_(repository_ids)
    issues = select(Record.issue_id).where(col(Record.repository_id).in_(repository_ids))
    people = set((await session.execute(_people_in(issues))).scalars())
    for table in _SAYING:
        said = select(table.person_id).where(col(table.repository_id).in_(repository_ids))
        people |= {one for one in (await session.execute(said)).scalars() if one is not None and one > 0}
    for person in sorted(people):
        await _hide(session, person, col(Decision.repository_id).in_(repository_ids), Decision)
        await _hide(session, person, col(Statement.repository_id).in_(repository_ids), Statement)
    await _forget_texts(session, issues)
    await session.execute(_set(Record, col(Record.issue_id).in_(issues), title="", html_url=None))
    await session.execute(delete(Participation).where(col(Participation.issue_id).in_(issues)))
    await session.execute(_set(Span, col(Span.issue_id).in_(issues), closed_by_id=None))
    await session.execute(_set(Fix, col(Fix.issue_id).in_(issues), repository=None, number=None, sha=None))
    await session.execute(delete(FixFile).where(col(FixFile.issue_id).in_(issues)))
    for kept in (Contribution, Command):
        await session.execute(delete(kept).where(col(kept.repository_id).in_(repository_ids)))
    over = col(Delivery.state) != "waiting"
    await session.execute(delete(Delivery).where(col(Delivery.repository_id).in_(repository_ids), over))
    settings = delete(ConfigurationFile).where(
        col(ConfigurationFile.scope) == "repository", col(ConfigurationFile.id).in_(repository_ids)
    )
    await session.execute(settings)
    gone = await _delete_unknown(session, people)
    counted = select(func.count()).where(col(Record.repository_id).in_(repository_ids))
    found = (await session.execute(select(Repository).where(here).with_for_update())).scalars().all()
    for repository in found:
        repository.forgotten_at = now
        if repository.installation_id is None:
            repository.full_name = f"forgotten/{repository.id}"
            for made in (Written, Report):
                await session.execute(_set(made, col(made.repository_id) == repository.id, url=None))
    if found:
        await session.execute(delete(FailedJob))
    installed = sum(one.installation_id is not None for one in found)
    return Forgotten(len(found), (await session.execute(counted)).scalar_one(), gone, installed)


async def forget_installations(session: AsyncSession, installation: int | str) -> None:
    """Delete whose a removed installation was, its owner's defaults and the deliveries about it."""
    wanted = col(Installation.id) == installation
    if isinstance(installation, str):
        wanted = func.lower(Installation.account_login) == installation.lower()
    removed = select(Installation).where(wanted, Installation.state == "removed").with_for_update()
    for one in (await session.execute(removed)).scalars():
        one.account_id, one.account_login, one.account_type = None, None, None
        defaults = (col(ConfigurationFile.scope) == "owner", col(ConfigurationFile.id) == one.id)
        await session.execute(delete(ConfigurationFile).where(*defaults))
        over = col(Delivery.state) != "waiting"
        await session.execute(delete(Delivery).where(col(Delivery.installation_id) == one.id, over))
        await session.execute(delete(FailedJob))


async def forget_person(session: AsyncSession, person: int | str) -> Forgotten | None:
    """Delete one person, by number or login, with all texts of issues they wrote in; None where nobody is known so."""
    wanted = Person.id == person if isinstance(person, int) else func.lower(Person.login) == person.lower()
    found = (await session.execute(select(Person).where(wanted))).scalars().all()
    if not found:
        return None
    touched: set[int] = set()
    for one in found:
        mine = select(Participation.issue_id).where(Participation.person_id == one.id)
        began = mine.where(Participation.role == "author")
        touched |= set((await session.execute(mine)).scalars())
        for table in _SAYING:
            said = select(table.issue_id).where(col(table.person_id) == one.id)
            touched |= set((await session.execute(said)).scalars())
            await _hide(session, one.id, col(table.person_id) == one.id, table)
        await _forget_texts(session, mine.where(col(Participation.role).in_(("author", "commenter"))))
        await session.execute(_set(Record, col(Record.issue_id).in_(began), title=""))
        await session.execute(_set(Span, col(Span.closed_by_id) == one.id, closed_by_id=None))
        for kept in (Participation, Contribution, Command):
            await session.execute(delete(kept).where(col(kept.person_id) == one.id))
        in_them = col(Delivery.sender_id) == one.id
        if one.login:
            in_them = or_(in_them, col(Delivery.payload).icontains(f'"login":"{one.login}"', autoescape=True))
        await session.execute(delete(Delivery).where(in_them, col(Delivery.state) != "waiting"))
    await session.execute(delete(FailedJob))
    await session.flush()
    for one in found:
        await session.delete(one)
    return Forgotten(0, len(touched), len(found))


def _people_in(issues: Select[Any]) -> Select[Any]:
    took_part = select(Participation.person_id).where(col(Participation.issue_id).in_(issues))
    closed = select(Span.closed_by_id).where(col(Span.issue_id).in_(issues), col(Span.closed_by_id).is_not(None))
    return select(took_part.union(closed).subquery().c[0])


async def _hide(
    session: AsyncSession, person_id: int, where: ColumnElement[bool], table: type[Decision | Statement]
) -> None:
    """Put a number that nobody has in a person's place."""
    nobody = -1 - secrets.randbelow(2**62)
    await session.execute(_set(table, where & (col(table.person_id) == person_id), person_id=nobody))


async def _forget_texts(session: AsyncSession, issues: Select[Any]) -> None:
    for table in _TEXTS:
        await session.execute(delete(table).where(col(table.issue_id).in_(issues)))
    await session.execute(_set(Proposal, col(Proposal.issue_id).in_(issues), words=[], facts=[]))


async def _delete_unknown(session: AsyncSession, people: Collection[int]) -> int:
    """Delete those of these people who are in no record, decision or statement any more; return how many."""
    used = [
        exists().where(column == col(Person.id))
        for column in (
            col(Participation.person_id), col(Decision.person_id), col(Statement.person_id),
            col(Command.person_id), col(Span.closed_by_id),
        )
    ]  # fmt: skip
    unknown = delete(Person).where(among(Person.id, people), ~or_(*used))
    result = await session.execute(unknown)
    return result.rowcount if isinstance(result, CursorResult) else 0


def _set(table: type[SQLModel], where: ColumnElement[bool], **values: Any) -> Any:
    return update(table).where(where).values(**values).execution_options(synchronize_session=False)
