"""Every indicator of a record that comes from one issue, computed from its evidence alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.evidence.languages import change_entropy, languages_of
from bot.evidence.model import Comment, Evidence, Fix
from bot.evidence.participants import counted_comments, distinct, is_member, is_person
from bot.evidence.reproduced import ReproducedSource, reproduced_by_heuristic, reproduced_by_label
from bot.evidence.text import measure_description

_SECONDS_PER_DAY = 86_400


@dataclass(frozen=True)
class Indicators:
    """The measured fields of a line of `records.jsonl`, under its names; None where not known, never 0 for that.

    Days are fractional, `participation_percent` is 0..100, entropies are 0..1, everything else counts. People are
    humans; what happened after the closing that ended the last open span does not count.

    - `open_days`: creation to that closing; `first_close_days`: creation to the first one; `reopened`: how often.
    - `issue_comments`; `issue_participants`: the author and the commenters.
    - `fix_comments`: conversation, review comments and reviews with text; `fix_participants`: author, commenters and
      reviewers; `changed_lines`: added and deleted by GitHub's own totals; `changed_files`. None without a fix.
    - `comments_until_reproduced` and its source: a label, else a guess from members' comments; a command overrides it.
    - `description_words`, `attached_files`, `code_lines`, `issue_form`: of the description's first version, None
      where that is lost.
    - `members`, `non_members` among the issue's participants, `participation_percent` = members of participants.
    - `languages` of the fix's source files, tests left out and counted. `mpl` is None where the fix has no source
      file at all, and where its list of files is cut and shows one language only; entropies are None for a cut list.
    """

    reopened: int
    open_days: float | None
    first_close_days: float | None
    issue_comments: int
    issue_participants: int
    fix_comments: int | None
    fix_participants: int | None
    changed_lines: int | None
    changed_files: int | None
    comments_until_reproduced: int | None
    comments_until_reproduced_source: ReproducedSource | None
    description_words: int | None
    attached_files: int | None
    code_lines: int | None
    issue_form: bool | None
    members: int
    participation_percent: float | None
    non_members: int
    languages: list[str] | None
    languages_with_tests: list[str] | None
    mpl: bool | None
    mpl_with_tests: bool | None
    change_entropy: float | None
    change_entropy_with_tests: float | None


def measure(evidence: Evidence, bots: frozenset[str] = frozenset()) -> Indicators:
    """Measure one issue; `bots` are logins that count as bots besides those GitHub marks as such.

    Pure; a hostile description takes about a second of CPU, so call it in a thread.
    """
    comments = counted_comments(evidence, bots)
    voices = [(evidence.author, evidence.author_association)]
    voices += [(comment.author, comment.association) for comment in comments]
    participants = distinct(person for person, _ in voices if is_person(person, bots))
    members = distinct(person for person, standing in voices if is_person(person, bots) and is_member(standing))
    reproduced, source = _reproduced(evidence, comments)
    description = None if evidence.first_body is None else measure_description(evidence.first_body)
    fix = evidence.fix
    languages, with_tests, mpl, mpl_with_tests = _languages(fix)
    return Indicators(
        reopened=max(0, len(evidence.spans) - 1),
        open_days=_days(evidence.created_at, evidence.closed_at),
        first_close_days=_days(evidence.created_at, evidence.spans[0].closed_at if evidence.spans else None),
        issue_comments=len(comments),
        issue_participants=len(participants),
        fix_comments=fix.comments if fix else None,
        fix_participants=_fix_participants(fix, bots),
        changed_lines=_changed_lines(fix),
        changed_files=fix.changed_files if fix else None,
        comments_until_reproduced=reproduced,
        comments_until_reproduced_source=source,
        description_words=description.description_words if description else None,
        attached_files=description.attached_files if description else None,
        code_lines=description.code_lines if description else None,
        issue_form=description.issue_form if description else None,
        members=len(members),
        participation_percent=100 * len(members) / len(participants) if participants else None,
        non_members=len(participants) - len(members),
        languages=languages,
        languages_with_tests=with_tests,
        mpl=mpl,
        mpl_with_tests=mpl_with_tests,
        change_entropy=_entropy(fix, with_tests=False),
        change_entropy_with_tests=_entropy(fix, with_tests=True),
    )


def _days(start: datetime, end: datetime | None) -> float | None:
    """Count the days; None where there is no end, or one before the start, which no clock can have meant."""
    return None if end is None or end < start else (end - start).total_seconds() / _SECONDS_PER_DAY


def _reproduced(evidence: Evidence, comments: Sequence[Comment]) -> tuple[int | None, ReproducedSource | None]:
    until = evidence.closed_at
    labellings = [one for one in evidence.labellings if until is None or one.created_at <= until]
    by_label = reproduced_by_label(labellings, comments)
    if by_label is not None:
        return by_label, "label"
    guessed = reproduced_by_heuristic(comments)
    return guessed, None if guessed is None else "heuristic"


def _fix_participants(fix: Fix | None, bots: frozenset[str]) -> int | None:
    """Count the fix's people; where its comments are unknown, so are those who wrote them."""
    if fix is None or fix.comments is None:
        return None
    return len(distinct(person for person in fix.participants if is_person(person, bots)))


def _changed_lines(fix: Fix | None) -> int | None:
    if fix is None or fix.additions is None or fix.deletions is None:
        return None
    return fix.additions + fix.deletions


def _languages(fix: Fix | None) -> tuple[list[str] | None, list[str] | None, bool | None, bool | None]:
    if fix is None or (not fix.files and fix.changed_files != 0):
        return None, None, None, None
    found = languages_of(file.path for file in fix.files)
    missing = fix.changed_files is None or len(fix.files) < fix.changed_files
    shown = (list(found.languages), list(found.languages_with_tests))
    mpl, mpl_with_tests = ((len(names) > 1 if names and (len(names) > 1 or not missing) else None) for names in shown)
    return (*shown, mpl, mpl_with_tests)


def _entropy(fix: Fix | None, *, with_tests: bool) -> float | None:
    if fix is None or fix.files_truncated:
        return None
    return change_entropy(fix.files, with_tests=with_tests)
