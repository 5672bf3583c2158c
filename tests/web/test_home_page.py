"""The first page: what it says, which report it shows, where its button leads, and the sample behind it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from sqlalchemy import text

from bot.settings import Settings
from bot.store.database import Database
from bot.store.tables import Report
from bot.web import home
from bot.web.home import HomePages
from bot.web.reports import builds, sample
from bot.web.reports.building import Built, Page
from bot.web.reports.routes import ReportPages
from bot.web.webhook import Identity
from tests.support.clock import VirtualClock
from tests.support.shared_reports import NOW, OWN, store
from tests.web.test_reports_pages import small

SET_UP: dict[str, Any] = {"app_id": 1, "private_key": "key", "webhook_secret": ("s",)}
APP = "https://github.com/apps/rootcause"


@asynccontextmanager
async def visited(database: Database, identity: Identity, **settings: Any) -> AsyncIterator[Any]:
    clock = VirtualClock(NOW)
    reports = ReportPages(database, clock)
    app = web.Application()
    reports.add_routes(app)
    HomePages(Settings.model_validate(settings), identity, reports, clock).add_routes(app)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:

        async def get(path: str) -> tuple[int, str]:
            async with session.get(server.make_url(path), allow_redirects=False) as answer:
                return answer.status, (await answer.read()).decode(errors="replace")

        yield get


def plain(page: Page, rows: object, now: Any) -> Built:
    """Stand in for the computing of a report where only which one is shown matters."""
    return Built(page, now, b"", b"{}", {}, b"", {}, coverage=f"**Coverage** of {page.base}.", findings=("a", "b", "c"))


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (builds, sample):
        monkeypatch.setattr(module, "build", plain)


@pytest.mark.usefixtures("quickly")
async def test_the_button_leads_to_the_set_up_and_then_to_the_apps_own_page(database: Database) -> None:
    identity = Identity("rootcause")
    async with visited(database, identity) as get:
        status, page = await get("/")
        assert status == 200
        assert '<a class="button" href="/setup">' in page
        assert "mentions nobody, and only watches for its first seven days." in page
    async with visited(database, identity, observe_days=0.0, **SET_UP) as get:
        assert 'class="button"' not in (await get("/"))[1], "GitHub has not told yet"
        assert "by itself and mentions nobody." in (await get("/"))[1]
        identity.page = APP
        page = (await get("/"))[1]
        assert f'<a class="button" href="{APP}/installations/new">' in page
        assert "/setup" not in page
        for path in ("/welcome", "/help", "/permissions", "/privacy", "/reports", "/definitions", "/status"):
            assert f'href="{path}"' in page


@pytest.mark.usefixtures("quickly")
async def test_the_newest_report_that_may_be_shown_stands_there_else_a_sample_that_says_so(database: Database) -> None:
    async with visited(database, Identity("rootcause", page=APP), **SET_UP) as get:
        page = (await get("/"))[1]
        assert "made up" in page
        assert "of /sample." in page
        await store(database, small(), posted=("2026-09",))
        async with database.sessions.begin() as session:
            session.add(Report(repository_id=1, period="2026-10", state="due", created_at=NOW))
            for number, period in ((2, "2026-10"), (3, "2026-08")):
                await session.execute(
                    text("UPDATE report SET period = :period WHERE repository_id = :number"),
                    {"period": period, "number": number},
                )
        page = (await get("/"))[1]
        assert f"<strong>Coverage</strong> of /reports/{OWN}/2026-09." in page
        assert f'href="/reports/{OWN}/2026-09"' in page
        assert page.count("<li><p>") == 3
        assert "made up" not in page
        assert "framework2" not in page
        async with database.sessions.begin() as session:
            await session.execute(text("UPDATE repository SET private = true WHERE id = 1"))
        assert "of /reports/made-up/framework3/2026-08." in (await get("/"))[1]
        async with database.sessions.begin() as session:
            await session.execute(text("UPDATE repository SET share = 'group' WHERE id = 3"))
        assert "of /sample." in (await get("/"))[1]


async def test_a_report_that_takes_long_is_linked_and_computed_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Page] = []

    def slowly(page: Page, rows: object, now: Any) -> Built:
        begun.append(page)
        time.sleep(0.3)
        return plain(page, rows, now)

    monkeypatch.setattr(sample, "build", slowly)
    monkeypatch.setattr(home, "_PATIENCE_SECONDS", 0.05)
    async with visited(database, Identity("rootcause"), **SET_UP) as get:
        pages = await asyncio.gather(*(get("/") for _ in range(5)))
        for status, page in pages:
            assert status == 200
            assert "It is being computed" in page
            assert 'href="/sample"' in page
        await asyncio.sleep(0.4)
        assert "of /sample." in (await get("/"))[1]
    assert len(begun) == 1


async def test_the_sample_is_a_whole_report_that_says_it_is_made_up_and_links_to_nobody(database: Database) -> None:
    async with visited(database, Identity("rootcause"), **SET_UP) as get:
        status, page = await get("/sample")
        assert status == 200
        assert "Every repository, issue and number on this page is made up" in page
        assert "Permanent address" not in page
        links = set(re.findall(r'(?:href|src|srcset)="([^"#]+)', page))
        assert not [one for one in links if one.startswith("http") and "arxiv.org" not in one]
        own = sorted(one for one in links if one.startswith("/sample"))
        assert len(own) > 20
        for path in ("/sample/report.json", "/sample/package.zip", "/sample/tables/categories.csv"):
            assert (await get(path))[0] == 200, path
        assert (await get("/sample/tables/nothing.csv"))[0] == 404
        found = re.findall(r"<li>(.+ larger share in ML .+)</li>", page)
        assert found, "a sample in which nothing differs shows little"
