"""The command line of `rootcause study`: sizes, samples, matches and facts about fixes; commands only, no logic."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from bot.cli_coding import code, disagreements, resolve
from bot.cli_common import json_option, print_json, read_settings
from bot.cli_desk import desk, sentences
from bot.working import working

study = typer.Typer(
    help="Draw a sample, match frameworks, code by hand, as the study did.",
    epilog="Example: rootcause study sample-size --population 10000 --margin 0.05",
    no_args_is_help=True,
)

Confidence = Annotated[float, typer.Option(help="Confidence level, between 0 and 1.")]


@study.command("sample-size", epilog="Example: rootcause study sample-size --population 10000 --margin 0.05")
def sample_size(
    population: Annotated[float, typer.Option(help="Closed issues there are to draw from.")],
    margin: Annotated[float, typer.Option(help="Margin of error, such as 0.05 for 5 %.")],
    confidence: Confidence = 0.95,
    proportion: Annotated[float, typer.Option(help="Expected share; 0.5 asks for the largest sample.")] = 0.5,
    json_: Annotated[bool, json_option("exact, issues")] = False,
) -> None:
    """Compute a sample's size by the study's equation 1, and round it up.

    It grows with the population and has a limit: 96.04 at a margin of 10 %,
    384.16 at 5 % (95 % confidence). So no population gives the 121 issues that
    the study states for a margin of 10 %.
    """
    with sentences():
        from reports.sampling import sample_size as compute

        size = compute(population, margin, confidence, proportion)
    if json_:
        print_json(asdict(size))
    else:
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
    json_: Annotated[
        bool, json_option("seed, closed, drawn, repositories (each with repository, closed, drawn)")
    ] = False,
) -> None:
    """Draw stored closed issues at random, in proportion to the repositories, as the list to be coded."""
    from bot.clock import SystemClock
    from bot.store.drawing import population, save_list
    from bot.study.drawing import draw_sample, drawn_facts, drawn_text, size_of
    from bot.study.sheet import write_list

    with desk("drawing") as opened:
        closed = opened.run(lambda session: population(session, repository or (), eligible=eligible))
        count = size_of(sum(map(len, closed.values())), size, margin, confidence)
        drawn = draw_sample(closed, count, seed)
        by_id = {issue_id: one for issues in closed.values() for issue_id, one in issues.items()}
        listed = [by_id[issue_id] for issue_id in drawn.issue_ids]
        now = SystemClock().now()
        opened.run(lambda session: save_list(session, drawn.probability, list(closed), seed, now))
        if out is not None:
            out.write_text(write_list(listed, drawn.probability, seed), encoding="utf-8", newline="")
    if json_:
        print_json(drawn_facts(drawn, seed))
    else:
        typer.echo(drawn_text(drawn, seed))


@study.command(epilog="Example: rootcause study match --table2")
def match(
    table2: Annotated[
        bool, typer.Option("--table2", help="Match the study's own 20 frameworks by its Table 2.")
    ] = False,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Read the indicators from GitHub first (ROOTCAUSE_READ_TOKEN).")
    ] = False,
    json_: Annotated[
        bool,
        json_option(
            "pairs (each with ml, traditional, domain, distance, indicator_distance, nearest, ml_score, "
            "traditional_score), unmatched, balance (each with indicator, before, after), left_out"
        ),
    ] = False,
) -> None:
    """Match each ML framework with the most similar traditional one, a domain each, and show the balance."""
    from bot.study.matching import match_stored
    from bot.study.pairing import matching_facts, matching_text

    lacking: list[str] = []
    if table2:
        with sentences(), working("matching"):
            from reports.matching import match as compute
            from reports.matching import study_frameworks

            matching = compute(study_frameworks())
    else:
        with desk("reading and matching" if refresh else "matching") as opened:
            matching, lacking = match_stored(opened, read_settings(), refresh=refresh)
    if json_:
        print_json(matching_facts(matching, lacking))
    else:
        typer.echo(matching_text(matching, lacking))


@study.command(epilog="Example: rootcause study facts fix-facts.jsonl.gz")
def facts(
    file: Annotated[Path, typer.Argument(help="Facts about fixes from git histories, JSON lines (.gz too).")],
    json_: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print one JSON line for each row of the table instead: name, records, with_tests, without_tests, "
            "combinations, medians.",
        ),
    ] = False,
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

    with sentences(), working("reading the facts"):
        rows = read_fix_facts(file)
        if package is not None:
            write_package(rows, package, ())
        found = fix_shares(rows)
    if json_:
        typer.echo("\n".join(json.dumps(as_json(one)) for one in found))
    else:
        typer.echo(table_text([HEADINGS, *map(cells, found)]))


study.add_typer(code, name="code")
study.command(epilog="Example: rootcause study disagreements")(disagreements)
study.command(epilog='Example: rootcause study resolve pytorch/pytorch#12 memory-leak --note "it grows without end"')(
    resolve
)
