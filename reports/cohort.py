"""Which repositories and which closed issues enter a report, and how many fell away at each step."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from reports.model import Coverage, FunnelStep, GroupCoverage
from reports.periods import Period
from reports.rows import Record, Repository, Rows
from reports.vocabulary import CATEGORY_KEYS, GROUPS, Group

DECIDED_SOURCES = frozenset({"decision", "label", "study"})
"""Where a category must come from to count; a model's proposal never does (schema: `category_source`)."""

SHARE_SELECTIONS = frozenset({"random", "imported"})
"""How an issue must have been chosen for a share: what people volunteer mirrors who volunteers."""

_CATEGORIES = frozenset(CATEGORY_KEYS)


@dataclass(frozen=True, slots=True)
class Cohort:
    """The repositories compared and the issues closed inside the window, both in a fixed order.

    `own` is the repository the report is for, compared or not; `own_records` are its issues closed in the window.
    """

    period: Period
    repositories: tuple[Repository, ...]
    records: tuple[Record, ...]
    own: Repository | None
    own_records: tuple[Record, ...]

    def may_name(self, repository: Repository) -> bool:
        """Whether the report may print this repository's name and its own numbers.

        In a report for one repository the others are counted but named only if they chose so (product.md, "Who takes
        part"); a report for nobody in particular is its maker's own.
        """
        return self.own is None or repository == self.own or (repository.share == "named" and not repository.private)

    def records_of(self, group: Group) -> tuple[Record, ...]:
        """Return the window's records of one group."""
        members = {one.repository_id for one in self.repositories if one.paradigm == group}
        return tuple(record for record in self.records if record.repository_id in members)


def is_decided(record: Record) -> bool:
    """Whether a person, a mapped label or the study gave the category (a disputed one has none)."""
    return record.category is not None and record.category_source in DECIDED_SOURCES


def is_system_related(record: Record) -> bool:
    """Whether the record enters the difficulty tables: eligible, decided, and one of the 15 categories."""
    return record.eligible_system and is_decided(record) and record.category in _CATEGORIES


def enters_shares(record: Record) -> bool:
    """Whether the record enters the shares: system-related, and drawn at random or imported as a sample."""
    return is_system_related(record) and record.selection in SHARE_SELECTIONS


def holds_facts_alone(records: Iterable[Record]) -> bool:
    """Whether fixes are all that is known: nobody decided anything and no model proposed anything.

    Such records come from git histories. Their difficulty is then that of every bug with a landed fix, and said to be.
    """
    known = list(records)
    return any(one.eligible_bug for one in known) and not any(
        is_decided(one) or one.proposal_category is not None or one.eligible_system for one in known
    )


def is_compared(repository: Repository, own_id: int | None) -> bool:
    """Whether the repository's closings enter the groups in the report of the repository `own_id`, or of none.

    A repository is compared if it is in the comparison and its paradigm is known; a private one, or one that shares
    nothing, only in its own report.
    """
    shares = repository.repository_id == own_id or not (repository.private or repository.share == "off")
    return repository.in_comparison and repository.paradigm in GROUPS and shares


def select(rows: Rows, period: Period, repository_id: int | None) -> Cohort:
    """Pick the compared repositories and the issues whose last closing lies in the window.

    Raises KeyError if `repository_id` is none of the rows' repositories.
    """
    by_id = {one.repository_id: one for one in rows.repositories}
    own = None if repository_id is None else by_id[repository_id]
    compared = {
        one.repository_id: one
        for one in sorted(rows.repositories, key=lambda one: one.repository_id)
        if is_compared(one, repository_id)
    }
    inside = sorted(
        (record for record in rows.records if period.window.holds(record.closed_at)),
        key=lambda record: (record.repository_id, record.number, record.issue_id),
    )
    return Cohort(
        period=period,
        repositories=tuple(compared.values()),
        records=tuple(record for record in inside if record.repository_id in compared),
        own=own,
        own_records=tuple(record for record in inside if own and record.repository_id == own.repository_id),
    )


def funnel_step(records: Iterable[Record]) -> FunnelStep:
    """Count how many of the records pass each step, and why the others were excluded."""
    records = tuple(records)
    eligible = [record for record in records if record.eligible_system]
    excluded = Counter(reason for record in records if not record.eligible_system for reason in record.exclusions)
    return FunnelStep(
        closed=len(records),
        with_fix=sum(record.fix_kind is not None for record in records),
        eligible_bug=sum(record.eligible_bug for record in records),
        eligible_system=len(eligible),
        decided=sum(map(is_decided, eligible)),
        system_related=sum(map(is_system_related, eligible)),
        in_shares=sum(map(enters_shares, eligible)),
        excluded=tuple(sorted(excluded.items(), key=lambda item: (-item[1], item[0]))),
    )


def coverage(cohort: Cohort, not_available: dict[str, str]) -> Coverage:
    """Say how much of what happened the tables rest on; `not_available` gives the reason for each empty table."""
    groups = {
        group: GroupCoverage(
            compared=sum(one.paradigm == group for one in cohort.repositories),
            reporting=len({record.repository_id for record in cohort.records_of(group)}),
            deciding=len({record.repository_id for record in cohort.records_of(group) if enters_shares(record)}),
        )
        for group in GROUPS
    }
    month = [record for record in cohort.records if cohort.period.month.holds(record.closed_at)]
    asked = [record for record in cohort.records if record.eligible_system and record.selection == "random"]
    return Coverage(
        groups=groups,
        month=funnel_step(month),
        window=funnel_step(cohort.records),
        proposed_unconfirmed=sum(record.state == "proposed" for record in cohort.records),
        sampled=len(asked),
        sampled_unanswered=sum(not is_decided(record) for record in asked),
        heuristic_left_out=sum(
            record.comments_until_reproduced_source == "heuristic"
            for record in cohort.records
            if is_system_related(record)
        ),
        not_available=tuple(sorted(not_available.items())),
        facts_alone=holds_facts_alone(cohort.records),
    )
