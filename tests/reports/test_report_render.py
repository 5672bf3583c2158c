"""The Markdown as it would be posted: golden reports, the length limit, and what GitHub would make of it.

After a wanted change, `ROOTCAUSE_UPDATE_GOLDEN=1` writes the golden files anew; read what changed before keeping it.
"""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import cycle
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from reports import Record, Repository, Rows, build_report, compose, render, title
from reports.model import Report
from reports.periods import parse_period
from reports.render import BUDGET, Composed
from reports.vocabulary import OVERALL
from tests.reports.enriched import enriched_rows
from tests.reports.synthetic import PERIOD, synthetic_rows
from tests.reports.test_report_markdown import GITHUB_LINKS, HOSTILE

GOLDEN = Path(__file__).parents[1] / "golden"
MARKER = "<!-- rootcause:report repository=1 period=2026-11 -->"
VERSIONS = (("rootcause-bot", "x"), ("numpy", "y"), ("scipy", "z"))


@cache
def _full() -> Report:
    return build_report(
        enriched_rows(5, 30, traditional=4), PERIOD, repository_id=1, notes=("These decisions are simulated.",)
    )


@cache
def _empty_month() -> Report:
    rows = synthetic_rows(5, 30, traditional=4)
    return build_report(rows, "2030-01", repository_id=1)


@cache
def _hostile() -> Report:
    """Everything that others can name is hostile: repositories, languages, bug types, roles, reasons, notes."""
    rows = enriched_rows(2, 16, traditional=1)
    texts = cycle(HOSTILE)
    named = tuple(replace(one, repository=f"{next(texts)} {next(texts)}", share="named") for one in rows.repositories)
    records = tuple(
        replace(one, bug_type=HOSTILE[one.number % 3], languages_with_tests=(HOSTILE[one.number % 4], next(texts)))
        for one in rows.records
    )
    people = tuple(replace(one, profile_role=next(texts), person=next(texts)) for one in rows.participants or ())
    excluded = tuple(
        Record(
            repository_id=1,
            issue_id=number,
            number=number,
            closed_at=rows.records[0].closed_at,
            exclusions=(text,),
        )
        for number, text in enumerate(HOSTILE, start=10_000)
    )
    return build_report(
        replace(rows, repositories=named, records=records + excluded, participants=people),
        PERIOD,
        repository_id=1,
        notes=tuple(HOSTILE),
    )


