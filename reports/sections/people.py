"""Who takes part: members, contributions, accounts and roles, always over many people, never of one."""

from reports.markdown import details, table
from reports.model import Report
from reports.model_people import RoleCell
from reports.numbers import percent
from reports.sections import sensitivity
from reports.sections.measures import measures
from reports.vocabulary import ROLES


def people(report: Report) -> str:
    """Print the measures of the issues' people, then the roles that people give themselves."""
    rows = report.tables.community
    if not any(row.ml.n or row.traditional.n for row in rows):
        return ""
    intro = (
        "Who took part in these issues. Members have write access and show it, so they are undercounted. Years and "
        "followers are of people, each once, as of today; all else is of issues. Read as above."
    )
    parts = (measures("## People", intro, rows), sensitivity.followers(report), _roles(report))
    return "\n\n".join(filter(None, parts))


def _roles(report: Report) -> str:
    rows = [row for row in report.tables.roles if row.ml.total or row.traditional.total]
    if not rows:
        return ""
    body = table(
        ("Role", "ML people (repos)", "%", "Traditional people (repos)", "%"),
        [[ROLES[row.role], *_cells(row.ml), *_cells(row.traditional)] for row in rows],
    )
    intro = "By the words of public profiles, each person once; nothing is tested."
    return details("Roles", f"{intro}\n\n{body}")


def _cells(cell: RoleCell) -> tuple[str, str]:
    return f"{cell.n:,} of {cell.total:,} ({cell.repositories})", percent(cell.share)
