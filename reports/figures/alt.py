"""The text for those who do not see a figure: one or two sentences that say what is seen, from the same numbers."""

from collections.abc import Sequence
from typing import Final

from reports.figures.lettering import drawable
from reports.figures.plans import BarRow, BoxRow, Cell, Effect
from reports.findings import LEVEL
from reports.model_own import TrendPoint
from reports.numbers import counted, measure, percent, signed
from reports.tables.minimum import MIN_ISSUES

_LONGEST_NAME: Final = 60


def boxes(title: str, rows: Sequence[BoxRow], series: Sequence[str]) -> str:
    """Describe rows with a box for each series: the first row's medians, and the row whose medians differ most."""
    if not rows:
        return title
    text = f"{_kind(title, len(rows), 'row')}. {_row(rows[0], series)}"
    others = [row for row in rows[1:] if all(cell.n >= MIN_ISSUES for _, cell in row.boxes)]
    if others:
        widest = _row(max(others, key=_ratio), series)
        text += f"; of rows with {MIN_ISSUES} or more each, medians are furthest apart, by ratio, in {widest}"
    return f"{text}."


def repositories(title: str, rows: Sequence[BoxRow]) -> str:
    """Describe rows of one box each: where the medians begin and end."""
    cells = [(row.boxes[0][1].median or 0.0, _name(row.label)) for row in rows]
    low, high = (f"{measure(median)} ({name})" for median, name in (min(cells), max(cells)))
    return f"{_kind(title, len(rows), 'repository')}. The medians go from {low} to {high}."


def bars(title: str, rows: Sequence[BarRow], series: Sequence[str]) -> str:
    """Describe the largest share of each series and the row with the widest gap."""
    if not rows:
        return title
    largest = []
    for position, name in enumerate(series):
        row = max(rows, key=lambda row: row.bars[position].share or 0.0)
        bar = row.bars[position]
        if bar.n:
            largest.append(f"{row.label} in {name} ({percent(bar.share)} %, {bar.n:,} of {bar.total:,})")
        else:
            largest.append(f"nothing in {name}")
    text = f"{title}: bars with 95 % intervals. Largest are {' and '.join(largest)}"
    both = [row for row in rows if all(bar.share is not None for bar in row.bars)]
    if both:
        row = max(both, key=lambda row: abs((row.bars[0].share or 0.0) - (row.bars[1].share or 0.0)))
        pair = [f"{percent(bar.share)} %" for bar in row.bars]
        if len(set(pair)) > 1:
            text += f"; the widest gap is {row.label}, {' against '.join(pair)}"
    return f"{text}."


def effects(title: str, found: Sequence[Effect]) -> str:
    """Describe how many effects remain after correction, and the largest."""
    tested = [one for one in found if one.tested]
    sure = [one for one in tested if one.q is not None and one.q < LEVEL]
    largest = max(found, key=lambda one: abs(one.delta))
    shown = f"{len(sure)} with q below .05" if sure else "no difference shown after correction"
    return (
        f"{title}: forest plot of Cliff's delta, {counted(len(found), 'measure')}, {len(tested)} tested, {shown}. "
        f"The largest effect is {largest.label.lower()} ({signed(largest.delta)}, positive means higher in ML)."
    )


def trend(title: str, points: Sequence[TrendPoint]) -> str:
    """Describe the total, the busiest month and the range of the median days open."""
    busiest = max(points, key=lambda point: point.closed)
    days = [point.open_days for point in points if point.open_days is not None]
    text = (
        f"{title}: {counted(sum(point.closed for point in points), 'issue')} closed in "
        f"{counted(len(points), 'month')}, most in {busiest.month} ({busiest.closed:,})"
    )
    if days:
        low, high = measure(min(days)), measure(max(days))
        where = f"is {low}" if low == high else f"goes from {low} to {high}"
        text += f"; the monthly median of days open {where}"
    return f"{text}."


def _kind(title: str, number: int, what: str) -> str:
    return f"{title}: box plots in {counted(number, what)}, quartiles and medians without whiskers"


def _row(row: BoxRow, series: Sequence[str]) -> str:
    return f"{_name(row.label)}: {' and '.join(_median(cell, series[position]) for position, cell in row.boxes)}"


def _name(label: str) -> str:
    name = drawable(label)
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


def _median(cell: Cell, name: str) -> str:
    if cell.median is None:
        return f"nothing known in {name}"
    return f"median {measure(cell.median)} in {name} (n = {cell.n:,})"


def _ratio(row: BoxRow) -> float:
    first, second = (1 + (cell.median or 0.0) for _, cell in row.boxes)
    return max(first / second, second / first)
