"""What decided issues teach: which of them a model may learn from, and what they tell of their repository; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from classifier import IssueText

_SETTLED = frozenset({"confirmed", "corrected", "rejected"})


@dataclass(frozen=True)
class Decided:
    """One issue with decisions, as the database has it; `text` gives what the prediction was made from.

    `row_id` is the newest decision that stands, which never changes afterwards: another word on the issue is another
    row. `category` is what the record was settled to, None while people disagree.
    """

    row_id: int
    repository: str
    listed: bool
    private: bool
    state: str
    category: str | None
    bug_type: str | None
    decided_at: datetime
    text: Callable[[], IssueText]


def teaches(decided: Decided) -> bool:
    """Say whether an issue may be learned from.

    It must be settled, so that undone and disputed decisions give nothing; its repository must be listed for the
    comparison; and it must be public, since a model's vocabulary and weights would carry words of private threads to
    everybody else.
    """
    settled = decided.state in _SETTLED and decided.category is not None
    return settled and decided.listed and not decided.private


@dataclass(frozen=True)
class Tendency:
    """What is known of a repository: its decided issues of the random sample by category, and its own threshold.

    Without decisions the general mix counts alone; without a threshold (0 to 1) the model's own does.
    """

    counts: Mapping[str, float] = field(default_factory=dict)
    threshold: float | None = None


NOTHING_KNOWN = Tendency()
