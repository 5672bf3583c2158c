"""Put the sections together as the body of a GitHub issue and, where they are too long for it, its further comments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from reports.layout import Section, sections
from reports.markdown import details
from reports.model import Report
from reports.overflow import pack, shortened
from reports.periods import Period

BUDGET: Final = 60_000
"""Code points of a body or a comment; GitHub takes 65,536 of any kind."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A report as it is posted: the issue's body, and the comments that hold what did not fit into it."""

    body: str
    comments: tuple[str, ...]


def title(period: Period) -> str:
    """Return the title of the report's issue."""
    return f"Issue triage report {period.name}: ML vs traditional frameworks"


Pictures = Mapping[str, str]
"""A figure's name, and the Markdown that shows it."""


def render(report: Report, marker: str | None = None, budget: int = BUDGET, pictures: Pictures | None = None) -> str:
    """Return the report as one Markdown text of about `budget` code points, the hidden `marker` as its first line.

    With `pictures` they stand where otherwise Mermaid charts do. Sections are left out in a fixed order until it fits,
    and a line says which. What always stays is bounded far below the usual budget.
    """
    texts = _written(report, pictures or {})
    left_out = _too_many(texts, marker, budget, _left_out)
    return _join(marker, texts, left_out, budget, _left_out)


def compose(
    report: Report, marker: str | None = None, budget: int = BUDGET, pictures: Pictures | None = None
) -> Composed:
    """Return the body and the comments of the report's issue, none longer than about `budget` code points.

    Sections leave the body whole, in a fixed order, and stand in the comments in the order of the report. Comment
    number n, from 1, begins with `overflow.part_marker(marker, n)`, so that it can be found and rewritten.
    `pictures` are as above.
    """
    texts = _written(report, pictures or {})
    moved = _too_many(texts, marker, budget, _moved)
    kept_apart = [text for section, text in texts if section in moved]
    return Composed(
        body=_join(marker, texts, moved, budget, _moved),
        comments=pack(kept_apart, f"Report {report.period.name}, continued", marker, budget),
    )


_Texts = list[tuple[Section, str]]


def _written(report: Report, pictures: Pictures) -> _Texts:
    return [(section, text) for section in sections(report) if (text := _text(section, report, pictures))]


def _text(section: Section, report: Report, pictures: Pictures) -> str:
    if not section.figures or not pictures:
        return section.write(report)
    shown = "\n\n".join(pictures[name] for name in section.figures if name in pictures)
    return details(section.summary, shown) if section.summary and shown else shown


def _too_many(texts: _Texts, marker: str | None, budget: int, say: Callable[[list[str]], str]) -> list[Section]:
    """Return the sections that must leave the body, in the order of leaving."""
    gone: list[Section] = []
    for section in sorted((section for section, _ in texts if section.drop), key=lambda one: one.drop):
        if len(_joined(marker, texts, gone, say)) <= budget:
            break
        gone.append(section)
    return gone


def _join(marker: str | None, texts: _Texts, gone: list[Section], budget: int, say: Callable[[list[str]], str]) -> str:
    return shortened(_joined(marker, texts, gone, say), budget - 1) + "\n"


def _joined(marker: str | None, texts: _Texts, gone: list[Section], say: Callable[[list[str]], str]) -> str:
    parts = [marker] if marker else []
    parts += [text for section, text in texts if section not in gone]
    if gone:
        parts.append(say([section.name for section in gone]))
    return "\n\n".join(parts)


def _left_out(names: list[str]) -> str:
    return f"*Left out for length, in `report.json`: {', '.join(names)}.*"


def _moved(names: list[str]) -> str:
    return f"*Continued in the comments: {', '.join(names)}.*"
