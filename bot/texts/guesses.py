"""What all texts say alike of a guess: how probable it is, what weighed most, and what was seen in the fix."""

from __future__ import annotations

from collections.abc import Sequence

from reports.markdown import plain

_LONGEST = 80


def percent(probability: float) -> str:
    """Return a probability (0 to 1) in whole percent; what would be rounded to none is said to be under one."""
    return f"{round(100 * probability)} %" if probability >= 0.005 else "under 1 %"


def weighed(words: Sequence[str]) -> str:
    """Return the words that weighed most, as safe Markdown."""
    return ", ".join(f"*{plain(word, _LONGEST)}*" for word in words)


def in_the_fix(facts: Sequence[str]) -> str:
    """Return the sentence on what was seen in the fix, as safe Markdown."""
    return f"In the fix: {'; '.join(plain(fact, _LONGEST) for fact in facts)}."
