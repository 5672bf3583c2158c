"""Languages, multi-language against single-language fixes, and bug types: the second study's tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from scipy import stats

from reports import Record, Repository, Rows, build_report
from reports.model import Report
from reports.model_fixes import MplRow
from reports.sign_flip import sign_flip_p
from reports.vocabulary import MPL_INDICATORS, OVERALL

PERIOD = "2026-11"


def fix(repository: int, number: int, lines: int, languages: tuple[str, ...], bug_type: str | None = None) -> Record:
    """Return a bug with a landed fix in these languages, tests counted; without tests it is in the first alone."""
    return Record(
        repository_id=repository,
        issue_id=repository * 1000 + number,
        number=number,
        closed_at=datetime(2026, 10, 5, tzinfo=UTC),
        eligible_bug=True,
        bug_type=bug_type,
        changed_lines=lines,
        open_days=float(number),
        languages=languages[:1],
        languages_with_tests=languages,
        mpl=False,
        mpl_with_tests=len(languages) > 1,
    )


def rows(repositories: int, **changes: object) -> Rows:
    """Return repositories whose MPL fixes change more lines, by an amount that differs from one to the next."""
    random = np.random.default_rng(5)
    records = []
    for repository in range(1, repositories + 1):
        for number in range(1, 13):
            languages = ("C/C++", "Python") if number % 2 else ("Python",)
            lines = int(random.integers(10, 60)) + (40 * repository if number % 2 else 0)
            kind = "memory" if number % 3 else "deployment"
            records.append(replace(fix(repository, number, lines, languages, kind), **changes))  # type: ignore[arg-type]
    return Rows(
        repositories=tuple(
            Repository(repository_id=one, repository=f"made-up/fw{one}", paradigm="ml", in_comparison=True)
            for one in range(1, repositories + 1)
        ),
        records=tuple(records),
    )


@pytest.fixture(scope="module")
def report() -> Report:
    return build_report(rows(6), PERIOD)


def mpl_row(report: Report, repository: str, indicator: str) -> MplRow:
    (found,) = [row for row in report.tables.mpl_vs_spl if (row.repository, row.indicator) == (repository, indicator)]
    return found


@pytest.mark.parametrize("size", [2, 4, 9])
def test_sign_flips_are_scipys(size: int) -> None:
    random = np.random.default_rng(size)
    differences = np.round(random.normal(0.5, 1, size), 1)
    expected = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=10**9, vectorized=True
    )
    assert sign_flip_p(differences, seed=1) == pytest.approx(float(expected.pvalue), abs=1e-12)


def test_many_repositories_are_drawn_by_the_seed() -> None:
    differences = np.random.default_rng(2).normal(0.4, 1, 25)
    first = sign_flip_p(differences, seed=1)
    assert first == sign_flip_p(differences, seed=1)
    assert first != sign_flip_p(differences, seed=2)
    assert first == pytest.approx(float(stats.ttest_1samp(differences, 0).pvalue), abs=0.02)
    assert sign_flip_p(np.full(25, 1.0), seed=1) == pytest.approx(2 / 10_000)


def test_a_row_for_all_and_for_each_repository(report: Report) -> None:
    names = [OVERALL, *(f"made-up/fw{number}" for number in range(1, 7))]
    assert [row.repository for row in report.tables.languages] == names
    assert [row.repository for row in report.tables.mpl_vs_spl] == [name for name in names for _ in MPL_INDICATORS]


def test_shares_and_combinations(report: Report) -> None:
    first = report.tables.languages[1]
    assert (first.n, first.mpl_share, first.mpl_share_without_tests) == (12, 0.5, 0.0)
    assert first.combinations == (("C/C++ + Python", 6), ("Python", 6))
    assert report.tables.languages[0].n == 72


def test_in_a_repository_mann_whitney_and_delta(report: Report) -> None:
    records = [one for one in rows(6).records if one.repository_id == 3]
    mpl = [one.changed_lines for one in records if one.mpl_with_tests and one.changed_lines is not None]
    spl = [one.changed_lines for one in records if not one.mpl_with_tests and one.changed_lines is not None]
    expected = stats.mannwhitneyu(mpl, spl)
    row = mpl_row(report, "made-up/fw3", "changed_lines")
    assert row.p == pytest.approx(float(expected.pvalue))
    assert row.cliffs_delta == pytest.approx(2 * float(expected.statistic) / len(mpl) / len(spl) - 1)
    assert (row.mpl.n, row.spl.n, row.mpl.median) == (6, 6, float(np.median(mpl)))
    assert row.testable


def test_overall_pairs_repositories_with_themselves(report: Report) -> None:
    differences = []
    for repository in range(1, 7):
        own = [one for one in rows(6).records if one.repository_id == repository]
        medians = [
            np.median([np.log1p(one.changed_lines or 0) for one in own if one.mpl_with_tests is kind])
            for kind in (True, False)
        ]
        differences.append(float(medians[0] - medians[1]))
    row = mpl_row(report, OVERALL, "changed_lines")
    assert row.p == pytest.approx(sign_flip_p(np.array(differences), seed=202611))
    assert row.p == pytest.approx(2 / 64)
    assert row.p is not None
    assert row.q is not None
    assert row.q >= row.p
    assert row.cliffs_delta is not None
    assert row.cliffs_delta > 0.5


def test_three_repositories_are_too_few_for_a_test_over_all() -> None:
    row = mpl_row(build_report(rows(3), PERIOD), OVERALL, "changed_lines")
    assert (row.testable, row.p) == (False, None)
    assert row.reason == "too small: 3 repositories with 5 fixes of each kind (4 needed)"


def test_too_few_fixes_of_a_kind_are_no_test() -> None:
    few = rows(1)
    kept = tuple(one for one in few.records if not one.mpl_with_tests or one.number < 8)
    row = mpl_row(build_report(replace(few, records=kept), PERIOD), "made-up/fw1", "changed_lines")
    assert row.reason == "too small: 4 MPL fixes (5 needed)"
    assert (row.p, row.q, row.mpl.n) == (None, None, 4)


def test_what_is_not_known_is_left_out() -> None:
    unknown = build_report(rows(4, mpl=None, mpl_with_tests=None, languages_with_tests=None), PERIOD)
    assert unknown.tables.languages == ()
    assert unknown.tables.mpl_vs_spl == ()
    assert dict(unknown.coverage.not_available)["languages"] == "no fix's languages are known"


def test_bug_types_with_their_shares_medians_and_tests(report: Report) -> None:
    table = {(row.repository, row.bug_type): row for row in report.tables.bug_types}
    memory = table["made-up/fw1", "memory"]
    assert (memory.n, memory.share, memory.mpl_share) == (8, 8 / 12, 0.5)
    assert memory.indicators["open_days"] == 6.0  # of 1 2 4 5 7 8 10 11
    assert memory.p is None  # four deployment fixes are too few to compare with
    assert table[OVERALL, "deployment"].n == 24
    assert build_report(rows(2, bug_type=None), PERIOD).tables.bug_types == ()


def test_bug_types_are_compared_by_fisher() -> None:
    records = tuple(
        fix(1, number, 5, ("C/C++", "Python") if number <= 8 else ("Python",), "memory" if number <= 6 else "other")
        for number in range(1, 17)
    )
    (repository,) = rows(1).repositories
    report = build_report(Rows(repositories=(repository,), records=records), PERIOD)
    row = next(one for one in report.tables.bug_types if (one.repository, one.bug_type) == ("made-up/fw1", "memory"))
    assert row.p == pytest.approx(float(stats.fisher_exact(np.array([[6, 0], [2, 8]])).pvalue))


def test_in_a_report_for_one_repository_others_are_counted_and_not_named() -> None:
    several = rows(4)
    shared = tuple(replace(one, share="named" if one.repository_id == 3 else "group") for one in several.repositories)
    own = build_report(replace(several, repositories=shared), PERIOD, repository_id=2)
    assert [row.repository for row in own.tables.languages] == [OVERALL, "made-up/fw2", "made-up/fw3"]
    assert own.tables.languages[0].n == 48
    off = tuple(replace(one, share="off" if one.repository_id == 4 else "group") for one in several.repositories)
    without = build_report(replace(several, repositories=off), PERIOD, repository_id=2)
    assert without.tables.languages[0].n == 36
