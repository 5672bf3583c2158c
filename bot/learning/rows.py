"""From decided issues to the rows that a model learns from; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.decisions.teaching import Decided, teaches
from bot.learning.weights import capped
from classifier.examples import Example

MAINTAINER_WEIGHT = 1.0
"""What a decision counts before any repository is cut; a row of the bundled corpus counts `CORPUS_WEIGHT`."""


@dataclass(frozen=True)
class Row:
    """One row to learn from; `row_id` and `decided_at` are None where it comes from the bundled corpus."""

    example: Example
    row_id: int | None = None
    decided_at: datetime | None = None


def training_rows(corpus: Sequence[Example], decided: Iterable[Decided]) -> tuple[Row, ...]:
    """Return the rows with their final weights: the corpus in its order, then the decisions in theirs.

    Predictions are no rows at all. Rows of the corpus that re-write an issue of a repository count as that
    repository's, whose weight altogether is at most a tenth (`bot.learning.weights`); rows left with no weight are
    dropped.
    """
    rows = [Row(example) for example in corpus]
    for one in sorted(filter(teaches, decided), key=lambda each: each.row_id):
        example = Example(one.text(), one.category or "", one.repository, MAINTAINER_WEIGHT, one.bug_type)
        rows.append(Row(example, one.row_id, one.decided_at))
    sums: defaultdict[str, float] = defaultdict(float)
    for row in rows:
        sums[row.example.group] += row.example.weight
    owned = {group: weight for group, weight in sums.items() if _is_repository(group)}
    limits = capped(owned, sum(weight for group, weight in sums.items() if group not in owned))
    factor = {group: limits[group] / weight for group, weight in owned.items()}
    weighed = (
        replace(row, example=replace(row.example, weight=row.example.weight * factor.get(row.example.group, 1.0)))
        for row in rows
    )
    return tuple(row for row in weighed if row.example.weight > 0)


def _is_repository(group: str) -> bool:
    """Tell `owner/name` from the name of a file of the corpus, whose rows re-write no issue."""
    return "/" in group
