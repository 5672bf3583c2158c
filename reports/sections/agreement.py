"""How far two people agree on root causes, and how far people agree with the model."""

from reports.markdown import details, table
from reports.model import Report
from reports.model_people import AgreementCell
from reports.numbers import percent, statistic

_CEILING = "Two people who coded 160 such issues apart for the codebook agreed on 86 % (kappa .85)."


def agreement(report: Report) -> str:
    """Print the kinds of agreement, or nothing if none could be measured."""
    found = report.agreement
    here = () if found.people_here is None else (("Two people, in this repository", found.people_here),)
    lines = (
        ("Two people", found.people),
        *here,
        ("People and the model, whose proposal was hidden until they decided", found.model_blind),
        ("People and the model, whose proposal they saw and may have leaned on", found.model_shown),
    )
    if not any(cell.n for _, cell in lines):
        return ""
    intro = (
        f"Cohen's kappa is 1 for full agreement and 0 for what chance would give; `none` counts as a choice. {_CEILING}"
    )
    head = ("Between", "Issues (repos)", "Alike, %", "Kappa")
    body = table(head, [[name, *_cells(cell)] for name, cell in lines])
    reasons = [f"- {name}: no kappa, because {cell.reason}." for name, cell in lines if cell.reason]
    return details("Agreement", "\n\n".join(filter(None, (intro, body, "\n".join(reasons)))))


def _cells(cell: AgreementCell) -> tuple[str, str, str]:
    return f"{cell.n:,} ({cell.repositories})" if cell.n else "0", percent(cell.observed), statistic(cell.kappa)
