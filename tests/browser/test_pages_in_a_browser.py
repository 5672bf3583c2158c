"""The App's own pages as people meet them: home, words, status, and the set-up from its button to the installation."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import psycopg
import pytest
import pytest_asyncio
from aiohttp import web
from aiohttp.test_utils import TestServer
from playwright.async_api import Browser, Page
from pydantic import SecretStr
from sqlalchemy import make_url

from bot.clock import SystemClock
from bot.doctor.finding import Finding
from bot.sandbox.sandbox import Sandbox
from bot.settings import Settings
from bot.setup.desk import Desk
from bot.store.database import Database, normalise_url, open_database
from bot.store.embedded import EmbeddedServer
from bot.web.entry import Entry
from bot.web.reports.routes import ReportPages
from bot.web.setup import SetupPages
from bot.web.status import StatusPages
from tests.browser.conftest import SIZES
from tests.browser.test_report_pages_in_a_browser import WIDTHS, broken, looks
from tests.support.ports import free_port
from tests.support.running import Running, running_bot
from tests.support.subprocesses import ROOT, surroundings
from tests.web.test_status_page import PRIVATE, TOKEN, fill

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

NARROW = (360, 740)
FINE = frozenset({200, 302, 303})
ABORTED = "net::ERR_ABORTED"
START_SECONDS = 60.0
WORDS = ("/welcome", "/help", "/permissions", "/privacy", "/definitions", "/reports")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def bot(database_server: EmbeddedServer, database_template: str) -> AsyncIterator[Running]:
    """The whole bot beside a local GitHub, with something in every part of its status."""
    with psycopg.connect(database_server.conninfo, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE own_pages TEMPLATE {database_template}".encode())
    url = make_url(database_server.url).set(database="own_pages").render_as_string(hide_password=False)
    async with (
        open_database(normalise_url(url)) as database,
        running_bot(database, status_token=SecretStr(TOKEN)) as running,
    ):
        await fill(database)
        async with running.session.get(running.web.make_url("/sample")) as built:
            assert built.status == 200
        yield running


@asynccontextmanager
async def opened(browser: Browser, address: str, *, status: int = 200, **context: Any) -> AsyncIterator[Page]:
    """Open an address that answers with `status`; at the end nothing else may have gone wrong or been said."""
    made = await browser.new_context(viewport={"width": SIZES["desktop"][0], "height": SIZES["desktop"][1]}, **context)
    wrong: list[str] = []
    page = await made.new_page()
    page.set_default_timeout(60_000)
    refused = f"Failed to load resource: the server responded with a status of {status} "
    page.on("console", lambda message: wrong.append(message.text) if not message.text.startswith(refused) else None)
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    # The picture of the tab may still be on its way when the next page is asked for.
    page.on("requestfailed", lambda request: wrong.append(request.url) if request.failure != ABORTED else None)
    page.on(
        "response",
        lambda answer: wrong.append(f"{answer.status}: {answer.url}") if answer.status not in {*FINE, status} else None,
    )
    try:
        answer = await page.goto(address, wait_until="load")
        assert answer is not None
        assert answer.status == status
        yield page
        assert wrong == []
    finally:
        await made.close()


async def look(page: Page, name: str) -> None:
    """See a page in light and dark, on a desk and on a phone: it fits, and no rule of accessibility is broken."""
    async for scheme, size in looks(page, name):
        assert await broken(page) == [], (name, scheme, size)
    await page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    scrolls, fits = await page.evaluate(WIDTHS)
    assert scrolls <= fits, name
    assert await page.locator("h1").count() == 1
    await page.emulate_media(color_scheme="light")
    await page.set_viewport_size({"width": SIZES["desktop"][0], "height": SIZES["desktop"][1]})


async def tab_to(page: Page, name: str) -> None:
    """Press Tab until what is called so has the focus, as somebody without a mouse does."""
    seen = []
    for _ in range(60):
        await page.keyboard.press("Tab")
        called = "(one => one.labels?.[0]?.innerText || one.innerText || '')(document.activeElement)"
        focused = " ".join(str(await page.evaluate(called)).split())
        seen.append(focused)
        if focused.startswith(name):
            return
    raise AssertionError(f"no Tab leads to {name!r}: {seen}")


async def press(page: Page, name: str) -> None:
    """Go to a button or a link by keys alone, press it, and wait for the page that comes, though not its pictures."""
    await tab_to(page, name)
    async with page.expect_navigation(wait_until="domcontentloaded"):
        await page.keyboard.press("Enter")


async def test_home_says_what_it_is_and_leads_on_by_keys(browser: Browser, bot: Running) -> None:
    address = str(bot.web.make_url("/"))
    async with opened(browser, address) as page:
        await page.get_by_text("larger share in ML").first.wait_for()
        await look(page, "home")
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.textContent") == "Skip to the content"
        await press(page, "The whole sample")
        assert "sample-gradients" in await page.locator("h1").inner_text()
        assert await page.locator("figure img").count() > 10
        await press(page, "Rootcause")
        await press(page, "Install it on GitHub")
        assert urlsplit(page.url).path == "/web/apps/rootcause/installations/new"


async def test_pages_of_words_are_sound(browser: Browser, bot: Running) -> None:
    async with opened(browser, str(bot.web.make_url(WORDS[0]))) as page:
        for path in WORDS:
            await page.goto(str(bot.web.make_url(path)), wait_until="load")
            await look(page, path.strip("/"))
            assert await page.locator(f'[aria-current="page"][href="{path}"]').count() == 1


async def test_the_operator_signs_in_and_retries_by_keys(browser: Browser, bot: Running) -> None:
    async with opened(browser, str(bot.web.make_url("/status")), status=403) as page:
        await look(page, "status-closed")
        await tab_to(page, "Token")
        await page.keyboard.type("not the token")
        async with page.expect_navigation(wait_until="load"):
            await page.keyboard.press("Enter")
        assert "not the token" in await page.get_by_role("alert").inner_text()
        await tab_to(page, "Token")
        await page.keyboard.type(TOKEN)
        async with page.expect_navigation(wait_until="load"):
            await page.keyboard.press("Enter")
        assert await page.get_by_text(PRIVATE).count() >= 2
        await look(page, "status")
        await press(page, "Retry issues guid-2")
        assert "One delivery waits for a worker again" in await page.get_by_role("status").inner_text()
        assert await page.get_by_text("guid-2").count() == 0
        assert await page.evaluate("document.cookie") == ""


async def test_an_address_without_a_report_and_a_status_without_a_token_are_sound(
    browser: Browser, bot: Running
) -> None:
    async with opened(browser, str(bot.web.make_url("/reports/no/such")), status=404) as page:
        await look(page, "missing")
    async with (
        setup_pages(bot.services.database, Desk()) as address,
        opened(browser, address.replace("/setup", "/status"), status=404) as page,
    ):
        await look(page, "status-not-set")
        assert "ROOTCAUSE_STATUS_TOKEN" in await page.locator("pre").inner_text()


FINDINGS = (
    Finding("clock", "fine", "It agrees with GitHub's to the second."),
    Finding("permissions", "warning", "One that is new awaits the approval of acme.", "Its owner approves it there."),
    Finding("webhook address", "wrong", "GitHub cannot reach it.", "Set ROOTCAUSE_PUBLIC_URL to where it can."),
    Finding("deliveries", "unknown", "GitHub has sent none yet.", "Close an issue."),
)


@asynccontextmanager
async def setup_pages(database: Database, desk: Desk, **settings: Any) -> AsyncIterator[str]:
    async def examine() -> Sequence[Finding]:
        return FINDINGS

    clock = SystemClock()
    app = web.Application()
    ReportPages(database, clock).add_routes(app)
    chosen = Settings.model_validate(settings)
    SetupPages(chosen, clock, desk, lambda: None, examine).add_routes(app)
    StatusPages(chosen, database, clock, Entry(chosen)).add_routes(app)
    async with TestServer(app) as server:
        yield str(server.make_url("/setup"))


async def test_every_state_of_the_set_up_is_sound(browser: Browser, bot: Running, tmp_path: Path) -> None:
    database, data, desk = bot.services.database, tmp_path / "data", Desk()
    sandbox = Sandbox(SystemClock(), private_key=bot.sandbox.private_key)
    async with (
        sandbox.running() as github,
        setup_pages(database, desk, data_dir=data, github_api_url=github) as address,
        setup_pages(database, Desk(), data_dir=data, github_api_url=github, database_url="postgresql://db/x") as bare,
    ):
        forwarded = {"extra_http_headers": {"X-Forwarded-For": "203.0.113.9"}}
        async with opened(browser, address, status=403, **forwarded) as page:
            await look(page, "setup-locked")
        async with opened(browser, f"{address}?address=ftp://host", status=400) as page:
            await look(page, "setup-mistake")
        async with opened(browser, f"{address}?code=used&state=x", status=403) as page:
            await look(page, "setup-failed")
        for where, name in ((bare, "setup-once"), (address, "setup-written")):
            async with opened(browser, where) as page:
                if name == "setup-once":
                    await look(page, "setup")
                await page.get_by_role("button", name="Create the GitHub App").click()
                await page.get_by_role("button", name="Create GitHub App for").click()
                await page.get_by_role("heading", name="The App is registered").wait_for()
                await look(page, name)
    key = {"app_id": 1, "private_key": "key", "webhook_secret": ("s",)}
    async with setup_pages(database, desk, **key) as address:
        async with opened(browser, address, status=410) as page:
            await look(page, "setup-closed")
        assert desk.owner is not None
        async with opened(browser, address, extra_http_headers={"Cookie": f"rootcause-setup={desk.owner}"}) as page:
            await look(page, "setup-done")


@asynccontextmanager
async def serving(folder: Path, **environment: str) -> AsyncIterator[Callable[[str], str]]:
    """Run `rootcause serve` on this machine; yields what makes addresses of its paths."""
    port = free_port()
    own = surroundings(folder / "data", PORT=str(port), ROOTCAUSE_HOST="127.0.0.1", **environment)
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "serve", cwd=ROOT, env=own, stdout=log, stderr=log
        )
    try:
        yield lambda path: f"http://127.0.0.1:{port}{path}"
    finally:
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(START_SECONDS):
            await process.wait()


async def answers(address: str, status: int = 200) -> None:
    """Wait until an address answers so."""
    async with aiohttp.ClientSession() as session, asyncio.timeout(START_SECONDS):
        while True:
            try:
                async with session.get(address) as answer:
                    if answer.status == status:
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.1)


async def test_from_nothing_to_an_installed_app_by_keys_alone(browser: Browser, memory_folder: Path) -> None:
    sandbox = Sandbox(SystemClock())
    sandbox.add_owner("acme")
    sandbox.add_repository("acme", "frame")
    async with (
        sandbox.running() as github,
        serving(memory_folder, ROOTCAUSE_GITHUB_API_URL=github, ROOTCAUSE_PULL_SECONDS="0.5") as at,
    ):
        await answers(at("/healthz"))
        async with opened(browser, at("/")) as page:
            await press(page, "Set it up")
            await press(page, "Create the GitHub App")
            await press(page, "Create GitHub App for")
            assert "The App is registered" in await page.locator("h1").inner_text()
            await answers(at("/readyz"))
            await press(page, "Go on")
            assert await page.locator("h1").inner_text() == "Ready"
            assert await page.locator(".state.wrong").count() == 0
            await press(page, "Install it on repositories")
            assert urlsplit(page.url).netloc == urlsplit(github).netloc
            await press(page, "Install")
            await page.goto(at("/"), wait_until="load")
            assert await page.get_by_role("link", name="Set it up").count() == 0
        assert sandbox.installation("acme").id > 0
