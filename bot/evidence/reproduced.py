"""After how many comments an issue was reproduced: by a label, or guessed from what members wrote."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from bot.evidence.model import Comment, Labelling
from bot.evidence.participants import is_member

ReproducedSource = Literal["command", "label", "heuristic"]

_WORD = re.compile(r"[^\W_]+")
_SAYS_SO = frozenset({"reproduced", "reproducible", "reproducable", "confirmed", "verified"})
_SAYS_NOT = frozenset(
    {"not", "non", "no", "un", "cannot", "cant", "can't", "needs", "need", "awaiting", "unable", "to"}
)

_QUOTED = re.compile(r"^[^\S\n]*>.*$", re.MULTILINE)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_REPRODUCED = re.compile(
    r"\b(?:i|we)(?:\s+was|\s+were|'m|\s+am|'re|\s+are)?\s+(?:also\s+|just\s+|now\s+|both\s+)?(?:can|could|able\s+to)\s+"
    r"(?:also\s+|easily\s+|reliably\s+|now\s+|still\s+)?(?:reproduce|repro|confirm)\b"
    r"|\b(?:i|we)(?:'ve|\s+have)?\s+(?:just\s+|also\s+|now\s+|successfully\s+)?(?:reproduced|confirmed)\b"
    r"|^[^\w\n]*(?:successfully\s+)?(?:reproduced|confirmed|repro'd|can\s+(?:also\s+)?(?:confirm|reproduce))\b(?!\s*\?)",
    re.IGNORECASE | re.MULTILINE,
)
_DOUBT = re.compile(
    r"\b(?:not|never|cannot|can't|couldn't|could\s+not|unable|wasn't|haven't|didn't|if|once|when|unless|until|please|"
    r"able\s+to\s+reproduce\s*\?)\b[^.!\n]*$",
    re.IGNORECASE,
)


def reproduced_by_label(labellings: Sequence[Labelling], comments: Sequence[Comment]) -> int | None:
    """Return the number of `comments` written before a label first said that the issue was reproduced."""
    moments = [labelling.created_at for labelling in labellings if says_reproduced(labelling.label)]
    if not moments:
        return None
    return sum(1 for comment in comments if comment.created_at <= min(moments))


def says_reproduced(label: str) -> bool:
    """Tell whether a label says that somebody reproduced the issue (`confirmed`, `status: reproduced`)."""
    words = {word.lower() for word in _WORD.findall(label.replace("'", ""))}
    return bool(words & _SAYS_SO) and not words & _SAYS_NOT


def reproduced_by_heuristic(comments: Sequence[Comment]) -> int | None:
    """Return the position, from 1, of the first comment in which a member seems to say that they reproduced it.

    A guess, never more: it is shown to be confirmed and enters no test.
    """
    for position, comment in enumerate(comments, start=1):
        if is_member(comment.association) and claims_reproduction(comment.body):
            return position
    return None


def claims_reproduction(body: str) -> bool:
    """Tell whether a comment claims, in words of its own, that its author reproduced the issue."""
    text = _CODE.sub(" ", _QUOTED.sub(" ", body[:20_000])).replace("\u2019", "'")
    for found in _REPRODUCED.finditer(text):
        sentence = re.split(r"[.!\n]", text[max(0, found.start() - 200) : found.start()])[-1]
        after = text[found.end() : found.end() + 200].partition("\n")[0]
        asks = "?" in re.split(r"[.!]", after)[0]
        if not asks and not _DOUBT.search(sentence):
            return True
    return False
