"""The demo's sample issues, told in absolute dates that lie in the current month.

These issues are samples, written for this project in our own words over the twenty frameworks of the first study.
Some follow the facts of things that really happened there, the others are made up and only plausible. Beyond the
messages that programs print no text was taken over, and every person, attachment, commit and number is invented.
They say nothing about how good or bad a framework is.

A stored line holds no date, only how long before another moment something happened, so that the demo's issues always
close in the month it runs in: `closed_minutes_ago` before the reference on a scale of sixty days, `open_days` before
the closing, and for a comment `after_days` after the opening.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from typing import Any

PARADIGMS = ("ml", "traditional")
"""The two groups of the study, each in a file of its own name."""

_SCALE = timedelta(days=60)


def load_samples(reference: datetime) -> list[dict[str, Any]]:
    """Return every sample issue in the sandbox's schema, closed in the month of `reference` and before it.

    The sixty days of the stored form are shrunk to what has passed of the month (in UTC) at `reference`, so the
    order of the closings never changes; open times are kept as they are. A line also carries `sample` (true),
    `category`, `category2`, `none_kind` and `state_reason`, and a maintainer's comment `member` (true). Times are
    ISO 8601 texts in UTC with whole seconds. Raise ValueError for a reference without a time zone.
    """
    if reference.tzinfo is None:
        raise ValueError("The reference moment needs a time zone.")
    moment = reference.astimezone(UTC)
    month = moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return [_dated(line, moment, moment - month) for paradigm in PARADIGMS for line in _stored(paradigm)]


def _stored(paradigm: str) -> list[dict[str, Any]]:
    text = files("bot.demo").joinpath("samples", f"{paradigm}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _dated(stored: dict[str, Any], reference: datetime, passed: timedelta) -> dict[str, Any]:
    closed = reference - passed * (timedelta(minutes=stored["closed_minutes_ago"]) / _SCALE)
    created = closed - timedelta(days=stored["open_days"])
    fix = stored["fix"]
    return {
        "repository": stored["repository"],
        "number": stored["number"],
        "title": stored["title"],
        "body": stored["body"],
        "author": stored["author"],
        "labels": stored["labels"],
        "created_at": _text(created),
        "closed_at": _text(closed),
        "comments": [_comment(comment, created) for comment in stored["comments"]],
        "fix": None if fix is None else {**fix, "merged_at": _text(closed)},
        "sample": True,
        "category": stored["category"],
        "category2": stored["category2"],
        "none_kind": stored["none_kind"],
        "state_reason": stored["state_reason"],
    }


def _comment(stored: dict[str, Any], created: datetime) -> dict[str, Any]:
    moment = created + timedelta(days=stored["after_days"])
    member = {"member": True} if stored.get("member") else {}
    return {"author": stored["author"], "created_at": _text(moment), "body": stored["body"], **member}


def _text(moment: datetime) -> str:
    """Write a moment with whole seconds, cut off rather than rounded, so that none moves past the reference."""
    return moment.replace(microsecond=0).isoformat().replace("+00:00", "Z")
