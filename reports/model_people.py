"""What the report says of people: their roles, and how far coders agree."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoleCell:
    """A role in one group: `n` of `total` people (each counted once), and the share, 0 to 1."""

    n: int
    total: int
    share: float | None
    repositories: int


@dataclass(frozen=True, slots=True)
class RoleRow:
    """A role by the profile's own words, in both groups; descriptive, no test."""

    role: str
    ml: RoleCell
    traditional: RoleCell


@dataclass(frozen=True, slots=True)
class AgreementCell:
    """Issues that both sides coded, the share coded alike (0 to 1), Cohen's kappa (-1 to 1), and how many repositories.

    `reason` says why there is no kappa.
    """

    n: int
    repositories: int
    observed: float | None
    kappa: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class AgreementTable:
    """Agreement between two people, and between people and the model: on blind issues, and on those it showed.

    Only `model_blind` is free of anchoring; `model_shown` stands beside it to show how much anchoring there is.
    `people_here` is the same as `people` within the repository that the report is for; None where it is for none.
    """

    people: AgreementCell
    model_blind: AgreementCell
    model_shown: AgreementCell
    people_here: AgreementCell | None = None