@pytest.mark.parametrize(
    ("name", "make"),
    [("full", _full), ("empty-month", _empty_month), ("hostile", _hostile)],
    ids=["full", "empty month", "hostile"],
)
def test_golden(name: str, make: Callable[[], Report]) -> None:
    report = replace(make(), versions=VERSIONS)
    text = render(report, marker=f"<!-- rootcause:report repository=1 period={report.period.name} -->")
    path = GOLDEN / f"report-{name}.md"
    if os.environ.get("ROOTCAUSE_UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def test_the_title() -> None:
    assert title(parse_period(PERIOD)) == "Issue triage report 2026-11: ML vs traditional frameworks"


def test_the_marker_is_the_first_line_and_optional() -> None:
    report = build_report(Rows(), PERIOD)
    assert render(report, marker=MARKER).startswith(f"{MARKER}\n\n**Coverage.**")
    assert render(report).startswith("**Coverage.**")


def test_a_month_without_closings_in_a_window_with_some_says_so() -> None:
    rows = synthetic_rows(4, 30)
    month = parse_period(PERIOD).month
    earlier = tuple(record for record in rows.records if not month.holds(record.closed_at))
    text = render(build_report(Rows(repositories=rows.repositories, records=earlier), PERIOD))
    assert "**In 2026-11 itself no issue was closed in the compared repositories.**" in text
    assert "## Root causes" in text


def test_a_repository_outside_the_comparison_gets_its_own_numbers_only() -> None:
    rows = synthetic_rows(4, 30)
    outside = replace(rows.repositories[0], repository="o/outside", in_comparison=False, private=True)
    report = build_report(
        Rows(repositories=(outside, *rows.repositories[1:]), records=rows.records), PERIOD, repository_id=1
    )
    text = render(report)
    assert "[o/outside](https://redirect.github.com/o/outside) is not part of the comparison" in text
    assert "of 3 repositories (ML)" in text


def test_no_other_repository_is_named() -> None:
    text = render(build_report(synthetic_rows(4, 30), PERIOD, repository_id=1))
    assert set(re.findall(r"made-up/framework\d+", text)) == {"made-up/framework1"}


def test_the_table_of_shares_and_its_chart_hold_the_same_numbers() -> None:
    report = _full()
    text = render(report)
    bars = re.search(r"bar \[(.*)\]", text)
    line = re.search(r"line \[(.*)\]", text)
    labels = re.search(r"x-axis \[(.*)\]", text)
    assert bars
    assert line
    assert labels
    shown = [row for row in report.tables.categories if row.ml.n or row.traditional.n]
    assert bars[1].split(", ") == [f"{100 * (row.ml.share or 0):.1f}" for row in shown]
    assert line[1].split(", ") == [f"{100 * (row.traditional.share or 0):.1f}" for row in shown]
    assert all(re.fullmatch(r'"[A-Za-z]{2,8}"', label) for label in labels[1].split(", "))
    assert len(labels[1].split(", ")) == len(shown)


def test_the_sections_stand_in_the_order_of_the_report() -> None:
    text = render(_full())
    heads = re.findall(r"^## (.*)$|^<summary>(.*)</summary>$", text, re.MULTILINE)
    order = ["".join(one) for one in heads if not one[1].startswith("Rows not tested")]
    assert order == [
        "What was found",
        "Root causes",
        "Root causes without memory leak, the most frequent",
        "Estimated shares over all eligible issues",
        "Difficulty",
        "Difficulty by root cause",
        "Information",
        "Information by root cause",
        "People",
        "Roles",
        "Multi-language against single-language fixes",
        "MPL against SPL by repository",
        "Languages of fixes",
        "Bug types",
        "Agreement",
        "This repository",
        "Repository by repository",
        "Month by month",
        "What this suggests here",
        "From closed issues to counted ones",
        "Replication: the study's own test",
        "Our root causes against those of the first study",
        "Method and definitions",
    ]
    assert text.rstrip().endswith("Believe what stays from report to report.*")


def test_sections_are_left_out_in_a_fixed_order_until_it_fits() -> None:
    report = replace(_full(), notes=tuple("note " * 100 for _ in range(20)))
    whole = render(report)
    assert len(whole) <= BUDGET
    assert "Left out for length" not in whole
    order = ["MPL against SPL by repository", "repository by repository", "information by root cause"]
    left_out: list[str] = []
    for budget in range(len(whole), 5_000, -1_000):
        text = render(report, budget=budget)
        match = re.search(r"\*Left out for length, in `report\.json`: (.*)\.\*", text)
        now = match[1].split(", ") if match else []
        assert now[: len(left_out)] == left_out
        left_out = now
        assert "## What was found" in text
        assert "## Root causes" in text
        if budget >= 20_000:
            assert len(text) <= budget
    assert left_out[:3] == order


def test_what_leaves_the_body_stands_whole_in_marked_comments() -> None:
    report = _full()
    whole = render(report, MARKER)
    posted = compose(report, MARKER, budget=16_000)
    assert posted.body.startswith(f"{MARKER}\n\n**Coverage.**")
    assert "*Continued in the comments: MPL against SPL by repository, repository by repository, " in posted.body
    assert len(posted.comments) > 1
    for number, comment in enumerate(posted.comments, start=1):
        assert comment.startswith(f"<!-- rootcause:report repository=1 period=2026-11 part={number} -->\n\n")
        assert f"*Report 2026-11, continued, part {number}*" in comment
        assert len(comment) <= 16_000
        assert comment.count("<details>") == comment.count("</details>")
    assert len(posted.body) <= 16_000
    everything = posted.body + "".join(posted.comments)
    assert "left out for length" not in everything
    assert all(everything.count(line) >= whole.count(line) for line in whole.splitlines())
    assert compose(report, MARKER) == Composed(whole, ())


def test_pictures_stand_where_the_charts_do() -> None:
    report = _full()
    pictures = {name: f"<picture>{name}</picture>" for name in ("root-causes", "effects", "trend", "roles")}
    text = render(report, pictures=pictures)
    drawn = render(report)
    places = [text.index(f"<picture>{name}") for name in ("root-causes", "effects", "roles", "trend")]
    assert places == sorted(places)
    assert text.index("## Root causes") < places[0] < text.index("## Difficulty") < places[1]
    assert "<summary>Figures: people</summary>\n\n<picture>roles" in text
    assert drawn.count("```mermaid") == 4
    assert text.count("```mermaid") == 1
    assert "<picture>" not in drawn
    assert compose(report, pictures=pictures).body == text


def test_the_numbers_of_one_table_are_those_of_report_json() -> None:
    """Every number that a reader sees in the languages table is that of the row, nothing rounded away to 0."""
    report = _full()
    text = render(report)
    overall = next(row for row in report.tables.languages if row.repository == OVERALL)
    assert f" | {overall.n} ({overall.repositories}) | {100 * (overall.mpl_share or 0):.1f} | 0.0 |\n" in text
    (first, *_) = report.tables.roles
    assert f"| Engineer | {first.ml.n} of {first.ml.total} ({first.ml.repositories}) |" in text


def test_no_table_without_its_rows() -> None:
    text = render(build_report(synthetic_rows(1, 10), PERIOD, repository_id=1))
    for absent in ("## People", "Bug types</summary>", "## Languages", "## Multi-language", "Agreement</summary>"):
        assert absent not in text
    assert "people (participants.jsonl is not there)" in text
    assert "languages of fixes (no fix's languages are known)" in text


@pytest.mark.parametrize("make", [_full, _empty_month, _hostile], ids=["full", "empty month", "hostile"])
def test_the_whole_body_is_well_formed_and_pings_no_one(make: Callable[[], Report]) -> None:
    text = render(make(), marker=MARKER)
    assert text.count("<details>") == text.count("</details>") == text.count("<summary>")
    for block in re.findall(r"(?:^\|.*\|$\n?)+", text, flags=re.MULTILINE):
        widths = {line.count("|") for line in block.strip().splitlines()}
        assert len(widths) == 1
    tokens = MarkdownIt("gfm-like").parse(text)
    children = [child for token in tokens if token.type == "inline" for child in token.children or ()]
    links = [str(child.attrs["href"]) for child in children if child.type == "link_open"]
    assert all(link.startswith(("https://redirect.github.com/", "https://arxiv.org/")) for link in links)
    prose = "\n".join(child.content for child in children if child.type in ("text", "text_special"))
    assert re.search(r"@[a-z0-9]|#\d|GH-\d|\b[0-9a-f]{40}\b|https?://", prose, re.IGNORECASE | re.ASCII) is None
    html = {token.content.strip() for token in tokens if token.type == "html_block"}
    assert not any("img" in block or "script" in block for block in html)


def test_hostile_names_reach_the_report_only_escaped() -> None:
    text = render(_hostile())
    for raw in ("@all", "<img", "](https://evil.example", "GH-12", "0123456789abcdef", "\u202e", "\x1b"):
        assert raw not in text
    assert GITHUB_LINKS.search("@all") is not None
    text.encode("utf-8")


def test_no_repository_is_needed() -> None:
    rows = Rows(repositories=(Repository(repository_id=5, repository="o/n"),))
    assert "## This repository" not in render(build_report(rows, PERIOD))
    assert "in no group" in render(
        build_report(
            replace(rows, repositories=(replace(rows.repositories[0], in_comparison=True),)), PERIOD, repository_id=5
        )
    )
