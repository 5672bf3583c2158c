"""Multi-language (MPL) against single-language (SPL) fixes: overall, and in each repository that may be named."""

from reports.markdown import details, table
from reports.model import Report
from reports.model_fixes import MplRow
from reports.numbers import probability_cell
from reports.sections.cells import effect, p_cell, quartiles, where
from reports.sections.untested import untested
from reports.tables.minimum import MIN_ISSUES
from reports.vocabulary import INDICATOR_TITLES, OVERALL

_HEAD = ("MPL median [q1–q3]", "n (repos)", "SPL median [q1–q3]", "n (repos)")
_TESTS = ("Cliff's δ", "p", "q")


def overall(report: Report) -> str:
    """Print the measures over all compared repositories, paired within each."""
    rows = [row for row in report.tables.mpl_vs_spl if row.repository == OVERALL]
    if not rows:
        return ""
    tested = any(row.testable for row in rows)
    intro = (
        "Is a fix in several languages (MPL) harder than one in a single language (SPL)? Tests are counted. A "
        "multi-language fix changes two files or more, so files and entropy are higher by construction."
    )
    if tested:
        intro += (
            " Fixes are compared within their own repository: δ above 0 means that MPL is higher, and p asks whether "
            "the repositories' differences of medians point one way."
        )
    head = ("Measure", *_HEAD, *(_TESTS if tested else ()))
    body = table(head, [[INDICATOR_TITLES[row.indicator], *_cells(row, tested=tested)] for row in rows])
    reasons = untested([(INDICATOR_TITLES[row.indicator], row.reason) for row in rows])
    return f"## Multi-language against single-language fixes\n\n{intro}\n\n{body}\n\n{reasons}".rstrip()


def by_repository(report: Report) -> str:
    """Print the same measures for each repository with enough fixes, tested over its fixes."""
    rows = [row for row in report.tables.mpl_vs_spl if row.repository != OVERALL and row.testable]
    if not rows:
        return ""
    body = table(
        ("Repository", "Measure", *_HEAD, *_TESTS),
        [[where(row.repository), INDICATOR_TITLES[row.indicator], *_cells(row, tested=True)] for row in rows],
        text_columns=2,
    )
    intro = (
        f"p is Mann-Whitney's over the fixes of the one repository; rows with fewer than {MIN_ISSUES} fixes of a kind "
        "are left out."
    )
    return details("MPL against SPL by repository", f"{intro}\n\n{body}")


def _cells(row: MplRow, *, tested: bool) -> list[str]:
    cells = [text for cell in (row.mpl, row.spl) for text in (quartiles(cell), f"{cell.n:,} ({cell.repositories})")]
    if tested:
        delta = effect(row.cliffs_delta if row.testable else None)
        cells += [delta, p_cell(row.p, testable=row.testable), probability_cell(row.q)]
    return cells
