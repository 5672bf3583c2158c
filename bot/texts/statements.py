"""The words that answer `fix`, `reproduced` and `type`: what was noted, what is doubtful, and what to write instead.

As everywhere, no text begins a line with a command, and what a person wrote stands in a code span.
"""

from __future__ import annotations

from bot.commands.registry import FIX, NEVER, PREFIX, REPRODUCED, TYPE
from bot.texts.code import code
from classifier.taxonomy import BUG_TYPES

_NAME_ONE = f"as in `{PREFIX} {REPRODUCED} 3`"
_WHERE = (
    f"Write the number of the comment, {_NAME_ONE}, counted from 1 without those of bots, or its link, or "
    f"`{PREFIX} {REPRODUCED} {NEVER}`."
)


def fix_unnamed() -> str:
    """Answer a `fix` without a change."""
    return (
        f"Which change fixed it? Name a pull request, as in `{PREFIX} {FIX} #99` or `{PREFIX} {FIX} owner/name#99`, "
        "or a commit by its hash."
    )


def type_unnamed() -> str:
    """Answer a `type` without a bug type."""
    names = ", ".join(f"`{PREFIX} {TYPE} {each.key}`" for each in BUG_TYPES)
    return f"Which kind of bug is it? One of {names}."


def fix_on_another_server(written: str) -> str:
    """Answer an address that leads somewhere else."""
    return f"{code(written)} is on another server, where I cannot look. Name a change on this one."


def fix_absent(written: str) -> str:
    """Answer the name of a change that is not there."""
    return f"I find no pull request or commit {code(written)}, so nothing was changed. Please check the name."


def fix_hidden(written: str) -> str:
    """Answer the name of a change that cannot be read."""
    return (
        f"I cannot read {code(written)}: it is noted as the fix, but nothing of it can be measured. "
        "Where the name is misspelt, write the command again."
    )


def fix_not_landed(written: str) -> str:
    """Answer the name of a change that does not count as a fix."""
    return (
        f"{code(written)} is noted as the fix, but it counts only once it is on the default branch, and not where it "
        "was reverted before the issue was closed. When that has changed, write the command again."
    )


def comment_on_another_server(written: str) -> str:
    """Answer an address that leads somewhere else."""
    return f"{code(written)} is on another server. {_WHERE}"


def comment_of_another_issue(written: str) -> str:
    """Answer the link to a comment that stands elsewhere."""
    return f"{code(written)} is no comment of this issue. {_WHERE}"


def comment_not_counted(count: int) -> str:
    """Answer the link to, or the number of, a comment that does not count; `count` is how many do."""
    return f"There is no such comment: up to its closing the issue has {_comments(count)} by people. {_WHERE}"


def reproduced_as_guessed(position: int) -> str:
    """Tell which guess was confirmed."""
    return (
        f"Noted: it was reproduced in comment {position}, as I had guessed from what members wrote. "
        f"Where another one is right, write its number, {_NAME_ONE}."
    )


def reproduced_as_labelled(count: int) -> str:
    """Tell what a label said, which was confirmed; `count` comments were written before it."""
    return (
        f"Noted: it was reproduced after {_comments(count)}, as a label says. "
        f"Where another number is right, write it, {_NAME_ONE}."
    )


def reproduced_without_guess() -> str:
    """Answer a `reproduced` alone where there is nothing to confirm."""
    return f"I have no guess in which comment it was reproduced. {_WHERE}"


def _comments(count: int) -> str:
    return {0: "no comments", 1: "1 comment"}.get(count, f"{count} comments")
