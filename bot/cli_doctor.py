"""The command `rootcause doctor`; what it looks at and what that means is elsewhere."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli_common import complete, json_option, print_json, read_settings
from bot.working import working

if TYPE_CHECKING:
    from bot.doctor.finding import Finding, State

_COLOURS: dict[State, str] = {"fine": "green", "warning": "yellow", "wrong": "red", "unknown": "cyan"}
_WIDTH = max(map(len, _COLOURS)) + 2


def doctor(
    json_: Annotated[bool, json_option("wrong: how many; findings (each with check, state, said, cure)")] = False,
) -> None:
    """Look at a running installation from all sides, and say what to do about what is wrong.

    Settings, database, queue, GitHub's side, webhook address. Run it where the processes run, with their settings. It
    changes nothing; the web process gets a ping.

    Exit codes: 0 where nothing is wrong, 1 where something is, 2 for a setting that cannot be read.
    """
    from bot.clock import SystemClock
    from bot.doctor.examination import examine
    from bot.logs import configure_logs

    configure_logs(json_lines=True)
    logging.getLogger().setLevel(logging.CRITICAL)  # what is found is told by the command
    settings = read_settings()
    with working("looking at settings, database, GitHub and the webhook address"):
        found = complete(examine(settings, SystemClock()))
    counts = Counter(one.state for one in found)
    if json_:
        print_json({"wrong": counts["wrong"], "findings": [asdict(one) for one in found]})
    else:
        for one in found:
            _show(one)
        typer.echo(", ".join(f"{counts[state]} {state}" for state in _COLOURS if counts[state]))
    if counts["wrong"]:
        raise typer.Exit(1)


def _show(one: Finding) -> None:
    typer.echo(typer.style(one.state.ljust(_WIDTH), fg=_COLOURS[one.state]) + f"{one.check}: {one.said}")
    if one.cure is not None:
        typer.echo(" " * _WIDTH + one.cure)
