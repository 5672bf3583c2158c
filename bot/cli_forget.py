"""The commands `rootcause forget`: people's data is deleted at once; commands only, no logic."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli_common import fail, json_option, print_json, read_settings
from bot.working import working

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from bot.store.forgetting import Forgotten

forget = typer.Typer(
    help="Delete people's data at once; the numbers about issues stay, and name nobody.",
    epilog="Example: rootcause forget person octocat",
    no_args_is_help=True,
)
AsJson = Annotated[bool, json_option("repositories, issues, people: how many; installed: where the App still is")]


@forget.command(epilog="Example: rootcause forget installation octo-org")
def installation(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="The owner's name, or the installation's number.")],
    json_: AsJson = False,
) -> None:
    """Forget the people in all repositories of one installation."""
    from bot.clock import SystemClock
    from bot.store import forgetting, left

    key = _number_or_name(owner)

    async def work(session: AsyncSession) -> Forgotten:
        ids = await left.repositories_of(session, key)
        forgotten = await forgetting.forget_repositories(session, ids, SystemClock().now())
        await forgetting.forget_installations(session, key)
        return forgotten

    _done(work, f"no installation of {owner} is known", as_json=json_)


@forget.command(epilog="Example: rootcause forget repository octo-org/frame")
def repository(
    name: Annotated[str, typer.Argument(metavar="OWNER/NAME", help="The repository.")], json_: AsJson = False
) -> None:
    """Forget the people in one repository."""
    from bot.clock import SystemClock
    from bot.store import forgetting
    from bot.store.whole import find_repository

    async def work(session: AsyncSession) -> Forgotten:
        found = await find_repository(session, name)
        ids = [] if found is None else [found.id]
        return await forgetting.forget_repositories(session, ids, SystemClock().now())

    _done(work, f"no repository {name} is known; write it as owner/name", as_json=json_)


@forget.command(epilog="Example: rootcause forget person octocat")
def person(
    login: Annotated[str, typer.Argument(metavar="LOGIN", help="The login, or the account's number.")],
    json_: AsJson = False,
) -> None:
    """Forget one person everywhere, with the texts of the issues that they wrote in."""
    from bot.store import forgetting

    async def work(session: AsyncSession) -> Forgotten:
        found = await forgetting.forget_person(session, _number_or_name(login.removeprefix("@")))
        return found or forgetting.Forgotten(0, 0, 0)

    _done(work, f"nobody called {login} is known", as_json=json_)


def _number_or_name(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else text


def _done(work: Callable[[AsyncSession], Awaitable[Forgotten]], unknown: str, *, as_json: bool) -> None:
    """Carry it out and say how much was forgotten; what nobody knows ends with exit code 2."""
    from bot.cli_database import transactions

    with working("forgetting"), transactions(read_settings()) as run:
        forgotten = run(work)
    if not forgotten.repositories and not forgotten.people:
        fail(unknown)
    if as_json:
        print_json(asdict(forgotten))
        return
    counts = f"{forgotten.people} people, in {forgotten.issues} issues"
    typer.echo(f"forgotten: {counts}")
    if forgotten.installed:
        typer.echo(
            f"the App is still installed on {forgotten.installed} of these repositories: "
            "what happens there from now on is recorded; uninstall it first, or it has to be forgotten again"
        )
