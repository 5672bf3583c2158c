"""The command line: commands only, no logic; every import that costs time waits for its command."""

from __future__ import annotations

import asyncio
import io
import sys
from pathlib import Path
from typing import Annotated, NoReturn, TextIO

import typer

app = typer.Typer(
    name="rootcause",
    help="Find out why closed issues happened, let maintainers confirm it, and report every month.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
database = typer.Typer(help="The database.", no_args_is_help=True)
report = typer.Typer(help="Reports.", no_args_is_help=True)
app.add_typer(database, name="db")
app.add_typer(report, name="report")


def main() -> None:
    """Run the command line; a person's mistake ends in one sentence and exit code 2."""
    app()


def fail(sentence: str, code: int = 2) -> NoReturn:
    """End the process with a sentence on standard error."""
    typer.echo(sentence, err=True)
    raise typer.Exit(code)


@app.command()
def serve() -> None:
    """Run web, worker and clock in one process.  Example: rootcause serve."""
    _run(with_web=True, with_worker=True)


@app.command()
def web() -> None:
    """Run the web process alone: webhooks, health, metrics.  Example: rootcause web."""
    _run(with_web=True, with_worker=False)


@app.command()
def worker() -> None:
    """Run a worker with its clock; any number may run on one database.  Example: rootcause worker."""
    _run(with_web=False, with_worker=True)


def _run(*, with_web: bool, with_worker: bool) -> None:
    from bot.logs import configure_logs
    from bot.processes import ProcessStoppedError, run
    from bot.settings import Settings
    from bot.store.errors import DatabaseUnavailable

    configure_logs(json_lines=not sys.stderr.isatty())
    try:
        asyncio.run(run(Settings(), with_web=with_web, with_worker=with_worker))
    except* (ProcessStoppedError, DatabaseUnavailable) as errors:
        fail("; ".join(str(error) for error in errors.exceptions), code=1)


@database.command()
def upgrade() -> None:
    """Bring the database up to date; safe to run twice at once.  Example: rootcause db upgrade."""
    from bot.settings import Settings
    from bot.store import database as store
    from bot.store.errors import DatabaseUnavailable
    from bot.store.migrate import upgrade as migrate

    async def bring_up_to_date() -> None:
        async with store.database(Settings()) as opened:
            await asyncio.to_thread(migrate, opened.url)

    try:
        asyncio.run(bring_up_to_date())
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    typer.echo("the database is up to date")


@app.command()
def demo(
    issues: Annotated[
        Path | None, typer.Option(help="Issues to play through, one JSON object a line (.gz too).")
    ] = None,
    exit_: Annotated[bool, typer.Option("--exit", help="End after the report instead of serving the pages.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the figures as one JSON line at the end.")] = False,
) -> None:
    """Try everything against a local GitHub: closings, decisions, the report.  Example: rootcause demo --exit."""
    from bot.demo.play import DemoFailedError
    from bot.demo.run import run_demo
    from bot.logs import configure_logs

    configure_logs(json_lines=True)
    try:
        run_demo(issues, stay=not exit_, as_json=json_)
    except DemoFailedError as error:
        fail(str(error), code=1)


@app.command()
def classify(
    input_: Annotated[str, typer.Option("--input", help="JSON lines to read, or - for standard input.")] = "-",
    output: Annotated[str, typer.Option(help="Where to write, or - for standard output.")] = "-",
    prior: Annotated[float, typer.Option(help="Assumed share of system-related issues, between 0 and 1.")] = 0.2,
) -> None:
    """Classify issues, a JSON object a line.  Example: rootcause classify --input issues.jsonl."""
    from classifier.jsonl import BadLine, run_classify

    if not 0 < prior < 1:
        fail("--prior must lie between 0 and 1")
    try:
        with _text_of(input_) as lines:
            result = run_classify(lines, prior)
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
    stream = sys.stdin.buffer if source == "-" else Path(source).open("rb")
    return io.TextIOWrapper(stream, encoding="utf-8", errors="surrogateescape", newline="\n")


@report.command("build")
def report_build(
    records: Annotated[Path, typer.Option(help="A package folder, or a lone records.jsonl.")],
    period: Annotated[str, typer.Option(help="The month, as YYYY-MM.")],
    out: Annotated[Path, typer.Option(help="The folder to write report.md and report.json into.")],
    window: Annotated[int, typer.Option(help="Months that the tests look back over.")] = 12,
    repository: Annotated[str | None, typer.Option(help="owner/name of the repository the report is for.")] = None,
) -> None:
    """Build a report from files, without network or database.  Example: rootcause report build --records DIR ..."""
    from reports.commands import build_from_files
    from reports.errors import ReportInputError

    try:
        build_from_files(records, period, window_months=window, repository=repository, out=out)
    except ReportInputError as error:
        fail(str(error))


@app.command("fix-languages")
def fix_languages() -> None:
    """Name the languages of a fix from its paths, one a line on standard input.  Example: git diff --name-only | ..."""
    import json

    from bot.evidence.languages import languages_of

    paths = [line.rstrip("\r\n") for line in sys.stdin if line.strip()]
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
