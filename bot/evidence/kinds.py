"""What kind of issue it is and how it ended, from labels, issue type, template and last words: rules, no learning."""

from __future__ import annotations

import re

from bot.evidence.model import Evidence

_SEPARATORS = re.compile(r"[^a-z0-9]+")
_PREFIXES = frozenset({"c", "category", "i", "issue", "kind", "resolution", "stat", "state", "status", "t", "type"})

_QUESTION_LABELS = frozenset(
    {
        "discussion",
        "how to",
        "howto",
        "needs support",
        "question",
        "questions",
        "support",
        "support request",
        "usage",
        "usage question",
        "user question",
    }
)
_ENHANCEMENT_LABELS = frozenset(
    {
        "enhancement",
        "enhancements",
        "feature",
        "feature proposal",
        "feature request",
        "feature requests",
        "features",
        "improvement",
        "new feature",
        "proposal",
        "request for comments",
        "rfc",
        "suggestion",
        "wishlist",
    }
)
_DUPLICATE_LABELS = frozenset({"duplicate", "duplicates", "is duplicate", "closed duplicate"})
_INACTIVE_LABELS = frozenset(
    {
        "autoclosed",
        "auto closed",
        "closed due to inactivity",
        "closed inactive",
        "closed stale",
        "closed for staleness",
        "inactive",
        "lifecycle rotten",
        "lifecycle stale",
        "no activity",
        "no issue activity",
        "no recent activity",
        "rotten",
        "stale",
        "stalled",
    }
)
_QUESTION_TYPES = frozenset({"question", "support", "support request"})
_ENHANCEMENT_TYPES = frozenset({"enhancement", "feature", "feature request", "improvement"})

_QUESTION_TITLE = re.compile(
    r"\s*[\[(](?:q|question|help|usage|support|discussion)[\])]|\s*question\s*:", re.IGNORECASE
)
_ENHANCEMENT_TITLE = re.compile(
    r"\s*[\[(](?:feature(?: request)?|enhancement|fr|rfc|proposal|suggestion)[\])]"
    r"|\s*(?:feature request|enhancement|rfc|proposal)\s*:",
    re.IGNORECASE,
)
_QUESTION_OPENING = re.compile(r"questions and help\b", re.IGNORECASE)
_ENHANCEMENT_OPENING = re.compile(
    r"(?:the )?feature(?:$| request\b|, motivation\b)|is your feature request related\b", re.IGNORECASE
)
_CLOSES = re.compile(r"\bclos(?:e|es|ed|ing)\b", re.IGNORECASE)
_INACTIVE = re.compile(
    r"\b(?:inactiv\w*|stale|staleness|(?:no|lack\s+of|without)\s+(?:\w+\s+){0,2}"
    r"(?:activity|response|reply|feedback|updates?))\b",
    re.IGNORECASE,
)
_SENTENCE_ENDS = re.compile(r"[.!?\n]")
_LAST_WORDS = 2
"""Comments before the closing that are looked at for the reason of it."""


def is_question(evidence: Evidence, more_labels: frozenset[str] = frozenset()) -> bool:
    """Tell a question: by a label, the issue type, or a template's mark on the title or at the top."""
    return (
        has_label(evidence.labels, _QUESTION_LABELS | {_plain(label) for label in more_labels})
        or _plain(evidence.issue_type or "") in _QUESTION_TYPES
        or _QUESTION_TITLE.match(evidence.title) is not None
        or _QUESTION_OPENING.match(_opening(evidence.body)) is not None
    )


def asks_for_enhancement(evidence: Evidence, more_labels: frozenset[str] = frozenset()) -> bool:
    """Tell a request for a feature or an enhancement, by the same signs."""
    return (
        has_label(evidence.labels, _ENHANCEMENT_LABELS | {_plain(label) for label in more_labels})
        or _plain(evidence.issue_type or "") in _ENHANCEMENT_TYPES
        or _ENHANCEMENT_TITLE.match(evidence.title) is not None
        or _ENHANCEMENT_OPENING.match(_opening(evidence.body)) is not None
    )


def is_duplicate(evidence: Evidence) -> bool:
    """Tell an issue closed as the duplicate of another, by GitHub's own reason or by a label."""
    return evidence.state_reason == "duplicate" or has_label(evidence.labels, _DUPLICATE_LABELS)


def closed_for_inactivity(evidence: Evidence) -> bool:
    """Tell an issue closed because nobody went on with it: by a label, or by what was written just before.

    Bots' comments are looked at too: most such closings are theirs.
    """
    until = evidence.closed_at
    if until is None:
        return False
    said = [comment.body for comment in evidence.comments if comment.created_at <= until][-_LAST_WORDS:]
    return has_label(evidence.labels, _INACTIVE_LABELS) or any(map(_gives_up, said))


def _gives_up(text: str) -> bool:
    """Tell whether one sentence speaks both of closing and of nobody answering."""
    sentences = _SENTENCE_ENDS.split(text[:2_000])
    return any(_CLOSES.search(sentence) and _INACTIVE.search(sentence) for sentence in sentences)


def has_label(labels: tuple[str, ...], names: frozenset[str]) -> bool:
    """Tell whether a label is one of `names`, whatever its case, separators, emoji and prefix (`type:`, `kind/`)."""
    return any(_plain(label) in names for label in labels)


def _plain(label: str) -> str:
    words = _SEPARATORS.sub(" ", label.lower()).split()
    while len(words) > 1 and words[0] in _PREFIXES:
        words = words[1:]
    return " ".join(words)


def _opening(body: str) -> str:
    """Return the words of the first line of a description, without what marks a heading."""
    line = next((line for line in body[:2_000].splitlines() if line.strip()), "")
    return line.strip(" \t#*_").lstrip("\u2753\U0001f680\ufe0f ")
