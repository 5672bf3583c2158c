"""Cells that several tables share: medians with quartiles, effects, and names."""

from reports.markdown import plain
from reports.model import Interval, QuartileCell
from reports.model_fixes import FixCell
from reports.numbers import DASH, measure, probability_cell, signed
from reports.vocabulary import OVERALL

TOO_SMALL = "too small"


def quartiles(cell: QuartileCell | FixCell) -> str:
    """Print `median [q1–q3]`, or a dash where nothing is known."""
    if cell.median is None:
        return DASH
    return f"{measure(cell.median)} [{measure(cell.q1)}–{measure(cell.q3)}]"


def median_of(cell: FixCell | None) -> str:
    """Print `median (n)`, or a dash where nothing is known."""
    return DASH if cell is None or cell.median is None else f"{measure(cell.median)} ({cell.n:,})"


def effect(delta: float | None, interval: Interval | None = None) -> str:
    """Print an effect with its interval where there is one."""
    if interval is None:
        return signed(delta)
    return f"{signed(delta)} [{signed(interval[0])}, {signed(interval[1])}]"


def p_cell(p: float | None, *, testable: bool) -> str:
    """Print p, or that the row was too small to test."""
    return probability_cell(p) if testable else TOO_SMALL


def where(repository: str) -> str:
    """Name a row's repository without a link, or say that it is over all."""
    return "Overall" if repository == OVERALL else plain(repository)


def words(text: str, longest: int = 60) -> str:
    """Print somebody else's words in a cell."""
    return plain(text, longest) or DASH
