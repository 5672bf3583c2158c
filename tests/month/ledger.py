"""What the App wrote in a month, as golden lines, and what must hold of any such list."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from bot.sandbox.records import Write

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|<!--.*?-->", re.DOTALL)
_PING = re.compile(r"(?<![\w`/.@])@[A-Za-z0-9][A-Za-z0-9-]*")
_MARKER = re.compile(r"^\s*<!--.*?-->\s*", re.DOTALL)
_COMMENT = re.compile(r"#issuecomment-\d+")
_LONGEST = 90


def golden(writes: Sequence[Write], base_url: str) -> str:
    """Return one line a write: when, what, where, how its text begins, and a digest of the whole text."""
    return "".join(f"{one.at:%m-%d %H:%M:%S} {one.method} {one.path} {_said(one, base_url)}\n" for one in writes)


def _said(write: Write, base_url: str) -> str:
    body = {name: value for name, value in write.body.items() if value not in (None, [], "")}
    text = _COMMENT.sub("#issuecomment", str(body.pop("body", "")).replace(base_url, ""))
    rest = [f"{name}={value}" for name, value in sorted(body.items())]
    if text:
        shown = _MARKER.sub("", text).strip().partition("\n")[0][:_LONGEST]
        is_report = "rootcause:report" in text  # which names versions of libraries, and has goldens of its own
        digest = "(a report)" if is_report else hashlib.sha256(text.encode()).hexdigest()[:8]
        rest.append(f"{digest} {shown}")
    return " | ".join(rest)


def pings(writes: Sequence[Write]) -> list[str]:
    """Return what stands in the written texts outside code and would notify somebody."""
    texts = [str(value) for one in writes for value in (one.body.get("title"), one.body.get("body")) if value]
    return [found for text in texts for found in _PING.findall(_CODE.sub("", text))]


def too_fast(moments: Sequence[datetime]) -> list[str]:
    """Return the breaches of one write a second and of eighty a minute."""
    breaches = [f"two writes at {b}" for a, b in pairwise(moments) if b - a < timedelta(seconds=1)]
    for index, moment in enumerate(moments):
        within = sum(1 for other in moments[index:] if other - moment < timedelta(minutes=1))
        if within > 80:
            breaches.append(f"{within} writes in the minute from {moment}")
    return breaches


def created(writes: Sequence[Write]) -> Iterator[tuple[Write, str]]:
    """Yield the writes that made an issue or a comment, with which of the two."""
    for one in writes:
        if one.method == "POST" and re.fullmatch(r"/repos/[^/]+/[^/]+/issues", one.path):
            yield one, "issue"
        elif one.method == "POST" and re.fullmatch(r"/repos/[^/]+/[^/]+/issues/\d+/comments", one.path):
            yield one, "comment"
