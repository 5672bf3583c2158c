"""Two verdicts on an issue, may it enter the first study's tables or the second's, with every reason against it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.evidence.kinds import asks_for_enhancement, closed_for_inactivity, is_duplicate, is_question
from bot.evidence.model import Evidence
from bot.evidence.participants import counted_comments
from bot.evidence.words import count_words

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s.*$|^[ \t\r_*]*no response[ \t\r_*]*$", re.MULTILINE | re.IGNORECASE)

_ONLY_SYSTEM = frozenset({"too_little_text"})


@dataclass(frozen=True)
class EligibilityRules:
    """What may be set per repository; the defaults are section 3.2 of the first study.

    `min_comments` is its "less than three comments"; `min_words` is ours for "enough information to classify": words
    of title and description together, code counted. `exclude_labels`, `exclude_authors` and `bots` are names in any
    case, `own_user_id` is the App's own account. `question_labels` and `enhancement_labels` add to those known.
    """

    min_comments: int = 3
    min_words: int = 8
    question_labels: frozenset[str] = frozenset()
    question_types: frozenset[str] = frozenset()
    enhancement_labels: frozenset[str] = frozenset()
    enhancement_types: frozenset[str] = frozenset()
    duplicate_labels: frozenset[str] = frozenset()
    inactive_labels: frozenset[str] = frozenset()
    inactive_bots: frozenset[str] = frozenset()
    exclude_labels: frozenset[str] = frozenset()
    exclude_authors: frozenset[str] = frozenset()
    bots: frozenset[str] = frozenset()
    own_user_id: int | None = None


@dataclass(frozen=True)
class Verdicts:
    """`eligible_bug`: a bug with a landed fix (second study). `eligible_system`: also enough comments and text (first).

    `exclusions` are all reasons against either, in a fixed order; a verdict holds where none of them concerns it.
    """

    eligible_bug: bool
    eligible_system: bool
    exclusions: tuple[str, ...]


def judge(evidence: Evidence, rules: EligibilityRules) -> Verdicts:
    """Judge one issue. Whether it is system-related is not asked here: that is its category's business.

    Reasons: not_closed, pull_request, own_issue, excluded_label, excluded_author, question, enhancement, duplicate,
    not_planned, closed_inactive, no_fix, fix_not_landed, fix_unreadable, fewer_than_<min_comments>_comments,
    too_little_text. The last two concern `eligible_system` alone.
    """
    fix = evidence.fix
    landed = fix is not None and fix.landed
    too_few = f"fewer_than_{rules.min_comments}_comments"
    found = {
        "not_closed": evidence.closed_at is None,
        "pull_request": evidence.is_pull_request,
        "own_issue": rules.own_user_id is not None and evidence.author.id == rules.own_user_id,
        "excluded_label": _any_of(evidence.labels, rules.exclude_labels),
        "excluded_author": _any_of((evidence.author.login or "",), rules.exclude_authors),
        "question": is_question(evidence, rules.question_labels, rules.question_types),
        "enhancement": asks_for_enhancement(evidence, rules.enhancement_labels, rules.enhancement_types),
        "duplicate": is_duplicate(evidence, rules.duplicate_labels),
        "not_planned": evidence.state_reason == "not_planned",
        "closed_inactive": not landed and closed_for_inactivity(evidence, rules.inactive_labels, rules.inactive_bots),
        "no_fix": fix is None and evidence.fix_link != "private",
        "fix_not_landed": fix is not None and not landed,
        "fix_unreadable": fix is None and evidence.fix_link == "private",
        too_few: len(counted_comments(evidence, rules.bots)) < rules.min_comments,
        "too_little_text": written_words(f"{evidence.title}\n{evidence.body}") < rules.min_words,
    }
    exclusions = tuple(reason for reason, holds in found.items() if holds)
    return Verdicts(
        eligible_bug=not set(exclusions) - _ONLY_SYSTEM - {too_few},
        eligible_system=not exclusions,
        exclusions=exclusions,
    )


def written_words(text: str) -> int:
    """Count the words of a text with its code, without HTML comments, headings and unanswered form questions."""
    return count_words(_HEADING.sub(" ", _COMMENT.sub(" ", text)))


def _any_of(given: tuple[str, ...], names: frozenset[str]) -> bool:
    return bool({name.lower() for name in given} & {name.lower() for name in names})
