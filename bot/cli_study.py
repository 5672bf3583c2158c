"""The command line of `rootcause study`: sizes, samples, matches, and coding by hand; commands only, no logic."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli_common import fail, read_settings

if TYPE_CHECKING:
    from bot.study.desk import Desk

study = typer.Typer(
    help="Draw a sample, match frameworks, code by hand, as the study did.",
    epilog="Example: rootcause study sample-size --population 10000 --margin 0.05",
    no_args_is_help=True,
)
code = typer.Typer(help="Code the drawn issues as one of several coders, apart from the others.")
study.add_typer(code, name="code")

Coder = Annotated[str, typer.Option(help="Your name as a coder, the same each time.")]
Confidence = Annotated[float, typer.Option(help="Confidence level, between 0 and 1.")]


@contextmanager
def _sentences() -> Iterator[None]:
    """Turn a person's mistakes into a sentence and exit code 2, what is out of reach into exit code 1."""
    from bot.decisions.errors import StudyError
    from bot.github.errors import GitHubError
    from bot.store.errors import DatabaseUnavailable
    from reports.errors import ReportInputError

    try:
        yield
    except (StudyError, ReportInputError) as error:
        fail(str(error))
    except (DatabaseUnavailable, GitHubError) as error:
        fail(str(error), code=1)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")


@contextmanager
def _desk() -> Iterator[Desk]:
    """Open the database for a command, with mistakes turned into sentences."""
    from bot.study.desk import open_desk

    with _sentences(), open_desk(read_settings()) as desk:
        yield desk


@study.command("sample-size", epilog="Example: rootcause study sample-size --population 10000 --margin 0.05")
def sample_size(
    population: Annotated[float, typer.Option(help="Closed issues there are to draw from.")],
    margin: Annotated[float, typer.Option(help="Margin of error, such as 0.05 for 5 %.")],
    confidence: Confidence = 0.95,
    proportion: Annotated[float, typer.Option(help="Expected share; 0.5 asks for the largest sample.")] = 0.5,
) -> None:
    """Compute a sample's size by the study's equation 1, and round it up.

    It grows with the population and has a limit: 96.04 at a margin of 10 %,
    384.16 at 5 % (95 % confidence). So no population gives the 121 issues that
    the study states for a margin of 10 %.
    """
    with _sentences():
        from reports.sampling import sample_size as compute

        size = compute(population, margin, confidence, proportion)
        typer.echo(f"{size.exact:.2f}, rounded up {size.issues}")


@study.command(epilog="Example: rootcause study sample --repository pytorch/pytorch --margin 0.1 --out sample.csv")
def sample(
    repository: Annotated[
        list[str] | None, typer.Option(help="owner/name, repeatable; all stored ones if left out.")
    ] = None,
    margin: Annotated[float | None, typer.Option(help="Margin of error that sets the size, such as 0.05.")] = None,
    size: Annotated[int | None, typer.Option(help="The size itself, instead of --margin.")] = None,
    confidence: Confidence = 0.95,
    seed: Annotated[int, typer.Option(help="The same seed draws the same issues on every machine.")] = 1,
    eligible: Annotated[
        bool, typer.Option("--eligible", help="Draw from issues only that pass the study's criteria (section 3.2).")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="CSV file to write the list to as well.")] = None,
) -> None:
    """Draw stored closed issues at random, in proportion to the repositories, as the list to be coded."""
    from bot.clock import SystemClock
    from bot.store.drawing import population, save_list
    from bot.study.drawing import draw_sample, drawn_text, size_of
    from bot.study.sheet import write_list

    with _desk() as desk:
        closed = desk.run(lambda session: population(session, repository or (), eligible=eligible))
        count = size_of(sum(map(len, closed.values())), size, margin, confidence)
        drawn = draw_sample(closed, count, seed)
        by_id = {issue_id: one for issues in closed.values() for issue_id, one in issues.items()}
        listed = [by_id[issue_id] for issue_id in drawn.issue_ids]
        now = SystemClock().now()
        desk.run(lambda session: save_list(session, drawn.probability, list(closed), seed, now))
        if out is not None:
            out.write_text(write_list(listed, drawn.probability, seed), encoding="utf-8", newline="")
        typer.echo(drawn_text(drawn, seed))


