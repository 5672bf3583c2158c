"""One full refit: rows in; a model's file, and how it compares with the champion, out; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bot.learning.contest import Champion, Comparison, compare
from bot.learning.naming import learned_name
from bot.learning.rows import Row
from classifier.examples import Example
from classifier.model_file import model_bytes
from classifier.training import read_rows, train, training_hash


@dataclass(frozen=True)
class Fitted:
    """A challenger: its file, the decisions it learned from, and the comparisons with the champion."""

    version: str
    training_hash: str
    row_ids: tuple[int, ...]
    file: bytes
    comparisons: tuple[Comparison, ...]
    threshold: float


def examples_of(rows: Sequence[Row]) -> tuple[Example, ...]:
    """Return what is learned from, in its order."""
    return tuple(row.example for row in rows)


def version_of(rows: Sequence[Row]) -> str:
    """Return what a model made from these rows would be called; it takes no fit."""
    return f"{learned_name()}-{training_hash(examples_of(rows))[:8]}"


def fit(rows: Sequence[Row], champion: Champion) -> Fitted:
    """Fit a model on all rows and compare it with the champion on those same rows; raises TrainingError.

    The comparison fits both sides on parts of the rows; the texts are read once for all of it.
    """
    read = read_rows(examples_of(rows))
    model = train(read, learned_name())
    return Fitted(
        version=model.version,
        training_hash=model.training_hash,
        row_ids=tuple(row.row_id for row in rows if row.row_id is not None),
        file=model_bytes(model),
        comparisons=compare(rows, read, champion),
        threshold=model.threshold,
    )


def figures_of(fitted: Fitted, champion: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Return what is stored beside the model: against whom it was compared, with what outcome, and how much it saw."""
    return {
        "champion": champion,
        "comparisons": [asdict(one) | {"not_worse": one.is_not_worse} for one in fitted.comparisons],
        "decisions": len(fitted.row_ids),
        "corpus": len(rows) - len(fitted.row_ids),
        "threshold": fitted.threshold,
    }
