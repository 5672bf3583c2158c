"""The words that answer `explain`: the three likeliest categories, and what weighed most for the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.texts.guesses import in_the_fix, weighed
from classifier.decide import percent
from reports.markdown import plain, table

_HEAD = ("category", "probability")


@dataclass(frozen=True)
class Explained:
    """What a proposal is explained by: the likeliest categories, what weighed, and why nothing is proposed, if so.

    `words` are the issue's own and `facts` those of its fix; both may be empty.
    """

    top: Sequence[tuple[str, float]]
    words: Sequence[str]
    facts: Sequence[str]
    reason: str | None
    model: str


def explain_text(number: int, explained: Explained | None) -> str:
    """Return the answer for an issue; None stands for one of which nothing was predicted."""
    if explained is None:
        return f"Nothing was predicted of `#{number}` yet."
    rows = [(f"`{category}`", percent(probability)) for category, probability in explained.top]
    parts = [f"What `{explained.model}` makes of `#{number}`:", table(_HEAD, rows)]
    if explained.words:
        parts.append(f"What weighed most for the likeliest: {weighed(explained.words)}.")
    if explained.facts:
        parts.append(in_the_fix(explained.facts))
    if explained.reason is not None:
        parts.append(f"No cause is proposed: {plain(explained.reason, 200)}.")
    return "\n\n".join(parts)


def blind_text(number: int) -> str:
    """Return the answer while an issue is asked blind."""
    return f"`#{number}` is asked blind: what the classifier makes of it is shown once somebody has decided."
