"""The words that answer `similar`: confirmed issues with their cause, how long they were open, and their fix.

No number of an issue stands bare in them: written in the inbox it would leave a reference in that issue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reports.markdown import plain, table

_HEAD = ("issue", "cause", "fix", "open")


@dataclass(frozen=True)
class SimilarIssue:
    """A confirmed issue as it is shown; addresses leave no trace where they lead to.

    `repository` is named only where it is another one than the issue's that was asked about; `fix` is the fix's name
    and address, None where no fix is known.
    """

    number: int
    url: str
    repository: str | None
    title: str
    category: str
    none_kind: str | None
    open_days: float | None
    fix: tuple[str, str] | None


def similar_text(number: int, found: Sequence[SimilarIssue]) -> str:
    """Return the answer for an issue: the confirmed issues like it, the nearest first, or that there is none yet."""
    if not found:
        return f"No confirmed issue is like `#{number}` yet. Each one that is confirmed can be the first for others."
    rows = [(_issue(one), _cause(one), _fix(one), _days(one.open_days)) for one in found]
    return f"Confirmed issues like `#{number}`, the nearest first:\n\n{table(_HEAD, rows, text_columns=3)}"


def _issue(one: SimilarIssue) -> str:
    place = f" ({plain(one.repository)})" if one.repository is not None else ""
    return f"{_linked(f'#{one.number}', one.url)}{place} {plain(one.title)}"


def _cause(one: SimilarIssue) -> str:
    kind = f" ({one.none_kind})" if one.none_kind else ""
    return f"`{one.category}`{kind}"


def _fix(one: SimilarIssue) -> str:
    return "not known" if one.fix is None else _linked(*one.fix)


def _linked(name: str, url: str) -> str:
    """Link a name, or only print it where a link would leave a trace in what it leads to."""
    return f"[{name}]({url})" if url else f"`{name}`"


def _days(days: float | None) -> str:
    if days is None:
        return "not known"
    if days < 1:
        return "under a day"
    return f"{days:.1f} days" if days < 10 else f"{days:.0f} days"
