"""How the groups differ in measures of an issue, per category and overall (the study's Tables 4 and 5)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reports.effects import cliffs_delta, cliffs_delta_interval, dominance
from reports.frame import Frame
from reports.group_tests import anova, benjamini_hochberg, mann_whitney, welch
from reports.model import Anova, IndicatorRow, QuartileCell
from reports.relabel import permutation_p
from reports.tables.minimum import MIN_REPOSITORIES, too_small
from reports.vocabulary import CATEGORY_KEYS, OVERALL, Indicator

Values = NDArray[np.float64]
Pieces = list[Values]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One cell to compare: an indicator's known values, sorted, for each ML and each traditional repository."""

    category: str
    indicator: Indicator
    ml: Pieces
    traditional: Pieces


def indicator_rows(frame: Frame, indicators: Sequence[Indicator], seed: int) -> tuple[IndicatorRow, ...]:
    """Return the rows of a table: `overall` first, then the 15 categories, each with every indicator."""
    scopes = ((None, OVERALL), *enumerate(CATEGORY_KEYS))
    return compare(
        [
            Comparison(category, indicator, *frame.values_by_repository(indicator.key, number))
            for number, category in scopes
            for indicator in indicators
        ],
        seed,
    )


def compare(comparisons: Sequence[Comparison], seed: int) -> tuple[IndicatorRow, ...]:
    """Return a row for each comparison of one table; q corrects over those that are tested."""
    rows: list[IndicatorRow] = []
    tested: list[tuple[Values, Values]] = []
    for one in comparisons:
        medians = _medians(one.ml, one.indicator.log), _medians(one.traditional, one.indicator.log)
        direction = int(np.sign(medians[0].mean() - medians[1].mean())) if one.ml and one.traditional else 0
        row = _row(one.category, one.indicator.key, one.ml, one.traditional, seed)
        rows.append(replace(row, direction=direction))
        if row.testable:
            tested.append(medians)
    return _with_p_and_q(rows, tested, seed)


def _with_p_and_q(rows: list[IndicatorRow], tested: list[tuple[Values, Values]], seed: int) -> tuple[IndicatorRow, ...]:
    ps = permutation_p(tested, seed)
    positions = [position for position, row in enumerate(rows) if row.testable]
    for position, p, q in zip(positions, ps, benjamini_hochberg(ps), strict=True):
        rows[position] = replace(rows[position], p=p, q=q)
    return tuple(rows)


def _medians(pieces: Pieces, log: bool) -> Values:
    """Return each repository's median, of log1p of the values where the indicator asks for it."""
    return np.array([np.median(np.log1p(piece) if log else piece) for piece in pieces])


def _row(category: str, indicator: str, ml: Pieces, traditional: Pieces, seed: int) -> IndicatorRow:
    """Compute a row without p and q, which need the whole table, and without its direction."""
    ml_values, traditional_values = _pooled(ml), _pooled(traditional)
    reason = too_small(
        {"ml": len(ml_values), "traditional": len(traditional_values)},
        {"ml": len(ml), "traditional": len(traditional)},
    )
    delta, interval = _effect(ml, traditional, seed)
    return IndicatorRow(
        category=category,
        indicator=indicator,
        ml=_cell(ml_values, len(ml)),
        traditional=_cell(traditional_values, len(traditional)),
        direction=0,
        cliffs_delta=delta,
        cliffs_delta_ci=interval,
        p=None,
        q=None,
        p_issue_level=mann_whitney(ml_values, traditional_values),
        anova=Anova(*anova(ml_values, traditional_values)),
        welch=Anova(*welch(ml_values, traditional_values)),
        testable=reason is None,
        reason=reason,
    )


def _effect(ml: Pieces, traditional: Pieces, seed: int) -> tuple[float | None, tuple[float, float] | None]:
    """Return Cliff's delta and, from four repositories a group on, its interval."""
    if not ml or not traditional:
        return None, None
    matrix = dominance(ml, traditional)
    sizes = [np.array([len(piece) for piece in pieces], dtype=np.float64) for pieces in (ml, traditional)]
    delta = cliffs_delta(matrix, sizes[0], sizes[1])
    if min(len(ml), len(traditional)) < MIN_REPOSITORIES:
        return delta, None
    return delta, cliffs_delta_interval(matrix, sizes[0], sizes[1], seed)


def _pooled(pieces: Pieces) -> Values:
    return np.concatenate(pieces) if pieces else np.empty(0)


def _cell(values: Values, repositories: int) -> QuartileCell:
    if len(values) == 0:
        return QuartileCell(0, 0, None, None, None)
    q1, median, q3 = (float(value) for value in np.quantile(values, [0.25, 0.5, 0.75]))
    return QuartileCell(len(values), repositories, median, q1, q3)
