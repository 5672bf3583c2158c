"""What our label and our comment on a closed issue say: begun at its closing, due when anything changed."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, or_, select, update

from bot.config import Configuration
from bot.store.among import among
from bot.store.tables import Record, Repository, Shown

BY_A_BOT = "a bot opened the issue"
CAUGHT_UP = "the closing was caught up with"
GONE = "people deleted the comment"
NOTES_FOR = timedelta(days=14)
"""How long the inbox tells of an issue whose labels are left alone."""
MOST_NAMED = 10
"""Such issues that the inbox names."""


async def begin_to_show(
    session: AsyncSession, record: Record, configuration: Configuration, *, opened_by_bot: bool, old_news: bool
) -> None:
    """Note at a closing where the repository wants its proposal to be shown, unless that is in the inbox alone.

    What was shown at an earlier closing of the issue stays as it was, whatever the repository says since.
    """
    known = await session.get(Shown, record.issue_id, with_for_update=True)
    if known is not None and (known.label_changes or known.comment_id is not None or known.passed_over == GONE):
        known.due = True
        return
    if configuration.propose not in {"label", "comment"}:
        if known is not None:
            await session.delete(known)
        return
    against_comment = BY_A_BOT if opened_by_bot else CAUGHT_UP if old_news else None
    row = {
        "issue_id": record.issue_id,
        "repository_id": record.repository_id,
        "number": record.number,
        "mode": configuration.propose,
        "prefix": configuration.labels.prefix,
        "due": True,
        "label_changes": 0,
        "passed_over": against_comment if configuration.propose == "comment" else None,
    }
    statement = insert(Shown).values(**row)
    await session.execute(statement.on_conflict_do_update(index_elements=[col(Shown.issue_id)], set_=row))
    await session.flush()


async def mark_due(session: AsyncSession, issue_id: int) -> None:
    """Note that an issue's proposal or decision may have changed; nothing happens where nothing may be shown."""
    changed = update(Shown).where(col(Shown.issue_id) == issue_id).values(due=True)
    await session.execute(changed.execution_options(synchronize_session=False))


async def due_issues(session: AsyncSession, repository_id: int) -> list[int]:
    """Return the ids of the issues of a repository that are to be looked at, the oldest first."""
    due = select(Shown.issue_id).where(Shown.repository_id == repository_id, col(Shown.due))
    return list((await session.execute(due.order_by(col(Shown.issue_id)))).scalars())


async def shown_on(session: AsyncSession, issue_id: int, *, lock: bool = False) -> Shown | None:
    """Return what is known of our marks on an issue, locked against other writers if asked for."""
    return await session.get(Shown, issue_id, with_for_update=lock or None, populate_existing=True)


async def shown_among(session: AsyncSession, issue_ids: Collection[int]) -> set[int]:
    """Return those of these issues on which people could see a proposal, as a label or in a comment."""
    seen = col(Shown.label_changes) > 0, col(Shown.commented_at).is_not(None)
    wanted = select(Shown.issue_id).where(among(Shown.issue_id, issue_ids), or_(*seen))
    return set((await session.execute(wanted)).scalars())


async def commented_since(session: AsyncSession, repository_id: int, since: datetime) -> int:
    """Count the issues of a repository that were commented on since a moment."""
    counted = select(func.count()).where(Shown.repository_id == repository_id, col(Shown.commented_at) > since)
    return (await session.execute(counted)).scalar_one()


async def note_labels_missing(session: AsyncSession, repository_id: int, *, missing: bool) -> bool:
    """Note whether labels of ours await their set-up; return whether that is news."""
    noted = (
        update(Repository)
        .where(col(Repository.id) == repository_id, col(Repository.labels_missing) != missing)
        .values(labels_missing=missing)
        .returning(col(Repository.id))
        .execution_options(synchronize_session=False)
    )
    return (await session.execute(noted)).first() is not None


async def flapping_issues(session: AsyncSession, repository_id: int, now: datetime) -> list[tuple[int, str]]:
    """Return the issues whose labels were lately changed so often that they are left alone: number and address."""
    wanted = (
        select(Record.number, Record.html_url)
        .join(Shown, col(Shown.issue_id) == col(Record.issue_id))
        .where(
            Shown.repository_id == repository_id,
            Shown.left_alone == "flapping",
            col(Shown.left_alone_at) > now - NOTES_FOR,
        )
        .order_by(col(Record.number))
        .limit(MOST_NAMED)
    )
    return [(number, url or "") for number, url in (await session.execute(wanted)).all()]
