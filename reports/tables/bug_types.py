"""Bug types, the second study's axis: how many fixes each has, how multi-language they are, and how hard they were."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from reports.cohort import Cohort
from reports.group_tests import benjamini_hochberg, fisher
from reports.model_fixes import BugTypeRow
from reports.rows import Record
from reports.sign_flip import sign_flip_p
from reports.tables.fixes import bug_fixes, each_scope
from reports.tables.minimum import MIN_ISSUES, MIN_REPOSITORIES
from reports.tables.pieces import by_repository, known_values, share_of
from reports.vocabulary import DIFFICULTY, OVERALL


def bug_type_rows(cohort: Cohort, seed: int) -> tuple[BugTypeRow, ...]:
    """Return the types that occur, for `overall` and then for each repository that may be named.

    p asks whether fixes of the type are multi-language (tests counted) more or less often than the others: in a
    repository Fisher's test from five fixes a side on, overall by flipping the signs of the repositories' differences
    of shares. q corrects over the table.
    """
    rows: list[BugTypeRow] = []
    for name, records in each_scope(cohort):
        typed = [record for record in records if record.bug_type is not None]
        for bug_type in sorted({record.bug_type for record in typed if record.bug_type is not None}):
            p = _paired_p(cohort, bug_type, seed) if name == OVERALL else _fisher_p(typed, bug_type)
            rows.append(_row(name, bug_type, typed, p))
    qs = benjamini_hochberg([row.p for row in rows])
    return tuple(replace(row, q=q) for row, q in zip(rows, qs, strict=True))


def _row(name: str, bug_type: str, typed: Sequence[Record], p: float | None) -> BugTypeRow:
    own = [record for record in typed if record.bug_type == bug_type]
    medians = {one.key: known_values(own, one.key) for one in DIFFICULTY}
    return BugTypeRow(
        repository=name,
        bug_type=bug_type,
        n=len(own),
        repositories=len({record.repository_id for record in own}),
        share=len(own) / len(typed),
        mpl_share=share_of(_mpl(own)),
        indicators={key: float(np.median(values)) if len(values) else None for key, values in medians.items()},
        p=p,
        q=None,
    )


def _mpl(records: Sequence[Record]) -> list[bool]:
    return [record.mpl_with_tests for record in records if record.mpl_with_tests is not None]


def _sides(typed: Sequence[Record], bug_type: str) -> tuple[list[bool], list[bool]]:
    """Return whether each fix of the type, and each other, is multi-language."""
    own = [record for record in typed if record.bug_type == bug_type]
    return _mpl(own), _mpl([record for record in typed if record.bug_type != bug_type])


def _fisher_p(typed: Sequence[Record], bug_type: str) -> float | None:
    own, others = _sides(typed, bug_type)
    if min(len(own), len(others)) < MIN_ISSUES:
        return None
    return fisher(sum(own), len(own), sum(others), len(others))


def _paired_p(cohort: Cohort, bug_type: str, seed: int) -> float | None:
    differences = []
    for records in by_repository(bug_fixes(cohort.records)).values():
        own, others = _sides([record for record in records if record.bug_type is not None], bug_type)
        if min(len(own), len(others)) >= MIN_ISSUES:
            differences.append(sum(own) / len(own) - sum(others) / len(others))
    if len(differences) < MIN_REPOSITORIES:
        return None
    return sign_flip_p(np.array(differences), seed)
