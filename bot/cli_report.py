"""The commands of `rootcause report`: built from files or the database, looked at, or posted now."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli_common import complete, fail, json_option, print_json, read_settings
from bot.clock import SystemClock
from bot.working import working

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

    from reports import Report

report = typer.Typer(
    help="Build, preview or publish reports.",
    epilog="Example: rootcause report preview --repository owner/name --period 2026-05",
    no_args_is_help=True,
)


def _as_text(name: str | None) -> str | None:
    """Refuse a name that is no text: bytes that are no UTF-8 reach nothing but an error of the database."""
    if name is not None and not name.isprintable():
        raise typer.BadParameter(f"{name!r} is no name of a repository; write owner/name, such as pytorch/pytorch.")
    return name


def _running_month() -> str:
    return f"{SystemClock().now():%Y-%m}"


Period = Annotated[
    str,
    typer.Option(
        help="The month, as YYYY-MM.", default_factory=_running_month, show_default="the running month, in UTC"
    ),
]
Named = Annotated[str, typer.Option(help="owner/name of the repository.", callback=_as_text)]
Window = Annotated[int, typer.Option(help="Months that the tests look back over.")]


@report.command("build", epilog="Example: rootcause report build --records records.jsonl --period 2026-05 --out report")
def build(
    period: Period,
    out: Annotated[Path, typer.Option(help="The folder to write report.md, report.json and figures into.")],
    records: Annotated[
        Path | None, typer.Option(help="A package folder, or a lone records.jsonl; else the database is read.")
    ] = None,
    window: Window = 12,
    repository: Annotated[
        str | None, typer.Option(help="owner/name of the repository the report is for.", callback=_as_text)
    ] = None,
    json_: Annotated[bool, json_option("period, markdown, json, figures: where each is written")] = False,
) -> None:
    """Build a report from files, without network or database, or from the database."""
    from reports import build_from_files, write_report
    from reports.errors import ReportInputError

    try:
        with working("building the report"):
            if records is not None:
                build_from_files(records, period, window_months=window, repository=repository, out=out)
            else:
                write_report(_from_database(period, window, repository), out)
    except ReportInputError as error:
        fail(str(error))
    if json_:
        written = {"markdown": out / "report.md", "json": out / "report.json", "figures": out / "figures"}
        print_json({"period": period, **{what: str(path) for what, path in written.items()}})
        return
    typer.echo(f"{out / 'report.md'} and {out / 'report.json'} are written", err=True)


@report.command("preview", epilog="Example: rootcause report preview --repository owner/name --period 2026-05")
def preview(
    period: Period,
    repository: Named,
    window: Window = 12,
    json_: Annotated[bool, json_option("what report build writes to report.json, such as period, tables")] = False,
) -> None:
    """Print the report that would be posted in a repository; nothing is written anywhere."""
    from bot.github.links import web_address
    from reports import render, report_json
    from reports.errors import ReportInputError

    try:
        server = web_address(read_settings().github_api_url)
        with working("building the report"):
            built = _from_database(period, window, repository, server)
            text = render(built)
    except ReportInputError as error:
        fail(str(error))
    if json_:
        print_json(json.loads(report_json(built)))
    else:
        typer.echo(text, nl=False)


@report.command("publish", epilog="Example: rootcause report publish --repository owner/name --period 2026-05")
def publish(
    period: Period, repository: Named, json_: Annotated[bool, json_option("repository, period, asked")] = False
) -> None:
    """Ask the workers to post a repository's report now; one that stands is rewritten."""
    from bot.features.report_asked import ask
    from bot.store.errors import DatabaseUnavailable
    from reports.errors import ReportInputError

    try:
        with working("asking the workers"):
            complete(ask(read_settings(), repository, period))
    except ReportInputError as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)
    if json_:
        print_json({"repository": repository, "period": period, "asked": True})
        return
    typer.echo(f"asked for: a worker posts the report of {period} in {repository}", err=True)


def _from_database(period: str, window: int, repository: str | None, server: str | None = None) -> Report:
    """Build a report from the database, with links to github.com or `server`; raises ReportInputError."""
    from bot.cli_database import transactions
    from bot.store.rows import load_rows, repository_named
    from reports import build_report
    from reports.errors import ReportInputError
    from reports.markdown import GITHUB
    from reports.periods import parse_period

    when = parse_period(period, window)

    async def build_it(session: AsyncSession) -> Report:
        repository_id = None
        if repository is not None:
            repository_id = await repository_named(session, repository)
            if repository_id is None:
                raise ReportInputError(f"No repository {repository!r} is recorded: write it as owner/name.")
        rows = await load_rows(session, repository_id, when.window.start, when.window.end)
        return build_report(rows, period, window, repository_id=repository_id, server=server or GITHUB)

    with transactions(read_settings()) as run:
        return run(build_it)
