"""The commands `rootcause export` and `rootcause import`: the replication package out of and into the database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli_common import fail, json_option, print_json, read_settings
from bot.working import working

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy.ext.asyncio import AsyncSession


AsJson = Annotated[bool, json_option("repositories, records, participants, decisions: how many of each")]


def export(
    out: Annotated[Path, typer.Option(help="The folder to write the package into.")],
    include_private: Annotated[
        bool, typer.Option("--include-private", help="Private repositories too: only for your own eyes.")
    ] = False,
    json_: AsJson = False,
) -> None:
    """Write everything recorded as a replication package: pseudonymous, with definitions and digests."""
    from bot.cli_database import transactions
    from bot.store.rows import load_everything
    from reports.package_files import write_package

    with working("writing the package"), transactions(read_settings()) as run:
        rows = run(lambda session: load_everything(session, include_private=include_private))
        models = [one.proposal_model for one in rows.records if one.proposal_model is not None]
        counts = write_package(rows, out, models)
    _say(counts, f"written to {out}", as_json=json_)


def import_(
    folder: Annotated[Path, typer.Argument(help="A folder that rootcause export wrote.")], json_: AsJson = False
) -> None:
    """Read a replication package into the database; importing it again changes nothing."""
    from bot.cli_database import transactions
    from bot.store.imported import save_imported
    from reports.errors import ReportInputError
    from reports.package import read_records
    from reports.package_check import check_package, require_storable

    try:
        with working("checking the package"):
            check_package(folder)
            rows = read_records(folder)
            require_storable(rows)
    except ReportInputError as error:
        fail(str(error))

    async def save(session: AsyncSession) -> None:
        await save_imported(session, rows)

    with working("storing the package"), transactions(read_settings()) as run:
        run(save)
    counts = {
        "repositories": len(rows.repositories),
        "records": len(rows.records),
        "participants": len(rows.participants or ()),
        "decisions": len(rows.decisions or ()),
    }
    _say(counts, "imported", as_json=json_)


def _say(counts: Mapping[str, int], what: str, *, as_json: bool) -> None:
    if as_json:
        print_json({name.removesuffix(".jsonl"): count for name, count in counts.items()})
        return
    listed = ", ".join(f"{count:,} {name.removesuffix('.jsonl')}" for name, count in counts.items())
    typer.echo(f"{listed} {what}", err=True)
