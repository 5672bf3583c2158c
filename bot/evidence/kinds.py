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


_NONE: frozenset[str] = frozenset()


def is_question(evidence: Evidence, more_labels: frozenset[str] = _NONE, more_types: frozenset[str] = _NONE) -> bool:
    """Tell a question: by a label, the issue type, or a template's mark on the title or at the top.

    Here as below, names that a repository gives add to those known, and count in any case.
    """
    return (
        _is_labelled(evidence, _QUESTION_LABELS, more_labels)
        or _is_of_type(evidence, _QUESTION_TYPES, more_types)
        or _QUESTION_TITLE.match(evidence.title) is not None
        or _QUESTION_OPENING.match(_opening(evidence.body)) is not None
    )


def asks_for_enhancement(
    evidence: Evidence, more_labels: frozenset[str] = _NONE, more_types: frozenset[str] = _NONE
) -> bool:
    """Tell a request for a feature or an enhancement, by the same signs."""
    return (
        _is_labelled(evidence, _ENHANCEMENT_LABELS, more_labels)
        or _is_of_type(evidence, _ENHANCEMENT_TYPES, more_types)
        or _ENHANCEMENT_TITLE.match(evidence.title) is not None
        or _ENHANCEMENT_OPENING.match(_opening(evidence.body)) is not None
    )


def is_duplicate(evidence: Evidence, more_labels: frozenset[str] = _NONE) -> bool:
    """Tell an issue closed as the duplicate of another, by GitHub's own reason or by a label."""
    return evidence.state_reason == "duplicate" or _is_labelled(evidence, _DUPLICATE_LABELS, more_labels)


def closed_for_inactivity(
    evidence: Evidence, more_labels: frozenset[str] = _NONE, closers: frozenset[str] = _NONE
) -> bool:
    """Tell an issue closed because nobody went on with it: by a label, by what was written just before, or by whom.

    Bots' comments are looked at too: most such closings are theirs. `closers` are logins that close for this reason
    alone, with or without `[bot]`.
    """
    until = evidence.closed_at
    if until is None:
        return False
    said = [comment.body for comment in evidence.comments if comment.created_at <= until][-_LAST_WORDS:]
    closer = evidence.spans[-1].closed_by
    return (
        _is_labelled(evidence, _INACTIVE_LABELS, more_labels)
        or (closer is not None and _login(closer.login or "") in {_login(name) for name in closers})
        or any(map(_gives_up, said))
    )


def _is_labelled(evidence: Evidence, known: frozenset[str], more: frozenset[str]) -> bool:
    """Tell whether a label is a known one, or one of a repository's own, whose letters need not be Latin ones."""
    exact = {label.casefold() for label in evidence.labels} & {name.casefold() for name in more}
    return bool(exact) or has_label(evidence.labels, known | ({_plain(name) for name in more} - {""}))


def _is_of_type(evidence: Evidence, known: frozenset[str], more: frozenset[str]) -> bool:
    own = (evidence.issue_type or "").casefold()
    return _plain(own) in known or (own != "" and own in {name.casefold() for name in more})


def _login(name: str) -> str:
    return name.lower().removesuffix("[bot]")


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
