"""How far two people agree, and how far people agree with the model: on blind issues, and on those it showed."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from reports.agreement import cohens_kappa
from reports.cohort import Cohort, is_decided
from reports.model_people import AgreementCell, AgreementTable
from reports.rows import Decision, Record

Pair = tuple[str, str]

_NOT_BY_TWO = "no issue was coded by two people"
_NO_TIME = datetime.min.replace(tzinfo=UTC)


def agreement_table(cohort: Cohort, decisions: Sequence[Decision]) -> AgreementTable:
    """Return the agreement over the window's issues of the compared repositories and the report's own.

    Two people: the first decision of each of the first two coders of an issue, undone ones left out. The model: the
    first category of its random sample's issues that a person gave, against its proposal at the time of the report;
    targeted and volunteered issues would flatter or belittle it.
    """
    records = {record.issue_id: record for record in (*cohort.records, *cohort.own_records)}
    sampled = [one for one in records.values() if one.selection == "random" and is_decided(one)]
    by_two = _by_two(records, decisions)
    here = [(where, pair) for where, pair in by_two if cohort.own is not None and where == cohort.own.repository_id]
    return AgreementTable(
        people=_cell(by_two, _NOT_BY_TWO),
        people_here=_cell(here, _NOT_BY_TWO) if cohort.own is not None else None,
        model_blind=_cell(_with_model(one for one in sampled if one.blind), "no blind issue is decided"),
        model_shown=_cell(_with_model(one for one in sampled if not one.blind), "no issue of the sample is decided"),
    )


def _by_two(records: dict[int, Record], decisions: Sequence[Decision]) -> list[tuple[int, Pair]]:
    said: dict[int, dict[str, str]] = {}
    standing = [one for one in decisions if one.undone_at is None and one.issue_id in records]
    for one in sorted(standing, key=lambda one: (one.issue_id, one.decided_at or _NO_TIME, one.coder)):
        said.setdefault(one.issue_id, {}).setdefault(one.coder, one.category)
    pairs = []
    for issue_id, by_coder in said.items():
        if len(by_coder) > 1:
            first, second = list(by_coder.values())[:2]
            pairs.append((records[issue_id].repository_id, (first, second)))
    return pairs


def _with_model(records: Iterable[Record]) -> list[tuple[int, Pair]]:
    return [
        (one.repository_id, (one.category, one.proposal_category))
        for one in records
        if one.category is not None and one.proposal_category is not None
    ]


def _cell(pairs: Sequence[tuple[int, Pair]], nothing: str) -> AgreementCell:
    found = cohens_kappa([pair for _, pair in pairs])
    reason = None
    if found.kappa is None:
        reason = "everybody used one and the same category" if found.n else nothing
    return AgreementCell(found.n, len({where for where, _ in pairs}), found.observed, found.kappa, reason)
