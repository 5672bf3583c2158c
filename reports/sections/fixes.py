"""The second study's tables of fixes: bug types, and the languages that fixes are written in."""

from reports.markdown import details, table
from reports.model import Report
from reports.model_fixes import BugTypeRow, LanguageRow
from reports.numbers import DASH, measure, percent, probability_cell
from reports.sections.cells import where, words
from reports.tables.minimum import MIN_ISSUES, MIN_REPOSITORIES

_MOST_MIXES = 3
_MEDIANS = {
    "open_days": "Days open",
    "issue_comments": "Comments",
    "issue_participants": "Participants",
    "changed_lines": "Lines",
    "changed_files": "Files",
}


def languages(report: Report) -> str:
    """Print how many fixes are multi-language, with and without test files, and the most frequent combinations."""
    rows = report.tables.languages
    if not rows:
        return ""
    intro = (
        "Bugs with a landed fix, functional ones included. A fix is *multi-language* (MPL) if its source files are in "
        "two or more languages, else *single-language* (SPL); C and C++ are one. Whether test files count decides the "
        "share, so both are printed."
    )
    head = ("Repository", "Most frequent", "Fixes (repos)", "MPL, tests counted, %", "MPL, tests left out, %")
    body = table(head, [_language_cells(row) for row in rows], text_columns=2)
    return f"## Languages of fixes\n\n{intro}\n\n{body}"


def bug_types(report: Report) -> str:
    """Print the bug types with their shares, medians, and how multi-language their fixes are."""
    rows = report.tables.bug_types
    if not rows:
        return ""
    intro = (
        "The second study's axis; medians of each type's fixes. p compares how many fixes of the type are "
        f"multi-language with the other types: from {MIN_ISSUES} fixes on each side, overall in {MIN_REPOSITORIES} "
        "repositories that have so many; a dash says that there are too few."
    )
    head = ("Repository", "Bug type", "Fixes (repos)", "%", "MPL, %", *_MEDIANS.values(), "p", "q")
    return details("Bug types", f"{intro}\n\n{table(head, [_type_cells(row) for row in rows], text_columns=2)}")


def _language_cells(row: LanguageRow) -> list[str]:
    mixes = ", ".join(f"{words(name)} ({count:,})" for name, count in row.combinations[:_MOST_MIXES])
    shares = (row.mpl_share, row.mpl_share_without_tests)
    return [where(row.repository), mixes or DASH, f"{row.n:,} ({row.repositories})", *map(percent, shares)]


def _type_cells(row: BugTypeRow) -> list[str]:
    return [
        where(row.repository),
        words(row.bug_type),
        f"{row.n:,} ({row.repositories})",
        percent(row.share),
        percent(row.mpl_share),
        *(measure(row.indicators.get(key)) for key in _MEDIANS),
        probability_cell(row.p),
        probability_cell(row.q),
    ]
