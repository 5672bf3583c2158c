"""What the coding commands do with the database: show, take answers in, list what differs, resolve it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from bot.clock import SystemClock
from bot.decisions.answers import Answer, read_answer
from bot.decisions.coders import coder_name
from bot.decisions.errors import StudyError
from bot.store.coding import resolve, save_answer
from bot.store.study import Listed, answers, find_listed, listed_issues, maintainers_of, resolutions, text_of
from bot.study.desk import Desk
from bot.study.differences import Difference, agreements, differences
from bot.study.sheet import read_sheet, write_sheet
from bot.study.terminal import code_issues
from classifier import IssueText
from reports.agreement import Agreement

_ISSUE = re.compile(r"([^/#\s]+/[^/#\s]+)#([0-9]{1,9})", re.ASCII)


def code_by_asking(desk: Desk, coder: str, ask: Callable[[str], str], say: Callable[[str], None]) -> str:
    """Ask a coder about every drawn issue without an answer yet; return how far the coder has come."""
    name = _coder(coder)
    issues, own = _before(desk, name)
    given = code_issues(
        issues,
        own,
        text_of=lambda issue: desk.run(lambda session: text_of(session, issue.issue_id)),
        save=lambda issue, answer: _save(desk, issue, name, answer),
        ask=ask,
        say=say,
    )
    _, own = _before(desk, name)
    return f"\n{given} answers saved; {len(own)} of {len(issues)} issues are coded by {name}."


@dataclass(frozen=True)
class Exported:
    """The CSV text of the drawn list for a coder; issues whose text is gone are not in it."""

    text: str
    written: int
    without_text: int


@dataclass(frozen=True)
class Taken:
    """What was taken in of a file, how far the coder has come, and a sentence for each row that was not taken."""

    coder: str
    saved: int
    coded: int
    drawn: int
    mistakes: list[str]


def export(desk: Desk, coder: str) -> Exported:
    """Write the drawn list for a coder."""
    name = _coder(coder)
    issues, own = _before(desk, name)
    rows: list[tuple[Listed, IssueText]] = []
    for issue in issues:
        text = desk.run(partial(_text_of, issue_id=issue.issue_id))
        if text is not None:
            rows.append((issue, text))
    return Exported(write_sheet(rows, own), len(rows), len(issues) - len(rows))


def import_answers(desk: Desk, coder: str, content: bytes) -> Taken:
    """Take in the answers of a CSV file."""
    name = _coder(coder)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StudyError(f"The file is not UTF-8 (byte {error.start}): save it as CSV UTF-8.") from None
    issues, before = _before(desk, name)
    by_id = {issue.issue_id: issue for issue in issues}
    taken, mistakes = 0, []
    for row in read_sheet(text):
        issue = None if row.issue_id is None else by_id.get(row.issue_id)
        if row.answer is None:
            mistakes.append(f"row {row.number}: {row.mistake}")
        elif issue is None:
            mistakes.append(f"row {row.number}: issue_id {row.issue_id} is not in the drawn list.")
        elif before.get(issue.issue_id) != row.answer:
            try:
                _save(desk, issue, name, row.answer)
            except StudyError as error:
                mistakes.append(f"row {row.number}: {error}")
            else:
                taken += 1
    _, own = _before(desk, name)
    return Taken(name, taken, len(own), len(issues), mistakes)


def disagreements(desk: Desk) -> tuple[list[Difference], dict[tuple[str, str], Agreement]]:
    """Return the differences, resolved ones too, and the agreement of each two coders."""
    issues = desk.run(_listed)
    said = desk.run(answers)
    others = desk.run(maintainers_of)
    resolved = desk.run(resolutions)
    return differences(issues, said, others, resolved), agreements(said)


def resolve_issue(desk: Desk, issue: str, category: str, note: str) -> tuple[str, str | None]:
    """Settle a disagreement; return the issue's name and the category agreed on."""
    where = _ISSUE.fullmatch(issue.strip())
    if where is None:
        raise StudyError(f"{issue!r} is no issue; write it as owner/name#12.")
    listed = desk.run(lambda session: find_listed(session, where[1], int(where[2])))
    if listed is None:
        raise StudyError(f"{issue} is not in the drawn list.")
    answer = replace(read_answer(category), note=" ".join(note.split()) or None)
    desk.run(lambda session: resolve(session, listed, answer, SystemClock().now()))
    return listed.name, answer.category


def _coder(text: str) -> str:
    if not text.strip():
        raise StudyError("Say who codes: --coder NAME.")
    return coder_name(text)


def _before(desk: Desk, coder: str) -> tuple[list[Listed], dict[int, Answer]]:
    """Return the drawn list and this coder's own answers so far."""
    issues = desk.run(_listed)
    said = desk.run(answers)
    return issues, {issue.issue_id: own for issue in issues if (own := said.get(issue.issue_id, {}).get(coder))}


async def _listed(session: AsyncSession) -> list[Listed]:
    issues = await listed_issues(session)
    if not issues:
        raise StudyError("No issues are drawn yet: rootcause study sample --margin 0.1 draws a list.")
    return issues


async def _text_of(session: AsyncSession, issue_id: int) -> IssueText | None:
    return await text_of(session, issue_id)


def _save(desk: Desk, issue: Listed, coder: str, answer: Answer) -> None:
    desk.run(lambda session: save_answer(session, issue, coder, answer, SystemClock().now()))
