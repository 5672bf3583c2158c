"""Category shares over all eligible issues: the model's guesses, corrected by the decisions on the random sample."""

from collections.abc import Sequence

import numpy as np

from reports.cohort import SHARE_SELECTIONS, Cohort, is_decided
from reports.model_own import EstimatedCell, EstimatedRow
from reports.prediction_powered import prediction_powered_share
from reports.rows import Record
from reports.tables.pieces import by_repository
from reports.vocabulary import CATEGORY_KEYS


def estimated_rows(cohort: Cohort) -> tuple[EstimatedRow, ...]:
    """Return the 15 rows; a share is over all eligible issues with a proposal, those that are `none` included.

    In a group each repository's decided issues stand for all its eligible ones (weight eligible / decided), so a busy
    repository that decides little is not drowned by a small one that decides much; repositories without a decision
    on their random sample are left out.
    """
    ml, traditional = (_sampled(cohort.records_of(group)) for group in ("ml", "traditional"))
    own = _sampled(cohort.own_records) if cohort.own else None
    return tuple(
        EstimatedRow(
            category, _cell(ml, category), _cell(traditional, category), None if own is None else _cell(own, category)
        )
        for category in CATEGORY_KEYS
    )


def _is_labelled(record: Record) -> bool:
    return is_decided(record) and record.selection in SHARE_SELECTIONS


def _sampled(records: Sequence[Record]) -> list[list[Record]]:
    """Return the eligible issues with a proposal of each repository that has a decided one in its random sample."""
    eligible = [one for one in records if one.eligible_system and one.proposal_category is not None]
    return [issues for issues in by_repository(eligible).values() if any(map(_is_labelled, issues))]


def _cell(repositories: list[list[Record]], category: str) -> EstimatedCell:
    predictions, sample, labels, weights = [], [], [], []
    for issues in repositories:
        decided = [one for one in issues if _is_labelled(one)]
        predictions += [float(one.proposal_category == category) for one in issues]
        sample += [float(one.proposal_category == category) for one in decided]
        labels += [float(one.category == category) for one in decided]
        weights += [len(issues) / len(decided)] * len(decided)
    estimate = prediction_powered_share(*(np.array(one) for one in (predictions, sample, labels, weights)))
    if estimate is None:
        return EstimatedCell(None, None, len(predictions), len(labels), len(repositories))
    return EstimatedCell(estimate.share, estimate.ci, len(predictions), len(labels), len(repositories))
