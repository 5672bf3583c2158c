"""What the study's coders have before them and have said: the drawn list, its texts, answers and resolutions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, func, select

from bot.decisions.answers import Answer
from bot.decisions.coders import coder_id
from bot.decisions.verdict import Said
from bot.evidence.prose import unpack
from bot.store.among import among
from bot.store.tables import Decision, EvidenceText, Record, Repository, StudyIssue, StudyNote, StudyResolution
from classifier import IssueText
from reports.sampling import rank

RESOLVED = 0
"""Stands where a person's number stands: nobody in particular, the coders together."""


@dataclass(frozen=True)
class Listed:
    """One issue of the drawn list; `name` is how people write it, `owner/name#12`."""

    issue_id: int
    repository: str
    number: int
    title: str

    @property
    def name(self) -> str:
        """Return the issue as `owner/name#12`."""
        return f"{self.repository}#{self.number}"


async def listed_issues(session: AsyncSession) -> list[Listed]:
    """Return the drawn list in its random order, the same for every coder."""
    rows = await session.execute(
        select(StudyIssue, Record, Repository.full_name)
        .join(Record, col(Record.issue_id) == col(StudyIssue.issue_id))
        .join(Repository, col(Repository.id) == col(Record.repository_id))
    )
    ordered = sorted(rows, key=lambda row: (rank(row[0].seed, row[0].issue_id), row[0].issue_id))
    return [Listed(record.issue_id, name, record.number, record.title) for _, record, name in ordered]


async def text_of(session: AsyncSession, issue_id: int) -> IssueText | None:
    """Return the text of an issue as it was when it closed, or None where it is not kept any more."""
    row = await session.get(EvidenceText, issue_id)
    return None if row is None else unpack(row.text)


async def answers(session: AsyncSession, issue_id: int | None = None) -> dict[int, dict[str, Answer]]:
    """Return each issue's standing answers by coder's name, of one issue or of all."""
    decisions = select(Decision).where(Decision.via == "study", col(Decision.undone_at).is_(None))
    notes = select(StudyNote)
    if issue_id is not None:
        decisions = decisions.where(Decision.issue_id == issue_id)
        notes = notes.where(StudyNote.issue_id == issue_id)
    found: dict[int, dict[str, Answer]] = {}
    for row in (await session.execute(decisions)).scalars():
        answer = Answer(row.category, row.category2, row.none_kind)
        found.setdefault(row.issue_id, {})[coder_of(row.source)] = answer
    for note in (await session.execute(notes)).scalars():
        of_issue = found.setdefault(note.issue_id, {})
        said = Answer(None, draft=note.draft) if note.draft is not None else of_issue.get(note.coder)
        if said is not None:
            of_issue[note.coder] = replace(said, note=note.note)
    return found


def source_of(coder: str, issue_id: int, turn: int) -> str:
    """Return where a coder's decision was said; `turn` counts a coder's decisions on one issue from 1."""
    return f"study:{coder}:{issue_id}" + (f":{turn}" if turn > 1 else "")


def coder_of(source: str) -> str:
    """Return whose decision it is, by where it was said."""
    return source.split(":")[1]


async def drawn_and_coded(session: AsyncSession, issue_ids: Sequence[int]) -> dict[int, float]:
    """Return, of these issues, those that were drawn and coded, with their probability of being drawn."""
    decided = select(Decision.issue_id).where(Decision.via == "study", col(Decision.undone_at).is_(None))
    drawn = col(StudyIssue.issue_id)
    rows = await session.execute(
        select(StudyIssue.issue_id, StudyIssue.probability).where(
            among(drawn, issue_ids), drawn.in_(decided) | drawn.in_(select(StudyResolution.issue_id))
        )
    )
    return {row.issue_id: row.probability for row in rows}


async def new_codes(session: AsyncSession, issue_id: int) -> list[Said]:
    """Return the new codes that coders propose for an issue, as what they say: no category of the book."""
    rows = await session.execute(
        select(StudyNote).where(StudyNote.issue_id == issue_id, col(StudyNote.draft).is_not(None))
    )
    return [Said(coder_id(row.coder), None, None, None, "study", row.written_at) for row in rows.scalars()]


async def resolution_of(session: AsyncSession, issue_id: int) -> Said | None:
    """Return what the coders agreed on after a disagreement, if they did."""
    row = await session.get(StudyResolution, issue_id)
    if row is None:
        return None
    return Said(RESOLVED, row.category, row.category2, row.none_kind, "study", row.resolved_at)


async def resolutions(session: AsyncSession) -> dict[int, Answer]:
    """Return what was agreed on, by issue, with the reason as its note."""
    rows = (await session.execute(select(StudyResolution))).scalars()
    return {row.issue_id: Answer(row.category, row.category2, row.none_kind, note=row.note) for row in rows}


async def maintainers_of(session: AsyncSession) -> dict[int, tuple[str, ...]]:
    """Return the standing categories that were decided on GitHub, of issues in the drawn list, each named once."""
    rows = await session.execute(
        select(Decision)
        .join(StudyIssue, col(StudyIssue.issue_id) == col(Decision.issue_id))
        .where(Decision.via != "study", col(Decision.undone_at).is_(None))
        .order_by(col(Decision.id))
    )
    last_words: dict[int, dict[int | None, str]] = {}
    for row in rows.scalars():
        last_words.setdefault(row.issue_id, {})[row.person_id] = row.category
    return {issue_id: tuple(dict.fromkeys(said.values())) for issue_id, said in last_words.items()}


async def find_listed(session: AsyncSession, repository: str, number: int) -> Listed | None:
    """Return an issue of the drawn list by its repository's name in any case, and its number."""
    row = (
        await session.execute(
            select(Record, Repository.full_name)
            .join(StudyIssue, col(StudyIssue.issue_id) == col(Record.issue_id))
            .join(Repository, col(Repository.id) == col(Record.repository_id))
            .where(func.lower(Repository.full_name) == repository.lower(), Record.number == number)
        )
    ).first()
    return None if row is None else Listed(row[0].issue_id, row[1], row[0].number, row[0].title)
