"""Build everything that a report's page consists of, apart from the drawing of its figures."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

from bot.web.pages import write_page
from bot.web.reports.downloads import package, rows_of, tables_as_csv
from bot.web.reports.sections import sections
from bot.web.reports.terms import TERMS
from reports import Rows, build_report, report_json
from reports.figures.choose import plans
from reports.figures.draw import draw
from reports.figures.plans import Plan
from reports.figures.theme import VARIANTS
from reports.markdown import GITHUB
from reports.sections.head import coverage_line

_DIGITS = 12


@dataclass(frozen=True)
class Page:
    """What is known of a page before its report is computed: whose it is, and where else to go from it.

    `notes` are what the reader must know beside the notes of the repositories; links lead to the GitHub at `server`.
    `sample` is where it stands if it is made up, of no repository at all.
    """

    repository_id: int
    repository: str
    period: str
    periods: tuple[str, ...]
    running: bool
    issue_url: str | None
    notes: tuple[str, ...] = ()
    server: str = GITHUB
    sample: str | None = None

    @property
    def base(self) -> str:
        """Where the page stands, and below which its downloads and figures do."""
        return self.sample or f"/reports/{self.repository}/{self.period}"


@dataclass(frozen=True)
class Built:
    """A page's report as it is served: HTML, JSON, the tables as CSV, the package, and figures once they are drawn.

    Figures are named by a digest of the report that they are drawn from, which gives the same bytes each time.
    `coverage` and the three `findings` are its first lines once more, as Markdown.
    """

    page: Page
    built_at: datetime
    html: bytes
    json: bytes
    tables: dict[str, bytes]
    package: bytes
    plans: dict[str, Plan]
    drawn: dict[str, bytes] = field(default_factory=dict)
    coverage: str = ""
    findings: tuple[str, ...] = ()


def build(page: Page, rows: Rows, now: datetime) -> Built:
    """Compute the report and write its page; takes seconds, and no database."""
    report = build_report(rows, page.period, repository_id=page.repository_id, notes=page.notes, server=page.server)
    data = report_json(report)
    digest = hashlib.sha256(data.encode()).hexdigest()[:_DIGITS]
    chosen = plans(report)
    tables = tables_as_csv(data)
    html = write_page(
        "report.html",
        page=page,
        report=report,
        sections=sections(report, tuple(plan.heading for plan in chosen)),
        terms=tuple(TERMS.values()),
        csv=tables,
        digest=digest,
        now=now,
    )
    return Built(
        page=page,
        built_at=now,
        html=html,
        json=data.encode(),
        tables=tables,
        package=package(rows_of(rows, page.repository_id)),
        plans={f"{plan.heading.name}-{variant}-{digest}.svg": plan for plan in chosen for variant in VARIANTS},
        coverage=coverage_line(report),
        findings=report.finding,
    )


def drawn(built: Built, name: str) -> bytes | None:
    """Return a figure's SVG, drawing it (and its other variant) the first time; None where there is no such figure."""
    plan = built.plans.get(name)
    if plan is not None and name not in built.drawn:
        digest = name.removesuffix(".svg")[-_DIGITS:]
        built.drawn.update({f"{one.name}-{one.variant}-{digest}.svg": one.svg for one in draw(plan)})
    return built.drawn.get(name)
