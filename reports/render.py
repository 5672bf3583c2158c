"""Put the sections together as the body of a GitHub issue, within the length that GitHub takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from reports.model import Report
from reports.periods import Period
from reports.sections import head, measures, method, own, reference, shares

BUDGET: Final = 60_000
"""Code points of a body; GitHub takes 65,536 of any kind."""


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of the report; `drop` is its place in the order of leaving out, 0 for what always stays."""

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
    _Section("chart of root causes", shares.chart, 7),
    _Section("root causes without the most frequent one", shares.without_dominant, 6),
    _Section("difficulty", measures.difficulty),
    _Section("difficulty by root cause", measures.difficulty_by_category, 2),
    _Section("information", measures.information, 8),
    _Section("information by root cause", measures.information_by_category, 1),
)
_NOTHING: Final = "Nothing to compare: no issue of a compared repository was closed in this window."
_REFERENCE: Final = (
    _Section("the first study as a reference", reference.shares, 5),
    _Section("medians of the first study", reference.medians, 3),
)
_OWN: Final = _Section("this repository", own.this_repository)
_FUNNEL: Final = _Section("funnel", method.funnel)
_REPLICATION: Final = _Section("replication", method.replication, 4)
_METHOD: Final = _Section("method", method.method)


def title(period: Period) -> str:
    """Return the title of the report's issue."""
    return f"Issue triage report {period.name}: ML vs traditional frameworks"


def render(report: Report, marker: str | None = None, budget: int = BUDGET) -> str:
    """Return the report as Markdown of at most `budget` code points, the hidden `marker` as its first line.

    Sections are left out in a fixed order until it fits, and a line says which. What always stays is bounded far
    below the usual budget.
    """
    texts = [(section, section.write(report)) for section in _sections(report)]
    left_out: list[str] = []
    body = _join(marker, texts, left_out)
    for section in sorted((section for section, text in texts if section.drop and text), key=lambda one: one.drop):
        if len(body) <= budget:
            break
        left_out.append(section.name)
        texts = [(other, text) for other, text in texts if other is not section]
        body = _join(marker, texts, left_out)
    return body


def _sections(report: Report) -> tuple[_Section, ...]:
    nothing = head.nothing_to_compare(report)
    comparison = (_Section("nothing to compare", lambda _: _NOTHING),) if nothing else _COMPARISON
    replication = () if nothing else (_REPLICATION,)
    return (*_HEAD, *comparison, _OWN, *_REFERENCE, _FUNNEL, *replication, _METHOD)


def _join(marker: str | None, texts: list[tuple[_Section, str]], left_out: list[str]) -> str:
    parts = [marker] if marker else []
    parts += [text for _, text in texts if text]
    if left_out:
        parts.append(f"*Left out for length, in `report.json`: {', '.join(left_out)}.*")
    return "\n\n".join(parts) + "\n"
