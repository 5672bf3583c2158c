"""Issues for which two people named different causes.

Purpose: a disagreement is shown until somebody resolves it, and all that was decided is kept. Trigger: an inbox is
brought up to date. Effects: none.
"""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.decisions.verdict import answers_given
from bot.github.links import quiet_link
from bot.store.decisions import what_was_said
from bot.store.left_alone import is_left_alone
from bot.store.study import resolution_of
from bot.store.tables import Record, Repository
from bot.texts.disputes import Dispute, disputes_text
from reports.markdown import plain


async def dispute_notes(session: AsyncSession, repository: Repository) -> tuple[str, ...]:
    """Return what a repository's inbox says of disagreements: nothing, or one part; the newest closings stand first."""
    disputed = select(Record).where(
        Record.repository_id == repository.id,
        Record.state == "disputed",
        col(Record.is_open).is_(False),
        ~is_left_alone(),
    )
    newest_first = disputed.order_by(col(Record.closed_at).desc(), col(Record.number).desc())
    disputes = []
    for record in (await session.execute(newest_first)).scalars():
        said = await what_was_said(session, record.issue_id)
        answers = answers_given(said, await resolution_of(session, record.issue_id))
        url = quiet_link(record.html_url or "")
        disputes.append(Dispute(record.number, url, plain(record.title), answers))
    text = disputes_text(disputes)
    return () if text is None else (text,)
