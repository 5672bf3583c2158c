"""The plain finding: three sentences written from q-values and effect sizes.

A row is called a difference when its q is below .05. Anything else is "no difference shown", because a comparison of
ten repositories with ten detects only large differences (about 1.3 standard deviations at 80 % power).
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from reports.model import CategoryRow, Coverage, IndicatorRow, Tables
from reports.model_fixes import MplRow
from reports.numbers import measure, probability, signed
from reports.vocabulary import CATEGORY_PHRASES, GROUP_TITLES, GROUPS, INDICATOR_TITLES, OVERALL

LEVEL: Final = 0.05
FALSE_ALARMS: Final = 0.15
"""How often the five tables that compare the groups show any q below .05 when no group differs (null simulation)."""

OF_TWO_FILES: Final = frozenset({"changed_files", "change_entropy_with_tests"})
"""Measures that are higher for multi-language fixes by construction, since those change two files or more."""

_NAMED: Final = 3
_NEGLIGIBLE: Final = 0.147
_MAGNITUDES: Final = ((0.474, "large"), (0.33, "medium"), (_NEGLIGIBLE, "small"), (0.0, "negligible"))

Row = TypeVar("Row", CategoryRow, IndicatorRow, MplRow)


def magnitude(delta: float) -> str:
    """Return the word for a size of Cliff's delta (Romano et al. 2006: .147, .33, .474)."""
    return next(word for bound, word in _MAGNITUDES if abs(delta) >= bound)


def expected_by_chance(tests: int) -> float:
    """Return how many of so many tests would have p below .05 if no group differed anywhere."""
    return tests * LEVEL


def every_test(tables: Tables) -> list[tuple[float, float | None]]:
    """Return (p, q) of every test, those of single repositories included, but none that holds by construction."""
    return [*_tests_of_groups(tables), *_tests_of_fixes(tables)]


def _tests_of_groups(tables: Tables) -> list[tuple[float, float | None]]:
    shares = [(row.p, row.q) for row in (*tables.categories, *tables.without_dominant)]
    measures = [(row.p, row.q) for row in (*tables.difficulty, *tables.information, *tables.community)]
    return [(p, q) for p, q in (*shares, *measures) if p is not None]


def _tests_of_fixes(tables: Tables) -> list[tuple[float, float | None]]:
    languages = [(row.p, row.q) for row in tables.mpl_vs_spl if row.indicator not in OF_TWO_FILES]
    return [(p, q) for p, q in (*languages, *((row.p, row.q) for row in tables.bug_types)) if p is not None]


def finding(tables: Tables, coverage: Coverage) -> tuple[str, str, str]:
    """Write the finding: root causes, then difficulty, information, people and fixes, then how far to trust it."""
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
    rows = (*tables.difficulty, *tables.information, *tables.community)
    tested = [row for row in rows if row.testable]
    everything = "over all fixed bugs, whatever their root cause," if coverage.facts_alone else "over all issues"
    if not tested:
        largest = max(rows, key=lambda row: row.ml.n + row.traditional.n)
        missing = _missing(coverage, largest.reason)
        same = not any(row.testable for row in tables.categories) and missing in _root_causes(tables, coverage)
        why = "for the same reason" if same else f"because {missing}"
        groups = f"nothing can be said about a difference, {why}"
    else:
        found = sorted(_significant(tested), key=lambda row: (row.category != OVERALL, -abs(row.cliffs_delta or 0.0)))
        scope = f"{len(tested)} comparisons, {'overall and by category' if not coverage.facts_alone else 'overall'}"
        clauses = _joined([_measure_clause(row, everything) for row in found])
        none = f"no difference shown between the groups{f' {everything[:-1]}' if coverage.facts_alone else ''}"
        groups = f"{clauses or none} ({scope})"
    return f"Difficulty, information and people: {groups}{_fixes(tables.mpl_vs_spl)}."


