"""What a configuration means for the verdicts on an issue."""

from __future__ import annotations

from bot.config.configuration import Configuration
from bot.evidence.eligibility import EligibilityRules


def eligibility_rules(configuration: Configuration, own_user_id: int | None = None) -> EligibilityRules:
    """Return the rules by which issues are judged; `own_user_id` is the App's own account."""
    said, left_out = configuration.eligibility, configuration.exclude
    return EligibilityRules(
        min_comments=said.min_comments,
        min_words=said.min_words,
        question_labels=frozenset(said.question_labels),
        question_types=frozenset(said.question_types),
        enhancement_labels=frozenset(said.enhancement_labels),
        enhancement_types=frozenset(said.enhancement_types),
        duplicate_labels=frozenset(said.duplicate_labels),
        inactive_labels=frozenset(said.inactive_labels),
        inactive_bots=frozenset(said.inactive_bots),
        exclude_labels=frozenset(left_out.labels),
        exclude_authors=frozenset(left_out.authors),
        bots=frozenset(said.bots),
        own_user_id=own_user_id,
    )
