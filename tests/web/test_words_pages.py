"""The pages of words as a browser gets them: what the App will and will not do, and every command."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from bot.commands.registry import COMMANDS
from bot.setup.manifest import wanted
from bot.store.database import Database
from bot.texts import privacy
from bot.texts.days import in_days
from bot.texts.onboarding import in_the_inbox, on_a_page
from classifier.taxonomy import TAXONOMY
from tests.support.running import Running, running_bot


async def text_of(bot: Running, path: str) -> str:
    async with bot.session.get(bot.web.make_url(path)) as answer:
        assert answer.status == 200
        assert answer.content_type == "text/html"
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        html = await answer.text()
    assert "style=" not in html
    assert 'href="/welcome"' in html
    assert 'href="/help"' in html
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


async def test_the_pages_say_what_they_are_for(database: Database) -> None:
    async with running_bot(database) as bot:
        welcome = await text_of(bot, "/welcome")
        for said in (
            "What will happen",
            "What will not happen",
            "How to try it",
            "How to switch it off",
            "issues, to write",
        ):
            assert said in welcome
        assert "Installing the App posts nothing" in welcome
        commands = await text_of(bot, "/help")
        assert all(command.summary.split("`")[0].split(";")[0] in commands for command in COMMANDS.values())
        assert all(category.key in commands for category in TAXONOMY)
        async with bot.session.get(bot.web.make_url("/help")) as answer:
            html = await answer.text()
        addresses = [*COMMANDS, *(f"category-{category.key}" for category in TAXONOMY)]
        assert re.findall(r'<tr id="([^"]+)">\s*<td><a href="#([^"]+)"><code>', html) == [
            (one, one) for one in addresses
        ]


async def test_permissions_and_privacy_are_told(database: Database) -> None:
    async with running_bot(database) as bot:
        permissions = await text_of(bot, "/permissions")
        for name, level in wanted()[0].items():
            assert f"{name.replace('_', ' ')}, to {level}" in permissions
        async with bot.session.get(bot.web.make_url("/privacy")) as answer:
            page = f"{bot.services.settings.github_api_url}/web/apps/rootcause"
            assert f'whom <a href="{page}"' in await answer.text()
        kept = await text_of(bot, "/privacy")
        for said in ("14 days", "30 days", "rootcause forget person", "never kept", "share: off"):
            assert said in kept


async def test_they_say_how_long_something_lasts_in_this_installation(database: Database) -> None:
    async with running_bot(database, observe_days=2.5, forget_after_days=1.0) as bot:
        assert "For 2.5 days it only watches" in await text_of(bot, "/welcome")
        assert "who took part after one day;" in await text_of(bot, "/privacy")


def test_where_nothing_is_waited_for_no_days_are_named() -> None:
    assert "begin at once" not in on_a_page(0.0)
    assert "Installing the App posts nothing. Once there is something to ask" in on_a_page(0.0)
    assert "who took part within a day;" in privacy.on_a_page(timedelta(days=14), 0.0, None)


@pytest.mark.parametrize(
    ("number", "words"), [(1, "one day"), (7, "seven days"), (12, "twelve days"), (30, "30 days"), (0.5, "0.5 days")]
)
def test_days_are_said_as_people_say_them(number: float, words: str) -> None:
    assert in_days(number) == words


def test_the_inbox_and_the_page_say_the_same() -> None:
    points = [line for line in on_a_page(7.0).splitlines() if line.startswith("- ")]
    assert len(points) > 10
    for first in (True, False):
        inbox = in_the_inbox(first=first, watched_until=None, public_url="https://rootcause.example")
        assert [line for line in inbox.splitlines() if line.startswith("- ")] == points
        assert "https://rootcause.example/welcome" in inbox
    assert "http" not in in_the_inbox(first=True, watched_until=None, public_url=None)
