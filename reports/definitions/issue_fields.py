"""Definitions of the fields of a record that say which issue it is and what people, or the model, made of it."""

from typing import Final

from reports.definitions.model import FIRST, GITHUB, NEVER, OURS, SECOND, Definition

ISSUE_FIELDS: Final = (
    Definition(
        "repository_id", "number", "GitHub's number of the repository, which no renaming changes.", NEVER, GITHUB
    ),
    Definition("repository", "owner/name", "The repository's name when the record was written out.", NEVER, GITHUB),
    Definition(
        "paradigm",
        "`ml` or `traditional`",
        "The group that the repository belongs to: `ml`, a machine-learning framework, or `traditional`.",
        "where nobody said",
        f"{FIRST}, 3.1 and Table 2",
    ),
    Definition("issue_id", "number", "GitHub's number of the issue, unique over all repositories.", NEVER, GITHUB),
    Definition("number", "number", "The issue's number in its repository, as after `#`.", NEVER, GITHUB),
    Definition(
        "created_at",
        "time",
        "When the issue was opened.",
        "where a file does not say",
        GITHUB,
    ),
    Definition(
        "created_at_estimated",
        "true or false",
        "Whether `created_at` is an estimate, as in facts from git histories, whose issue numbers were dated by the "
        "pull requests around them.",
        NEVER,
        OURS,
    ),
    Definition(
        "closed_at",
        "time",
        "The closing that ended the last span of being open. In facts from git histories: when the fix was committed.",
        "where a file does not say",
        OURS,
    ),
    Definition(
        "reopened",
        "count",
        "How often the issue was opened again up to `closed_at`.",
        "in facts from git histories",
        OURS,
    ),
    Definition(
        "first_close_days",
        "days, fractional",
        "From `created_at` to the first closing, whatever came after it.",
        "in facts from git histories",
        OURS,
    ),
    Definition(
        "state_reason",
        "word",
        "Why it is closed, in GitHub's words: `completed`, `not_planned` or `duplicate`.",
        "where GitHub gives none, as for most older issues",
        GITHUB,
    ),
    Definition(
        "state",
        "word",
        "`collected`: nobody decided, and nothing is proposed. `proposed`: a category is proposed. `confirmed`: "
        "people decided as the model had guessed. `corrected`: they decided otherwise. `rejected`: they said that it"
        " is not system-related against a guess that said it is, or took the guess's label off without a word on what"
        " it is instead. `disputed`: two people's last words differ, and nobody with maintain"
        " rights decided since.",
        NEVER,
        OURS,
    ),
    Definition(
        "eligible_system",
        "true or false",
        "Whether the issue may enter the first study's tables: no exclusion holds. Whether it is system-related is "
        "not asked here; its category says that.",
        NEVER,
        f"{FIRST}, 3.2",
    ),
    Definition(
        "eligible_bug",
        "true or false",
        "Whether it may enter the second study's tables: no exclusion holds but those that concern `eligible_system`"
        " alone.",
        NEVER,
        SECOND,
    ),
    Definition("exclusions", "words", "Every reason against either verdict, as listed below.", NEVER, f"{FIRST}, 3.2"),
    Definition(
        "category",
        "word",
        "The root cause that people decided: one of the 15 categories, or `none` for what is not system-related.",
        "while nobody decided, and while it is disputed",
        f"{FIRST}, Table 1",
    ),
    Definition(
        "category2",
        "word",
        "A second cause that the same decision named.",
        "where it named none, and while it is disputed",
        OURS,
    ),
    Definition(
        "none_kind",
        "word",
        "What an issue of category `none` is instead: `functional`, `question`, `feature`, `docs` or `misuse`.",
        "where the decision does not say",
        OURS,
    ),
    Definition(
        "category_source",
        "word",
        "Where the category comes from: `decision` (a comment or a tick), `label`, or `study` (the researchers' "
        "coding). The model's guess is none of them.",
        "without a category",
        OURS,
    ),
    Definition(
        "selection",
        "word",
        "How the issue came to be decided: `random` (drawn by a seed), `targeted` (asked for what the model learns),"
        " `volunteered` (decided unasked), `imported`. Shares of categories are counted from `random` and `imported`"
        " only.",
        "where it was neither asked about nor decided",
        OURS,
    ),
    Definition(
        "selection_probability",
        "0 to 1",
        "The chance of being in the random sample: its size by the number of issues it was drawn from.",
        "outside of a random sample",
        OURS,
    ),
    Definition("blind", "true or false", "Whether people were asked without seeing the proposal.", NEVER, OURS),
    Definition("proposal_category", "word", "The category that the model names first.", "without a prediction", OURS),
    Definition(
        "proposal_probability", "0 to 1", "The model's probability of that category.", "without a prediction", OURS
    ),
    Definition("proposal_model", "text", "The version of the model.", "without a prediction", OURS),
    Definition("decided_at", "time", "When the newest decision that stands was made.", "while nobody decided", OURS),
    Definition(
        "bug_type",
        "word",
        "The kind of bug in the second study's taxonomy, of which only three names are public; the rest is `other`.",
        "where nobody said",
        SECOND,
    ),
)
"""In the order of the file."""
