"""How far the results hang on single people and on what nobody has confirmed: printed beside them, never instead."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FollowersCheck:
    """The comparison of followers without those who have more than `above`: how many these are, what is left of it.

    `ml_left_out` and `traditional_left_out` are people; the effect, its interval and p are as in the table of people,
    None where too few are left.
    """

    above: int
    ml_left_out: int
    traditional_left_out: int
    cliffs_delta: float | None
    cliffs_delta_ci: tuple[float, float] | None
    p: float | None


@dataclass(frozen=True, slots=True)
class CheckedShare:
    """A category in one group with proposals counted like decisions: `n` of `total` issues, the share 0 to 1."""

    n: int
    total: int
    share: float | None


@dataclass(frozen=True, slots=True)
class ProposalsCheck:
    """A category's shares, the model's unconfirmed proposals counted too; described, never tested."""

    category: str
    ml: CheckedShare
    traditional: CheckedShare


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Both checks; `followers` is None without known followers, `proposals` empty where none waits."""

    followers: FollowersCheck | None = None
    proposals: tuple[ProposalsCheck, ...] = ()
