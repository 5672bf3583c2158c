"""The questions of a repository: each week's choice, written into its records.

Purpose: what the inbox asks and what the report's shares are computed from are the same choice. Trigger: an inbox is
brought up to date, a report is built. Effects: `selection`, its probability and `blind` of the repository's records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import false
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, or_, select, update

from bot.features.disputes import dispute_notes
from bot.features.label_notes import label_notes
from bot.features.selection import Candidate, Choice, choose, week_of
from bot.store.among import among
from bot.store.configurations import configuration_of
from bot.store.left_alone import left_alone
from bot.store.proposals import newest_proposals
from bot.store.shown import shown_among
from bot.store.study import drawn_and_coded
from bot.store.tables import Proposal, Record, Repository

EXPIRES_AFTER = timedelta(days=30)
"""How long a question is shown without an answer (product.md)."""

_WEEK = timedelta(days=7)

SETTLED_AFTER = timedelta(days=14)
"""How long after its last closing was gathered a week is still chosen anew: GitHub redelivers for three days only."""


@dataclass(frozen=True)
class Questions:
    """The eligible closings of one repository's unsettled weeks, the newest first, and what the model says of each.

    A week is settled once nothing was gathered in it for a while and none of its questions waits any more.

    `decided` counts all its decided closings, those of settled weeks too; `notes` are to be said beside the questions,
    among them, where it `is_disputed`, what people disagree on.
    """

    repository: Repository
    records: Sequence[Record]
    proposals: dict[int, Proposal]
    decided: int
    now: datetime
    notes: tuple[str, ...] = ()
    is_disputed: bool = False

    @property
    def waiting(self) -> list[Record]:
        """The questions without an answer, whether they may still be shown or not."""
        return [
            record
            for record in self.records
            if record.selection in {"random", "targeted"} and record.decided_at is None
        ]

    @property
    def open(self) -> list[Record]:
        """The questions that may be shown."""
        return [record for record in self.waiting if record.asked_at is None or not _is_expired(record, self.now)]


async def choose_questions(session: AsyncSession, repository: Repository, now: datetime) -> Questions:
    """Choose each week's questions anew and return them all; an issue that is open again is not asked about.

    One that is left alone keeps its place in the choice, which is made by chance, and is not among the questions.
    An issue that researchers drew at random and coded stays in the random sample, whatever the week's choice.
    """
    week = func.date_trunc("week", col(Record.closed_at), "UTC")
    eligible = (
        Record.repository_id == repository.id,
        col(Record.is_open).is_(False),
        col(Record.backfilled).is_(False),
        col(Record.eligible_system) | col(Record.eligible_bug),
    )
    is_fresh = col(Record.gathered_at) > now - SETTLED_AFTER
    is_asked = col(Record.decided_at).is_(None) & (
        (col(Record.asked_at) > now - EXPIRES_AFTER)
        | (col(Record.selection).is_not(None) & col(Record.asked_at).is_(None))
    )
    begins = (await session.execute(select(week).where(*eligible, is_fresh | is_asked).distinct())).scalars()
    # Each week by its bounds: by the week's name every record of the repository would be read.
    closed = [(col(Record.closed_at) >= one) & (col(Record.closed_at) < one + _WEEK) for one in begins]
    wanted = select(Record).where(*eligible, or_(false(), *closed)).order_by(col(Record.issue_id)).with_for_update()
    records = (await session.execute(wanted)).scalars().all()
    decided = select(func.count()).where(*eligible, col(Record.decided_at).is_not(None))
    proposals = await newest_proposals(session, [record.issue_id for record in records])
    coded = await drawn_and_coded(session, [record.issue_id for record in records])
    on_issues = await shown_among(session, [record.issue_id for record in records])
    configuration = await configuration_of(session, repository.id)
    weeks: dict[str, list[Record]] = {}
    for record in records:
        if _is_told_by_label(record) and record.issue_id not in coded:
            record.selection, record.selection_probability, record.blind = "volunteered", None, False
        elif record.issue_id in proposals:
            weeks.setdefault(week_of(record.closed_at), []).append(record)
    for name, closings in weeks.items():
        candidates = [
            _candidate(record, proposals[record.issue_id], is_shown=record.issue_id in on_issues) for record in closings
        ]
        choices = choose(repository.id, name, candidates, configuration.inbox.sample)
        for record in closings:
            choice = choices[record.issue_id]
            if choice.selection != "random" and record.issue_id in coded:
                choice = Choice("random", coded[record.issue_id], blind=False)
            record.selection = choice.selection
            record.selection_probability = choice.probability
            record.blind = choice.blind
    alone = await left_alone(session, repository.id, [record.number for record in records])
    newest_first = sorted(records, key=lambda record: (record.closed_at, record.number), reverse=True)
    asked = [record for record in newest_first if record.number not in alone]
    disputes = await dispute_notes(session, repository)
    notes = (*disputes, *await label_notes(session, repository, configuration, now))
    count = (await session.execute(decided)).scalar_one()
    return Questions(repository, asked, proposals, count, now, notes, is_disputed=bool(disputes))


def is_asked(record: Record, now: datetime) -> bool:
    """Say whether people were shown this question, and it still waits for an answer."""
    return record.decided_at is None and record.asked_at is not None and not _is_expired(record, now)


def _is_expired(record: Record, now: datetime) -> bool:
    return record.asked_at is not None and record.asked_at + EXPIRES_AFTER <= now


async def note_asked(session: AsyncSession, issue_ids: Sequence[int], now: datetime) -> None:
    """Remember since when these questions have been shown."""
    await session.execute(
        update(Record)
        .where(among(Record.issue_id, issue_ids), col(Record.asked_at).is_(None))
        .values(asked_at=now)
        .execution_options(synchronize_session=False)
    )


def _is_told_by_label(record: Record) -> bool:
    """Say whether a label decided an issue before anybody asked: such ones are volunteered, and nothing is drawn."""
    return record.category_source == "label" and record.asked_at is None


def _candidate(record: Record, proposal: Proposal, *, is_shown: bool) -> Candidate:
    return Candidate(
        issue_id=record.issue_id,
        category=proposal.category,
        margin=proposal.probability - proposal.second_probability,
        decided=record.decided_at is not None,
        guess_seen=is_shown or (not record.blind and (record.asked_at is not None or record.decided_at is not None)),
        selection=record.selection,
    )
