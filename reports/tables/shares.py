"""How often each root cause occurs in the two groups (the study's Table 3), repository by repository."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reports.effects import difference_interval, wilson
from reports.group_tests import anova, benjamini_hochberg, fisher, welch
from reports.model import Anova, CategoryRow, ShareCell
from reports.relabel import permutation_p
from reports.tables.minimum import MIN_REPOSITORIES, too_small
from reports.vocabulary import CATEGORY_KEYS

Counts = NDArray[np.int64]


def category_rows(
    counts: Counts, ml_repositories: int, seed: int, leave_out: str | None = None
) -> tuple[CategoryRow, ...]:
    """Return the rows in codebook order, without the category `leave_out` and without its issues.

    `counts` are the issues of the shares, (repositories, 15), the first `ml_repositories` rows being ML.
    """
    kept = [number for number, key in enumerate(CATEGORY_KEYS) if key != leave_out]
    counts = counts[:, kept]
    ml, traditional = (_with_issues(part) for part in (counts[:ml_repositories], counts[ml_repositories:]))
    rows = [_row(CATEGORY_KEYS[number], column, ml, traditional, seed) for column, number in enumerate(kept)]
    return _with_p_and_q(rows, ml, traditional, seed)


def dominant_category(counts: Counts) -> str | None:
    """Return the category with the most issues in both groups together, the first in codebook order of equals."""
    pooled = counts.sum(axis=0)
    return CATEGORY_KEYS[int(np.argmax(pooled))] if pooled.sum() else None


def _with_issues(counts: Counts) -> Counts:
    return np.asarray(counts[counts.sum(axis=1) > 0])


def _shares(counts: Counts, column: int) -> NDArray[np.float64]:
    """Return a category's share in each repository of a group."""
    return np.asarray(counts[:, column] / counts.sum(axis=1), dtype=np.float64)


def _row(category: str, column: int, ml: Counts, traditional: Counts, seed: int) -> CategoryRow:
    """Compute a row without its p and q, which need the whole table."""
    ml_cell, traditional_cell = _cell(ml, column), _cell(traditional, column)
    ml_shares, traditional_shares = _shares(ml, column), _shares(traditional, column)
    reason = too_small(
        {"ml": ml_cell.total, "traditional": traditional_cell.total},
        {"ml": len(ml), "traditional": len(traditional)},
        ml_cell.n + traditional_cell.n,
    )
    both = len(ml) > 0 and len(traditional) > 0
    enough = min(len(ml), len(traditional)) >= MIN_REPOSITORIES
    return CategoryRow(
        category=category,
        ml=ml_cell,
        traditional=traditional_cell,
        difference=float(ml_shares.mean() - traditional_shares.mean()) if both else None,
        difference_ci=difference_interval(ml_shares, traditional_shares, seed) if enough else None,
        p=None,
        q=None,
        p_issue_level=fisher(ml_cell.n, ml_cell.total, traditional_cell.n, traditional_cell.total),
        anova=Anova(*anova(ml_shares, traditional_shares)),
        welch=Anova(*welch(ml_shares, traditional_shares)),
        testable=reason is None,
        reason=reason,
    )


def _cell(counts: Counts, column: int) -> ShareCell:
    n, total = int(counts[:, column].sum()), int(counts.sum())
    return ShareCell(n, total, n / total if total else None, wilson(n, total), len(counts))


def _with_p_and_q(rows: list[CategoryRow], ml: Counts, traditional: Counts, seed: int) -> tuple[CategoryRow, ...]:
    tested = [column for column, row in enumerate(rows) if row.testable]
    ps = permutation_p([(_shares(ml, column), _shares(traditional, column)) for column in tested], seed)
    for column, p, q in zip(tested, ps, benjamini_hochberg(ps), strict=True):
        rows[column] = replace(rows[column], p=p, q=q)
    return tuple(rows)
