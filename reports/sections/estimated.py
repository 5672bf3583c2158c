"""The estimated shares of root causes over all eligible issues, decided or not."""

from reports.markdown import details, table
from reports.model import Report
from reports.model_own import EstimatedCell
from reports.numbers import counted, percent, percent_interval
from reports.prediction_powered import MIN_LABELLED
from reports.vocabulary import CATEGORY_TITLES


def estimated(report: Report) -> str:
    """Print the prediction-powered shares of those groups that have enough decided issues for one."""
    rows = report.tables.estimated
    if not rows:
        return ""
    first = rows[0]
    columns = [
        (name, [cell for cell in cells if cell is not None])
        for name, cells in (
            ("ML", [row.ml for row in rows]),
            ("Traditional", [row.traditional for row in rows]),
            ("This repository", [row.this_repository for row in rows] if first.this_repository else []),
        )
    ]
    shown = [(name, cells) for name, cells in columns if cells and cells[0].share is not None]
    if not shown:
        return ""
    head = ["Root cause"]
    for name, _ in shown:
        head += [f"{name}, %", "95 %"]
    body = table(
        head,
        [
            [CATEGORY_TITLES[row.category], *(text for _, cells in shown for text in _cell(cells[number]))]
            for number, row in enumerate(rows)
        ],
    )
    sizes = "; ".join(
        f"{name}: {cells[0].issues:,} issues of {counted(cells[0].repositories, 'repository')}, "
        f"{cells[0].labelled:,} of them decided"
        for name, cells in shown
    )
    intro = (
        "What the shares would be had every eligible issue been decided: the model's share over all of them, corrected "
        "by how often it erred on the decided ones of the random sample. Issues that are not system-related count in "
        f"the whole here, which lowers most of these shares against the table above. {sizes}. No estimate is made from "
        f"fewer than {MIN_LABELLED} decided issues, and none enters a test."
    )
    return details("Estimated shares over all eligible issues", f"{intro}\n\n{body}")


def _cell(cell: EstimatedCell) -> tuple[str, str]:
    return percent(cell.share), percent_interval(cell.ci)
