"""The text a prediction is made from: taken from the evidence, and packed small to be kept."""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict
from typing import Any

from bot.commands.grammar import beginning, mentions
from bot.evidence.model import Evidence
from bot.evidence.participants import counted_comments, is_member, is_person
from classifier import CommentText, FixFileText, FixText, IssueText


def issue_text(evidence: Evidence, bots: frozenset[str] = frozenset(), slug: str = "") -> IssueText:
    """Return the issue as a reader saw it when it closed: its text, and what people wrote up to that closing.

    Lines that give the bot a command are left out, since they may name the very category to be predicted; `slug` is the
    App's name on GitHub, by which they may begin, or empty where it is not known.
    """
    comments = (
        CommentText(_without_commands(comment.body, slug), is_member(comment.association))
        for comment in counted_comments(evidence, bots)
    )
    fix = evidence.fix
    return IssueText(
        title=evidence.title,
        body=_without_commands(evidence.body, slug),
        comments=tuple(comment for comment in comments if comment.body.strip()),
        fix=None
        if fix is None
        else FixText(
            title=fix.title,
            additions=fix.additions,
            deletions=fix.deletions,
            files=tuple(FixFileText(file.path, file.additions, file.deletions) for file in fix.files),
        ),
    )


def later_comments(evidence: Evidence, slug: str = "") -> tuple[CommentText, ...]:
    """Return what people wrote after the closing that counts: kept apart, measured and predicted from by nothing."""
    until = evidence.closed_at
    return tuple(
        CommentText(text, is_member(one.association))
        for one in evidence.comments
        if until is not None and one.created_at > until and is_person(one.author)
        if (text := _without_commands(one.body, slug)).strip()
    )


def pack(text: IssueText | tuple[CommentText, ...]) -> bytes:
    """Pack a text, or comments alone, into compressed JSON; any characters survive, lone surrogates too."""
    content = [asdict(one) for one in text] if isinstance(text, tuple) else asdict(text)
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode("ascii"), level=6)


def unpack(packed: bytes) -> IssueText:
    """Return the text that `pack` packed; raises `zlib.error` or `ValueError` for anything else."""
    read: dict[str, Any] = json.loads(zlib.decompress(packed))
    fix = read["fix"]
    return IssueText(
        title=read["title"],
        body=read["body"],
        comments=tuple(CommentText(**comment) for comment in read["comments"]),
        fix=None if fix is None else FixText(**{**fix, "files": tuple(FixFileText(**file) for file in fix["files"])}),
    )


def _without_commands(text: str, slug: str) -> str:
    if not mentions(text, slug):
        return text
    begins = beginning(slug)
    return "\n".join(line for line in text.splitlines() if not begins.match(line.lstrip()))
