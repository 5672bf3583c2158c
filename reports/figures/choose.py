"""Which figures a report has, in the order in which it shows them; one without anything to show is left out."""

from reports.figures.choose_boxes import by_category, by_repository, community, fixes
from reports.figures.choose_others import effects, roles, shares, study, trend
from reports.figures.plans import Plan
from reports.model import Report


def plans(report: Report) -> tuple[Plan, ...]:
    """Return the plans of all figures that the report's tables have numbers for."""
    chosen = (
        *shares(report),
        study(report),
        effects(report),
        *by_category(report),
        *by_repository(report),
        community(report),
        roles(report),
        *fixes(report),
        trend(report),
    )
    return tuple(plan for plan in chosen if plan is not None)
