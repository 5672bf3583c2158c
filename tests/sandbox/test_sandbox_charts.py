"""What a posted report shows on the sandbox's page: its pictures by address, its charts drawn, and nothing unsafe."""

from __future__ import annotations

import pytest

from bot.markdown.mermaid import ChartError, draw_chart
from bot.markdown.render import render
from reports import build_report
from reports.figures import FigureFile
from reports.sections import charts
from tests.reports.synthetic import PERIOD, synthetic_rows

XY = 'xychart-beta\n    title "T"\n    x-axis ["a", "b"]\n    y-axis "n" 0 --> 10\n    bar [1, 10]\n    line [2.5, 0]'


def test_every_chart_of_a_report_is_drawn() -> None:
    report = build_report(synthetic_rows(2, 12), PERIOD, repository_id=1)
    medians = charts.medians(report.tables.difficulty, "open_days", "Days open")
    for text in (charts.shares(report), medians, charts.trend(report), charts.own_categories(report)):
        html = render(text)
        assert html.count('<svg class="chart"') == 1
        assert "Unable to render" not in html


def test_bars_and_lines_stand_where_their_values_are() -> None:
    svg = draw_chart(XY)
    assert 'height="250.0" fill="#0072b2"' in svg
    assert 'height="25.0" fill="#0072b2"' in svg
    assert '<polyline points="222.5,227.5 547.5,290.0"' in svg


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("flowchart LR", "unknown kind of chart"),
        (XY.replace('"a", "b"', '"a", b'), "parse error"),
        (XY.replace("bar [1, 10]", "bar [1]"), "another number of values"),
        ("pie showData", "a pie needs slices"),
        ('pie\n "a" : x', "parse error"),
        ("", "unknown kind of chart"),
    ],
)
def test_a_chart_that_github_would_refuse_is_shown_as_such(text: str, why: str) -> None:
    with pytest.raises(ChartError, match=why):
        draw_chart(text)
    assert "Unable to render this chart" in render(f"```mermaid\n{text}\n```")


def test_pictures_are_shown_by_their_addresses() -> None:
    light = FigureFile("shares", "light", 'a "b" <c>', b"1", b"")
    dark = FigureFile("shares", "dark", "a", b"2", b"")
    html = render(charts.pictures([light, dark], "https://rootcause.example/figures")["shares"])
    assert f'<img alt="a &quot;b&quot; &lt;c&gt;" src="https://rootcause.example/figures/{light.svg_name}"' in html
    assert f'srcset="https://rootcause.example/figures/{dark.svg_name}"' in html


@pytest.mark.parametrize(
    "tag",
    [
        '<img src="javascript:alert(1)">',
        '<img src="https://a.example/x" onerror="alert(1)">',
        "<img src=https://a.example/x>",
        '<img alt="x">',
        '<img src="https://a.example/x" width="9em">',
        '<source media="(prefers-color-scheme: dark)" srcset="data:x">',
        '<source onload="x">',
    ],
)
def test_a_picture_with_anything_else_in_it_is_shown_as_text(tag: str) -> None:
    html = render(f"{tag}\n\n{tag} in a line")
    assert "<img" not in html
    assert "<source" not in html
