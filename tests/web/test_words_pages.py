"""The pages of words as a browser gets them: what the App will and will not do, and every command."""

from __future__ import annotations

import re
from html import unescape

from bot.commands.registry import COMMANDS
from bot.setup.manifest import wanted
from bot.store.database import Database
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
        assert "Nothing is posted because the App was installed" in welcome
        commands = await text_of(bot, "/help")
        assert all(command.summary.split("`")[0].split(";")[0] in commands for command in COMMANDS.values())
        assert all(category.key in commands for category in TAXONOMY)


async def test_permissions_and_privacy_are_told(database: Database) -> None:
    async with running_bot(database) as bot:
        permissions = await text_of(bot, "/permissions")
        for name, level in wanted()[0].items():
            assert f"{name.replace('_', ' ')}, to {level}" in permissions
        privacy = await text_of(bot, "/privacy")
        for said in ("14 days", "rootcause forget person", "never kept", "share: off"):
            assert said in privacy


def test_the_inbox_and_the_page_say_the_same() -> None:
    points = [line for line in on_a_page().splitlines() if line.startswith("- ")]
    assert len(points) > 10
    for first in (True, False):
        inbox = in_the_inbox(first=first, watched_until=None, public_url="https://rootcause.example")
        assert [line for line in inbox.splitlines() if line.startswith("- ")] == points
        assert "https://rootcause.example/welcome" in inbox
    assert "http" not in in_the_inbox(first=True, watched_until=None, public_url=None)
