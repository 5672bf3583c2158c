"""Models and shadow runs as a terminal shows them, and as a script reads them; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.learning.shadow import Change, Guess, ShadowRun
from bot.store.models import Model, ModelError
from bot.texts.terminal import harmless


def find(models: Sequence[Model], version: str) -> Model:
    """Return the model of this version; raises `ModelError` where there is none."""
    for model in models:
        if model.version == version:
            return model
    raise ModelError(f"There is no model {version}; `rootcause model list` names those there are.")


def newest_unused(models: Sequence[Model]) -> str:
    """Return the newest model that has a file and is not the champion; raises `ModelError` where there is none."""
    for model in models:
        if model.file_bytes is not None and model.state != "champion":
            return model.version
    raise ModelError("There is no model besides the one that is used: name one, or wait for the next refit.")


def model_facts(model: Model) -> dict[str, Any]:
    """Return what a script reads of a model."""
    return {
        "version": model.version,
        "state": model.state,
        "created_at": model.created_at.isoformat(),
        "promoted_at": model.promoted_at.isoformat() if model.promoted_at else None,
        "training_hash": model.training_hash,
        "decisions": len(model.row_ids),
        "row_ids": list(model.row_ids),
        "file_bytes": model.file_bytes,
        "figures": dict(model.figures),
    }


def list_text(models: Sequence[Model], shipped: str) -> str:
    """Return the models as a table; without a champion the shipped model is the one in use."""
    trained = [model for model in models if model.training_hash is not None]
    champion = any(model.state == "champion" for model in trained)
    rows = [("version", "state", "made", "decisions", "file")]
    rows += [
        (
            model.version,
            model.state,
            f"{model.created_at:%Y-%m-%d %H:%M}",
            f"{len(model.row_ids):,}",
            "not kept" if model.file_bytes is None else f"{model.file_bytes / 1024:,.0f} kB",
        )
        for model in trained
    ]
    rows.append((shipped, "shipped" if champion else "shipped, in use", "", "", ""))
    return _columns(rows)


def show_text(model: Model) -> str:
    """Return all that is known of a model, one fact a line, with its figures beside the champion's."""
    facts = [
        ("version", model.version),
        ("state", model.state),
        ("made", f"{model.created_at:%Y-%m-%d %H:%M} UTC"),
        ("promoted", f"{model.promoted_at:%Y-%m-%d %H:%M} UTC" if model.promoted_at else "never"),
        ("learned from", f"{len(model.row_ids):,} decisions, {model.figures.get('corpus', 0):,} rows of the corpus"),
        ("training hash", model.training_hash or "none: it came with a version of Rootcause"),
        ("file", "not kept" if model.file_bytes is None else f"{model.file_bytes:,} bytes"),
    ]
    if "threshold" in model.figures:
        facts.append(("proposes from", f"{model.figures['threshold']:.0%}"))
    if shadow := model.figures.get("shadow"):
        facts.append(("in the shadow", f"{shadow['changes']:,} of {shadow['issues']:,} undecided issues would change"))
    text = _columns(facts)
    compared = model.figures.get("comparisons")
    if not compared:
        return text
    rows = [("split by", "rows", "macro-F1", "champion's", "log loss", "champion's", "not worse")]
    rows += [
        (
            one["split"],
            f"{one['rows']:,}",
            f"{one['challenger']['macro_f1']:.3f}",
            f"{one['champion']['macro_f1']:.3f}",
            f"{one['challenger']['log_loss']:.3f}",
            f"{one['champion']['log_loss']:.3f}",
            "yes" if one["not_worse"] else "no",
        )
        for one in compared
    ]
    return f"{text}\n\nCompared with {model.figures['champion']}, on rows that neither had seen:\n{_columns(rows)}"


def shadow_text(version: str, run: ShadowRun) -> str:
    """Return what would change, one issue a line, and the count."""
    count = f"{version} would say something else of {len(run.changes):,} of {run.issues:,} undecided issues."
    return "\n".join([*map(_change, run.changes), f"{count} Nothing was written."])


def _change(change: Change) -> str:
    before = "no proposal" if change.before is None else _guess(change.before)
    return f"{harmless(change.repository)}#{change.number}: {before} -> {_guess(change.after)}"


def _guess(guess: Guess) -> str:
    return f"{guess.category} {guess.probability:.0%}{'' if guess.proposed else ' (silent)'}"


def _columns(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(line.rstrip() for line in lines)
