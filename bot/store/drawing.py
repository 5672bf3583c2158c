"""The closed issues that a sample is drawn from, and the drawn list itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, delete, select

from bot.decisions.errors import StudyError
from bot.store.among import among
from bot.store.study import answers
from bot.store.tables import Record, Repository, StudyIssue


@dataclass(frozen=True)
class Closed:
    """One closed issue as the drawn list shows it."""

    issue_id: int
    repository: str
    number: int
    title: str
    html_url: str | None
    closed_at: datetime
    eligible_system: bool
    eligible_bug: bool


async def population(session: AsyncSession, names: Sequence[str], *, eligible: bool) -> dict[str, dict[int, Closed]]:
    """Return the stored closed issues by repository's name and issue id, of the named repositories or of all.

    With `eligible` only those that pass the criteria of section 3.2 (`eligible_system`). A named repository without
    any is there all the same.

    Raises:
        StudyError: a named repository is not stored.
    """
    stored = (await session.execute(select(Repository).order_by(col(Repository.full_name)))).scalars().all()
    by_name = {one.full_name.lower(): one for one in stored}
    chosen = [_find(name, by_name) for name in dict.fromkeys(name.lower() for name in names)] if names else stored
    found: dict[str, dict[int, Closed]] = {one.full_name: {} for one in chosen} if names else {}
    closed = select(Record).where(
        col(Record.repository_id).in_([one.id for one in chosen]), col(Record.is_open).is_(False)
    )
    if eligible:
        closed = closed.where(col(Record.eligible_system))
    full_names = {one.id: one.full_name for one in chosen}
    for row in (await session.execute(closed.order_by(col(Record.repository_id), col(Record.number)))).scalars():
        name = full_names[row.repository_id]
        found.setdefault(name, {})[row.issue_id] = Closed(
            issue_id=row.issue_id,
            repository=name,
            number=row.number,
            title=row.title,
            html_url=row.html_url,
            closed_at=row.closed_at,
            eligible_system=row.eligible_system,
            eligible_bug=row.eligible_bug,
        )
    return dict(sorted(found.items()))


def _find(name: str, by_name: Mapping[str, Repository]) -> Repository:
    if name in by_name:
        return by_name[name]
    near = get_close_matches(name, by_name, n=1)
    hint = f" Did you mean {by_name[near[0]].full_name}?" if near else " Read it first: rootcause backfill owner/name."
    raise StudyError(f"No issues of {name!r} are stored.{hint}")


async def save_list(
    session: AsyncSession, drawn: Mapping[int, float], repositories: Sequence[str], seed: int, now: datetime
) -> None:
    """Make `drawn` (issue id to its probability) the list of these repositories, in place of what was drawn before.

    Raises:
        StudyError: issues of an earlier list are coded, and this one lacks some of them or has another seed: a sample
            is not drawn again after a look at the answers.
    """
    of_these = (
        await session.execute(select(Repository.id).where(col(Repository.full_name).in_(repositories)))
    ).scalars()
    ids = of_these.all()
    earlier = (await session.execute(select(StudyIssue).where(col(StudyIssue.repository_id).in_(ids)))).scalars().all()
    coded = {issue_id for issue_id, by_coder in (await answers(session)).items() if by_coder}
    kept = [one for one in earlier if one.issue_id in coded]
    if any(one.issue_id not in drawn or one.seed != seed for one in kept):
        raise StudyError(
            f"{len(kept)} issues of an earlier draw are coded already, so it stays. Draw with its seed {kept[0].seed} "
            "and at least as many issues to add to it, or name other repositories."
        )
    for one in kept:
        record = await session.get_one(Record, one.issue_id)
        if record.selection == "random" and record.selection_probability == one.probability:
            record.selection_probability = drawn[one.issue_id]
    await session.execute(delete(StudyIssue).where(col(StudyIssue.repository_id).in_(ids)))
    homes = select(Record.issue_id, Record.repository_id).where(among(Record.issue_id, drawn))
    home = {row.issue_id: row.repository_id for row in await session.execute(homes)}
    session.add_all(
        StudyIssue(issue_id=issue_id, repository_id=home[issue_id], probability=probability, seed=seed, drawn_at=now)
        for issue_id, probability in drawn.items()
    )
