"""The pages of reports: who is shown, what they hold, what can be taken away, and what visitors cannot bring about."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import time
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from sqlmodel import col, update

from bot.store.database import Database
from bot.store.figures import store_figures
from bot.store.rows import load_rows
from bot.store.tables import Record, Report, Repository
from bot.web.reports import builds, sections
from bot.web.reports.building import Built, Page
from bot.web.reports.builds import FRESH, Builds, BusyError
from bot.web.reports.downloads import tables_as_csv
from reports import Rows, build_report, read_records, report_json
from reports.figures import FigureFile
from reports.figures.choose import plans
from reports.package_check import check_package
from reports.periods import parse_period
from tests.reports.synthetic import synthetic_rows
from tests.support.clock import VirtualClock
from tests.support.shared_reports import NOW, OWN, served, store

PAGE = f"/reports/{OWN}/2026-11"
PARTS = ("", "/report.json", "/package.zip", "/tables/categories.csv")
ELSEWHERE = ("https://github.com/", "https://redirect.github.com/", "https://arxiv.org/")
ODD = 'made<img src=x onerror=alert(1)>/\u202e"x'


def small() -> Rows:
    """Return two repositories a group; the first and the third allow to be named."""
    rows = synthetic_rows(2, 12)
    return replace(
        rows,
        repositories=tuple(
            replace(one, share="named" if one.repository_id in {1, 3} else "group") for one in rows.repositories
        ),
        records=tuple(replace(one, bug_type="<script>alert(1)</script>") for one in rows.records),
    )


@dataclass
class Visitor:
    """Asks for pages at an address; never follows a redirect by itself."""

    base: str
    session: aiohttp.ClientSession

    async def get(self, path: str, **headers: str) -> aiohttp.ClientResponse:
        answer = await self.session.get(self.base + path, headers=headers, allow_redirects=False)
        await answer.read()
        return answer

    async def text(self, path: str) -> str:
        answer = await self.get(path)
        assert answer.status == 200, (path, answer.status)
        return await answer.text()


class Seen(HTMLParser):
    """What a page holds: its elements with their attributes, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def values(self, attribute: str) -> list[str]:
        return [value for _, found in self.elements if (value := found.get(attribute)) is not None]


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(NOW)


@pytest.fixture
async def visitor(database: Database, clock: VirtualClock) -> AsyncIterator[Visitor]:
    await store(database, small())
    async with served(database, clock) as server, aiohttp.ClientSession() as session:
        yield Visitor(str(server.make_url("")).rstrip("/"), session)


