"""What the report says of the repository it is for: against its group, against its partner, month by month."""

from collections.abc import Mapping
from dataclasses import dataclass

from reports.model_fixes import FixCell

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class EstimatedCell:
    """A prediction-powered estimate of a share (0 to 1) with its 95 % interval.

    Over `issues` eligible issues of `repositories` repositories, corrected by `labelled` decided ones of the random
    sample; None where too few are.
    """

    share: float | None
    ci: Interval | None
    issues: int
    labelled: int
    repositories: int


@dataclass(frozen=True, slots=True)
class EstimatedRow:
    """A category's estimated share in both groups and in this repository."""

    category: str
    ml: EstimatedCell
    traditional: EstimatedCell
    this_repository: EstimatedCell | None


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A measure of this repository beside the median of its group's repository medians and its matched partner's.

    `indicator` is an indicator's key, or `share:<category>` for a share of decided system-related issues (0 to 1).
    `partner` is None where there is no partner or its numbers may not be named.
    """

    indicator: str
    own: FixCell
    group_median: float | None
    group_repositories: int
    partner: FixCell | None


@dataclass(frozen=True, slots=True)
class RepositoryRow:
    """A repository that may be named: its paradigm, its decided system-related issues, and their measures by indicator.

    `category_counts` are its issues of the shares by category, in codebook order.
    """

    repository: str
    paradigm: str | None
    n: int
    cells: Mapping[str, FixCell]
    category_counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One month of this repository: counts, and medians of what was closed in it; no test is run on months."""

    month: str
    closed: int
    eligible_system: int
    system_related: int
    open_days: float | None
    issue_comments: float | None
