"""The languages of fixes, repository by repository: how many fixes are multi-language, and which languages meet."""

from collections import Counter
from collections.abc import Sequence

from reports.cohort import Cohort
from reports.model_fixes import LanguageRow
from reports.rows import Record
from reports.tables.fixes import each_scope
from reports.tables.pieces import share_of

MOST_COMBINATIONS = 10
"""Combinations a row lists; the rest is rare."""


def language_rows(cohort: Cohort) -> tuple[LanguageRow, ...]:
    """Return `overall` first, then each repository that may be named; fixes of bugs with known languages alone."""
    rows = [_row(name, records) for name, records in each_scope(cohort)]
    return tuple(row for row in rows if row.n)


def _row(name: str, records: Sequence[Record]) -> LanguageRow:
    counted = [record.mpl_with_tests for record in records if record.mpl_with_tests is not None]
    without = [record.mpl for record in records if record.mpl is not None]
    mixes = Counter(" + ".join(sorted(one.languages_with_tests)) for one in records if one.languages_with_tests)
    return LanguageRow(
        repository=name,
        n=len(counted),
        repositories=len({record.repository_id for record in records if record.mpl_with_tests is not None}),
        mpl_share=share_of(counted),
        mpl_share_without_tests=share_of(without),
        combinations=tuple(sorted(mixes.items(), key=lambda one: (-one[1], one[0]))[:MOST_COMBINATIONS]),
    )
