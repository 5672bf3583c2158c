"""The two kinds of Mermaid charts that reports hold, read strictly and drawn as SVG: `xychart-beta` and `pie`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import accumulate, pairwise
from math import cos, pi, sin

_NUMBER = r"-?\d+(?:\.\d+)?"
_LABEL = r'"[^"]*"'
_LABELS = re.compile(rf"x-axis \[({_LABEL}(?:, ?{_LABEL})*)\]")
_AXIS = re.compile(rf"y-axis ({_LABEL}) ({_NUMBER}) --> ({_NUMBER})")
_SERIES = re.compile(rf"(bar|line) \[({_NUMBER}(?:, ?{_NUMBER})*)\]")
_TITLE = re.compile(r'title ("[^"]*"|[^"]+)')
_SLICE = re.compile(rf"({_LABEL}) ?: ?(\d+(?:\.\d+)?)")

_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 10, 40, 110
_BAR, _LINE = "#0072b2", "#d55e00"
_SLICES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c", "#b8a000")


class ChartError(ValueError):
    """The text is no chart that can be drawn; the message names the line."""


@dataclass(frozen=True)
class XyChart:
    """Bars and lines over labels, the axis from `low` to `high`."""

    title: str
    labels: tuple[str, ...]
    axis: str
    low: float
    high: float
    series: tuple[tuple[str, tuple[float, ...]], ...]


@dataclass(frozen=True)
class Pie:
    """Slices by label and size."""

    title: str
    slices: tuple[tuple[str, float], ...]


def draw_chart(text: str) -> str:
    """Return a chart's text as SVG; raises ChartError for what Mermaid, or this part of it, would refuse."""
    lines = [line.strip() for line in text.strip().splitlines()]
    if lines[:1] == ["xychart-beta"]:
        return _drawn_xy(_read_xy(lines[1:]))
    if lines and lines[0] in {"pie", "pie showData"}:
        return _drawn_pie(_read_pie(lines[1:]))
    raise ChartError(f"unknown kind of chart: {lines[0] if lines else ''!r:.40}")


def _read_xy(lines: list[str]) -> XyChart:
    title, axis, labels, bounds = "", "", (), (0.0, 0.0)
    series: list[tuple[str, tuple[float, ...]]] = []
    for line in lines:
        if found := _TITLE.fullmatch(line):
            title = found[1].strip('"')
        elif found := _LABELS.fullmatch(line):
            labels = tuple(re.findall(r'"([^"]*)"', found[1]))
        elif found := _AXIS.fullmatch(line):
            axis, bounds = found[1].strip('"'), (float(found[2]), float(found[3]))
        elif found := _SERIES.fullmatch(line):
            series.append((found[1], tuple(float(value) for value in found[2].split(","))))
        else:
            raise ChartError(f"parse error: {line!r:.60}")
    if not labels or not series or bounds[0] >= bounds[1]:
        raise ChartError("an x-axis, a y-axis and a series are needed")
    if any(len(values) != len(labels) for _, values in series):
        raise ChartError("a series has another number of values than there are labels")
    return XyChart(title, labels, axis, *bounds, tuple(series))


def _read_pie(lines: list[str]) -> Pie:
    title, slices = "", []
    for line in lines:
        if found := _TITLE.fullmatch(line):
            title = found[1].strip('"')
        elif found := _SLICE.fullmatch(line):
            slices.append((found[1].strip('"'), float(found[2])))
        else:
            raise ChartError(f"parse error: {line!r:.60}")
    if not sum(size for _, size in slices):
        raise ChartError("a pie needs slices")
    return Pie(title, tuple(slices))


def _drawn_xy(chart: XyChart) -> str:
    step = (_WIDTH - _LEFT - _RIGHT) / len(chart.labels)
    middles = [_LEFT + step * (place + 0.5) for place in range(len(chart.labels))]
    floor = _HEIGHT - _BOTTOM

    def height(value: float) -> float:
        inside = min(max(value, chart.low), chart.high)
        return floor - (inside - chart.low) / (chart.high - chart.low) * (floor - _TOP)

    parts = [_text(_WIDTH / 2, 22, chart.title, "middle", bold=True)]
    for part in range(5):
        value = chart.low + (chart.high - chart.low) * part / 4
        y = height(value)
        parts.append(f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="currentColor" stroke-opacity=".25"/>')
        parts.append(_text(_LEFT - 6, y + 4, f"{value:g}", "end"))
    parts.append(_text(14, (_TOP + floor) / 2, chart.axis, "middle", turn=-90))
    for kind, values in chart.series:
        points = list(zip(middles, map(height, values), strict=True))
        if kind == "bar":
            wide = step * 0.7
            parts += [
                f'<rect x="{x - wide / 2:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{floor - y:.1f}" fill="{_BAR}"/>'
                for x, y in points
            ]
        else:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{_LINE}" stroke-width="2"/>')
    parts += [_text(x, floor + 14, label, "end", turn=-45) for x, label in zip(middles, chart.labels, strict=True)]
    return _svg(f"{chart.title}: chart of {len(chart.labels)} values", parts)


def _drawn_pie(pie: Pie) -> str:
    whole = sum(size for _, size in pie.slices)
    ends = [0.0, *accumulate(size / whole for _, size in pie.slices)]
    parts = [_text(_WIDTH / 2, 22, pie.title, "middle", bold=True)]
    for place, ((start, end), (label, size)) in enumerate(zip(pairwise(ends), pie.slices, strict=True)):
        colour = _SLICES[place % len(_SLICES)]
        parts.append(_slice(start, end, colour))
        y = 60 + 20 * place
        parts.append(f'<rect x="420" y="{y - 10}" width="12" height="12" fill="{colour}"/>')
        parts.append(_text(440, y, f"{label} [{size:g}]", "start"))
    return _svg(f"{pie.title}: pie of {len(pie.slices)} slices", parts)


def _slice(start: float, end: float, colour: str) -> str:
    """Return one slice; `start` and `end` are parts of the whole, clockwise from the top."""
    if end - start > 0.9999:
        return f'<circle cx="200" cy="210" r="150" fill="{colour}"/>'
    (x0, y0), (x1, y1) = ((200 + 150 * sin(2 * pi * at), 210 - 150 * cos(2 * pi * at)) for at in (start, end))
    large = int(end - start > 0.5)
    path = f"M200 210L{x0:.1f} {y0:.1f}A150 150 0 {large} 1 {x1:.1f} {y1:.1f}Z"
    return f'<path d="{path}" fill="{colour}" stroke="#fff" stroke-width="1"/>'


def _text(x: float, y: float, text: str, anchor: str, *, bold: bool = False, turn: int = 0) -> str:
    turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    weight = ' font-weight="600"' if bold else ""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="12" fill="currentColor"{weight}{turned}>{escape(text)}</text>'


def _svg(description: str, parts: list[str]) -> str:
    head = f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img"'
    return f'{head} aria-label="{escape(description)}" xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
