"""The plain rows a report is computed from, named as the replication package names them.

Every `None` means *not known*, never zero. Datetimes are aware and in UTC. The bot builds these rows from its
database and the package reader builds them from files, so that a report from either is the same call.
"""

from dataclasses import dataclass
from datetime import datetime

Unknown = tuple[tuple[str, object], ...]
"""Fields of a newer package that this version does not know, kept as (name, value) pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """One repository: who it is, which group it belongs to and the measures that matching uses.

    `paradigm` is `ml`, `traditional` or None. `in_comparison` says whether its numbers enter the groups.
    `matched_with` is the `repository_id` of its partner in the other group. `share` is `group` (counted, not named in
    others' reports), `named` or `off` (not counted). `notes` are sentences that every reader of its numbers must see,
    such as that decisions are simulated.
    """

    repository_id: int
    repository: str = ""
    paradigm: str | None = None
    domain: str | None = None
    in_comparison: bool = False
    matched_with: int | None = None
    watches: int | None = None
    stars: int | None = None
    forks: int | None = None
    commits: int | None = None
    contributors: int | None = None
    private: bool = False
    share: str = "group"
    notes: tuple[str, ...] = ()
    unknown: Unknown = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One closed issue: its verdicts, its category and its measures.

    Units: `open_days` and `first_close_days` in days, `participation_percent` 0 to 100, `change_entropy` 0 to 1,
    `proposal_probability` and `selection_probability` 0 to 1; all other measures are counts.
    """

    repository_id: int
    issue_id: int
    number: int
    repository: str = ""
    paradigm: str | None = None
    created_at: datetime | None = None
    created_at_estimated: bool = False
    closed_at: datetime | None = None
    reopened: int | None = None
    first_close_days: float | None = None
    state_reason: str | None = None
    state: str = "collected"
    eligible_system: bool = False
    eligible_bug: bool = False
    exclusions: tuple[str, ...] = ()
    category: str | None = None
    category2: str | None = None
    none_kind: str | None = None
    category_source: str | None = None
    selection: str | None = None
    selection_probability: float | None = None
    blind: bool = False
    proposal_category: str | None = None
    proposal_probability: float | None = None
    proposal_model: str | None = None
    decided_at: datetime | None = None
    bug_type: str | None = None
    open_days: float | None = None
    issue_comments: int | None = None
    fix_comments: int | None = None
    issue_participants: int | None = None
    fix_participants: int | None = None
    changed_lines: int | None = None
    changed_files: int | None = None
    comments_until_reproduced: int | None = None
    comments_until_reproduced_source: str | None = None
    description_words: int | None = None
    attached_files: int | None = None
    code_lines: int | None = None
    issue_form: bool | None = None
    members: int | None = None
    participation_percent: float | None = None
    non_members: int | None = None
    member_contributions: int | None = None
    fix_author_contributions: int | None = None
    fix_kind: str | None = None
    fix_link: str | None = None
    fix_merged_at: datetime | None = None
    languages: tuple[str, ...] | None = None
    languages_with_tests: tuple[str, ...] | None = None
    mpl: bool | None = None
    mpl_with_tests: bool | None = None
    change_entropy: float | None = None
    change_entropy_with_tests: float | None = None
    unknown: Unknown = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """One person's part in one issue, under a keyed hash; years and followers are coarse on purpose."""

    person: str
    repository_id: int
    issue_id: int
    roles: tuple[str, ...] = ()
    member: bool | None = None
    account_years: int | None = None
    followers: int | None = None
    profile_role: str | None = None
    unknown: Unknown = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One person's decision about one issue; `undone_at` is set when it was taken back."""

    issue_id: int
    coder: str
    category: str
    category2: str | None = None
    via: str = "comment"
    blind: bool = False
    decided_at: datetime | None = None
    undone_at: datetime | None = None
    unknown: Unknown = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Everything a report reads. `participants` or `decisions` None: that file was not there."""

    repositories: tuple[Repository, ...] = ()
    records: tuple[Record, ...] = ()
    participants: tuple[Participant, ...] | None = None
    decisions: tuple[Decision, ...] | None = None
