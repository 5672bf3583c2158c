"""Put the sections together as the body of a GitHub issue and, where they are too long for it, its further comments."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from reports.model import Report
from reports.overflow import pack, shortened
from reports.periods import Period
from reports.sections import (
    advice,
    agreement,
    codebook,
    estimated,
    fixes,
    head,
    measures,
    method,
    mpl,
    own,
    people,
    reference,
    repositories,
    shares,
    steps,
)

BUDGET: Final = 60_000
"""Code points of a body or a comment; GitHub takes 65,536 of any kind."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A report as it is posted: the issue's body, and the comments that hold what did not fit into it."""

    body: str
    comments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the report; `drop` is its place in the order of leaving the body, 0 for what always stays."""

    name: str
    write: Callable[[Report], str]
    drop: int = 0


_HEAD: Final = (
    _Section("coverage", head.coverage_line),
    _Section("notes", head.notes),
    _Section("finding", head.finding),
)
_COMPARISON: Final = (
    _Section("root causes", shares.categories),
    _Section("chart of root causes", shares.chart, 17),
    _Section("root causes without the most frequent one", shares.without_dominant, 14),
    _Section("estimated shares", estimated.estimated, 11),
    _Section("difficulty", measures.difficulty),
    _Section("difficulty by root cause", measures.difficulty_by_category, 4),
    _Section("information", measures.information, 18),
    _Section("information by root cause", measures.information_by_category, 3),
    _Section("people", people.people, 15),
    _Section("MPL against SPL", mpl.overall, 16),
    _Section("MPL against SPL by repository", mpl.by_repository, 1),
    _Section("languages of fixes", fixes.languages, 9),
    _Section("bug types", fixes.bug_types, 8),
    _Section("agreement", agreement.agreement, 12),
)
_NOTHING: Final = "Nothing to compare: no issue of a compared repository was closed in this window."
_OWN: Final = (
    _Section("this repository", own.this_repository),
    _Section("repository by repository", repositories.repositories, 2),
    _Section("month by month", repositories.trend, 10),
    _Section("suggestions", advice.advice),
)
_REFERENCE: Final = (
    _Section("the first study as a reference", reference.shares, 13),
    _Section("medians of the first study", reference.medians, 5),
)
_FUNNEL: Final = _Section("funnel", steps.funnel)
_REPLICATION: Final = _Section("replication", steps.replication, 7)
_END: Final = (
    _Section("root causes against the first study's", codebook.codebook, 6),
    _Section("method", method.method),
    _Section("warning", method.last_line),
)


def title(period: Period) -> str:
    """Return the title of the report's issue."""
    return f"Issue triage report {period.name}: ML vs traditional frameworks"


def render(report: Report, marker: str | None = None, budget: int = BUDGET) -> str:
    """Return the report as one Markdown text of about `budget` code points, the hidden `marker` as its first line.

    Sections are left out in a fixed order until it fits, and a line says which. What always stays is bounded far
    below the usual budget.
    """
    texts = _written(report)
    left_out = _too_many(texts, marker, budget, _left_out)
    return _join(marker, texts, left_out, budget, _left_out)


def compose(report: Report, marker: str | None = None, budget: int = BUDGET) -> Composed:
    """Return the body and the comments of the report's issue, none longer than about `budget` code points.

    Sections leave the body whole, in a fixed order, and stand in the comments in the order of the report. Comment
    number n, from 1, begins with `overflow.part_marker(marker, n)`, so that it can be found and rewritten.
    """
    texts = _written(report)
    moved = _too_many(texts, marker, budget, _moved)
    kept_apart = [text for section, text in texts if section in moved]
    return Composed(
        body=_join(marker, texts, moved, budget, _moved),
        comments=pack(kept_apart, f"Report {report.period.name}, continued", marker, budget),
    )


def _sections(report: Report) -> tuple[_Section, ...]:
    nothing = head.nothing_to_compare(report)
    comparison = (_Section("nothing to compare", lambda _: _NOTHING),) if nothing else _COMPARISON
    replication = () if nothing else (_REPLICATION,)
    return (*_HEAD, *comparison, *_OWN, *_REFERENCE, _FUNNEL, *replication, *_END)


_Texts = list[tuple[_Section, str]]


def _written(report: Report) -> _Texts:
    return [(section, text) for section in _sections(report) if (text := section.write(report))]


def _too_many(texts: _Texts, marker: str | None, budget: int, say: Callable[[list[str]], str]) -> list[_Section]:
    """Return the sections that must leave the body, in the order of leaving."""
    gone: list[_Section] = []
    for section in sorted((section for section, _ in texts if section.drop), key=lambda one: one.drop):
        if len(_joined(marker, texts, gone, say)) <= budget:
            break
        gone.append(section)
    return gone


def _join(marker: str | None, texts: _Texts, gone: list[_Section], budget: int, say: Callable[[list[str]], str]) -> str:
    return shortened(_joined(marker, texts, gone, say), budget - 1) + "\n"


def _joined(marker: str | None, texts: _Texts, gone: list[_Section], say: Callable[[list[str]], str]) -> str:
    parts = [marker] if marker else []
    parts += [text for section, text in texts if section not in gone]
    if gone:
        parts.append(say([section.name for section in gone]))
    return "\n\n".join(parts)


def _left_out(names: list[str]) -> str:
    return f"*Left out for length, in `report.json`: {', '.join(names)}.*"


def _moved(names: list[str]) -> str:
    return f"*Continued in the comments: {', '.join(names)}.*"
