"""The pages of words: what the App will do and will not, all commands, permissions and privacy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from aiohttp import web
from markupsafe import Markup

from bot.commands.registry import COMMANDS, categories_markdown, table_markdown
from bot.settings import Settings
from bot.setup.manifest import wanted
from bot.store.pruning import KEPT
from bot.texts import privacy
from bot.texts.onboarding import on_a_page, permissions_on_a_page
from bot.web.markdown import markdown
from bot.web.pages import answer, write_page
from bot.web.webhook import Identity
from classifier.taxonomy import TAXONOMY

_HOW = """\
A command stands on a line of its own in a comment: in the issue it is about, or in the inbox, where it names the \
issues by their numbers. Code, quotes and hidden comments are never read as commands. \
What stands first in a row is a link to that row, to be given to others."""


@dataclass(frozen=True)
class Part:
    """A part of a page with its heading; None where it stands right below the page's own."""

    title: str | None
    text: Markup


@cache
def help_page() -> bytes:
    """Return the page of commands and categories as HTML; each row has an address of its own, which it links to."""
    commands = markdown(f"{_HOW}\n\n{table_markdown()}")
    categories = markdown(categories_markdown())
    return write_page(
        "words.html",
        here="/help",
        title="Commands",
        parts=[
            Part(None, _addressed(commands, COMMANDS)),
            Part("Categories", _addressed(categories, [f"category-{each.key}" for each in TAXONOMY])),
        ],
    )


def _addressed(table: Markup, names: Iterable[str]) -> Markup:
    """Let what stands first in each row of the table lead to the row itself, by these names in their order."""
    left = iter(names)

    def address(row: re.Match[str]) -> str:
        name = next(left)
        return f'<tr id="{name}">\n<td><a href="#{name}">{row[1]}</a>'

    return Markup(re.sub(r"<tr>\n<td>(<code>.*?</code>)", address, table))  # noqa: S704 - the names are our own


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
def privacy_page(forget_after_days: float, page: str | None) -> bytes:
    """Return the page of what is stored, for how long, how it is deleted and by whom, as HTML."""
    told = markdown(privacy.on_a_page(KEPT, forget_after_days, page))
    return write_page("words.html", here="/privacy", title="Privacy", parts=[Part(None, told)])


@cache
def welcome_page(observe_days: float) -> bytes:
    """Return the page for those who think of installing the App, or just did, as HTML."""
    told = markdown(on_a_page(observe_days))
    return write_page("words.html", here="/welcome", title="What Rootcause does", parts=[Part(None, told)])


@dataclass(frozen=True)
class WordPages:
    """Answers the pages of words; some tell of this installation's settings, and who runs it once GitHub has said."""

    settings: Settings
    identity: Identity

    def add_routes(self, app: web.Application) -> None:
        """Put the pages into an application."""
        pages: dict[str, Callable[[], bytes]] = {
            "/help": help_page,
            "/permissions": permissions_page,
            "/privacy": lambda: privacy_page(self.settings.forget_after_days, self.identity.page),
            "/welcome": lambda: welcome_page(self.settings.observe_days),
        }

        async def words(request: web.Request) -> web.Response:
            return answer(request, pages[request.path](), "text/html")

        for path in pages:
            app.router.add_get(path, words)
