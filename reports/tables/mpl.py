"""Multi-language (MPL) against single-language (SPL) fixes: in each repository, and paired over repositories."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reports.cohort import Cohort
from reports.group_tests import benjamini_hochberg, mann_whitney
from reports.model_fixes import FixCell, MplRow
from reports.numbers import counted
from reports.rows import Record
from reports.sign_flip import sign_flip_p
from reports.tables.fixes import bug_fixes, each_scope
from reports.tables.minimum import MIN_ISSUES, MIN_REPOSITORIES
from reports.tables.pieces import by_repository, cell, known_values
from reports.vocabulary import MPL_INDICATORS, OVERALL, Indicator

Values = NDArray[np.float64]
Pair = tuple[Values, Values]


def mpl_rows(cohort: Cohort, seed: int) -> tuple[MplRow, ...]:
    """Return every indicator for `overall`, then for each repository that may be named; tests are counted.

    A repository's p is Mann-Whitney's over its fixes. Overall, the repositories with at least five fixes of each kind
    are paired with themselves: p flips the signs of their differences of medians (log1p for days and lines), and
    Cliff's delta compares fixes of the same repository only. q corrects over the whole table.
    """
    rows: list[MplRow] = []
    for name, records in each_scope(cohort):
        if all(record.mpl_with_tests is None for record in records):
            continue
        if name == OVERALL:
            rows += [_overall(cohort, indicator, seed) for indicator in MPL_INDICATORS]
        else:
            rows += [_repository(name, _pair(records, indicator), indicator) for indicator in MPL_INDICATORS]
    qs = benjamini_hochberg([row.p for row in rows])
    return tuple(replace(row, q=q) for row, q in zip(rows, qs, strict=True))


def _pair(records: Sequence[Record], indicator: Indicator) -> Pair:
    mpl = [record for record in records if record.mpl_with_tests is True]
    spl = [record for record in records if record.mpl_with_tests is False]
    return known_values(mpl, indicator.key), known_values(spl, indicator.key)


def _repository(name: str, pair: Pair, indicator: Indicator) -> MplRow:
    mpl, spl = pair
    lacking = [
        f"{counted(len(values), f'{kind} fix')} ({MIN_ISSUES} needed)"
        for kind, values in (("MPL", mpl), ("SPL", spl))
        if len(values) < MIN_ISSUES
    ]
    reason = f"too small: {'; '.join(lacking)}" if lacking else None
    p = None if reason else mann_whitney(mpl, spl)
    return MplRow(name, indicator.key, cell(mpl), cell(spl), _delta([pair]), p, None, reason is None, reason)


def _overall(cohort: Cohort, indicator: Indicator, seed: int) -> MplRow:
    pairs = [_pair(records, indicator) for records in by_repository(bug_fixes(cohort.records)).values()]
    paired = [pair for pair in pairs if min(map(len, pair)) >= MIN_ISSUES]
    reason = None
    if len(paired) < MIN_REPOSITORIES:
        have = counted(len(paired), "repository")
        reason = f"too small: {have} with {MIN_ISSUES} fixes of each kind ({MIN_REPOSITORIES} needed)"
    differences = np.array([_median(mpl, indicator) - _median(spl, indicator) for mpl, spl in paired])
    return MplRow(
        OVERALL,
        indicator.key,
        _cell([mpl for mpl, _ in pairs]),
        _cell([spl for _, spl in pairs]),
        _delta(pairs),
        None if reason else sign_flip_p(differences, seed),
        None,
        reason is None,
        reason,
    )


def _median(values: Values, indicator: Indicator) -> float:
    return float(np.median(np.log1p(values) if indicator.log else values))


def _cell(pieces: list[Values]) -> FixCell:
    together = np.sort(np.concatenate(pieces)) if pieces else np.empty(0)
    return cell(together, sum(1 for piece in pieces if len(piece)))


def _delta(pairs: Sequence[Pair]) -> float | None:
    """Return Cliff's delta over the pairs of fixes of the same repository; positive: MPL is higher."""
    higher = compared = 0.0
    for mpl, spl in pairs:
        if len(mpl) and len(spl):
            below = np.searchsorted(spl, mpl, side="left") + np.searchsorted(spl, mpl, side="right") - len(spl)
            higher += float(below.sum())
            compared += len(mpl) * len(spl)
    return higher / compared if compared else None
