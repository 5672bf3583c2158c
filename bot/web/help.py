"""The pages of words: what the App will do and will not, all commands, permissions and privacy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from aiohttp import web
from markupsafe import Markup

from bot.commands.registry import categories_markdown, table_markdown
from bot.settings import Settings
from bot.setup.manifest import wanted
from bot.store.pruning import KEPT
from bot.texts import privacy
from bot.texts.onboarding import on_a_page, permissions_on_a_page
from bot.web.markdown import markdown
from bot.web.pages import answer, write_page

_HOW = """\
A command stands on a line of its own in a comment: in the issue it is about, or in the inbox, where it names the \
issues by their numbers. Code, quotes and hidden comments are never read as commands."""


@dataclass(frozen=True)
class Part:
    """A part of a page with its heading; None where it stands right below the page's own."""

    title: str | None
    text: Markup


@cache
def help_page() -> bytes:
    """Return the page of commands and categories as HTML."""
    commands = Part(None, markdown(f"{_HOW}\n\n{table_markdown()}"))
    return write_page(
        "words.html",
        here="/help",
        title="Commands",
        parts=[commands, Part("Categories", markdown(categories_markdown()))],
    )


@cache
def permissions_page() -> bytes:
    """Return the page of what the App may do, each with its reason, as HTML."""
    return write_page(
        "words.html",
        here="/permissions",
        title="Permissions",
        parts=[Part(None, markdown(permissions_on_a_page(wanted()[1])))],
    )


@cache
def privacy_page(forget_after_days: float) -> bytes:
    """Return the page of what is stored, for how long, and how it is deleted, as HTML."""
    told = markdown(privacy.on_a_page(KEPT, forget_after_days))
    return write_page("words.html", here="/privacy", title="Privacy", parts=[Part(None, told)])


@cache
def welcome_page(observe_days: float) -> bytes:
    """Return the page for those who think of installing the App, or just did, as HTML."""
    told = markdown(on_a_page(observe_days))
    return write_page("words.html", here="/welcome", title="What Rootcause does", parts=[Part(None, told)])


WORDS: Final = {"/help": help_page, "/permissions": permissions_page}
"""The pages that say the same in every installation, by their paths."""


@dataclass(frozen=True)
class SettledPages:
    """Answers `/welcome` and `/privacy`, which tell how long something lasts by this installation's settings."""

    settings: Settings

    def add_routes(self, app: web.Application) -> None:
        """Put the pages into an application."""
        app.router.add_get("/welcome", self._welcome)
        app.router.add_get("/privacy", self._privacy)

    async def _welcome(self, request: web.Request) -> web.Response:
        return answer(request, welcome_page(self.settings.observe_days), "text/html")

    async def _privacy(self, request: web.Request) -> web.Response:
        return answer(request, privacy_page(self.settings.forget_after_days), "text/html")
