"""A posted report on the local GitHub's page: figures by address where there is one, else charts, in light and dark."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from bot.clock import SystemClock
from bot.sandbox.sandbox import Sandbox
from bot.store.database import Database
from bot.store.figures import store_figures
from reports import build_report, render
from reports.figures import draw_figures
from reports.sections.charts import pictures
from tests.browser.conftest import SIZES
from tests.browser.test_report_pages_in_a_browser import LOADED, WIDTHS, looks
from tests.support.shared_reports import telling_rows

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

IMAGES = "[...document.querySelectorAll('article img')].map(one => [one.currentSrc, one.naturalWidth])"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def posted(recorded: Database, pages: str) -> AsyncIterator[tuple[str, str]]:
    """The addresses of two posted reports: with figures by address, and with charts."""
    sandbox = Sandbox(SystemClock())
    sandbox.add_owner("made-up")
    sandbox.add_repository("made-up", "framework1")
    sandbox.add_user("ann")
    report = await asyncio.to_thread(build_report, telling_rows(), "2026-11", repository_id=1)
    figures = await asyncio.to_thread(draw_figures, report)
    async with recorded.sessions.begin() as session:
        assert await store_figures(session, 1, figures, SystemClock().now())
    by_address = render(report, pictures=pictures(figures, f"{pages}/figures"))
    issues = [sandbox.open_issue("made-up/framework1", "ann", "Report", text) for text in (by_address, render(report))]
    async with sandbox.running():
        first, second = (sandbox.page_url("made-up/framework1", one.number) for one in issues)
        yield first, second


@pytest.mark.parametrize("by_address", [True, False])
async def test_a_posted_report_shows_its_figures_or_its_charts(
    browser: Browser, posted: tuple[str, str], by_address: bool
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    await page.goto(posted[not by_address], wait_until="networkidle")
    await page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    async for scheme, size in looks(page, f"posted-{by_address}"):
        await page.wait_for_function(LOADED, arg=scheme)
        images = await page.evaluate(IMAGES)
        charts = page.locator("article svg.chart")
        scrolls, fits = await page.evaluate(WIDTHS)
        assert scrolls <= fits
        assert "Unable to render" not in await page.locator("article").first.inner_text()
        if by_address:
            assert len(images) > 10
            assert all(f"-{scheme}-" in one and natural > 0 for one, natural in images)
        else:
            assert images == []
            assert await charts.count() >= 3
            for place in range(await charts.count()):
                box = await charts.nth(place).bounding_box()
                assert box is not None
                assert box["width"] > 250
                assert box["x"] + box["width"] <= SIZES[size][0]
    assert said == []
    await context.close()
