"""The commands about deliveries and jobs: replay, redeliver, inspect, retry, recheck; commands only, no logic.

Exit codes: 0 where it was done or asked for, 1 where something did not answer or refused, 2 for a person's mistake.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli_common import complete, fail, json_option, print_json, read_settings
from bot.webhook_headers import EVENT
from bot.working import working

if TYPE_CHECKING:
    from bot.features.missed_deliveries import Outcome
    from bot.pull.missed import Missed

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
    json_: Annotated[bool, json_option("guid, event, url, status, answer")] = False,
) -> None:
    """Sign a payload with the webhook secret, send it to the running web process and print the answer.

    Exit codes: 0 where it was taken, 1 where it was refused or nobody answers, 2 for a mistake.
    """
    from bot.upkeep.replaying import replay as send

    if EVENT.fullmatch(event) is None:
        fail(f"{event!r} is no event; write its name as GitHub does, such as issues or issue_comment.")
    with _sentences(), working("waiting for an answer"):
        sent = complete(send(read_settings(), file, event, url))
    if json_:
        print_json(asdict(sent))
    else:
        typer.echo(f"{sent.status} {sent.answer}\ndelivery {sent.guid}: {event}, to {sent.url}")
    if not sent.taken:
        raise typer.Exit(1)


def redeliver(
    since: Annotated[
        datetime | None,
        typer.Option(
            formats=_MOMENTS, help="Only what GitHub sent first at this moment or later (UTC); at most 3 days."
        ),
    ] = None,
    json_: Annotated[
        bool,
        json_option(
            "missed, asked, deliveries (each with id, guid, event, action, sent_at, attempts, outcome); left: whether "
            "there are more, so that the same command is to be run again"
        ),
    ] = False,
) -> None:
    """Ask GitHub now to send again what never arrived, and workers to compare closed issues with the records.

    Processes do the same by themselves at their start and every hour, with growing waits; this does not wait.

    Exit codes: 0 also where nothing was missed, 1 where GitHub or the database does not answer, 2 for a mistake.
    """
    from bot.clock import SystemClock
    from bot.upkeep.redelivering import redeliver as ask

    told: list[dict[str, Any]] = []

    def tell(one: Missed, outcome: Outcome) -> None:
        told.append({**asdict(one), "outcome": outcome})
        if not json_:
            typer.echo(
                f"{outcome}: {one.guid}, {one.event}.{one.action}, sent first {one.sent_at:%Y-%m-%d %H:%M:%S} UTC"
            )

    with _sentences(), working("reading GitHub's list of deliveries"):
        moment = since.replace(tzinfo=UTC) if since is not None else None
        done = complete(ask(read_settings(), SystemClock(), moment, tell))
    if json_:
        print_json({"missed": done.missed, "asked": done.asked, "deliveries": told, "left": done.left})
        return
    typer.echo(f"{done.missed} missed, {done.asked} asked for; closed issues are compared with the records in a minute")
    if done.left:
        typer.echo("there are more: run the same command again")


def inspect(
    what: Annotated[
        str, typer.Argument(metavar="GUID|OWNER/NAME#12|JOB", help="A delivery, an issue, or a job's number.")
    ],
    json_: Annotated[
        bool, json_option("deliveries, redeliveries, jobs: of each what is stored, failed ones with their error")
    ] = False,
) -> None:
    """Show what became of a delivery, of a job, or of all those of an issue, and why it failed; never what they hold.

    Exit codes: 0 where something is known, 1 where the database does not answer, 2 where nothing is known.
    """
    from bot.upkeep.inspecting import inspect as look
    from bot.upkeep.inspecting import inspected_text

    with _sentences(), working("looking"):
        found = complete(look(read_settings(), what))
    if json_:
        print_json(found.facts())
    else:
        typer.echo(inspected_text(found))


def retry(
    guid: Annotated[
        str | None, typer.Argument(metavar="GUID", help="A delivery that failed.", show_default=False)
    ] = None,
    job: Annotated[str | None, typer.Option(metavar="JOB", help="The number of a job that failed.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every delivery and every job that failed.")] = False,
    json_: Annotated[
        bool,
        json_option("retried (each with guid, event, action, unit, error); jobs: each as inspect prints one"),
    ] = False,
) -> None:
    """Let deliveries and jobs that failed for good be handled again by the workers.

    Exit codes: 0 also where none failed with --all, 1 where the database does not answer, 2 for a mistake.
    """
    from bot.upkeep.retrying import retry as again

    if [guid is not None, job is not None, all_].count(True) != 1:
        fail("Name one delivery by its GUID, or one job with --job, or write --all for every one that failed.")
    with _sentences(), working("letting it wait again"):
        retried, jobs = complete(again(read_settings(), guid, job))
    if json_:
        print_json({"retried": [asdict(one) for one in retried], "jobs": [asdict(one) for one in jobs]})
        return
    for one in retried:
        typer.echo(f"waits again: {one.guid}, {one.event}.{one.action} ({one.error})")
    for other in jobs:
        typer.echo(f"waits again: job {other.id}, {other.task} {other.about} ({other.why})")
    if not retried and not jobs:
        typer.echo("none failed, so there is nothing to retry")
        return
    told = [(len(retried), "delivery", "deliveries"), (len(jobs), "job", "jobs")]
    words = " and ".join(f"{count} {one if count == 1 else several}" for count, one, several in told if count)
    typer.echo(f"{words} {'waits' if len(retried) + len(jobs) == 1 else 'wait'} for a worker")


def recheck(
    issue: Annotated[str, typer.Argument(metavar="OWNER/NAME#12", help="A closed issue.")],
    json_: Annotated[
        bool, json_option("issue, outcome (done or waits), state, category, probability, proposed")
    ] = False,
) -> None:
    """Let a worker gather an issue and predict again, as the command `/rootcause recheck` does, and print the result.

    What people decided stays. Where no worker is free within half a minute, it is done later.

    Exit codes: 0 where it was done or waits for a worker, 1 where it failed, 2 for a mistake.
    """
    from bot.clock import SystemClock
    from bot.upkeep.checking import recheck as ask

    with _sentences(), working("waiting for a worker"):
        found = complete(ask(read_settings(), SystemClock(), issue))
    if json_:
        print_json(asdict(found))
    elif found.outcome == "waits":
        typer.echo(f"{found.issue} waits for a worker: it is gathered again as soon as one is free")
    else:
        guess = f"; the model says {found.category}, {found.probability:.0%}" if found.category is not None else ""
        typer.echo(f"{found.issue} was gathered again: {found.state}{guess}")
