"""What a command asks about an issue, put into words.

Purpose: a maintainer sees the reasons before deciding. Trigger: the commands of `TELLING`, in a closed issue or in the
inbox; in an open one they wait for its closing. Effects: none; nothing is predicted anew, so that what is
explained is what the inbox shows.
"""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from bot.commands.registry import EXPLAIN, SIMILAR
from bot.github.links import quiet_link
from bot.store.proposals import newest_proposals, shares_met
from bot.store.similar import Confirmed, similar_records
from bot.store.tables import Proposal, Record
from bot.texts.explain import Explained, blind_text, explain_text
from bot.texts.similar import SimilarIssue, similar_text

_MOST_LIKELY = 3


async def tell(session: AsyncSession, record: Record, name: str) -> str:
    """Return the words that answer a command of `TELLING`; raises ValueError for another one."""
    if name == SIMILAR:
        found = await similar_records(session, record)
        return similar_text(record.number, [shown(one, record.repository_id) for one in found])
    if name == EXPLAIN:
        if record.blind and record.decided_at is None:
            return blind_text(record.number)
        proposal = (await newest_proposals(session, [record.issue_id])).get(record.issue_id)
        return explain_text(record.number, explained(proposal) if proposal is not None else None)
    raise ValueError(f"the command {name!r} asks nothing")


def shown(confirmed: Confirmed, asked_in: int) -> SimilarIssue:
    """Return a confirmed issue as it is shown to somebody in the repository `asked_in`."""
    record, repository = confirmed.record, confirmed.repository
    return SimilarIssue(
        number=record.number,
        url=quiet_link(record.html_url or ""),
        repository=None if repository.id == asked_in else repository.full_name,
        title=record.title,
        category=record.category or "",
        none_kind=record.none_kind,
        open_days=record.open_days,
        fix=_fix(confirmed, is_same=repository.id == asked_in),
    )


def _fix(confirmed: Confirmed, *, is_same: bool) -> tuple[str, str] | None:
    """Return a fix's name and quiet address; of other repositories' issues only where it lies in their own.

    A fix elsewhere says something of its repository, which its own maintainers know and nobody else has to.
    """
    fix, home = confirmed.fix, confirmed.repository.full_name
    page = confirmed.record.html_url or ""
    if fix is None or f"{home}/issues/" not in page or (not is_same and fix.repository not in (None, home)):
        return None
    place = page.partition(f"{home}/issues/")[0] + (fix.repository or home)
    elsewhere = "" if fix.repository in (None, home) else str(fix.repository)
    if fix.number is not None:
        return f"{elsewhere}#{fix.number}", quiet_link(f"{place}/pull/{fix.number}")
    if fix.sha is None:
        return None
    return f"{elsewhere}{'@' if elsewhere else ''}{fix.sha[:10]}", quiet_link(f"{place}/commit/{fix.sha}")


def explained(proposal: Proposal) -> Explained:
    """Return what a stored proposal is explained by, at the share of system-related issues that is met in practice."""
    met = shares_met(proposal.probabilities, proposal.system_related)
    top = sorted(met, key=lambda key: (key != proposal.category, -met[key], key))[:_MOST_LIKELY]
    return Explained(
        top=[(key, met[key]) for key in top],
        words=proposal.words,
        facts=proposal.facts,
        reason=proposal.reason,
        model=proposal.model,
    )
