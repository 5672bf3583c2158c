"""The command line of `rootcause model`: which models there are, and which one is used; commands only, no logic."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli_common import fail, json_option, print_json, read_settings
from bot.working import working

if TYPE_CHECKING:
    from bot.study.desk import Desk

model = typer.Typer(
    help="Look after the models that learned from decisions.",
    epilog="Example: rootcause model list",
    no_args_is_help=True,
)

_FACTS = "version, state, created_at, promoted_at, training_hash, decisions, row_ids, file_bytes, figures"
Changed = Annotated[bool, json_option("before, champion: the versions used before and from now on")]
Version = Annotated[str, typer.Argument(help="The model's version, as `rootcause model list` names it.")]


@contextmanager
def _desk() -> Iterator[Desk]:
    """Open the database for a command; mistakes end in a sentence and exit code 2, what is out of reach in 1."""
    from bot.decisions.errors import StudyError
    from bot.store.errors import DatabaseUnavailable
    from bot.store.models import ModelError
    from bot.study.desk import open_desk
    from classifier.model_file import ModelFileError

    try:
        with open_desk(read_settings()) as desk:
            yield desk
    except (ModelError, ModelFileError, StudyError) as error:
        fail(str(error))
    except DatabaseUnavailable as error:
        fail(str(error), code=1)


@model.command("list", epilog="Example: rootcause model list --json")
def list_(json_: Annotated[bool, json_option(f"shipped, models (each with {_FACTS})")] = False) -> None:
    """List the models, the newest first, with what each learned from and how it did against the champion."""
    from bot.learning.tables import list_text, model_facts
    from bot.store.models import list_models
    from classifier import load_classifier

    with working("reading the models"), _desk() as desk:
        models = desk.run(list_models)
        shipped = load_classifier().version
    if json_:
        print_json({"shipped": shipped, "models": [model_facts(one) for one in models]})
    else:
        typer.echo(list_text(models, shipped))


@model.command(epilog="Example: rootcause model show learned-0.2-1a2b3c4d")
def show(version: Version, json_: Annotated[bool, json_option(_FACTS)] = False) -> None:
    """Show all that is known of one model: its figures beside the champion's, on the same rows."""
    from bot.learning.tables import find, model_facts, show_text
    from bot.store.models import list_models

    with working("reading the models"), _desk() as desk:
        found = find(desk.run(list_models), version)
    if json_:
        print_json(model_facts(found))
    else:
        typer.echo(show_text(found))


@model.command(epilog="Example: rootcause model promote learned-0.2-1a2b3c4d")
def promote(version: Version, json_: Changed = False) -> None:
    """Use this model from now on, whatever its figures; the shipped model's version gives that one back its place."""
    from bot.clock import SystemClock
    from bot.learning.running import open_named
    from bot.store import models
    from classifier import load_classifier

    shipped = load_classifier().version
    with working("promoting"), _desk() as desk:
        if version == shipped:
            before: str | None = desk.run(models.use_shipped)
        else:
            open_named(desk.run(lambda session: models.model_file(session, version)), version)
            now = SystemClock().now()
            before = desk.run(lambda session: models.promote(session, version, now))
    _changed(before or shipped, version, as_json=json_)


@model.command(epilog="Example: rootcause model rollback")
def rollback(json_: Changed = False) -> None:
    """Go back to the model that was used before this one."""
    from bot.store import models
    from classifier import load_classifier

    with working("going back"), _desk() as desk:
        before, after = desk.run(models.rollback)
    _changed(before, after or load_classifier().version, as_json=json_)


@model.command(epilog="Example: rootcause model shadow learned-0.2-1a2b3c4d")
def shadow(
    version: Annotated[str | None, typer.Argument(help="The model; the newest that is not used if left out.")] = None,
    json_: Annotated[bool, json_option("model, issues, changes (each with repository, number, before, after)")] = False,
) -> None:
    """Print what a model would say otherwise of the undecided issues; nothing is written."""
    from dataclasses import asdict

    from bot.learning.running import open_named
    from bot.learning.shadow import run_in_shadow
    from bot.learning.tables import newest_unused, shadow_text
    from bot.store.models import list_models, model_file

    with working("predicting anew"), _desk() as desk:
        name = version or newest_unused(desk.run(list_models))
        tried = open_named(desk.run(lambda session: model_file(session, name)), name)
        found = desk.run(lambda session: run_in_shadow(session, tried))
    if json_:
        print_json({"model": name, **asdict(found)})
    else:
        typer.echo(shadow_text(name, found))


def _changed(before: str, after: str, *, as_json: bool) -> None:
    if as_json:
        print_json({"before": before, "champion": after})
    else:
        typer.echo(f"{after} is used from now on, {before} no more; running workers follow within seconds.")
