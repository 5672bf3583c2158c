"""The report as plain values: what `report.json` holds and what the Markdown is written from.

Shares and effects lie between -1 and 1, intervals are (low, high) at 95 %, None means not known or not computed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reports.markdown import GITHUB
from reports.model_checks import Sensitivity
from reports.model_fixes import BugTypeRow, LanguageRow, MplRow
from reports.model_own import EstimatedRow, OwnRow, RepositoryRow, TrendPoint
from reports.model_people import AgreementTable, RoleRow
from reports.periods import Period
from reports.rows import Record, Repository
from reports.study import Study
from reports.vocabulary import Group

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """Counts of issues from closed to counted in the shares; each from `eligible_system` on is part of the last.

    `excluded` lists (reason, issues) of those not eligible, the most frequent first; one issue may have several.
    """

    closed: int
    with_fix: int
    eligible_bug: int
    eligible_system: int
    decided: int
    system_related: int
    in_shares: int
    excluded: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class GroupCoverage:
    """Repositories of a group: compared, with a closing in the window, with an issue in the shares."""

    compared: int
    reporting: int
    deciding: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of what happened the tables rest on.

    With `facts_alone` nothing is decided or proposed, and the difficulty over all is that of every bug with a fix.
    """

    groups: Mapping[Group, GroupCoverage]
    month: FunnelStep
    window: FunnelStep
    proposed_unconfirmed: int
    sampled: int
    sampled_unanswered: int
    heuristic_left_out: int
    not_available: tuple[tuple[str, str], ...]
    facts_alone: bool = False


@dataclass(frozen=True, slots=True)
class Funnel:
    """The steps of the window: for each group, and for the repository the report is for."""

    groups: Mapping[Group, FunnelStep]
    this_repository: FunnelStep | None


@dataclass(frozen=True, slots=True)
class Anova:
    """One-way analysis of variance, the study's test, or Welch's; None where a group is constant or too small."""

    f: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class ShareCell:
    """A category in one group: `n` of `total` issues, the share with its Wilson interval, the repositories."""

    n: int
    total: int
    share: float | None
    ci: Interval | None
    repositories: int


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category compared between the groups; `difference` is ML minus traditional, of repository shares."""

    category: str
    ml: ShareCell
    traditional: ShareCell
    difference: float | None
    difference_ci: Interval | None
    p: float | None
    q: float | None
    p_issue_level: float | None
    anova: Anova
    welch: Anova
    testable: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class QuartileCell:
    """An indicator in one group: over `n` issues of `repositories` repositories, in the indicator's own unit."""

    n: int
    repositories: int
    median: float | None
    q1: float | None
    q3: float | None


@dataclass(frozen=True, slots=True)
class IndicatorRow:
    """An indicator compared between the groups, for one category or `overall`; a positive delta: ML is higher.

    `direction` is the sign of what p tests, the difference of the groups' means of repository medians.
    """

    category: str
    indicator: str
    ml: QuartileCell
    traditional: QuartileCell
    direction: int
    cliffs_delta: float | None
    cliffs_delta_ci: Interval | None
    p: float | None
    q: float | None
    p_issue_level: float | None
    anova: Anova
    welch: Anova
    testable: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables; `dominant` is the category that `without_dominant` leaves out.

    A table that the input does not suffice for is empty, and `Coverage.not_available` says why.
    """

    categories: tuple[CategoryRow, ...]
    dominant: str | None
    without_dominant: tuple[CategoryRow, ...]
    estimated: tuple[EstimatedRow, ...]
    difficulty: tuple[IndicatorRow, ...]
    information: tuple[IndicatorRow, ...]
    community: tuple[IndicatorRow, ...]
    roles: tuple[RoleRow, ...]
    bug_types: tuple[BugTypeRow, ...]
    languages: tuple[LanguageRow, ...]
    mpl_vs_spl: tuple[MplRow, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """One period's report for one repository (or, without `repository`, for all).

    `own_records` are the repository's issues closed in the window. `own` compares them with the group and with the
    `partner`, None where there is none that may be named. `repositories` are those that
    may be named. `trend` is the repository's window month by month, or that
    of all compared ones. `study` is there while too few repositories are
    live. `notes` are the caller's sentences for the reader. `versions` are (name, version) of what computed it.
    `sensitivity` says how far results hang on single people and unconfirmed proposals. `server` is the address of the
    GitHub that links lead to.
    """

    period: Period
    seed: int
    repository: Repository | None
    own_records: tuple[Record, ...]
    funnel: Funnel
    coverage: Coverage
    tables: Tables
    agreement: AgreementTable
    own: tuple[OwnRow, ...]
    repositories: tuple[RepositoryRow, ...]
    partner: str | None
    trend: tuple[TrendPoint, ...]
    finding: tuple[str, str, str]
    study: Study | None
    notes: tuple[str, ...]
    versions: tuple[tuple[str, str], ...]
    sensitivity: Sensitivity = field(default_factory=Sensitivity)
    server: str = GITHUB