@study.command(epilog="Example: rootcause study match --table2")
def match(
    table2: Annotated[
        bool, typer.Option("--table2", help="Match the study's own 20 frameworks by its Table 2.")
    ] = False,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Read the indicators from GitHub first (ROOTCAUSE_READ_TOKEN).")
    ] = False,
) -> None:
    """Match each ML framework with the most similar traditional one, a domain each, and show the balance."""
    from bot.study.matching import match_stored
    from bot.study.pairing import matching_text

    if table2:
        with _sentences():
            from reports.matching import match as compute
            from reports.matching import study_frameworks

            typer.echo(matching_text(compute(study_frameworks())))
        return

    with _desk() as desk:
        typer.echo(match_stored(desk, read_settings(), refresh=refresh))


@study.command(epilog="Example: rootcause study facts fix-facts.jsonl.gz")
def facts(
    file: Annotated[Path, typer.Argument(help="Facts about fixes from git histories, JSON lines (.gz too).")],
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object a line instead of a table.")] = False,
    package: Annotated[
        Path | None, typer.Option(help="Write the facts as a package too, for rootcause report build --records.")
    ] = None,
) -> None:
    """Show per repository how many fixes are multi-language (MPL), in which languages, and how large they are.

    A share is of the fixes that change a source file; the medians are of all. Needs no database.
    """
    import json

    from bot.study.fix_facts import read_fix_facts
    from bot.study.fix_shares import HEADINGS, as_json, cells, fix_shares, table_text
    from reports.package_files import write_package

    with _sentences():
        rows = read_fix_facts(file)
        if package is not None:
            write_package(rows, package, ())
        found = fix_shares(rows)
        if json_:
            typer.echo("\n".join(json.dumps(as_json(one)) for one in found))
        else:
            typer.echo(table_text([HEADINGS, *map(cells, found)]))


@code.callback(invoke_without_command=True, epilog="Example: rootcause study code --coder ann")
def code_at_the_terminal(
    context: typer.Context, coder: Annotated[str | None, typer.Option(help="Your name as a coder.")] = None
) -> None:
    """Code the drawn issues one by one; you see their text alone, and each answer is saved at once.

    Categories are named as in commands. `new <code>` proposes a code that the book lacks: a draft, in no table.
    """
    if context.invoked_subcommand is not None:
        return
    from bot.study.work import code_by_asking

    with _desk() as desk:
        typer.echo(code_by_asking(desk, coder or "", input, typer.echo))


@code.command("export", epilog="Example: rootcause study code export --coder ann --out ann.csv")
def code_export(coder: Coder, out: Annotated[Path, typer.Option(help="CSV file to write.")]) -> None:
    """Write the drawn issues with their text to a CSV file, to be coded in a spreadsheet."""
    from bot.study.work import export

    with _desk() as desk:
        text, told = export(desk, coder)
        out.write_text(text, encoding="utf-8-sig", newline="")
        typer.echo(told)


@code.command("import", epilog="Example: rootcause study code import --coder ann ann.csv")
def code_import(coder: Coder, file: Annotated[Path, typer.Argument(help="CSV file with answers.")]) -> None:
    """Read answers from a CSV file; rows that cannot be used are named, the others are kept."""
    from bot.study.work import import_answers

    with _desk() as desk:
        told, mistakes = import_answers(desk, coder, file.read_bytes())
        typer.echo(told)
        if mistakes:
            fail("\n".join(mistakes))


@study.command(epilog="Example: rootcause study disagreements")
def disagreements() -> None:
    """List the issues on which coders differ, with what each said, and how far they agree (Cohen's kappa)."""
    from bot.study.work import disagreements_text

    with _desk() as desk:
        typer.echo(disagreements_text(desk))


@study.command(epilog='Example: rootcause study resolve pytorch/pytorch#12 memory-leak --note "it grows without end"')
def resolve(
    issue: Annotated[str, typer.Argument(help="The issue as owner/name#12.")],
    category: Annotated[list[str], typer.Argument(help="The category agreed on, and perhaps a second choice.")],
    note: Annotated[str, typer.Option(help="Why.")],
) -> None:
    """Settle a disagreement with a category and the reason; what each coder had said is kept."""
    from bot.study.work import resolve_issue

    with _desk() as desk:
        typer.echo(resolve_issue(desk, issue, " ".join(category), note))
