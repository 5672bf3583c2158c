"""Puts issues into the local GitHub: their repositories with the App installed, the people, and the closings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bot.sandbox.sandbox import Sandbox

MAINTAINER = "demo-maintainer"
"""Who may decide in every repository."""

Show = Callable[[str, int, int], None]
"""Told (what is going on, how many are done, of how many)."""


def install(sandbox: Sandbox, issues: Sequence[dict[str, Any]]) -> None:
    """Make the repositories of the issues and install the App on them; what is there already stays."""
    sandbox.add_user(MAINTAINER)
    names = sorted({issue["repository"] for issue in issues})
    for name in names:
        owner, _, short = name.partition("/")
        sandbox.add_owner(owner)
        sandbox.add_repository(owner, short)
        sandbox.grant(name, MAINTAINER, "write")
    for owner in sorted({name.partition("/")[0] for name in names}):
        sandbox.install(owner, [name for name in names if name.startswith(f"{owner}/")])


def close(sandbox: Sandbox, issues: Sequence[dict[str, Any]], show: Show) -> None:
    """Let each issue be closed, once, however often it is asked for."""
    for index, issue in enumerate(issues):
        for comment in issue["comments"]:
            if comment.get("member"):
                sandbox.grant(issue["repository"], comment["author"], "write")
        sandbox.seed_issue(issue["repository"], issue, emit=True)
        show("preparing issues", index + 1, len(issues))
