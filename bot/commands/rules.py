"""Whether a command is carried out: who wrote it, where, and whether it says what it needs to; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.commands.grammar import ParsedCommand
from bot.commands.registry import COMMANDS, UNKNOWN, Place, Who
from bot.commands.rights import Rights
from bot.github.actions import Reaction


class Outcome(StrEnum):
    """What becomes of a command."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    """The person's rights could not be found out: nothing is done, and that is said."""


class Reason(StrEnum):
    """Why a command is carried out (`MAY`) or not."""

    MAY = "may"
    RIGHTS_LACKING = "rights_lacking"
    RIGHTS_UNKNOWN = "rights_unknown"
    NOT_UNDERSTOOD = "not_understood"
    WRONG_PLACE = "wrong_place"
    TARGET_MISSING = "target_missing"
    TARGET_ELSEWHERE = "target_elsewhere"


_SEVEREST = (
    Reason.RIGHTS_LACKING,
    Reason.RIGHTS_UNKNOWN,
    Reason.NOT_UNDERSTOOD,
    Reason.WRONG_PLACE,
    Reason.TARGET_MISSING,
    Reason.TARGET_ELSEWHERE,
    Reason.MAY,
)
_OF_RIGHTS = {Reason.RIGHTS_LACKING, Reason.RIGHTS_UNKNOWN}


@dataclass(frozen=True)
class Verdict:
    """The outcome, its reason, and whether the person may be answered in words; a stranger only gets a reaction."""

    outcome: Outcome
    reason: Reason
    answer_in_words: bool = False

    @property
    def reaction(self) -> Reaction:
        """The reaction that tells the person; for an allowed command the one to set once it is done."""
        if self.outcome is Outcome.ALLOWED:
            return "+1"
        return "-1" if self.reason in _OF_RIGHTS else "confused"


@dataclass(frozen=True)
class Party:
    """A person who is behind a command: who wrote its comment, or who edited it."""

    rights: Rights
    is_issue_author: bool = False


def authorise_all(command: ParsedCommand, parties: Sequence[Party], place: Place) -> Verdict:
    """Decide on one command behind which several people are: each of them has to be allowed it.

    So a command that a stranger hid in a comment does not run with the rights of whoever brings it to light by an
    edit. Words are given only where each of them may be answered in words. Raises ValueError for no people.
    """
    verdicts = [authorise(command, party.rights, place, party.is_issue_author) for party in parties]
    worst = min(verdicts, key=lambda verdict: _SEVEREST.index(verdict.reason))
    refused = [verdict for verdict in verdicts if verdict.outcome is not Outcome.ALLOWED]
    return replace(worst, answer_in_words=bool(refused) and all(verdict.answer_in_words for verdict in refused))


def authorise(command: ParsedCommand, rights: Rights, place: Place, is_issue_author: bool) -> Verdict:
    """Decide on one command from the writer's rights, where it stands and what it names.

    `is_issue_author` counts only in the issue itself, for commands that its author may use. A command that is not
    understood, or says too little or too much for its place, is refused with the reaction `confused`, and with words
    for people with triage rights. Rights that are `UNKNOWN` suffice only for what anyone may do.
    """
    member = rights >= Rights.TRIAGE
    if command.name == UNKNOWN:
        return Verdict(Outcome.REFUSED, Reason.NOT_UNDERSTOOD, answer_in_words=member)
    who = COMMANDS[command.name].who
    if not _may(who, rights, is_issue_author and place is Place.ISSUE):
        if rights is Rights.UNKNOWN:
            return Verdict(Outcome.UNKNOWN, Reason.RIGHTS_UNKNOWN, answer_in_words=True)
        return Verdict(Outcome.REFUSED, Reason.RIGHTS_LACKING)
    mistake = _mistake(command, place)
    return (
        Verdict(Outcome.REFUSED, mistake, answer_in_words=member) if mistake else Verdict(Outcome.ALLOWED, Reason.MAY)
    )


def _may(who: Who, rights: Rights, is_author: bool) -> bool:
    return rights >= who.needs or (is_author and who is Who.AUTHOR_OR_TRIAGE)


def _mistake(command: ParsedCommand, place: Place) -> Reason | None:
    """Find what is wrong with a command that its writer may use: only in the inbox, issues must be named."""
    registered = COMMANDS[command.name]
    if place not in registered.places:
        return Reason.WRONG_PLACE
    names_issues = registered.about_issue and place is Place.INBOX
    if names_issues and not command.targets and not registered.alone_in_inbox:
        return Reason.TARGET_MISSING
    return Reason.TARGET_ELSEWHERE if command.targets and not names_issues else None
