"""The first study's published figures beside the live ones, while too few repositories are live."""

from __future__ import annotations

from bot.web.reports.view import Cell, Table, count, head, interval, share, word
from reports.model import CategoryRow, IndicatorRow, Report
from reports.numbers import measure
from reports.study import Study, StudyMedian
from reports.vocabulary import CATEGORY_KEYS, CATEGORY_TITLES, DIFFICULTY, GROUPS, INFORMATION, OVERALL


def shares(report: Report, study: Study) -> Table:
    """Return the study's Table 3 beside this report's shares."""
    columns = head(
        "Root cause",
        *(
            column
            for title, group in zip(("ML", "Traditional"), GROUPS, strict=True)
            for column in (
                (f"{title} here, %", "share"),
                (f"{title} in the study, n of {study.denominator_printed[group]}", "study"),
                (f"{title} in the study, %", "study"),
                (f"{title} in the study, 95 %", "interval"),
            )
        ),
    )
    body = tuple(_shares(row, study) for row in report.tables.categories)
    return Table("study_shares", "Shares here and in the first study", columns, body)


def _shares(row: CategoryRow, study: Study) -> tuple[Cell, ...]:
    cells = [word(CATEGORY_TITLES[row.category])]
    for group, own in zip(GROUPS, (row.ml, row.traditional), strict=True):
        theirs = study.shares[row.category][group]
        cells += [share(own.share), count(theirs.n), share(theirs.share), interval(theirs.ci)]
    return tuple(cells)


def medians(report: Report, study: Study) -> Table:
    """Return the study's Tables 4 and 5 beside this report's medians."""
    ours = {(row.category, row.indicator): row for row in (*report.tables.difficulty, *report.tables.information)}
    body = [
        (
            word(CATEGORY_TITLES.get(category, "Overall")),
            word(indicator.title, indicator.key),
            *_medians(ours[category, indicator.key], study),
        )
        for category in (OVERALL, *CATEGORY_KEYS)
        for indicator in (*DIFFICULTY, *INFORMATION)
        if (category, indicator.key) in study.medians
    ]
    columns = head(
        "Root cause", "Measure", ("ML here", "median"), ("ML in the study", "study"),
        ("Traditional here", "median"), ("Traditional in the study", "study"), text=2,
    )  # fmt: skip
    return Table("study_medians", "Medians here and in the first study", columns, tuple(body), headers=2)


def _medians(row: IndicatorRow, study: Study) -> tuple[Cell, ...]:
    theirs = study.medians[row.category, row.indicator]
    return (
        Cell(measure(row.ml.median), row.ml.median),
        _printed(theirs["ml"]),
        Cell(measure(row.traditional.median), row.traditional.median),
        _printed(theirs["traditional"]),
    )


def _printed(median: StudyMedian) -> Cell:
    return Cell(f"{median.value:g}{'†' if median.impossible else ''}", median.value)
