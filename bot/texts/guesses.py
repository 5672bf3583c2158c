"""What all texts say alike of a guess: what weighed most, and what was seen in the fix."""

from __future__ import annotations

from collections.abc import Sequence

from reports.markdown import plain

_LONGEST = 80


def weighed(words: Sequence[str]) -> str:
    """Return the words that weighed most, as safe Markdown."""
    return ", ".join(f"*{plain(word, _LONGEST)}*" for word in words)


def in_the_fix(facts: Sequence[str]) -> str:
    """Return the sentence on what was seen in the fix, as safe Markdown."""
    return f"What weighed most in the fix: {'; '.join(plain(fact, _LONGEST) for fact in facts)}."
