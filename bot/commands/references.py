"""Changes and comments as a command names them: `#12`, `owner/name#12`, a commit's hash, or an address; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = r"(?!\.{1,2}(?![\w.-]))[A-Za-z0-9_.-]{1,100}"
"""An owner's or a repository's name; `.` and `..` are none, and would lead elsewhere in an address."""

_NUMBER = r"[1-9][0-9]{0,8}"
_SHORT = re.compile(rf"({_NAME}/{_NAME})?#({_NUMBER})", re.ASCII)
_SHA = re.compile(r"[0-9a-fA-F]{7,40}", re.ASCII)
_PLACE = rf"(https?://[^/\s?#]+/(?:[^/\s?#]+/)*?)({_NAME}/{_NAME})"
_NUMBERED = re.compile(rf"{_PLACE}/(?:pull|pulls|issues)/({_NUMBER})(?:[/?#]\S*)?", re.ASCII | re.IGNORECASE)
_COMMIT = re.compile(rf"{_PLACE}/commits?/([0-9a-f]{{7,40}})(?:[/?#]\S*)?", re.ASCII | re.IGNORECASE)
_COMMENT = re.compile(
    rf"{_PLACE}/(?:issues|pull)/({_NUMBER})(?:\?\S*?)?#issuecomment-([1-9][0-9]{{0,17}})", re.ASCII | re.IGNORECASE
)
_SAME = re.compile(r"^https?://(?:www\.|redirect\.)?", re.IGNORECASE)


@dataclass(frozen=True)
class ChangeName:
    """A pull request's number or a commit's hash; without `repository` it is in the issue's own one.

    `server` is the beginning of an address up to the repository's name, None where no address was written. Issues and
    pull requests share their numbers, and GitHub leads from one address to the other, so both kinds are understood.
    """

    repository: str | None = None
    number: int | None = None
    sha: str | None = None
    server: str | None = None

    def __str__(self) -> str:
        """Write it in the one way that means it; read again it is the same."""
        if self.server is not None:
            return f"{self.server}{self.repository}/" + (f"pull/{self.number}" if self.number else f"commit/{self.sha}")
        return self.sha or f"{self.repository or ''}#{self.number}"


@dataclass(frozen=True)
class CommentName:
    """A comment by its address: on which server, in which issue, and its id."""

    server: str
    repository: str
    number: int
    comment_id: int

    def __str__(self) -> str:
        """Write the address without what does not matter."""
        return f"{self.server}{self.repository}/issues/{self.number}#issuecomment-{self.comment_id}"


def read_change(word: str) -> ChangeName | None:
    """Understand a word as the name of a change; None where it is none."""
    if found := _SHORT.fullmatch(word):
        return ChangeName(found[1], int(found[2]))
    if _SHA.fullmatch(word):
        return ChangeName(sha=word.lower())
    if found := _NUMBERED.fullmatch(word):
        return ChangeName(found[2], int(found[3]), server=found[1])
    if found := _COMMIT.fullmatch(word):
        return ChangeName(found[2], sha=found[3].lower(), server=found[1])
    return None


def read_comment(word: str) -> CommentName | None:
    """Understand a word as the address of a comment in a conversation; None where it is none."""
    found = _COMMENT.fullmatch(word)
    return CommentName(found[1], found[2], int(found[3]), int(found[4])) if found else None


def is_same_server(one: str, other: str) -> bool:
    """Tell whether two beginnings of addresses lead to the same server, however it is reached."""
    return _SAME.sub("", one).rstrip("/").casefold() == _SAME.sub("", other).rstrip("/").casefold()
