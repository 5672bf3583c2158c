"""How far the demo is, read from the database it shares with its web and worker."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import and_, col, func, select

from bot.demo.maintainers import Question
from bot.store.proposals import newest_proposals
from bot.store.tables import Delivery, Proposal, Record, Report, Repository

_JOBS = text("""
    SELECT count(*) FILTER (WHERE status IN ('todo', 'doing')), count(*) FILTER (WHERE status NOT IN ('todo', 'doing'))
    FROM procrastinate_jobs WHERE queue_name NOT IN ('people', 'missed', 'pruning')
""")
"""Jobs that succeeded are deleted, so what is neither to do nor under way has failed for good.

People are read ten minutes after the last closing, what was missed is looked for some time after a start, and what is
old is deleted at night, all in the background; the demo has ended by then and waits for no such job.
"""


@dataclass(frozen=True)
class Waiting:
    """What is still to be done, and what failed for good."""

    deliveries: int
    jobs: int
    failed_deliveries: int
    failed_jobs: int


@dataclass(frozen=True)
class Figures:
    """The numbers the demo prints at its end."""

    recorded: int
    eligible: int
    proposed: int
    confirmed: int
    corrected: int


async def waiting(session: AsyncSession) -> Waiting:
    """Count the deliveries and jobs that wait or failed."""
    by_state = await session.execute(select(Delivery.state, func.count()).group_by(col(Delivery.state)))
    counts = dict(by_state.all())
    unfinished, failed = (await session.execute(_JOBS)).one()
    return Waiting(counts.get("waiting", 0), unfinished, counts.get("failed", 0), failed)


async def figures(session: AsyncSession) -> Figures:
    """Count the records by what became of them; `corrected` includes those decided to be no system issue."""
    by_state = await session.execute(select(Record.state, func.count()).group_by(col(Record.state)))
    states = dict(by_state.all())
    eligible = select(func.count()).where(col(Record.eligible_bug) | col(Record.eligible_system))
    proposed = select(func.count(func.distinct(Proposal.issue_id))).where(col(Proposal.proposed))
    return Figures(
        recorded=sum(states.values()),
        eligible=(await session.execute(eligible)).scalar_one(),
        proposed=(await session.execute(proposed)).scalar_one(),
        confirmed=states.get("confirmed", 0),
        corrected=states.get("corrected", 0) + states.get("rejected", 0),
    )


async def questions(session: AsyncSession, truths: dict[tuple[str, int], str]) -> list[Question]:
    """Return every eligible record nobody decided, as its maintainer sees it."""
    wanted = (
        select(Record, Repository.full_name)
        .join(Repository, col(Repository.id) == col(Record.repository_id))
        .where(col(Record.eligible_bug) | col(Record.eligible_system), col(Record.decided_at).is_(None))
        .order_by(col(Record.repository_id), col(Record.number))
    )
    rows = (await session.execute(wanted)).all()
    proposals = await newest_proposals(session, [record.issue_id for record, _ in rows])
    return [
        Question(
            repository=name,
            number=record.number,
            guess=proposals[record.issue_id].category,
            second=proposals[record.issue_id].second,
            blind=record.blind,
            truth=truths.get((name, record.number)),
        )
        for record, name in rows
        if record.issue_id in proposals
    ]


async def busiest_repository(session: AsyncSession) -> Repository:
    """Return the repository with the most records, the first by name among equals."""
    count = func.count(col(Record.issue_id))
    busiest = (
        select(Repository)
        .join(Record, col(Record.repository_id) == col(Repository.id))
        .group_by(col(Repository.id))
        .order_by(count.desc(), col(Repository.full_name))
        .limit(1)
    )
    return (await session.execute(busiest)).scalars().one()


async def inbox_to_show(session: AsyncSession) -> Repository | None:
    """Return the repository whose inbox holds the most open questions, the first by name among equals, if any."""
    count = func.count(col(Record.issue_id))
    fullest = (
        select(Repository)
        .outerjoin(
            Record,
            and_(
                col(Record.repository_id) == col(Repository.id),
                col(Record.asked_at).is_not(None),
                col(Record.decided_at).is_(None),
            ),
        )
        .where(col(Repository.inbox_number).is_not(None))
        .group_by(col(Repository.id))
        .order_by(count.desc(), col(Repository.full_name))
        .limit(1)
    )
    return (await session.execute(fullest)).scalars().first()


async def posted_report(session: AsyncSession, repository_id: int, period: str) -> Report | None:
    """Return the repository's report of a period once it stands."""
    found = select(Report).where(
        Report.repository_id == repository_id, Report.period == period, col(Report.number).is_not(None)
    )
    return (await session.execute(found)).scalars().first()