def plain(page: Page, rows: Rows, now: datetime) -> Built:
    """Stand in for the building of a page where nothing but when it is built matters."""
    days = sorted(one.open_days or 0 for one in rows.records)
    return Built(page, now, f"{page} {days}".encode(), b"{}", {}, b"", {})


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note whose pages are built, and build plain ones."""
    seen: list[str] = []

    def note(page: Page, rows: Rows, now: datetime) -> Built:
        seen.append(page.repository)
        return plain(page, rows, now)

    monkeypatch.setattr(builds, "build", note)
    return seen


async def change(database: Database, repository_id: int, **values: Any) -> None:
    async with database.sessions.begin() as session:
        await session.execute(update(Repository).where(col(Repository.id) == repository_id).values(**values))


async def figures_of(visitor: Visitor) -> list[str]:
    return [one for one in Seen(await visitor.text(PAGE)).values("src") if "/figures/" in one]


async def test_only_public_repositories_that_chose_to_be_named_are_shown(visitor: Visitor) -> None:
    listed = await visitor.text("/reports")
    assert [name for name in range(1, 5) if f"made-up/framework{name}" in listed] == [1, 3]
    hidden, missing = await visitor.get("/reports/made-up/framework2/2026-11"), await visitor.get("/reports/no/such")
    assert (hidden.status, missing.status) == (404, 404)
    assert await hidden.read() == await missing.read()
    for path in ("/reports/made-up/framework2", "/reports/2/2026-11", "/reports/5/2026-11"):
        assert (await visitor.get(path)).status == 404, path
    page = await visitor.text(PAGE)
    assert "made-up/framework3" in page
    assert "made-up/framework2" not in page


async def test_what_turns_private_vanishes_at_once_with_its_figures_and_downloads(
    visitor: Visitor, database: Database
) -> None:
    figure = (await figures_of(visitor))[0]
    paths = [*(PAGE + part for part in PARTS), figure, "/reports/1/2026-11", f"/reports/{OWN}"]
    assert [(await visitor.get(path)).status for path in paths] == [200] * 5 + [302] * 2
    for values in ({"private": True}, {"private": False, "share": "group"}, {"share": "off"}):
        await change(database, 1, **values)
        assert {(await visitor.get(path)).status for path in paths} == {404}
        assert OWN not in await visitor.text("/reports")


async def test_another_repository_that_turns_private_leaves_this_page_at_once(
    visitor: Visitor, database: Database
) -> None:
    assert "made-up/framework3" in await visitor.text(PAGE)
    compared = json.loads(await visitor.text(f"{PAGE}/report.json"))["coverage"]["groups"]["traditional"]["compared"]
    await change(database, 3, private=True)
    for part in ("", "/report.json", "/tables/languages.csv"):
        answer = await visitor.get(PAGE + part)
        assert b"framework3" not in await answer.read()
    after = json.loads(await visitor.text(f"{PAGE}/report.json"))["coverage"]["groups"]["traditional"]["compared"]
    assert (compared, after) == (2, 1)


async def test_a_page_runs_nothing_and_asks_nobody_else(visitor: Visitor, database: Database) -> None:
    await change(database, 3, full_name=ODD)
    for path in (PAGE, "/reports", "/definitions", "/reports/no/such"):
        answer = await visitor.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        seen = Seen(await answer.text())
        assert {tag for tag, _ in seen.elements} & {"style", "iframe", "object", "form", "base"} == set()
        assert all((found.get("src") or "").startswith("/assets/") for tag, found in seen.elements if tag == "script")
        assert not [name for _, found in seen.elements for name in found if name.startswith("on") or name == "style"]
        fetched = [*seen.values("src"), *seen.values("srcset")]
        fetched += [found["href"] or "" for tag, found in seen.elements if tag == "link"]
        assert all(one.startswith("/") and not one.startswith("//") for one in fetched)
        links = [found["href"] or "" for tag, found in seen.elements if tag == "a"]
        assert all(one.startswith(("/", "#", *ELSEWHERE)) for one in links), path
        figures = [one for one in fetched if "/figures/" in one]
        for address in {*fetched} - {*figures[2:]}:
            assert (await visitor.get(address)).status == 200, address
    page = await visitor.text(PAGE)
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


async def test_every_link_into_the_definitions_leads_somewhere(visitor: Visitor) -> None:
    anchors = set(Seen(await visitor.text("/definitions")).values("id"))
    links = Seen(await visitor.text(PAGE)).values("href")
    wanted = {one.partition("#")[2] for one in links if one.startswith("/definitions#")}
    assert len(wanted) > 20
    assert wanted <= anchors
    assert {one.removeprefix("#") for one in links if one.startswith("#")} <= set(
        Seen(await visitor.text(PAGE)).values("id")
    )


async def test_the_downloads_hold_the_report_and_the_rows(visitor: Visitor, database: Database, tmp_path: Path) -> None:
    window = parse_period("2026-11").window
    async with database.sessions() as session:
        rows = await load_rows(session, 1, window.start, window.end)
    report = build_report(rows, "2026-11", repository_id=1)
    assert await visitor.text(f"{PAGE}/report.json") == report_json(report)
    table = list(csv.DictReader(io.StringIO(await visitor.text(f"{PAGE}/tables/categories.csv"))))
    assert [(one["category"], one["ml_n"], one["ml_ci_low"]) for one in table] == [
        (one.category, str(one.ml.n), str(float(f"{one.ml.ci[0]:.12g}")) if one.ml.ci else "")
        for one in report.tables.categories
    ]
    answer = await visitor.get(f"{PAGE}/package.zip")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="rootcause-made-up-framework1-2026-11.zip"'
    with zipfile.ZipFile(io.BytesIO(await answer.read())) as archive:
        archive.extractall(tmp_path)
    check_package(tmp_path)
    packed = read_records(tmp_path)
    assert packed.records == tuple(one for one in rows.records if one.repository_id == 1)
    assert [one.repository for one in packed.repositories] == [OWN]
    assert (await visitor.get(f"{PAGE}/tables/nothing.csv")).status == 404


def test_no_name_is_taken_for_a_formula() -> None:
    report = {"tables": {"this_repository": None, "languages": [{"repository": "=1+1", "n": -1}]}, "agreement": {}}
    assert tables_as_csv(json.dumps(report)) == {"languages": b"repository,n\r\n'=1+1,-1\r\n"}


async def test_the_address_with_the_number_outlives_names_and_cases(visitor: Visitor, database: Database) -> None:
    await change(database, 1, full_name="made-up/renamed")
    for path, place in (
        ("/reports/1/2026-11", "/reports/made-up/renamed/2026-11"),
        ("/reports/made-up/Renamed/2026-10", "/reports/made-up/renamed/2026-10"),
        ("/reports/made-up/renamed", "/reports/made-up/renamed/2026-11"),
    ):
        answer = await visitor.get(path)
        assert (answer.status, answer.headers["Location"]) == (302, place)
    assert (await visitor.get(PAGE)).status == 404


async def test_a_page_stands_for_posted_periods_and_the_running_month_alone(
    visitor: Visitor, database: Database, built: list[str]
) -> None:
    async with database.sessions.begin() as session:
        session.add(Report(repository_id=1, period="2026-08", state="due", created_at=NOW))
    statuses = {
        period: (await visitor.get(f"/reports/{OWN}/{period}")).status
        for period in ("2026-08", "2026-09", "2026-10", "2026-11", "2026-12", "2026-13", "0000-00")
    }
    assert [period for period, status in statuses.items() if status == 200] == ["2026-10", "2026-11"]
    assert set(statuses.values()) == {200, 404}
    assert built == [OWN, OWN]


async def test_a_page_is_built_once_for_all_and_again_only_when_something_changed(
    visitor: Visitor, database: Database, clock: VirtualClock, built: list[str]
) -> None:
    pages = await asyncio.gather(*(visitor.text(PAGE) for _ in range(5)))
    assert (len(set(pages)), built) == (1, [OWN])
    async with database.sessions.begin() as session:
        await session.execute(update(Record).where(col(Record.repository_id) == 1).values(open_days=1.0))
    assert (await visitor.text(PAGE), len(built)) == (pages[0], 1)
    clock.advance(seconds=FRESH.total_seconds())
    changed = await visitor.text(PAGE)
    assert (changed != pages[0], len(built)) == (True, 2)
    clock.advance(seconds=FRESH.total_seconds())
    assert (await visitor.text(PAGE), len(built)) == (changed, 2)


async def test_many_visitors_keep_one_thread_busy_and_are_asked_to_come_back(
    database: Database, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store(database, small())
    running: list[int] = []
    most = 0

    def slow(page: Page, rows: Rows, now: datetime) -> Built:
        nonlocal most
        running.append(1)
        most = max(most, len(running))
        time.sleep(0.1)
        running.pop()
        return plain(page, rows, now)

    monkeypatch.setattr(builds, "build", slow)
    monkeypatch.setattr(builds, "_MOST_WAITING", 2)
    kept = Builds(database, clock)
    pages = [Page(number, f"made-up/framework{number}", "2026-11", ("2026-11",), True, None) for number in (1, 2, 3)]
    outcomes = await asyncio.gather(*map(kept.page, pages), return_exceptions=True)
    assert most == 1
    assert sum(isinstance(one, BusyError) for one in outcomes) == 1


async def test_known_content_is_not_sent_again_and_what_may_vanish_is_asked_about(visitor: Visitor) -> None:
    page = await visitor.get(PAGE)
    assert page.headers["Cache-Control"] == "private, no-cache"
    for header, value in (
        ("If-None-Match", page.headers["ETag"]),
        ("If-Modified-Since", page.headers["Last-Modified"]),
    ):
        again = await visitor.get(PAGE, **{header: value})
        assert (again.status, await again.read()) == (304, b"")
    assert (await visitor.get(PAGE, **{"If-None-Match": '"other"'})).status == 200
    figures = await figures_of(visitor)
    figure = await visitor.get(figures[0])
    assert (figure.content_type, figure.headers["Cache-Control"]) == (
        "image/svg+xml",
        "private, max-age=86400, immutable",
    )
    assert await figure.read() == await (await visitor.get(figures[0])).read()
    assert (await visitor.get(figures[0].replace("light", "lights"))).status == 404
    assert (await visitor.get("/assets/..%2fapp.py")).status == 404


async def test_posted_figures_are_there_by_their_names_while_a_repository_that_has_them_is_public(
    visitor: Visitor, database: Database
) -> None:
    ours = FigureFile("shares", "light", "what is seen", b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"PNG")
    secret = replace(ours, svg=b"<svg/>")
    await change(database, 4, private=True)
    async with database.sessions.begin() as session:
        assert [await store_figures(session, number, [ours], NOW) for number in (2, 3, 2)] == [True] * 3
        assert not await store_figures(session, 4, [secret], NOW)
        assert not await store_figures(session, 99, [secret], NOW)
    for name, content_type, content in (
        (ours.svg_name, "image/svg+xml", ours.svg),
        (ours.png_name, "image/png", ours.png),
    ):
        answer = await visitor.get(f"/figures/{name}")
        assert (answer.status, answer.content_type, await answer.read()) == (200, content_type, content)
        assert "immutable" in answer.headers["Cache-Control"]
    assert (await visitor.get(f"/figures/{secret.svg_name}")).status == 404
    await change(database, 2, private=True)
    assert (await visitor.get(f"/figures/{ours.svg_name}")).status == 200
    await change(database, 3, private=True)
    assert (await visitor.get(f"/figures/{ours.svg_name}")).status == 404


async def test_where_nobody_is_named_the_list_says_how_to_be(database: Database, clock: VirtualClock) -> None:
    async with served(database, clock) as server, aiohttp.ClientSession() as session:
        visitor = Visitor(str(server.make_url("")).rstrip("/"), session)
        assert "share: named" in await visitor.text("/reports")


def test_every_figure_has_a_place_on_the_page() -> None:
    report = build_report(small(), "2026-11", repository_id=1)
    headings = tuple(plan.heading for plan in plans(report))
    shown = [one.name for section in sections.sections(report, headings) for one in section.drawings]
    assert sorted(shown) == sorted(one.name for one in headings)


async def test_what_the_reader_must_know_stands_on_the_pages_too(visitor: Visitor, database: Database) -> None:
    said = "A script made the decisions @all of <b>this</b> report."
    assert "A script made" not in await visitor.text(PAGE)
    async with database.sessions.begin() as session:
        await session.execute(update(Repository).where(col(Repository.id) == 1).values(notes=[said]))
    for period in ("2026-10", "2026-11"):
        page = await visitor.text(f"/reports/{OWN}/{period}")
        assert "A script made the decisions" in page
        assert "<b>this</b>" not in page
    other = await visitor.text("/reports/made-up/framework3/2026-10")
    assert "A script made" in other, "it rests on these decisions as well"
