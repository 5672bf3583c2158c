"""The decided records of a cohort as columns, so that a table is computed by numpy and not record by record."""

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.cohort import Cohort, enters_shares, is_system_related
from reports.rows import Record
from reports.vocabulary import CATEGORY_KEYS, COMMUNITY, DIFFICULTY, GROUPS, INFORMATION

Values = NDArray[np.float64]
Positions = NDArray[np.intp]
Mask = NDArray[np.bool_]

_MEASURES = (*DIFFICULTY, *INFORMATION, *COMMUNITY)


@dataclass(frozen=True, slots=True)
class Frame:
    """System-related records as arrays of one length; repositories are numbered, those of ML first.

    `repository` and `category` are positions (`category` in codebook order), `in_shares` marks the records of the
    shares, `indicators` holds one array per indicator with NaN for what is not known.
    """

    ml_repositories: int
    repositories: int
    repository: Positions
    category: Positions
    in_shares: Mask
    indicators: dict[str, Values]

    def values_by_repository(self, indicator: str, category: int | None) -> tuple[list[Values], list[Values]]:
        """Return the known values of an indicator, sorted, for each ML and each traditional repository with any."""
        values = self.indicators[indicator]
        mask = ~np.isnan(values)
        if category is not None:
            mask &= self.category == category
        known, owner = values[mask], self.repository[mask]
        order = np.lexsort((known, owner))
        known, owner = known[order], owner[order]
        edges = np.searchsorted(owner, np.arange(self.repositories + 1))
        pieces = [known[edges[position] : edges[position + 1]] for position in range(self.repositories)]
        ml, traditional = pieces[: self.ml_repositories], pieces[self.ml_repositories :]
        return [piece for piece in ml if len(piece)], [piece for piece in traditional if len(piece)]

    def share_counts(self) -> NDArray[np.int64]:
        """Return the issues of the shares as counts shaped (repositories, categories)."""
        counts = np.zeros((self.repositories, len(CATEGORY_KEYS)), dtype=np.int64)
        np.add.at(counts, (self.repository[self.in_shares], self.category[self.in_shares]), 1)
        return counts


def build_frame(cohort: Cohort, *, all_fixes: bool = False) -> Frame:
    """Turn a cohort's system-related records into columns; with `all_fixes` every bug with a landed fix.

    A record without one of the 15 categories has the position -1, and is in no category.
    """
    ordered = [one.repository_id for group in GROUPS for one in cohort.repositories if one.paradigm == group]
    position = {repository_id: number for number, repository_id in enumerate(ordered)}
    enters = operator.attrgetter("eligible_bug") if all_fixes else is_system_related
    records = [record for record in cohort.records if enters(record)]
    number_of = {key: number for number, key in enumerate(CATEGORY_KEYS)}
    return Frame(
        ml_repositories=sum(one.paradigm == "ml" for one in cohort.repositories),
        repositories=len(ordered),
        repository=np.array([position[record.repository_id] for record in records], dtype=np.intp),
        category=np.array([number_of.get(record.category or "", -1) for record in records], dtype=np.intp),
        in_shares=np.array([enters_shares(record) for record in records], dtype=np.bool_),
        indicators={one.key: np.fromiter(_known(records, one.key), np.float64) for one in _MEASURES},
    )


def _known(records: list[Record], indicator: str) -> Iterator[float]:
    """Give an indicator's values, NaN for what is not known; a guessed reproduction counts as not known."""
    guessable = indicator == "comments_until_reproduced"
    for record in records:
        value = getattr(record, indicator)
        guessed = guessable and record.comments_until_reproduced_source == "heuristic"
        yield float("nan") if value is None or guessed else float(value)
