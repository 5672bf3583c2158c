"""The command line: commands only, no logic; every import that costs time waits for its command."""

from __future__ import annotations

import io
import logging
import sys
import threading
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import typer

from bot.cli_backfill import backfill
from bot.cli_common import EXIT_CODES, complete, fail, json_option, print_json, read_settings
from bot.cli_config import config
from bot.cli_deliveries import inspect, recheck, redeliver, replay, retry
from bot.cli_doctor import doctor
from bot.cli_enable import enable
from bot.cli_forget import forget
from bot.cli_labels import labels
from bot.cli_model import evaluate, train
from bot.cli_models import model
from bot.cli_package import export, import_
from bot.cli_report import report
from bot.cli_show import show
from bot.cli_study import study
from bot.cli_try import try_
from bot.secrecy import show_error_of_thread, show_last_error
from bot.working import working

app = typer.Typer(
    name="rootcause",
    help="Find out why closed issues happened, let maintainers confirm it, and report every month.",
    epilog=f"Example: rootcause demo. {EXIT_CODES}",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
_RUN, _TRY, _FILES = "Run it", "Try it", "Work on files, without network or database"
_RESEARCH, _DELIVERIES = "Do research", "Look after deliveries"
database = typer.Typer(help="Look after the database.", epilog="Example: rootcause db upgrade", no_args_is_help=True)


def main() -> None:
    """Run the command line; a person's mistake ends in one sentence and exit code 2."""
    logging.captureWarnings(capture=True)
    threading.excepthook = show_error_of_thread
    try:
        app()
    finally:
        # Only now: typer sets its own, which shows an error's text as it is.
        sys.excepthook = show_last_error


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(version("rootcause-bot"))
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Take what may stand before any command; the help of the whole stands above."""


@app.command(rich_help_panel=_RUN, epilog="Example: rootcause serve --pull")
def serve(
    pull: Annotated[
        bool, typer.Option("--pull", help="Ask GitHub for the deliveries, where it cannot reach this machine.")
    ] = False,
) -> None:
    """Run web, worker and clock in one process."""
    _run(with_web=True, with_worker=True, pull=pull)


@app.command(rich_help_panel=_RUN, epilog="Example: PORT=8080 rootcause web")
def web() -> None:
    """Run the web process alone: webhooks, health, metrics."""
    _run(with_web=True, with_worker=False)


@app.command(rich_help_panel=_RUN, epilog="Example: rootcause worker")
def worker() -> None:
    """Run a worker with its clock; any number may run on one database."""
    _run(with_web=False, with_worker=True)


def _run(*, with_web: bool, with_worker: bool, pull: bool = False) -> None:
    from bot.errors import ProcessStoppedError
    from bot.logs import configure_logs
    from bot.processes import run
    from bot.setup.desk import Desk
    from bot.store.errors import DatabaseUnavailable

    configure_logs(json_lines=not sys.stderr.isatty())
    desk, more = Desk(), {"pull": True} if pull else {}
    try:
        while complete(
            run(read_settings().model_copy(update=more), with_web=with_web, with_worker=with_worker, desk=desk)
        ):
            pass
    except (ProcessStoppedError, DatabaseUnavailable) as error:
        fail(str(error), code=1)


@database.command(epilog="Example: DATABASE_URL=postgresql://user:password@host:5432/name rootcause db upgrade")
def upgrade(json_: Annotated[bool, json_option("migration: the newest, which the database is at now")] = False) -> None:
    """Bring the database up to date; safe to run twice at once."""
    from bot.store.database import upgrade_database
    from bot.store.errors import DatabaseUnavailable

    try:
        with working("bringing the database up to date"):
            newest = complete(upgrade_database(read_settings()))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    if json_:
        print_json({"migration": newest})
    else:
        typer.echo("the database is up to date")


@app.command(rich_help_panel=_TRY, epilog="Example: rootcause demo --exit --json")
def demo(
    issues: Annotated[
        Path | None, typer.Option(help="Issues to play through, one JSON object a line (.gz too).")
    ] = None,
    exit_: Annotated[bool, typer.Option("--exit", help="End after the report instead of serving the pages.")] = False,
    json_: Annotated[
        bool,
        json_option(
            "deliveries, recorded, eligible, proposed, confirmed, corrected, report_url, report_path, report_number, "
            "seconds, peak_memory_mb"
        ),
    ] = False,
) -> None:
    """Try everything against a local GitHub: closings, decisions, the report."""
    from bot.demo.errors import DemoFailedError
    from bot.demo.run import run_demo
    from bot.logs import configure_logs

    configure_logs(json_lines=True)
    try:
        run_demo(issues, read_settings().data_dir, stay=not exit_, as_json=json_)
    except DemoFailedError as error:
        fail(str(error), code=error.exit_code)


@app.command(rich_help_panel=_TRY, epilog="Example: rootcause dev")
def dev() -> None:
    """Work on Rootcause: the App on a local GitHub, started again when its source changes."""
    from bot.demo.dev import run_dev
    from bot.demo.errors import DemoFailedError

    try:
        run_dev(read_settings().data_dir)
    except DemoFailedError as error:
        fail(str(error), code=error.exit_code)


@app.command(rich_help_panel=_FILES, epilog="Example: rootcause classify --input issues.jsonl --output guesses.jsonl")
def classify(
    input_: Annotated[str, typer.Option("--input", help="JSON lines to read, or - for standard input.")] = "-",
    output: Annotated[str, typer.Option(help="Where to write, or - for standard output.")] = "-",
    prior: Annotated[float, typer.Option(help="Assumed share of system-related issues, between 0 and 1.")] = 0.2,
) -> None:
    """Classify issues, a JSON object a line."""
    from classifier.jsonl import BadLine, run_classify

    if not 0 < prior < 1:
        fail("--prior must lie between 0 and 1")
    try:
        asked = input_ == "-" and sys.stdin.isatty()
        with _text_of(input_) as lines, nullcontext() if asked else working("classifying"):
            result = run_classify(lines, prior, note=partial(typer.echo, err=True))
    except OSError as error:
        fail(f"cannot read {input_}: {error.strerror}")
    except BadLine as error:
        fail(str(error))
    if output == "-":
        sys.stdout.write(result)
        return
    try:
        Path(output).write_text(result, encoding="utf-8")
    except OSError as error:
        fail(f"cannot write {output}: {error.strerror}")


def _text_of(source: str) -> TextIO:
    """Open lines to classify; bytes that are no UTF-8 come through as marks that the classifier refuses by line."""
    if source == "-":
        return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="surrogateescape", newline="\n")
    return Path(source).open(encoding="utf-8", errors="surrogateescape", newline="\n")


@app.command(
    "fix-languages", rich_help_panel=_FILES, epilog="Example: git diff --name-only HEAD~1 | rootcause fix-languages"
)
def fix_languages() -> None:
    """Name the languages of a fix from its paths, one a line on standard input."""
    import json

    from bot.evidence.languages import languages_of

    with _text_of("-") as lines:
        paths = [line.rstrip("\r\n") for line in lines if line.strip()]
    found = languages_of(paths)
    typer.echo(
        json.dumps(
            {
                "languages": found.languages,
                "languages_with_tests": found.languages_with_tests,
                "mpl": found.mpl,
                "mpl_with_tests": found.mpl_with_tests,
            }
        )
    )


# Added last, so that they stand below the commands in the help.
app.add_typer(database, name="db", rich_help_panel=_RUN)
app.add_typer(model, name="model", rich_help_panel=_RUN)
app.add_typer(forget, name="forget", rich_help_panel=_RUN)
app.add_typer(labels, name="labels", rich_help_panel=_RUN)
app.add_typer(config, name="config", rich_help_panel=_FILES)
app.add_typer(report, name="report", rich_help_panel=_RESEARCH)
app.add_typer(study, name="study", rich_help_panel=_RESEARCH)
app.command(rich_help_panel=_RESEARCH, epilog="Example: rootcause export --out package")(export)
app.command("import", rich_help_panel=_RESEARCH, epilog="Example: rootcause import package")(import_)
app.command(rich_help_panel=_RUN, epilog="Example: rootcause backfill pytorch/pytorch --since 2025-01-01")(backfill)
app.command(rich_help_panel=_RUN, epilog="Example: rootcause enable octo-org/frame")(enable)
app.command(rich_help_panel=_RUN, epilog="Example: rootcause doctor")(doctor)
app.command(rich_help_panel=_DELIVERIES, epilog="Example: rootcause inspect octo-org/frame#12")(inspect)
app.command(rich_help_panel=_DELIVERIES, epilog="Example: rootcause retry --all")(retry)
app.command(rich_help_panel=_DELIVERIES, epilog="Example: rootcause redeliver")(redeliver)
app.command(rich_help_panel=_DELIVERIES, epilog="Example: rootcause recheck octo-org/frame#12")(recheck)
app.command(rich_help_panel=_DELIVERIES, epilog="Example: rootcause replay payload.json --event issues")(replay)
app.command(rich_help_panel=_RESEARCH, epilog="Example: rootcause show pytorch/pytorch#12")(show)
app.command(rich_help_panel=_FILES, epilog="Example: rootcause train --out model.npz")(train)
app.command(rich_help_panel=_FILES, epilog="Example: rootcause evaluate --coded coded-issues.jsonl")(evaluate)
app.command("try", rich_help_panel=_TRY, epilog="Example: rootcause try pytorch/pytorch --exit")(try_)
