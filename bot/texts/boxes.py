"""The boxes of an inbox, read back from whatever its text has become."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_LINE = re.compile(
    r"^[ ]{0,3}[-*+] \[(?P<box>[ xX])\] (?:<!-- rootcause:issue=(?P<issue>[0-9]{1,18}) -->)?"
    r"[ ]?(?:\[#(?P<number>[0-9]{1,9})\]\()?",
    re.MULTILINE,
)


def box(issue_id: int) -> str:
    """Return an empty box of one issue, with its hidden mark."""
    return f"[ ] <!-- rootcause:issue={issue_id} -->"


@dataclass(frozen=True)
class Box:
    """One box: the issue's id where its hidden mark is there, its number where the link to it is."""

    issue_id: int | None
    number: int | None
    ticked: bool


def boxes(body: str) -> tuple[Box, ...]:
    """Return the boxes of a text that say which issue they are about, in order."""
    found = (
        Box(
            int(line["issue"]) if line["issue"] else None,
            int(line["number"]) if line["number"] else None,
            line["box"] != " ",
        )
        for line in _LINE.finditer(body)
    )
    return tuple(one for one in found if one.issue_id is not None or one.number is not None)


def issues_by_number(bodies: Sequence[str]) -> dict[int, int]:
    """Return the issue ids of the numbers that stand beside them in any of these texts."""
    return {
        one.number: one.issue_id
        for body in bodies
        for one in boxes(body)
        if one.number is not None and one.issue_id is not None
    }


def states(body: str, known: Mapping[int, int] | None = None) -> dict[int, bool]:
    """Return of each issue whether its box is ticked, by issue id; where it has several, whether any is.

    A line without its hidden mark counts by the number of its link, where `known` has that issue's id.
    """
    found: dict[int, bool] = {}
    for one in boxes(body):
        issue_id = one.issue_id if one.issue_id is not None else (known or {}).get(one.number or 0)
        if issue_id is not None:
            found[issue_id] = found.get(issue_id, False) or one.ticked
    return found
