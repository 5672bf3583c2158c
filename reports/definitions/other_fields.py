"""Definitions of the fields of repositories, participants and decisions."""

from typing import Final

from reports.definitions.model import FIRST, GITHUB, NEVER, OURS, Definition

_NOT_READ = "where it was not read yet"
_NOT_SHOWN = "where the account was not read, or cannot be"

REPOSITORY_FIELDS: Final = (
    Definition("repository_id", "number", "GitHub's number of it, which no renaming changes.", NEVER, GITHUB),
    Definition("repository", "owner/name", "Its present name.", NEVER, GITHUB),
    Definition("paradigm", "`ml` or `traditional`", "Its group.", "where nobody said", f"{FIRST}, 3.1"),
    Definition(
        "domain", "text", "What the framework is for, in Table 2's words.", "where nobody said", f"{FIRST}, Table 2"
    ),
    Definition(
        "in_comparison", "true or false", "Whether its numbers enter the comparison of the groups.", NEVER, OURS
    ),
    Definition(
        "matched_with",
        "number",
        "The `repository_id` of its partner in the other group, by propensity score.",
        "where it was not matched",
        f"{FIRST}, 3.1",
    ),
    Definition("watches", "count", "Accounts that watch it.", _NOT_READ, f"{FIRST}, Table 2"),
    Definition("stars", "count", "Accounts that starred it.", _NOT_READ, f"{FIRST}, Table 2"),
    Definition("forks", "count", "Its forks.", _NOT_READ, f"{FIRST}, Table 2"),
    Definition(
        "commits", "count", "Commits on the default branch.", f"{_NOT_READ}, and when empty", f"{FIRST}, Table 2"
    ),
    Definition(
        "contributors",
        "count",
        "Authors of these commits by e-mail address, those without an account included.",
        f"{_NOT_READ}, and where GitHub refuses to count the largest histories",
        f"{FIRST}, Table 2",
    ),
    Definition(
        "private", "true or false", "Whether it is private; then only its own report has its numbers.", NEVER, GITHUB
    ),
    Definition(
        "share",
        "word",
        "What others' reports show of it: `group`, counted and not named; `named`, counted and named; `off`, nothing.",
        NEVER,
        OURS,
    ),
    Definition(
        "notes",
        "sentences",
        "What every reader of its numbers must know, such as that decisions are simulated.",
        NEVER,
        OURS,
    ),
)

PARTICIPANT_FIELDS: Final = (
    Definition(
        "person",
        "hash",
        "The person under a keyed hash: the same in all files of a database, and the key is never given away. "
        "Deleted accounts and bots have no line.",
        NEVER,
        OURS,
    ),
    Definition("repository_id", "number", "The issue's repository.", NEVER, GITHUB),
    Definition("issue_id", "number", "The issue.", NEVER, GITHUB),
    Definition(
        "roles",
        "words",
        "`author` and `commenter` in the issue, `fix_author`, and `reviewer` for others who took part in the fix.",
        NEVER,
        OURS,
    ),
    Definition(
        "member",
        "true or false",
        "Whether the person is a member, by what they wrote in the issue.",
        "where they took part in the fix only",
        f"{FIRST}, 3.2",
    ),
    Definition(
        "account_years", "whole years", "The account's age when the issue was closed.", _NOT_SHOWN, f"{FIRST}, 7"
    ),
    Definition(
        "followers",
        "count, 2 significant digits",
        "The account's followers on the day it was read; GitHub does not tell earlier numbers.",
        _NOT_SHOWN,
        f"{FIRST}, 7",
    ),
    Definition(
        "profile_role",
        "word",
        "The role in the profile's own words (bio and company line, in English): `engineer`, `senior engineer`, "
        "`researcher`, `both`, or `unknown`. What somebody was, or wants to be, does not count.",
        "where the account was not read yet",
        f"{FIRST}, 3.2",
    ),
)

DECISION_FIELDS: Final = (
    Definition("issue_id", "number", "The issue that was decided.", NEVER, GITHUB),
    Definition("coder", "hash", "Who decided, under the same hash as `person`.", NEVER, OURS),
    Definition(
        "category", "word", "What was decided: one of the 15 categories, or `none`.", NEVER, f"{FIRST}, Table 1"
    ),
    Definition("category2", "word", "A second cause.", "where none was named", OURS),
    Definition(
        "via",
        "word",
        "Where it was said: `comment`, `tick`, `label`, `study` (the researchers) or `import`.",
        NEVER,
        OURS,
    ),
    Definition("blind", "true or false", "Whether the proposal was hidden from whoever decided.", NEVER, OURS),
    Definition("decided_at", "time", "When.", "where an import does not say", OURS),
    Definition(
        "undone_at",
        "time",
        "When it was taken back. Lines are only ever added, and this is the one thing set later.",
        "while it stands",
        OURS,
    ),
)
