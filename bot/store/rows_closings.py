"""The closed issues of a report's rows: what a record and its newest proposal say, and nothing else of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col

import reports.rows as plain
from bot.store.among import among
from bot.store.lean import lean_rows
from bot.store.proposals import newest_proposal
from bot.store.tables import Record

_SAME_NAME = (
    "repository_id",
    "issue_id",
    "number",
    "created_at",
    "created_at_estimated",
    "closed_at",
    "reopened",
    "first_close_days",
    "state_reason",
    "state",
    "eligible_system",
    "eligible_bug",
    "exclusions",
    "category",
    "category2",
    "none_kind",
    "category_source",
    "selection",
    "selection_probability",
    "blind",
    "decided_at",
    "bug_type",
    "open_days",
    "issue_comments",
    "fix_comments",
    "issue_participants",
    "fix_participants",
    "changed_lines",
    "changed_files",
    "comments_until_reproduced",
    "comments_until_reproduced_source",
    "description_words",
    "attached_files",
    "code_lines",
    "issue_form",
    "members",
    "participation_percent",
    "non_members",
    "member_contributions",
    "fix_author_contributions",
    "fix_kind",
    "fix_link",
    "fix_merged_at",
    "languages",
    "languages_with_tests",
    "mpl",
    "mpl_with_tests",
    "change_entropy",
    "change_entropy_with_tests",
)
_OF_PROPOSAL = ("category", "probability", "model")
_NAMES = (*_SAME_NAME, *(f"proposal_{name}" for name in _OF_PROPOSAL))


async def closings(
    session: AsyncSession, places: Mapping[int, plain.Repository], since: datetime | None, until: datetime | None
) -> tuple[plain.Record, ...]:
    """Return the issues of the `places`, by id, that were closed in [`since`, `until`) and are not open again.

    They come by repository and number, each with its newest proposal.
    """
    proposal = newest_proposal(col(Record.issue_id))
    wanted = (
        select(*(getattr(Record, name) for name in _SAME_NAME), *(getattr(proposal, name) for name in _OF_PROPOSAL))
        .outerjoin_from(Record, proposal, true())
        .where(among(Record.repository_id, places), col(Record.closed_at).is_not(None), col(Record.is_open).is_(False))
        .order_by(col(Record.repository_id), col(Record.number))
    )
    if since is not None:
        wanted = wanted.where(col(Record.closed_at) >= since)
    if until is not None:
        wanted = wanted.where(col(Record.closed_at) < until)
    found = []
    async for row in lean_rows(session, wanted):
        values = dict(zip(_NAMES, row, strict=True))
        place = places[values["repository_id"]]
        found.append(plain.Record(repository=place.repository, paradigm=place.paradigm, **values))
    return tuple(found)
