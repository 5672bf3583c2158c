"""The scopes of the tables about fixes: all compared repositories together, then each that may be named."""

from collections.abc import Iterator

from reports.cohort import Cohort
from reports.rows import Record
from reports.tables.pieces import by_repository
from reports.vocabulary import OVERALL


def bug_fixes(records: tuple[Record, ...]) -> list[Record]:
    """Return the bugs with a landed fix, functional ones included: the second study's population."""
    return [record for record in records if record.eligible_bug]


def each_scope(cohort: Cohort) -> Iterator[tuple[str, list[Record]]]:
    """Give (name, bugs with a fix): `overall` over the compared repositories, then each that may be named, by id.

    The repository the report is for is among the latter whether it is compared or not.
    """
    yield OVERALL, bug_fixes(cohort.records)
    grouped = by_repository(cohort.records)
    if cohort.own is not None:
        grouped[cohort.own.repository_id] = list(cohort.own_records)
    listed = {one.repository_id: one for one in (*cohort.repositories, *((cohort.own,) if cohort.own else ()))}
    for repository_id in sorted(grouped):
        if cohort.may_name(listed[repository_id]):
            yield listed[repository_id].repository, bug_fixes(tuple(grouped[repository_id]))
