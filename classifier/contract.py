"""What goes into a classifier and what comes out: text in, `Prediction` out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

DEFAULT_PRIOR = 0.2
"""Assumed share of system-related issues among closings that nobody searched for (`rootcause classify --prior`)."""


@dataclass(frozen=True, slots=True)
class CommentText:
    """One comment: its Markdown, and whether a member of the repository wrote it (None where unknown)."""

    body: str
    member: bool | None = None


@dataclass(frozen=True, slots=True)
class FixFileText:
    """One file the fix changed: its path and its added and deleted lines (None where unknown)."""

    path: str
    additions: int | None = None
    deletions: int | None = None


@dataclass(frozen=True, slots=True)
class FixText:
    """The change that closed the issue: title, lines added and deleted, and files."""

    title: str | None = None
    additions: int | None = None
    deletions: int | None = None
    files: tuple[FixFileText, ...] = ()


@dataclass(frozen=True, slots=True)
class IssueText:
    """An issue as a reader sees it. Repository name and GitHub labels are left out on purpose."""

    title: str
    body: str
    comments: tuple[CommentText, ...] = ()
    fix: FixText | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the classifier makes of one issue.

    `category`, `probability`, `top` (three) and `probabilities` (all 16, sum 1) use the corpus prior. `system_related`
    (0..1) and `proposed` use the target prior given to `predict`. `reason` says why nothing is proposed, None where
    something is. `words` are the words of the issue that weighed most, as written there. `cut` says that the thread was
    too long and only a part of it was read. `facts` says what about the fix weighed most, in words. `bug_type` is the
    likeliest bug type and `bug_types` gives the probability of each (sum 1); None and empty from a model that knows
    none.
    """

    category: str
    probability: float
    top: tuple[tuple[str, float], ...]
    probabilities: dict[str, float]
    system_related: float
    proposed: bool
    reason: str | None
    words: tuple[str, ...]
    model: str
    cut: bool = False
    facts: tuple[str, ...] = ()
    bug_type: str | None = None
    bug_types: Mapping[str, float] = field(default_factory=dict)


class Classifier(Protocol):
    """Anything that turns an issue's text into a prediction."""

    @property
    def version(self) -> str:
        """Name and number of the model, stored with every prediction."""
        ...

    def predict(self, issue: IssueText, prior: float = DEFAULT_PRIOR, *, threshold: float | None = None) -> Prediction:
        """Predict one issue's cause; `prior` is the assumed share of system-related issues, 0 < prior < 1.

        `threshold` (0 to 1) stands in for the probability from which the model itself proposes. Raises ValueError for
        a prior outside that range.
        """
        ...
