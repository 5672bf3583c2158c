"""The command line of coding by hand: several coders apart, what they differ on, and what is agreed on; no logic."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bot.cli_common import fail, json_option, print_json
from bot.cli_desk import desk

code = typer.Typer(help="Code the drawn issues as one of several coders, apart from the others.")

Coder = Annotated[str, typer.Option(help="Your name as a coder, the same each time.")]


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

    with desk(None) as opened:
        typer.echo(code_by_asking(opened, coder or "", input, typer.echo))


@code.command("export", epilog="Example: rootcause study code export --coder ann --out ann.csv")
def code_export(
    coder: Coder,
    out: Annotated[Path, typer.Option(help="CSV file to write.")],
    json_: Annotated[bool, json_option("written, without_text, file")] = False,
) -> None:
    """Write the drawn issues with their text to a CSV file, to be coded in a spreadsheet."""
    from bot.study.work import export

    with desk("writing the issues") as opened:
        exported = export(opened, coder)
        out.write_text(exported.text, encoding="utf-8-sig", newline="")
    if json_:
        print_json({"written": exported.written, "without_text": exported.without_text, "file": str(out)})
        return
    gone = f"; {exported.without_text} without a text" if exported.without_text else ""
    typer.echo(f"{exported.written} issues written{gone}.")


@code.command("import", epilog="Example: rootcause study code import --coder ann ann.csv")
def code_import(
    coder: Coder,
    file: Annotated[Path, typer.Argument(help="CSV file with answers.")],
    json_: Annotated[bool, json_option("coder, saved, coded, drawn, mistakes")] = False,
) -> None:
    """Read answers from a CSV file; rows that cannot be used are named, the others are kept."""
    from bot.study.work import import_answers

    with desk("saving the answers") as opened:
        taken = import_answers(opened, coder, file.read_bytes())
    if json_:
        print_json(asdict(taken))
    else:
        typer.echo(f"{taken.saved} answers saved; {taken.coded} of {taken.drawn} issues are coded by {taken.coder}.")
    if taken.mistakes:
        fail("\n".join(taken.mistakes))


def disagreements(
    json_: Annotated[
        bool,
        json_option(
            "differences (each with issue, title, said, maintainers, resolved), agreement (each with coders, n, "
            "observed, kappa)"
        ),
    ] = False,
) -> None:
    """List the issues on which coders differ, with what each said, and how far they agree (Cohen's kappa)."""
    from bot.study.differences import agreement_text, differences_facts, differences_text
    from bot.study.work import disagreements as compare

    with desk("comparing") as opened:
        found, alike = compare(opened)
    if json_:
        print_json(differences_facts(found, alike))
    else:
        typer.echo(f"{differences_text(found)}\n{agreement_text(alike)}")


def resolve(
    issue: Annotated[str, typer.Argument(help="The issue as owner/name#12.")],
    category: Annotated[list[str], typer.Argument(help="The category agreed on, and perhaps a second choice.")],
    note: Annotated[str, typer.Option(help="Why.")],
    json_: Annotated[bool, json_option("issue, category")] = False,
) -> None:
    """Settle a disagreement with a category and the reason; what each coder had said is kept."""
    from bot.study.work import resolve_issue

    with desk("resolving") as opened:
        name, agreed = resolve_issue(opened, issue, " ".join(category), note)
    if json_:
        print_json({"issue": name, "category": agreed})
    else:
        typer.echo(f"{name} is resolved as {agreed}.")
