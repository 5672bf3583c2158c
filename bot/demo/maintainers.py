"""Maintainers played by a script: which issues they decide, and what they write. Pure, and the same in every run.

The samples carry their true category, so there the maintainer confirms what is right and corrects what is not. For
issues from a file nobody knows the truth: 60 % are decided, of them 80 % by confirming and 20 % by naming the second
choice, and the report says that these decisions are simulated.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

DECIDED_SHARE = 0.6
CONFIRMED_SHARE = 0.8
SAMPLES_DECIDED_SHARE = 0.85


@dataclass(frozen=True)
class Question:
    """An eligible record as its maintainer sees it; `truth` is known for samples only."""

    repository: str
    number: int
    guess: str
    second: str
    blind: bool
    truth: str | None


def comment_for(question: Question) -> str | None:
    """Return what the maintainer writes in the issue, or None where nobody decides it."""
    luck = _draw(question, "decides")
    if question.truth is not None:
        if luck >= SAMPLES_DECIDED_SHARE:
            return None
        return _say(question, question.truth)
    if luck >= DECIDED_SHARE:
        return None
    return _say(question, question.guess if _draw(question, "confirms") < CONFIRMED_SHARE else question.second)


def _say(question: Question, category: str) -> str:
    """Confirm where the proposal says the same and was shown, else name the category."""
    if category == question.guess and not question.blind:
        return "/rootcause confirm"
    return f"/rootcause {category}"


def _draw(question: Question, purpose: str) -> float:
    text = f"demo:{purpose}:{question.repository}:{question.number}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64
