"""What each figure shows, as plain values: decided from the report's tables before anything is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from reports.model import Interval, QuartileCell
from reports.model_fixes import FixCell

Cell = QuartileCell | FixCell


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands around a figure: its file's name, title, a grey line below it, and the text for those who see none.

    `series` are the names of what is told apart by colour, marker and pattern, in the order of the legend.
    """

    name: str
    title: str
    note: str
    alt: str
    series: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoxRow:
    """A labelled row of boxes, each with the position of its series."""

    label: str
    boxes: tuple[tuple[int, Cell], ...]


@dataclass(frozen=True, slots=True)
class BoxPanel:
    """Rows of boxes over one axis; `log` asks for an axis of log(1 + x)."""

    axis: str
    log: bool
    rows: tuple[BoxRow, ...]


@dataclass(frozen=True, slots=True)
class BoxPlan:
    """Box plots, panel below panel."""

    heading: Heading
    panels: tuple[BoxPanel, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """`n` of `total` as a share (0 to 1) with its interval, None where nothing was counted."""

    n: int
    total: int
    share: float | None
    ci: Interval | None


@dataclass(frozen=True, slots=True)
class BarRow:
    """A labelled row of bars, one for each series."""

    label: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class BarPlan:
    """Bars of shares with their intervals."""

    heading: Heading
    axis: str
    rows: tuple[BarRow, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """One measure's Cliff's delta (-1 to 1) with its interval and q; `tested` is false where too little is known."""

    label: str
    delta: float
    ci: Interval | None
    q: float | None
    tested: bool


@dataclass(frozen=True, slots=True)
class ForestPlan:
    """Effects under the name of the table that they come from."""

    heading: Heading
    axis: str
    parts: tuple[tuple[str, tuple[Effect, ...]], ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One value for each month, None where there is none, and the position of its series' colour and marker."""

    series: int
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class TrendPanel:
    """Lines over the same months; the first panel's lines are those of the legend."""

    axis: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class TrendPlan:
    """Months (`YYYY-MM`, in order) from left to right, panel below panel."""

    heading: Heading
    months: tuple[str, ...]
    panels: tuple[TrendPanel, ...]


Plan = BoxPlan | BarPlan | ForestPlan | TrendPlan


def known(rows: Sequence[BoxRow]) -> tuple[BoxRow, ...]:
    """Return the rows in which at least one box has a value."""
    return tuple(row for row in rows if any(cell.median is not None for _, cell in row.boxes))
