"""The plain finding: three sentences written from q-values and effect sizes.

A row is called a difference when its q is below .05. Anything else is "no difference shown", because a comparison of
ten repositories with ten detects only large differences (about 1.3 standard deviations at 80 % power).
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from reports.model import CategoryRow, Coverage, IndicatorRow, Tables
from reports.numbers import probability
from reports.vocabulary import CATEGORY_PHRASES, GROUP_TITLES, GROUPS, INDICATOR_TITLES, OVERALL

LEVEL: Final = 0.05
_NAMED: Final = 3
_NEGLIGIBLE: Final = 0.147
_MAGNITUDES: Final = ((0.474, "large"), (0.33, "medium"), (_NEGLIGIBLE, "small"), (0.0, "negligible"))

Row = TypeVar("Row", CategoryRow, IndicatorRow)


def magnitude(delta: float) -> str:
    """Return the word for a size of Cliff's delta (Romano et al. 2006: .147, .33, .474)."""
    return next(word for bound, word in _MAGNITUDES if abs(delta) >= bound)


def expected_by_chance(tests: int) -> float:
    """Return how many of so many tests would have p below .05 if no group differed anywhere."""
    return tests * LEVEL


def finding(tables: Tables, coverage: Coverage) -> tuple[str, str, str]:
    """Write the finding: root causes, then difficulty and information, then how far to trust it."""
    return _root_causes(tables, coverage), _measures(tables, coverage), _trust(tables)


def _root_causes(tables: Tables, coverage: Coverage) -> str:
    tested = [row for row in tables.categories if row.testable]
    if not tested:
        largest = max(tables.categories, key=lambda row: row.ml.n + row.traditional.n)
        return f"Root causes: nothing can be said about a difference, because {_missing(coverage, largest.reason)}."
    found = sorted(_significant(tested), key=lambda row: -abs(row.difference or 0.0))
    scope = f"{len(tested)} of {len(tables.categories)} categories had enough issues to test"
    if not found:
        return f"Root causes: no difference shown between the groups' shares ({scope})."
    return f"Root causes: {_joined([_share_clause(row) for row in found])}{_without_dominant(tables)} ({scope})."


def _share_clause(row: CategoryRow) -> str:
    difference = row.difference or 0.0
    more = GROUP_TITLES["ml" if difference > 0 else "traditional"]
    return (
        f"{CATEGORY_PHRASES[row.category]} is a larger share in {more} repositories "
        f"(by {abs(difference) * 100:.0f} percentage points, q {probability(row.q)})"
    )


def _without_dominant(tables: Tables) -> str:
    """Say what is left when the category that crowds out the others is left out, if it is among the differences."""
    if tables.dominant not in {row.category for row in _significant(tables.categories)}:
        return ""
    remain = len(_significant(tables.without_dominant))
    counted = {0: "none of the others differs", 1: "one other differs"}.get(remain, f"{remain} others differ")
    return f"; with {CATEGORY_PHRASES[tables.dominant]} left out, {counted}"


def _measures(tables: Tables, coverage: Coverage) -> str:
    rows = (*tables.difficulty, *tables.information)
    tested = [row for row in rows if row.testable]
    if not tested:
        largest = max(rows, key=lambda row: row.ml.n + row.traditional.n)
        return f"Difficulty: nothing can be said about a difference, because {_missing(coverage, largest.reason)}."
    found = sorted(_significant(tested), key=lambda row: (row.category != OVERALL, -abs(row.cliffs_delta or 0.0)))
    scope = f"{len(tested)} comparisons, overall and by category"
    if not found:
        return f"Difficulty: no difference shown between the groups ({scope})."
    return f"Difficulty: {_joined([_measure_clause(row) for row in found])} ({scope})."


def _measure_clause(row: IndicatorRow) -> str:
    delta = row.cliffs_delta or 0.0
    what = INDICATOR_TITLES[row.indicator].lower()
    where = "over all issues" if row.category == OVERALL else f"for {CATEGORY_PHRASES[row.category]}"
    higher = GROUP_TITLES["ml" if row.direction > 0 else "traditional"]
    if delta * row.direction < _NEGLIGIBLE:
        effect = f"seen between repositories, hardly between single issues: Cliff's delta {delta:+.2f}"
    else:
        effect = f"{magnitude(delta)} effect, Cliff's delta {delta:+.2f}"
    return f"{what} {where}: higher in {higher} repositories ({effect}, q {probability(row.q)})"


def _trust(tables: Tables) -> str:
    share_rows = (*tables.categories, *tables.without_dominant)
    measure_rows = (*tables.difficulty, *tables.information)
    ps = [p for p in (*(row.p for row in share_rows), *(row.p for row in measure_rows)) if p is not None]
    if not ps:
        return "How sure: no test was run, so the figures below describe these issues and nothing more."
    below = sum(p < LEVEL for p in ps)
    remain = len(_significant(share_rows)) + len(_significant(measure_rows))
    return (
        f"How sure: {len(ps)} tests were run, of which about {expected_by_chance(len(ps)):.1f} would have p below .05 "
        f"by chance alone; {below} had, and {remain} kept q below .05 after correction; where no difference is shown "
        "one may still exist, since comparisons of so few repositories reveal only large ones."
    )


def _significant(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.q is not None and row.q < LEVEL]


def _joined(clauses: list[str]) -> str:
    """Join the first three clauses and count the others."""
    more = len(clauses) - _NAMED
    return "; ".join(clauses[:_NAMED]) + (f"; and {more} more (see the tables)" if more > 0 else "")


def _missing(coverage: Coverage, reason: str | None) -> str:
    """Say what is not there at all, or else why the row with the most issues could not be tested."""
    empty = [GROUP_TITLES[group] for group in GROUPS if coverage.groups[group].compared == 0]
    if empty:
        return f"there is no {' and no '.join(empty)} repository to compare"
    if coverage.window.closed == 0:
        return "no issue of a compared repository was closed in this window"
    if coverage.window.system_related == 0:
        return "none of the closed issues has a decided, system-related root cause"
    return (reason or "").removeprefix("too small: ")
