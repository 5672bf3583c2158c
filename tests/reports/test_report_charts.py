"""Pictures in the text: Mermaid that GitHub can draw, and images by address that harm nothing."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from reports.figures import FigureFile
from reports.rows import Record
from reports.sections import charts
from reports.vocabulary import CATEGORIES
from tests.reports.drawn_reports import Numbers, drawn_report, empty_report

REPORT = drawn_report(Numbers())


class Images(HTMLParser):
    """Collects the tags of a picture."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def parts(chart: str) -> tuple[list[str], list[float], list[float], float]:
    labels = re.search(r"x-axis \[(.*)\]", chart)
    top = re.search(r'y-axis "[^"]+" 0 --> (\d+)', chart)
    series = [re.search(rf"{kind} \[(.*)\]", chart) for kind in ("bar", "line")]
    assert labels
    assert top
    bars, line = ([float(value) for value in found[1].split(", ")] for found in series if found)
    return re.findall(r'"([^"]*)"', labels[1]), bars, line, float(top[1])


def test_the_shares_are_those_of_the_table() -> None:
    labels, bars, line, top = parts(charts.shares(REPORT))
    shown = [row for row in REPORT.tables.categories if row.ml.n or row.traditional.n]
    assert bars == [round(100 * (row.ml.share or 0), 1) for row in shown]
    assert line == [round(100 * (row.traditional.share or 0), 1) for row in shown]
    assert len(labels) == len(shown)
    assert top >= max(*bars, *line)


def test_medians_leave_out_what_one_group_lacks() -> None:
    rows = list(REPORT.tables.difficulty)
    number = next(i for i, row in enumerate(rows) if row.category == "conversion" and row.indicator == "open_days")
    rows[number] = replace(rows[number], ml=replace(rows[number].ml, n=0, median=None, q1=None, q3=None))
    labels, bars, line, _ = parts(charts.medians(rows, "open_days", "Days open"))
    assert labels == [one.chart_label for one in CATEGORIES if one.key != "conversion"]
    assert len(bars) == len(line) == 14


def test_the_months_are_all_there() -> None:
    labels, bars, line, _ = parts(charts.trend(REPORT))
    assert labels[0] == "25-12"
    assert bars == [point.closed for point in REPORT.trend]
    assert line == [point.eligible_system for point in REPORT.trend]


def test_the_pie_counts_the_decided_issues_of_this_repository() -> None:
    kinds = ("memory-leak", "memory-leak", "none", "conversion")
    records = tuple(
        Record(
            repository_id=1,
            issue_id=number,
            number=number,
            category=kind,
            category_source="decision",
            eligible_system=True,
        )
        for number, kind in enumerate(kinds)
    )
    undecided = replace(records[0], category="data-race", category_source=None)
    pie = charts.own_categories(replace(REPORT, own_records=(*records, undecided)))
    assert pie.splitlines()[1] == "pie showData"
    assert re.findall(r'"(.*)" : (\d+)', pie) == [
        ("Memory leak", "2"),
        ("Conversion", "1"),
        ("Not system-related", "1"),
    ]


def test_nothing_to_draw_is_no_chart() -> None:
    nothing = empty_report()
    assert charts.shares(nothing) == charts.trend(nothing) == charts.own_categories(nothing) == ""
    assert charts.medians(nothing.tables.difficulty, "open_days", "Days open") == ""


@pytest.mark.parametrize("name", ['"] bar [1', "a\nb", "%%{init: {}}%%", "x```y", "#quot;;", "\u202e😀", ""])
def test_a_label_cannot_leave_its_quotes(name: str) -> None:
    chart = charts.medians(REPORT.tables.difficulty, "open_days", name)
    assert chart.count("```") == 2
    lines = chart.splitlines()[2:]
    assert [line.split()[0] for line in lines] == [
        "```mermaid",
        "xychart-beta",
        "title",
        "x-axis",
        "y-axis",
        "bar",
        "line",
        "```",
    ]
    assert all(line.count('"') == 2 for line in lines if line.split()[0] in ("title", "y-axis"))
    assert re.fullmatch(r'    y-axis "[A-Za-z0-9 .,:%()/+-]+" 0 --> \d+', lines[4])


def test_a_picture_names_both_variants_and_what_is_seen() -> None:
    alt = 'medians of "a/b" & <c>'
    files = tuple(FigureFile("trend", variant, alt, variant.encode(), b"") for variant in ("light", "dark"))
    text = charts.pictures(files, "https://bot.example/figures/")["trend"]
    page = Images()
    page.feed(text)
    assert "\n\n" not in text
    assert [tag for tag, _ in page.found] == ["picture", "source", "img"]
    assert page.found[1][1]["srcset"] == f"https://bot.example/figures/{files[1].svg_name}"
    assert page.found[1][1]["media"] == "(prefers-color-scheme: dark)"
    assert page.found[2][1] == {"alt": alt, "src": f"https://bot.example/figures/{files[0].svg_name}", "width": "720"}
