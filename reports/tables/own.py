"""The own repository beside its group and its matched partner, and its window month by month; no test is run here."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from reports.cohort import Cohort, enters_shares, is_system_related
from reports.model_fixes import FixCell
from reports.model_own import OwnRow, RepositoryRow, TrendPoint
from reports.rows import Record, Repository
from reports.tables.pieces import by_repository, cell, known_values
from reports.vocabulary import CATEGORY_KEYS, DIFFICULTY, INFORMATION

SHARE = "share:"


def partner_of(cohort: Cohort) -> Repository | None:
    """Return the repository of the other paradigm that the own one was matched with, if it may be named."""
    if cohort.own is None or cohort.own.matched_with is None:
        return None
    found = [one for one in cohort.repositories if one.repository_id == cohort.own.matched_with]
    return found[0] if found and cohort.may_name(found[0]) else None


def own_rows(cohort: Cohort) -> tuple[OwnRow, ...]:
    """Return a row for each measure and each category's share; nothing where the report is for no one repository.

    The group's figure is the median of its other repositories' medians (or shares).
    """
    own = cohort.own
    if own is None:
        return ()
    fellows = {one.repository_id for one in cohort.repositories if one.paradigm == own.paradigm} - {own.repository_id}
    grouped = by_repository(filter(is_system_related, cohort.records))
    others = [records for where, records in grouped.items() if where in fellows]
    mine = list(filter(is_system_related, cohort.own_records))
    partner = partner_of(cohort)
    theirs = grouped.get(partner.repository_id, []) if partner else None
    measures = [_measure(one.key, mine, others, theirs) for one in (*DIFFICULTY, *INFORMATION)]
    return (*measures, *(_share(category, mine, others, theirs) for category in CATEGORY_KEYS))


def _measure(indicator: str, mine: list[Record], others: list[list[Record]], theirs: list[Record] | None) -> OwnRow:
    medians = [float(np.median(values)) for one in others if len(values := known_values(one, indicator))]
    return OwnRow(
        indicator=indicator,
        own=cell(known_values(mine, indicator)),
        group_median=float(np.median(medians)) if medians else None,
        group_repositories=len(medians),
        partner=None if theirs is None else cell(known_values(theirs, indicator)),
    )


def _share(category: str, mine: list[Record], others: list[list[Record]], theirs: list[Record] | None) -> OwnRow:
    cells = [one for one in (_share_cell(category, records) for records in others) if one.median is not None]
    return OwnRow(
        indicator=SHARE + category,
        own=_share_cell(category, mine),
        group_median=float(np.median([one.median for one in cells])) if cells else None,
        group_repositories=len(cells),
        partner=None if theirs is None else _share_cell(category, theirs),
    )


def _share_cell(category: str, records: Sequence[Record]) -> FixCell:
    counted = [one for one in records if enters_shares(one)]
    share = sum(one.category == category for one in counted) / len(counted) if counted else None
    return FixCell(len(counted), share, None, None, 1 if counted else 0)


def repository_rows(cohort: Cohort) -> tuple[RepositoryRow, ...]:
    """Return every repository that may be named, those compared first by paradigm and id, then the own one."""
    compared = sorted(cohort.repositories, key=lambda one: (one.paradigm or "", one.repository_id))
    own = [cohort.own] if cohort.own and cohort.own not in compared else []
    grouped = by_repository(filter(is_system_related, cohort.records))
    if cohort.own is not None:
        grouped[cohort.own.repository_id] = list(filter(is_system_related, cohort.own_records))
    return tuple(
        _repository(one, grouped.get(one.repository_id, [])) for one in (*compared, *own) if cohort.may_name(one)
    )


def _repository(one: Repository, records: list[Record]) -> RepositoryRow:
    shares = [record.category for record in records if enters_shares(record)]
    return RepositoryRow(
        repository=one.repository,
        paradigm=one.paradigm,
        n=len(records),
        cells={each.key: cell(known_values(records, each.key)) for each in (*DIFFICULTY, *INFORMATION)},
        category_counts={category: shares.count(category) for category in CATEGORY_KEYS},
    )


def trend(cohort: Cohort) -> tuple[TrendPoint, ...]:
    """Return the window's months in order, empty ones included: of the own repository, else of all compared ones."""
    records = cohort.own_records if cohort.own else cohort.records
    by_month: dict[str, list[Record]] = {name: [] for name in cohort.period.months}
    for record in records:
        if record.closed_at is not None:
            by_month[_month(record.closed_at)].append(record)
    return tuple(_point(month, there) for month, there in by_month.items())


def _point(month: str, records: list[Record]) -> TrendPoint:
    eligible = [one for one in records if one.eligible_system]
    return TrendPoint(
        month=month,
        closed=len(records),
        eligible_system=len(eligible),
        system_related=sum(map(is_system_related, eligible)),
        open_days=cell(known_values(eligible, "open_days")).median,
        issue_comments=cell(known_values(eligible, "issue_comments")).median,
    )


def _month(moment: datetime) -> str:
    return f"{moment.year:04d}-{moment.month:02d}"
