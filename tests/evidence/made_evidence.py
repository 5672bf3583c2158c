"""Evidence made by hand: a small closed issue, of which each test changes what it is about."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.evidence.model import Actor, Comment, Evidence, Fix, FixFile, Span

OPENED = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ANN = Actor("human", 1, "ann")
BOB = Actor("human", 2, "bob")
CY = Actor("human", 3, "cy")
HELPER = Actor("bot", 9, "helper")
GHOST = Actor("ghost")


def at(days: float) -> datetime:
    return OPENED + timedelta(days=days)


def comment(author: Actor, days: float, body: str = "Hm.", association: str = "NONE") -> Comment:
    return Comment(int(days * 1_000), author, association, at(days), body)


def fix(**changes: Any) -> Fix:
    made: dict[str, Any] = {
        "kind": "pull_request",
        "link": "closer_pr",
        "repository": "acme/frame",
        "number": 12,
        "title": "Guard the loop",
        "author": CY,
        "landed": True,
        "merged_at": at(2.5),
        "additions": 13,
        "deletions": 3,
        "changed_files": 2,
        "files": (FixFile("src/core.cc", 10, 2), FixFile("python/core.py", 3, 1)),
        "comments": 4,
        "participants": (CY, BOB),
    }
    return Fix(**{**made, **changes})


def evidence(**changes: Any) -> Evidence:
    """Return an issue opened by ann, commented by three people, closed after two and a half days by a fix."""
    body = changes.get("body", "The program crashes at start when two workers share one queue.")
    made: dict[str, Any] = {
        "repository_id": 5,
        "repository": "acme/frame",
        "issue_id": 700,
        "number": 7,
        "title": "Crash at start",
        "body": body,
        "first_body": body,
        "author": ANN,
        "author_association": "NONE",
        "created_at": OPENED,
        "state": "closed",
        "state_reason": "completed",
        "locked": False,
        "labels": ("bug",),
        "issue_type": None,
        "is_pull_request": False,
        "spans": (Span(OPENED, at(2.5), BOB, "completed"),),
        "comments": (comment(BOB, 1, association="MEMBER"), comment(CY, 1.5), comment(ANN, 2)),
        "fix": fix(),
        "fix_link": "closer_pr",
    }
    return Evidence(**{**made, **changes})
