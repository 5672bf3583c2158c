"""The repository the report is for: its closings by root cause, beside its group and its matched partner."""

from collections import Counter

from reports.cohort import is_decided
from reports.markdown import repository_link, table
from reports.model import Report
from reports.model_own import OwnRow
from reports.numbers import DASH, counted, measure, percent
from reports.sections.cells import median_of, quartiles
from reports.tables.own import SHARE
from reports.vocabulary import CATEGORY_TITLES, GROUP_TITLES, GROUPS, INDICATOR_TITLES, NONE


def this_repository(report: Report) -> str:
    """Print what the repository closed, its root causes and its measures, each beside the group's and the partner's."""
    repository, step = report.repository, report.funnel.this_repository
    if repository is None or step is None:
        return ""
    month = [record for record in report.own_records if report.period.month.holds(record.closed_at)]
    link = repository_link(repository.repository, report.server)
    intro = (
        f"The repository {link} is {_place(report)}. In {report.period.name} it "
        f"closed {counted(len(month), 'issue')}; in the window {step.closed:,}, of which {step.eligible_system:,} were "
        f"eligible and {step.decided:,} decided."
    )
    parts = (f"## This repository\n\n{intro}", _beside(report), _root_causes(report), _measures(report))
    return "\n\n".join(filter(None, parts))


def _place(report: Report) -> str:
    repository = report.repository
    if repository is None or not repository.in_comparison:
        return "not part of the comparison"
    return next((f"in the {GROUP_TITLES[one]} group" for one in GROUPS if repository.paradigm == one), "in no group")


def _beside(report: Report) -> str:
    """Say what the columns of the two tables are, if there is anything to stand beside."""
    fellows = max((row.group_repositories for row in report.own), default=0)
    sentences = []
    if fellows:
        sentences.append(
            "*Group* is the median of its group's other repositories, each counted once, with their number in brackets."
        )
    if report.partner is not None:
        link = repository_link(report.partner, report.server)
        sentences.append(f"*Partner* is {link}, the most similar repository of the other group.")
    if sentences:
        sentences.append("Nothing is tested here.")
    return " ".join(sentences)


def _head(report: Report) -> list[str]:
    return ["Group", *(["Partner"] if report.partner is not None else [])]


def _root_causes(report: Report) -> str:
    month, window = _decided(report)
    shares = {row.indicator.removeprefix(SHARE): row for row in report.own if row.indicator.startswith(SHARE)}
    titles = {**CATEGORY_TITLES, NONE: "Not system-related"}
    rows = [
        [titles[key], str(month[key]), str(window[key]), *_share_cells(report, shares.get(key))]
        for key in titles
        if window[key] or _is_there(shares.get(key))
    ]
    if not window:
        return ""
    size = next((row.own.n for row in shares.values()), 0)
    head = ["Decided root cause", report.period.name, "Window", f"% of the {size:,} sampled", *_head(report)]
    return table(head, rows)


def _decided(report: Report) -> tuple[Counter[str | None], Counter[str | None]]:
    """Count the decided, eligible issues by root cause, in the month and in the window."""
    decided = [one for one in report.own_records if one.eligible_system and is_decided(one)]
    month = [one for one in decided if report.period.month.holds(one.closed_at)]
    return Counter(one.category for one in month), Counter(one.category for one in decided)


def _is_there(row: OwnRow | None) -> bool:
    """Whether the group or the partner has issues of a root cause that this repository has none of."""
    return row is not None and bool(row.group_median or (row.partner is not None and row.partner.median))


def _share_cells(report: Report, row: OwnRow | None) -> list[str]:
    if row is None:
        return [DASH] * (1 + len(_head(report)))
    cells = [percent(row.own.median), _of_group(percent(row.group_median), row)]
    if report.partner is not None:
        partner = row.partner
        cells.append(
            DASH if partner is None or partner.median is None else f"{percent(partner.median)} ({partner.n:,})"
        )
    return cells


def _measures(report: Report) -> str:
    rows = [row for row in report.own if not row.indicator.startswith(SHARE) and row.own.n]
    if not rows:
        return ""
    return table(
        ("Measure", "Here [q1–q3]", "n", *_head(report)),
        [
            [
                INDICATOR_TITLES[row.indicator],
                quartiles(row.own),
                f"{row.own.n:,}",
                _of_group(measure(row.group_median), row),
                *([median_of(row.partner)] if report.partner is not None else []),
            ]
            for row in rows
        ],
    )


def _of_group(text: str, row: OwnRow) -> str:
    return f"{text} ({row.group_repositories})" if row.group_repositories else DASH
