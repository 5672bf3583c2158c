"""`rootcause show`: find one stored record and print it, or say what to do where it is not there."""

from __future__ import annotations

import asyncio
import json
import re
import sys

from rich.console import Console
from rich.text import Text

from bot.settings import Settings
from bot.show.record_view import Style, record_json, record_lines
from bot.store.database import database
from bot.store.migrate import require_up_to_date
from bot.store.whole import Whole, find_repository, load_whole

_REFERENCE = re.compile(r"([\w.-]+/[\w.-]+)#([0-9]{1,9})", re.ASCII)

_STYLES: dict[Style, str] = {
    "title": "bold",
    "section": "bold cyan",
    "name": "",
    "value": "bold",
    "unknown": "yellow",
    "source": "dim",
}


class NotShownError(Exception):
    """There is nothing to show; the message says why and what to do."""


def read_reference(text: str) -> tuple[str, int]:
    """Read `owner/name#12`; raise `NotShownError` for anything else."""
    found = _REFERENCE.fullmatch(text.strip())
    if found is None:
        raise NotShownError(f"{text!r} is no issue; write owner/name#12, such as pytorch/pytorch#12.")
    return found[1], int(found[2])


async def find(settings: Settings, full_name: str, number: int) -> Whole:
    """Return a stored record; raise `NotShownError` where there is none, or `DatabaseUnavailable`."""
    async with database(settings) as store, store.sessions() as session:
        await asyncio.to_thread(require_up_to_date, store.url)
        repository = await find_repository(session, full_name)
        if repository is None:
            raise NotShownError(
                f"No repository {full_name} is stored here. To read its history: "
                f"rootcause backfill {full_name} --limit 200"
            )
        whole = await load_whole(session, repository, number)
        if whole is None:
            raise NotShownError(
                f"{repository.full_name}#{number} is not recorded: closed issues are, pull requests never. If it is "
                "open, wait until it is closed; if it was closed before, read the history: "
                f"rootcause backfill {repository.full_name} --limit {max(number, 200)}"
            )
        return whole


def show(whole: Whole, *, as_json: bool) -> None:
    """Print a record on standard output, in colour and broken to the width on a terminal only."""
    if as_json:
        sys.stdout.write(json.dumps(record_json(whole)) + "\n")
        return
    console = Console(highlight=False)
    for pieces in record_lines(whole, console.width if console.is_terminal else None):
        console.print(Text.assemble(*((text, _STYLES[style]) for text, style in pieces)), soft_wrap=True)
