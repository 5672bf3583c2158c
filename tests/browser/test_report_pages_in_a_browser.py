"""The pages of reports as people meet them: light and dark, on a desk and on a phone, by mouse and keys, on paper."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from tests.browser.conftest import SIZES, Visit

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PICTURES = os.environ.get("ROOTCAUSE_TEST_PICTURES", "")
"""A folder, if somebody wants to see the pages themselves: a picture of each, light and dark, at two widths."""

REPORT = "/reports/made-up/framework1/2026-11"
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
IMAGES = "[...document.images].map(one => [one.naturalWidth, one.getBoundingClientRect().width, one.alt])"
LOADED = "scheme => [...document.images].every(one => one.complete && one.currentSrc.includes(`-${scheme}-`))"
WIDTHS = "[document.documentElement.scrollWidth, innerWidth]"


def column(page: Page, table: str, place: int) -> Any:
    return page.evaluate(
        "([table, place]) => [...document.querySelectorAll(`[aria-labelledby='${table}-caption'] tbody tr`)]"
        ".map(row => row.cells[place].textContent.trim())",
        [table, place],
    )


def rules() -> str:
    """Return the rules of accessibility as a script; without them a page cannot be judged, which is a failure."""
    if not AXE.exists():
        pytest.fail("run `npm install` in tests/browser to get the rules of accessibility")
    return AXE.read_text()


async def broken(page: Page) -> list[tuple[str, str, str]]:
    """Return what the rules find, whatever its impact: the rule, the impact, and the first element that breaks it."""
    if await page.evaluate("typeof axe") == "undefined":
        await page.evaluate(rules())
    found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [(one["id"], one["impact"], one["nodes"][0]["html"][:200]) for one in found["violations"]]


async def looks(page: Page, name: str) -> AsyncIterator[tuple[str, str]]:
    """Show a page, without loading it again, on a desk and on a phone, in light and dark; yields scheme and size."""
    for size, (width, height) in SIZES.items():
        await page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            if PICTURES:
                await page.screenshot(path=Path(PICTURES) / f"{name}-{scheme}-{size}.png", full_page=True)
            yield scheme, size


@pytest.mark.parametrize("path", [REPORT, "/definitions", "/reports"])
async def test_figures_are_visible_nothing_overflows_and_no_rule_of_accessibility_is_broken(
    visit: Visit, path: str
) -> None:
    async with visit(path) as page:
        await page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        async for scheme, size in looks(page, path.rpartition("/")[2]):
            await page.wait_for_function(LOADED, arg=scheme)
            scrolls, fits = await page.evaluate(WIDTHS)
            assert scrolls <= fits, (scheme, size)
            images = await page.evaluate(IMAGES)
            assert (len(images) > 10) is (path == REPORT)
            for natural, shown, alt in images:
                assert natural > 0
                assert 300 < shown <= 720
                assert len(alt) > 40
            ground = await page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(13, 17, 23)"}[scheme]
            assert await broken(page) == [], (scheme, size)
        if path == "/reports":
            await page.evaluate("document.querySelector('main').insertAdjacentHTML('beforeend', '<img><h6>Deep</h6>')")
            assert {one[:2] for one in await broken(page)} == {("image-alt", "critical"), ("heading-order", "moderate")}


async def test_a_table_sorts_by_a_click_up_down_and_back(visit: Visit) -> None:
    async with visit(REPORT) as page:
        first = await column(page, "categories", 0)
        shares = await column(page, "categories", 2)
        heading = page.locator("[aria-labelledby='categories-caption'] thead th").nth(2)
        await heading.get_by_role("button").click()
        assert await heading.get_attribute("aria-sort") == "ascending"
        assert await column(page, "categories", 2) == sorted(shares, key=float)
        await heading.get_by_role("button").click()
        assert await heading.get_attribute("aria-sort") == "descending"
        assert await column(page, "categories", 2) == sorted(shares, key=float, reverse=True)
        assert "sorted by ML %, descending" in await page.get_by_role("status").inner_text()
        await heading.get_by_role("button").click()
        assert await heading.get_attribute("aria-sort") is None
        assert await column(page, "categories", 0) == first


async def test_a_table_sorts_by_keys_and_what_is_not_known_stays_last(visit: Visit) -> None:
    async with visit(REPORT) as page:
        names = page.locator("[aria-labelledby='categories-caption'] thead th").nth(0).get_by_role("button")
        await names.focus()
        await page.keyboard.press("Enter")
        await page.keyboard.press("Space")
        titles = await column(page, "categories", 0)
        assert titles == sorted(titles, key=str.casefold, reverse=True)
        tests = await column(page, "categories", 9)
        unknown = [one for one in tests if one == "too small"]
        assert 0 < len(unknown) < len(tests)
        for _ in range(9):
            await page.keyboard.press("Tab")
        for _ in range(2):
            await page.keyboard.press("Enter")
            heading = page.locator("[aria-labelledby='categories-caption'] thead th[aria-sort]")
            assert (await heading.inner_text()).strip() == "p"
            assert (await column(page, "categories", 9))[-len(unknown) :] == unknown


async def test_the_first_key_skips_to_the_content(visit: Visit) -> None:
    async with visit(REPORT) as page:
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.textContent") == "Skip to the content"
        await page.keyboard.press("Enter")
        assert await page.evaluate("document.activeElement.id") == "main"


async def test_without_scripts_everything_is_there_but_sorting(visit: Visit) -> None:
    async with visit(REPORT, scripts=False) as page:
        assert await page.locator("thead button").count() == 0
        assert await page.locator("table.sortable").count() > 10
        assert await page.locator("figure img").first.is_visible()
        summary = page.get_by_text("Difficulty by root cause", exact=True).first
        await summary.click()
        assert await page.get_by_role("group", name="Difficulty by root cause").is_visible()


async def test_on_paper_tables_are_whole_folds_are_open_and_figures_are_light(visit: Visit, tmp_path: Path) -> None:
    async with visit(REPORT, "dark") as page:
        await page.emulate_media(media="print", color_scheme="dark")
        await page.set_viewport_size({"width": 720, "height": 1000})
        await page.evaluate("dispatchEvent(new Event('beforeprint'))")
        await page.wait_for_load_state("networkidle")
        assert await page.locator(".site nav").is_hidden()
        assert await page.locator("nav.contents").is_hidden()
        assert await page.evaluate("document.querySelectorAll('details:not([open])').length") == 0
        assert await page.get_by_role("group", name="Difficulty by root cause").is_visible()
        assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        await page.wait_for_function(LOADED, arg="light")
        scrolls, fits = await page.evaluate(WIDTHS)
        assert scrolls <= fits
        await page.screenshot(path=tmp_path / "paper.png", full_page=True)
        await page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert await page.evaluate("document.querySelectorAll('details:not([open])').length") > 5
