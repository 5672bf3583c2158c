"""Which sections a report has, in which order they stand, and in which order they leave a text that is too long."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from reports.model import Report
from reports.sections import (
    advice,
    agreement,
    charts,
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


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report; `drop` is its place in the order of leaving the body, 0 for what always stays.

    Where there are pictures, those named in `figures` stand instead of what `write` gives, behind `summary` if any.
    """

    name: str
    write: Callable[[Report], str]
    drop: int = 0
    figures: tuple[str, ...] = ()
    summary: str = ""


def _nothing(_: Report) -> str:
    """Stand for figures that no Mermaid chart can replace."""
    return ""


def _open_days(report: Report) -> str:
    return charts.medians(report.tables.difficulty, "open_days", "Days open")


_BY_ROOT_CAUSE: Final = tuple(
    f"{name}-by-root-cause"
    for name in (
        "open-days",
        "issue-comments",
        "issue-participants",
        "fix-comments",
        "changed-lines",
        "description-words",
    )
)
_BY_REPOSITORY: Final = tuple(f"{name}-by-repository" for name in ("open-days", "issue-comments", "issue-participants"))
_BY_LANGUAGES: Final = ("changed-lines-by-languages", "open-days-by-languages")
_SHARES: Final = ("root-causes", "root-causes-without-dominant")

_HEAD: Final = (
    Section("coverage", head.coverage_line),
    Section("notes", head.notes),
    Section("finding", head.finding),
)
_COMPARISON: Final = (
    Section("root causes", shares.categories),
    Section("chart of root causes", charts.shares, 23, _SHARES),
    Section("root causes without the most frequent one", shares.without_dominant, 26),
    Section("estimated shares", estimated.estimated, 11),
    Section("difficulty", measures.difficulty),
    Section("chart of effects", _nothing, 22, ("effects",)),
    Section("charts by root cause", _open_days, 17, _BY_ROOT_CAUSE, "Figures: difficulty by root cause"),
    Section("difficulty by root cause", measures.difficulty_by_category, 4),
    Section("information", measures.information, 25),
    Section("information by root cause", measures.information_by_category, 3),
    Section("people", people.people, 15),
    Section("charts of people", _nothing, 16, ("community", "roles"), "Figures: people"),
    Section("MPL against SPL", mpl.overall, 24),
    Section("charts of fixes", _nothing, 18, _BY_LANGUAGES, "Figures: languages of fixes"),
    Section("MPL against SPL by repository", mpl.by_repository, 1),
    Section("languages of fixes", fixes.languages, 9),
    Section("bug types", fixes.bug_types, 8),
    Section("agreement", agreement.agreement, 12),
)
_NOTHING: Final = "Nothing to compare: no issue of a compared repository was closed in this window."
_OWN: Final = (
    Section("this repository", own.this_repository),
    Section("chart of this repository", charts.own_categories, 19),
    Section("repository by repository", repositories.repositories, 2),
    Section("charts by repository", _nothing, 20, _BY_REPOSITORY, "Figures: repository by repository"),
    Section("chart of months", charts.trend, 21, ("trend",)),
    Section("month by month", repositories.trend, 10),
    Section("suggestions", advice.advice),
)
_REFERENCE: Final = (
    Section("the first study as a reference", reference.shares, 13),
    Section("chart of the first study", _nothing, 14, ("root-causes-of-the-study",)),
    Section("medians of the first study", reference.medians, 5),
)
_FUNNEL: Final = Section("funnel", steps.funnel)
_REPLICATION: Final = Section("replication", steps.replication, 7)
_END: Final = (
    Section("root causes against the first study's", codebook.codebook, 6),
    Section("method", method.method),
    Section("warning", method.last_line),
)


def sections(report: Report) -> tuple[Section, ...]:
    """Return the sections that a report has, in its order."""
    nothing = head.nothing_to_compare(report)
    comparison = (Section("nothing to compare", lambda _: _NOTHING),) if nothing else _COMPARISON
    replication = () if nothing else (_REPLICATION,)
    return (*_HEAD, *comparison, *_OWN, *_REFERENCE, _FUNNEL, *replication, *_END)
