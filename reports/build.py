"""Build a report from rows, and write it to a folder."""

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

from reports.cohort import Cohort, coverage, funnel_step, holds_facts_alone, select
from reports.errors import ReportInputError
from reports.figures import write_figures
from reports.findings import finding
from reports.frame import build_frame
from reports.markdown import GITHUB
from reports.model import Funnel, Report, Tables
from reports.model_checks import Sensitivity
from reports.periods import parse_period
from reports.render import render
from reports.rows import Rows
from reports.serialise import report_json
from reports.study import MIN_LIVE_REPOSITORIES, load_study
from reports.tables.agreement import agreement_table
from reports.tables.bug_types import bug_type_rows
from reports.tables.community import People, community_rows, people_by_group, role_rows
from reports.tables.estimated import estimated_rows
from reports.tables.indicators import indicator_rows
from reports.tables.languages import language_rows
from reports.tables.mpl import mpl_rows
from reports.tables.own import own_rows, partner_of, repository_rows, trend
from reports.tables.sensitivity import followers_check, proposals_check
from reports.tables.shares import category_rows, dominant_category
from reports.vocabulary import DIFFICULTY, GROUPS, INFORMATION, Group


def build_report(
    rows: Rows,
    period: str,
    window_months: int = 12,
    repository_id: int | None = None,
    seed: int | None = None,
    notes: tuple[str, ...] = (),
    server: str = GITHUB,
) -> Report:
    """Compute the report of a month (`YYYY-MM`) with tests over the window that ends with it.

    `repository_id` is the repository the report is for. `seed` is by default made from the period. `notes` are
    sentences the reader must see, beside those of the repositories it rests on. Links lead to the GitHub at `server`.
    The same input gives the same report.
    Raises ReportInputError for a period, window or repository that cannot be.
    """
    when = parse_period(period, window_months)
    if repository_id is not None and all(one.repository_id != repository_id for one in rows.repositories):
        raise ReportInputError(f"There is no repository with the id {repository_id} in the input.")
    cohort = select(rows, when, repository_id)
    seed = when.seed if seed is None else seed
    people = None if rows.participants is None else people_by_group(cohort, rows.participants)
    tables = _tables(cohort, people, seed)
    covered = coverage(cohort, _not_available(rows, tables, repository_id))
    partner = partner_of(cohort)
    live = all(covered.groups[group].deciding >= MIN_LIVE_REPOSITORIES for group in GROUPS)
    return Report(
        period=when,
        seed=seed,
        repository=cohort.own,
        own_records=cohort.own_records,
        funnel=Funnel(
            groups={group: funnel_step(cohort.records_of(group)) for group in GROUPS},
            this_repository=funnel_step(cohort.own_records) if cohort.own else None,
        ),
        coverage=covered,
        tables=tables,
        agreement=agreement_table(cohort, rows.decisions or ()),
        own=own_rows(cohort),
        repositories=repository_rows(cohort),
        partner=partner.repository if partner else None,
        trend=trend(cohort),
        finding=finding(tables, covered),
        study=None if live else load_study(),
        notes=tuple(dict.fromkeys((*notes, *_notes_of(cohort)))),
        versions=tuple((name, version(name)) for name in ("rootcause-bot", "numpy", "scipy")),
        sensitivity=Sensitivity(
            followers=None if people is None else followers_check(people, seed),
            proposals=proposals_check(cohort),
        ),
        server=server,
    )


def _notes_of(cohort: Cohort) -> Iterator[str]:
    """Yield what readers must know of each repository that the report rests on, its own first."""
    own = () if cohort.own is None else (cohort.own,)
    for one in (*own, *cohort.repositories):
        yield from one.notes


def _not_available(rows: Rows, tables: Tables, own: int | None) -> dict[str, str]:
    """Say of each table that is empty why it is."""
    reasons = {
        "bug_types": "no issue's bug type is decided",
        "languages": "no fix's languages are known",
        "mpl_vs_spl": "no fix's languages are known",
    }
    missing = {} if own else {"this_repository": "the report is for no one repository"}
    missing |= {name: reason for name, reason in reasons.items() if not getattr(tables, name)}
    if rows.participants is None:
        missing |= dict.fromkeys(("community", "roles"), "participants.jsonl is not there")
    if rows.decisions is None:
        missing["agreement.people"] = "decisions.jsonl is not there"
    return missing


def _tables(cohort: Cohort, people: Mapping[Group, People] | None, seed: int) -> Tables:
    frame, facts_alone = build_frame(cohort), holds_facts_alone(cohort.records)
    counts = frame.share_counts()
    dominant = dominant_category(counts)
    return Tables(
        categories=category_rows(counts, frame.ml_repositories, seed),
        dominant=dominant,
        without_dominant=category_rows(counts, frame.ml_repositories, seed, leave_out=dominant),
        estimated=estimated_rows(cohort),
        difficulty=indicator_rows(build_frame(cohort, all_fixes=True) if facts_alone else frame, DIFFICULTY, seed),
        information=indicator_rows(frame, INFORMATION, seed),
        community=() if people is None else community_rows(frame, people, seed),
        roles=() if people is None else role_rows(people),
        bug_types=bug_type_rows(cohort, seed),
        languages=language_rows(cohort),
        mpl_vs_spl=mpl_rows(cohort, seed),
    )


def write_report(report: Report, out: Path) -> None:
    """Write `report.md` (what would be posted), `report.json` and `figures/` into the folder `out`, made if absent.

    Raises ReportInputError if the folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        (out / "report.md").write_text(render(report), encoding="utf-8", newline="\n")
        (out / "report.json").write_text(report_json(report), encoding="utf-8", newline="\n")
        write_figures(report, out / "figures")
    except OSError as error:
        raise ReportInputError(f"{out} cannot be written: {error.strerror}.") from error
