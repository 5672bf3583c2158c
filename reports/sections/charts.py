"""Pictures in the report's text: images by address, or Mermaid charts where there is no address to fetch them from.

GitHub draws a Mermaid chart only if every label is one: labels are quoted, and only plain characters get into them.
Readers by e-mail see its source, so each chart stands beside a table with the same numbers.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from math import ceil
from typing import Final

from reports.cohort import is_decided
from reports.figures.files import FigureFile
from reports.model import IndicatorRow, Report
from reports.vocabulary import CATEGORIES, CATEGORY_TITLES, NONE

_WIDTH: Final = 720
"""Pixels of a figure; GitHub shrinks it where there is less room."""
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9 .,:%()/+-]+")
_LONGEST_LABEL: Final = 40


def pictures(figures: Sequence[FigureFile], base: str) -> Mapping[str, str]:
    """Return, for each figure's name, the Markdown that shows it from the address `base`/<file name>.

    Readers with a dark page get the dark variant, readers without images the text of what is seen.
    """
    dark = {one.name: one for one in figures if one.variant == "dark"}
    return {one.name: _picture(one, dark[one.name], base) for one in figures if one.variant == "light"}


def _picture(light: FigureFile, dark: FigureFile, base: str) -> str:
    light_address, dark_address = (escape(f"{base.rstrip('/')}/{one.svg_name}") for one in (light, dark))
    return "\n".join(
        (
            "<picture>",
            f'<source media="(prefers-color-scheme: dark)" srcset="{dark_address}">',
            f'<img alt="{escape(light.alt)}" src="{light_address}" width="{_WIDTH}">',
            "</picture>",
        )
    )


def shares(report: Report) -> str:
    """Draw the shares of the root causes; the numbers are those of the table above."""
    rows = {row.category: row for row in report.tables.categories}
    shown = [one for one in CATEGORIES if rows[one.key].ml.n or rows[one.key].traditional.n]
    if not shown:
        return ""
    ml = [100 * (rows[one.key].ml.share or 0.0) for one in shown]
    traditional = [100 * (rows[one.key].traditional.share or 0.0) for one in shown]
    title = "Share of issues by root cause (bars: ML, line: traditional)"
    chart = _xychart(title, [one.chart_label for one in shown], "per cent", ml, traditional)
    return f"Shares in per cent: bars are ML, the line is traditional.\n\n{chart}"


def medians(rows: Sequence[IndicatorRow], indicator: str, name: str) -> str:
    """Draw the medians of an indicator by root cause; causes without a value in both groups are left out.

    `name` is what is measured, with its unit.
    """
    found = {row.category: row for row in rows if row.indicator == indicator}
    shown = [(one, found[one.key]) for one in CATEGORIES if one.key in found and _both(found[one.key])]
    if not shown:
        return ""
    ml = [row.ml.median or 0.0 for _, row in shown]
    traditional = [row.traditional.median or 0.0 for _, row in shown]
    title = f"{name}, medians by root cause (bars: ML, line: traditional)"
    chart = _xychart(title, [one.chart_label for one, _ in shown], name, ml, traditional)
    return f"Medians of root causes seen in both groups: bars are ML, the line is traditional.\n\n{chart}"


def trend(report: Report) -> str:
    """Draw the months: issues closed as bars, the eligible ones as a line."""
    if not any(point.closed for point in report.trend):
        return ""
    closed = [float(point.closed) for point in report.trend]
    eligible = [float(point.eligible_system) for point in report.trend]
    title = "Issues closed in each month (bars), eligible ones (line)"
    chart = _xychart(title, [point.month[2:] for point in report.trend], "issues", closed, eligible)
    return f"Issues closed in each month: bars are all, the line is the eligible ones.\n\n{chart}"


def own_categories(report: Report) -> str:
    """Draw the root causes of this repository's decided issues as a pie."""
    counts = Counter(record.category for record in report.own_records if record.eligible_system and is_decided(record))
    titles = {**CATEGORY_TITLES, NONE: "Not system-related"}
    slices = [f'    "{_label(title)}" : {counts[key]}' for key, title in titles.items() if counts[key]]
    if not slices:
        return ""
    lines = ("```mermaid", "pie showData", "    title Decided issues of this repository by root cause", *slices, "```")
    return "\n".join(lines)


def _both(row: IndicatorRow) -> bool:
    return row.ml.median is not None and row.traditional.median is not None


def _xychart(title: str, labels: Sequence[str], axis: str, bars: Sequence[float], line: Sequence[float]) -> str:
    """Return a chart of one series of bars and one line over the same labels, its axis from 0 to a round number."""
    step = 10 ** max(1, len(str(ceil(max(*bars, *line)))) - 1)
    top = max(step, step * ceil(max(*bars, *line) / step))
    quoted = ", ".join(f'"{_label(label)}"' for label in labels)
    return "\n".join(
        (
            "```mermaid",
            "xychart-beta",
            f'    title "{_label(title, len(title))}"',
            f"    x-axis [{quoted}]",
            f'    y-axis "{_label(axis)}" 0 --> {top}',
            f"    bar [{_series(bars)}]",
            f"    line [{_series(line)}]",
            "```",
        )
    )


def _label(text: str, longest: int = _LONGEST_LABEL) -> str:
    """Return text that cannot end a quoted label: characters beyond a few plain ones become a space."""
    return " ".join(_UNSAFE.sub(" ", text).split())[:longest] or "-"


def _series(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in values)
