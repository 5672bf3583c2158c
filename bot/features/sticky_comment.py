"""The one comment that shows a proposal in its issue, where the repository asked for that.

Purpose: maintainers who want it see the guess where they work, once, and nobody gets two mails. Trigger: what is known
of an issue changed. Effects: none; `decide` is pure.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.features.labelling import Facts
from bot.github.actions import CreateComment, UpdateComment
from bot.store.shown import CAUGHT_UP
from bot.texts.proposal import PROPOSAL_MARKER, Guess, Outcome, proposal_text, settled_text

MOST_A_DAY = 10
"""Comments on issues of one repository within 24 hours; what comes after is left to the inbox (R14)."""

DAY = timedelta(days=1)

LATE_AFTER = timedelta(hours=2)
"""A closing that is recorded later was caught up with, and mails about old news annoy (R14): it gets no comment."""

LOCKED = "the issue is locked"
LATE = CAUGHT_UP
MANY = "enough comments for one day"


@dataclass(frozen=True)
class Commented:
    """Our comment in an issue, as far as there is one, and why there never will be one, if so.

    `digest` tells of its text what was written last; `today` counts the repository's comments of the last 24 hours.
    """

    comment_id: int | None
    digest: str | None
    passed_over: str | None
    today: int


@dataclass(frozen=True)
class Decided:
    """What to write, if anything, and else why: a reason for good, or only as long as the issue is locked."""

    action: CreateComment | UpdateComment | None
    passed_over: str | None = None
    waits: bool = False


def decide(
    facts: Facts,
    guess: Guess | None,
    none_kind: str | None,
    commented: Commented,
    *,
    locked: bool,
    closed_at: datetime,
    now: datetime,
    public_url: str | None,
) -> Decided:
    """Return the comment to write or to edit; `guess` is the newest prediction, shown while `facts.guess` says so."""
    where = (facts.repository_id, facts.repository)
    if commented.comment_id is None:
        if commented.passed_over or facts.guess is None or guess is None or facts.decided or facts.rests:
            return Decided(None)
        reason = _against(commented, locked=locked, closed_at=closed_at, now=now)
        if reason is not None:
            return Decided(None, reason)
        return Decided(CreateComment(*where, facts.number, proposal_text(guess, public_url), PROPOSAL_MARKER))
    if facts.rests:
        return Decided(None)
    if facts.guess is not None and guess is not None and not facts.decided:
        body = proposal_text(guess, public_url)
    else:
        body = settled_text(guess, Outcome(facts.state, facts.category, none_kind))
    if digest(body) == commented.digest:
        return Decided(None)
    if locked:
        return Decided(None, waits=True)
    return Decided(UpdateComment(*where, commented.comment_id, body, facts.number))


def digest(body: str) -> str:
    """Return what tells two texts of ours apart."""
    return hashlib.sha256(body.encode()).hexdigest()[:32]


def _against(commented: Commented, *, locked: bool, closed_at: datetime, now: datetime) -> str | None:
    """Return why no first comment may be written, or None."""
    if locked:
        return LOCKED
    if now - closed_at > LATE_AFTER:
        return LATE
    return MANY if commented.today >= MOST_A_DAY else None