def _measure_clause(row: IndicatorRow, everything: str) -> str:
    where = everything if row.category == OVERALL else f"for {CATEGORY_PHRASES[row.category]}"
    higher = GROUP_TITLES["ml" if row.direction > 0 else "traditional"]
    medians = ""
    if row.ml.median is not None and row.traditional.median is not None:
        high, low = row.ml.median, row.traditional.median
        if row.direction < 0:
            high, low = low, high
        medians = f"median {measure(high)} against {measure(low)}; " if high > low else ""
    effect = _effect(row.cliffs_delta, row.direction)
    what = INDICATOR_TITLES[row.indicator].lower()
    return f"{what} {where}: higher in {higher} repositories ({medians}{effect}, q {probability(row.q)})"


def _effect(delta: float | None, direction: int) -> str:
    if (delta or 0.0) * direction < _NEGLIGIBLE:
        return f"seen between repositories, hardly between single issues: Cliff's delta {signed(delta)}"
    return f"{magnitude(delta or 0.0)} effect, Cliff's delta {signed(delta)}"


def _fixes(rows: Sequence[MplRow]) -> str:
    """Say how multi-language fixes differ from single-language ones of the same repositories, if that was tested."""
    tested = [row for row in rows if row.repository == OVERALL and row.testable and row.indicator not in OF_TWO_FILES]
    if not tested:
        return ""
    found = sorted(_significant(tested), key=lambda row: -abs(row.cliffs_delta or 0.0))
    clauses = _joined([_fix_clause(row) for row in found])
    return f"; fixes in several languages against those in one: {clauses or 'no difference shown'}"


def _fix_clause(row: MplRow) -> str:
    delta = row.cliffs_delta or 0.0
    word = "higher" if delta > 0 else "lower"
    size = f"{magnitude(delta)} effect, Cliff's delta {signed(delta)}"
    return f"{INDICATOR_TITLES[row.indicator].lower()} {word} ({size}, q {probability(row.q)})"


def _trust(tables: Tables) -> str:
    tests = every_test(tables)
    if not tests:
        return "How sure: no test was run, so the figures below describe these issues and nothing more."
    below = sum(p < LEVEL for p, _ in tests)
    remain = _kept(tests)
    kept = {0: "none", len(tests): "all"}.get(remain, str(remain))
    alarms = ""
    if _kept(_tests_of_groups(tables)):
        alarms = (
            f"about {FALSE_ALARMS * 100:.0f} % of such reports name at least one difference even where the groups do "
            "not differ, and "
        )
    return (
        f"How sure: {len(tests)} tests were run{_inside(tables)}, of which about {expected_by_chance(len(tests)):.1f} "
        f"would have p below .05 by chance alone; {below} had, and {kept} kept q "
        f"below .05{_in_single(tables)}; {alarms}a difference that is not shown may still exist, since so few "
        "repositories reveal only large ones."
    )


def _in_single(tables: Tables) -> str:
    """Say how many of the differences are between the fixes of one repository, of which the finding says no more."""
    fixes = [row.q for row in tables.mpl_vs_spl if row.repository != OVERALL and row.indicator not in OF_TWO_FILES]
    types = [row.q for row in tables.bug_types if row.repository != OVERALL]
    remain = sum(q is not None and q < LEVEL for q in (*fixes, *types))
    return f", {remain} of them between fixes within one repository (see its rows)" if remain else ""


def _kept(tests: Sequence[tuple[float, float | None]]) -> int:
    return sum(q is not None and q < LEVEL for _, q in tests)


def _inside(tables: Tables) -> str:
    """Say how many tests compare fixes, which the groups' tables do not show."""
    fixes = len(_tests_of_fixes(tables))
    return f" ({fixes} of them on the kinds of fixes)" if fixes else ""


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
    faults = (reason or "").removeprefix("too small: ").split("; ")
    return "; ".join([fault for fault in faults if not fault.startswith("the category")] or faults)
