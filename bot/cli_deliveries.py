"""The commands about deliveries: replay, redeliver, inspect, retry, recheck; commands only, no logic.

Exit codes: 0 where it was done or asked for, 1 where something did not answer or refused, 2 for a person's mistake.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli_common import complete, fail, read_settings
from bot.webhook_headers import EVENT

if TYPE_CHECKING:
    from bot.features.missed_deliveries import Outcome
    from bot.pull.missed import Missed

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON line for a script.")]
_MOMENTS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]


@contextmanager
def _sentences() -> Iterator[None]:
    """Turn what can go wrong into a sentence and an exit code."""
    from bot.github.errors import GitHubError
    from bot.logs import configure_logs
    from bot.services import NotConfiguredError
    from bot.store.errors import DatabaseUnavailable
    from bot.upkeep.opening import FailedError, UpkeepError

    configure_logs(json_lines=True)
    logging.getLogger().setLevel(logging.ERROR)  # what happens is told by the command
    try:
        yield
    except (UpkeepError, NotConfiguredError) as error:
        fail(str(error))
    except (FailedError, DatabaseUnavailable) as error:
        fail(str(error), code=1)
    except GitHubError as error:
        fail(f"GitHub does not go on: {error}. Run the same command again later; what was asked for counts.", code=1)


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The payload, one JSON object as GitHub sends it.")],
    event: Annotated[str, typer.Option(help="What X-GitHub-Event says.")] = "issues",
    url: Annotated[
        str | None, typer.Option(help="Where the web process listens; by default on this machine, at PORT.")
    ] = None,
    json_: AsJson = False,
) -> None:
    """Sign a payload with the webhook secret, send it to the running web process and print the answer.

    Exit codes: 0 where it was taken, 1 where it was refused or nobody answers, 2 for a mistake.
    """
    from bot.upkeep.replaying import replay as send

    if EVENT.fullmatch(event) is None:
        fail(f"{event!r} is no event; write its name as GitHub does, such as issues or issue_comment.")
    with _sentences():
        sent = complete(send(read_settings(), file, event, url))
    typer.echo(
        json.dumps(asdict(sent))
        if json_
        else f"{sent.status} {sent.answer}\ndelivery {sent.guid}: {event}, to {sent.url}"
    )
    if not sent.taken:
        raise typer.Exit(1)


def redeliver(
    since: Annotated[
        datetime | None,
        typer.Option(
            formats=_MOMENTS, help="Only what GitHub sent first at this moment or later (UTC); at most 3 days."
        ),
    ] = None,
    json_: AsJson = False,
) -> None:
    """Ask GitHub now to send again what never arrived, and workers to compare closed issues with the records.

    Processes do the same by themselves at their start and every hour, with growing waits; this does not wait.

    Exit codes: 0 also where nothing was missed, 1 where GitHub or the database does not answer, 2 for a mistake.
    """
    from bot.clock import SystemClock
    from bot.upkeep.redelivering import redeliver as ask

    told: list[dict[str, Any]] = []

    def tell(one: Missed, outcome: Outcome) -> None:
        told.append({**asdict(one), "sent_at": one.sent_at.isoformat(), "outcome": outcome})
        if not json_:
            typer.echo(
                f"{outcome}: {one.guid}, {one.event}.{one.action}, sent first {one.sent_at:%Y-%m-%d %H:%M:%S} UTC"
            )

    if not json_:
        typer.echo("reading GitHub's list of deliveries", err=True)
    with _sentences():
        moment = since.replace(tzinfo=UTC) if since is not None else None
        done = complete(ask(read_settings(), SystemClock(), moment, tell))
    if json_:
        typer.echo(json.dumps({"missed": done.missed, "asked": done.asked, "deliveries": told}))
        return
    typer.echo(f"{done.missed} missed, {done.asked} asked for; closed issues are compared with the records in a minute")
    if done.left:
        typer.echo("there are more: run the same command again")


def inspect(
    what: Annotated[str, typer.Argument(metavar="GUID|OWNER/NAME#12", help="A delivery, or an issue.")],
    json_: AsJson = False,
) -> None:
    """Show what became of a delivery, or of every one of an issue, and the jobs on their way; never what they hold.

    Exit codes: 0 where something is known, 1 where the database does not answer, 2 where nothing is known.
    """
    from bot.upkeep.inspecting import inspect as look
    from bot.upkeep.inspecting import inspected_text

    with _sentences():
        found = complete(look(read_settings(), what))
    typer.echo(json.dumps(found.facts()) if json_ else inspected_text(found))


def retry(
    guid: Annotated[
        str | None, typer.Argument(metavar="GUID", help="A delivery that failed.", show_default=False)
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every delivery that failed.")] = False,
    json_: AsJson = False,
) -> None:
    """Let deliveries that failed for good be handled again by the workers.

    Exit codes: 0 also where none failed with --all, 1 where the database does not answer, 2 for a mistake.
    """
    from bot.upkeep.retrying import retry as again

    if (guid is None) is not all_:
        fail("Name one delivery by its GUID, or write --all for every one that failed.")
    with _sentences():
        retried = complete(again(read_settings(), guid))
    if json_:
        typer.echo(json.dumps({"retried": [asdict(one) for one in retried]}))
        return
    for one in retried:
        typer.echo(f"waits again: {one.guid}, {one.event}.{one.action} ({one.error})")
    typer.echo(
        f"{len(retried)} deliveries wait for a worker" if retried else "none failed, so there is nothing to retry"
    )


def recheck(
    issue: Annotated[str, typer.Argument(metavar="OWNER/NAME#12", help="A closed issue.")], json_: AsJson = False
) -> None:
    """Let a worker gather an issue and predict again, as the command `/rootcause recheck` does, and print the result.

    What people decided stays. Where no worker is free within half a minute, it is done later.

    Exit codes: 0 where it was done or waits for a worker, 1 where it failed, 2 for a mistake.
    """
    from bot.clock import SystemClock
    from bot.upkeep.checking import recheck as ask

    if not json_:
        typer.echo("waiting for a worker", err=True)
    with _sentences():
        found = complete(ask(read_settings(), SystemClock(), issue))
    if json_:
        typer.echo(json.dumps(asdict(found)))
    elif found.outcome == "waits":
        typer.echo(f"{found.issue} waits for a worker: it is gathered again as soon as one is free")
    else:
        guess = f"; the model says {found.category}, {found.probability:.0%}" if found.category is not None else ""
        typer.echo(f"{found.issue} was gathered again: {found.state}{guess}")
