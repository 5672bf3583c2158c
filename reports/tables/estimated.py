"""Category shares over all eligible issues: the model's guesses, corrected by the decisions on the random sample."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.cohort import SHARE_SELECTIONS, Cohort, is_decided
from reports.model_own import EstimatedCell, EstimatedRow
from reports.prediction_powered import prediction_powered_share
from reports.rows import Record
from reports.tables.pieces import by_repository
from reports.vocabulary import CATEGORY_KEYS

Places = NDArray[np.int64]

_PLACE = {category: place for place, category in enumerate(CATEGORY_KEYS)}


def estimated_rows(cohort: Cohort) -> tuple[EstimatedRow, ...]:
    """Return the 15 rows; a share is over all eligible issues with a proposal, those that are `none` included.

    In a group each repository's decided issues stand for all its eligible ones (weight eligible / decided), so a busy
    repository that decides little is not drowned by a small one that decides much; repositories without a decision
    on their random sample are left out.
    """
    ml, traditional = (_sample(_sampled(cohort.records_of(group))) for group in ("ml", "traditional"))
    own = _sample(_sampled(cohort.own_records)) if cohort.own else None
    return tuple(
        EstimatedRow(category, _cell(ml, place), _cell(traditional, place), None if own is None else _cell(own, place))
        for place, category in enumerate(CATEGORY_KEYS)
    )


def _is_labelled(record: Record) -> bool:
    return is_decided(record) and record.selection in SHARE_SELECTIONS


def _sampled(records: Sequence[Record]) -> list[list[Record]]:
    """Return the eligible issues with a proposal of each repository that has a decided one in its random sample."""
    eligible = [one for one in records if one.eligible_system and one.proposal_category is not None]
    return [issues for issues in by_repository(eligible).values() if any(map(_is_labelled, issues))]


@dataclass(frozen=True, slots=True)
class _Sample:
    """What is known of a group: the model's category of every issue, and both categories of the decided ones.

    Categories are places in the codebook's order, -1 for none of the 15; `weights` are eligible / decided issues.
    """

    repositories: int
    predicted: Places
    predicted_of_decided: Places
    decided: Places
    weights: NDArray[np.float64]


def _sample(repositories: list[list[Record]]) -> _Sample:
    decided = [[one for one in issues if _is_labelled(one)] for issues in repositories]
    weights = [
        len(issues) / len(labelled) for issues, labelled in zip(repositories, decided, strict=True) for _ in labelled
    ]
    return _Sample(
        repositories=len(repositories),
        predicted=_places(one.proposal_category for issues in repositories for one in issues),
        predicted_of_decided=_places(one.proposal_category for labelled in decided for one in labelled),
        decided=_places(one.category for labelled in decided for one in labelled),
        weights=np.array(weights),
    )


def _places(categories: Iterable[str | None]) -> Places:
    return np.array([_PLACE.get(one or "", -1) for one in categories], dtype=np.int64)


def _cell(known: _Sample, place: int) -> EstimatedCell:
    of_all, of_decided, labels = (
        (one == place).astype(np.float64) for one in (known.predicted, known.predicted_of_decided, known.decided)
    )
    estimate = prediction_powered_share(of_all, of_decided, labels, known.weights)
    share, interval = (None, None) if estimate is None else (estimate.share, estimate.ci)
    return EstimatedCell(share, interval, len(known.predicted), len(known.decided), known.repositories)
