"""A real browser, the pages of reports it looks at, and a watch over what it says and asks for meanwhile."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright
from sqlalchemy import make_url

from bot.store.database import Database, normalise_url, open_database
from bot.store.embedded import EmbeddedServer
from tests.support.clock import VirtualClock
from tests.support.shared_reports import NOW, served, store, telling_rows

ARGUMENTS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}

Visit = Callable[..., AbstractAsyncContextManager[Page]]
"""Opens a path of the pages: `visit(path, scheme="light", size="desktop", scripts=True)`."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """The browser that ROOTCAUSE_TEST_CHROMIUM names; without one these tests fail, since they cannot say anything."""
    path = os.environ.get("ROOTCAUSE_TEST_CHROMIUM", "")
    if not Path(path).is_file():  # noqa: ASYNC240 - nothing else runs yet
        pytest.fail(f"ROOTCAUSE_TEST_CHROMIUM must name a Chromium; {path!r} is none")
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield launched
        await launched.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def recorded(database_server: EmbeddedServer, database_template: str) -> AsyncIterator[Database]:
    """A database of these tests' own, with repositories whose reports may be shown."""
    with psycopg.connect(database_server.conninfo, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE browser TEMPLATE {database_template}".encode())
    url = make_url(database_server.url).set(database="browser").render_as_string(hide_password=False)
    async with open_database(normalise_url(url)) as database:
        await store(database, telling_rows())
        yield database


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pages(recorded: Database) -> AsyncIterator[str]:
    """The address of the pages."""
    async with served(recorded, VirtualClock(NOW)) as server:
        yield str(server.make_url("")).rstrip("/")


@asynccontextmanager
async def watched(browser: Browser, address: str, scheme: str, size: str, *, scripts: bool) -> AsyncIterator[Page]:
    """Open an address; at the end nothing may have been said on the console, failed, or asked of another origin."""
    width, height = SIZES[size]
    context = await browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=scripts,
    )
    wrong: list[str] = []
    page = await context.new_page()
    page.set_default_timeout(60_000)
    page.on("console", lambda message: wrong.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("requestfailed", lambda request: wrong.append(f"failed: {request.url}"))
    page.on("response", lambda answer: wrong.append(f"{answer.status}: {answer.url}") if answer.status >= 400 else None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    try:
        await page.goto(address, wait_until="networkidle")
        yield page
        assert wrong == []
        assert {urlsplit(one).netloc for one in asked} == {urlsplit(address).netloc}
    finally:
        await context.close()


@pytest.fixture
def visit(browser: Browser, pages: str) -> Visit:
    """How a test opens a page."""

    def opened(
        path: str, scheme: str = "light", size: str = "desktop", *, scripts: bool = True
    ) -> AbstractAsyncContextManager[Page]:
        return watched(browser, pages + path, scheme, size, scripts=scripts)

    return opened
