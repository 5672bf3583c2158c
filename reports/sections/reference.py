"""The first study's published figures beside the live ones, while too few repositories are live."""

from reports.markdown import details, table
from reports.model import CategoryRow, IndicatorRow, Report
from reports.numbers import measure, percent, percent_interval
from reports.study import MIN_LIVE_REPOSITORIES, Study, StudyMedian
from reports.vocabulary import CATEGORY_KEYS, CATEGORY_TITLES, DIFFICULTY, GROUPS, INFORMATION, OVERALL

_LINK = "[arXiv 2005.06091](https://arxiv.org/abs/2005.06091)"


def shares(report: Report) -> str:
    """Print the study's Table 3 beside this report's shares."""
    study = report.study
    if study is None:
        return ""
    intro = (
        f"Until {MIN_LIVE_REPOSITORIES} repositories of each group have decided issues, the figures published by the "
        f"first study ({_LINK}: {study.frameworks['ml']} ML and {study.frameworks['traditional']} traditional "
        f"frameworks) stand beside ours. They describe; nothing is tested against them."
    )
    head = ["Root cause"]
    for name, group in (("ML", "ml"), ("Traditional", "traditional")):
        total = study.denominator_printed["ml" if group == "ml" else "traditional"]
        head += [f"{name} here, %", f"{name} in the study, n of {total}", "%", "95 %"]
    rows = [_share_cells(row, study) for row in report.tables.categories]
    notes = "\n".join(f"- {note}" for note in study.notes)
    return (
        f"## The first study as a reference\n\n{intro}\n\n{table(head, rows)}\n\n"
        f"{details('What to know before comparing with the study', notes)}"
    )


def medians(report: Report) -> str:
    """Print the study's Tables 4 and 5 beside this report's medians."""
    study = report.study
    if study is None:
        return ""
    ours = {(row.category, row.indicator): row for row in (*report.tables.difficulty, *report.tables.information)}
    rows = [
        [
            CATEGORY_TITLES.get(category, "Overall"),
            indicator.title,
            *_median_cells(ours[category, indicator.key], study),
        ]
        for category in (OVERALL, *CATEGORY_KEYS)
        for indicator in (*DIFFICULTY, *INFORMATION)
        if (category, indicator.key) in study.medians
    ]
    head = ("Root cause", "Measure", "ML here", "ML in the study", "Traditional here", "Traditional in the study")
    return details("Medians of the first study beside ours", table(head, rows, text_columns=2))


def _share_cells(row: CategoryRow, study: Study) -> list[str]:
    cells = [CATEGORY_TITLES[row.category]]
    for group, own in zip(GROUPS, (row.ml, row.traditional), strict=True):
        theirs = study.shares[row.category][group]
        cells += [percent(own.share), str(theirs.n), percent(theirs.share), percent_interval(theirs.ci)]
    return cells


def _median_cells(row: IndicatorRow, study: Study) -> list[str]:
    theirs = study.medians[row.category, row.indicator]
    return [
        measure(row.ml.median),
        _printed(theirs["ml"]),
        measure(row.traditional.median),
        _printed(theirs["traditional"]),
    ]


def _printed(median: StudyMedian) -> str:
    return f"{median.value:g}" + ("†" if median.impossible else "")
