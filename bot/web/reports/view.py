"""A table and a section of a report's page as plain values: decided here, written out by the templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from bot.web.reports.terms import TERMS, Term
from reports.model import Interval, QuartileCell
from reports.model_fixes import FixCell
from reports.numbers import percent, percent_interval, probability_cell, signed, statistic
from reports.sections.cells import effect, p_cell, quartiles


@dataclass(frozen=True)
class Cell:
    """What a cell shows, what it is sorted by (None: not known, always last), and the definition it leads to.

    `name` marks text of somebody else's, which may be in any script.
    """

    text: str
    value: float | None = None
    define: str | None = None
    name: bool = False


@dataclass(frozen=True)
class Column:
    """A column by its heading, and the term that says what stands in it; `number` aligns and sorts by value."""

    label: str
    term: str | None = None
    number: bool = True


@dataclass(frozen=True)
class Table:
    """A table; its first `headers` cells name the row. `csv` is the key of the download with its whole numbers."""

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    headers: int = 1
    csv: str | None = None

    @property
    def terms(self) -> tuple[Term, ...]:
        """The definitions of its columns, each once, in their order."""
        return tuple(TERMS[key] for key in dict.fromkeys(one.term for one in self.columns if one.term is not None))


@dataclass(frozen=True)
class Drawing:
    """A figure by its name and the text for those who do not see it."""

    name: str
    alt: str


@dataclass(frozen=True)
class Section:
    """A part of the page: words, figures, tables; `missing` says why there is no table.

    `folded` tables are closed until somebody opens them.
    """

    key: str
    title: str
    words: tuple[Markup, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    tables: tuple[Table, ...] = ()
    folded: tuple[Table, ...] = ()
    missing: str | None = None


def word(text: str, define: str | None = None) -> Cell:
    """Return a cell of our own words."""
    return Cell(text, define=define)


def name(text: str, longest: int = 120) -> Cell:
    """Return a cell of somebody else's words, cut where it is very long."""
    return Cell(text if len(text) <= longest else f"{text[: longest - 1]}…", name=True)


def count(number: int) -> Cell:
    """Return a cell with a whole number."""
    return Cell(f"{number:,}", number)


def share(value: float | None) -> Cell:
    """Return a cell with a share in per cent."""
    return Cell(percent(value), value)


def interval(bounds: Interval | None) -> Cell:
    """Return a cell with an interval of shares, sorted by its lower end."""
    return Cell(percent_interval(bounds), None if bounds is None else bounds[0])


def difference(value: float | None) -> Cell:
    """Return a cell with a difference of shares, in percentage points."""
    return Cell(signed(value, scale=100, decimals=1), value)


def middle(cell: QuartileCell | FixCell) -> Cell:
    """Return a cell with a median and its quartiles, sorted by the median."""
    return Cell(quartiles(cell), cell.median)


def size(n: int, repositories: int) -> Cell:
    """Return a cell with a number of issues and of the repositories they are of."""
    return Cell(f"{n:,} ({repositories})" if n else "0", n)


def delta(value: float | None, bounds: Interval | None = None) -> Cell:
    """Return a cell with Cliff's delta and its interval, where there is one."""
    return Cell(effect(value, bounds), value)


def tested(p: float | None, *, testable: bool) -> Cell:
    """Return a cell with p, or that the row was too small to test."""
    return Cell(p_cell(p, testable=testable), p if testable else None)


def probability(p: float | None) -> Cell:
    """Return a cell with a probability."""
    return Cell(probability_cell(p), p)


def ratio(value: float | None) -> Cell:
    """Return a cell with a statistic, two decimals."""
    return Cell(statistic(value), value)


def head(*columns: str | tuple[str, str | None], text: int = 1) -> tuple[Column, ...]:
    """Return columns from (heading, term) or bare headings, of which the first `text` hold words."""
    pairs: Sequence[tuple[str, str | None]] = [(one, None) if isinstance(one, str) else one for one in columns]
    return tuple(Column(label, term, number=place >= text) for place, (label, term) in enumerate(pairs))
