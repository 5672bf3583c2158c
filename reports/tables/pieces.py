"""The known values of an indicator, repository by repository, from records of any kind."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from reports.model_fixes import FixCell
from reports.rows import Record

Values = NDArray[np.float64]


def known_values(records: Iterable[Record], indicator: str) -> Values:
    """Return an indicator's known values, sorted; a guessed reproduction counts as not known."""
    guessable = indicator == "comments_until_reproduced"
    values = [
        value
        for record in records
        if (value := getattr(record, indicator)) is not None
        and not (guessable and record.comments_until_reproduced_source == "heuristic")
    ]
    return np.sort(np.array(values, dtype=np.float64))


def by_repository(records: Iterable[Record]) -> dict[int, list[Record]]:
    """Return the records of each repository, repositories in the order in which they come."""
    grouped: dict[int, list[Record]] = {}
    for record in records:
        grouped.setdefault(record.repository_id, []).append(record)
    return grouped


def cell(values: Values, repositories: int = 1) -> FixCell:
    """Return the number, median and quartiles of values that so many repositories gave; None where there is none."""
    if len(values) == 0:
        return FixCell(0, None, None, None, 0)
    q1, median, q3 = (float(value) for value in np.quantile(values, [0.25, 0.5, 0.75]))
    return FixCell(len(values), median, q1, q3, repositories)


def share_of(flags: Sequence[bool]) -> float | None:
    """Return the share of true flags, or None of nothing."""
    return sum(flags) / len(flags) if flags else None
