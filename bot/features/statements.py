"""What `fix` and `reproduced` come to: pure decisions from the words, the thread, and what was found of the change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.commands.references import is_same_server, read_change, read_comment
from bot.commands.registry import FIX, NEVER, REPRODUCED, TYPE
from bot.evidence.model import Evidence
from bot.evidence.participants import counted_comments
from bot.evidence.reproduced import ReproducedSource
from bot.github.linking import ManualFix
from bot.github.presence import Presence
from bot.texts import statements as texts

STATING = frozenset({FIX, REPRODUCED})
"""Commands that say something of the evidence; carrying one out takes a gathering."""


@dataclass(frozen=True)
class Looked:
    """What a gathering found, as far as statements are judged by it.

    `comments` are the ids of those that count, in order; `guess` is what was measured without anybody's word, and
    `source` how. `named` is the change that the evidence was gathered by, where a person named one, `landed` whether
    it did (None: it cannot be read). `presences` tell of every change that waiting commands name whether it is there.
    """

    repository: str
    number: int
    comments: tuple[int, ...]
    guess: int | None
    source: ReproducedSource | None
    named: ManualFix | None
    landed: bool | None
    presences: Mapping[ManualFix, Presence]

    @classmethod
    def at(
        cls,
        evidence: Evidence,
        repository: str,
        guess: int | None,
        source: ReproducedSource | None,
        named: ManualFix | None,
        presences: Mapping[ManualFix, Presence],
    ) -> Looked:
        """Return what counts of the evidence of an issue of `repository`, by the name that its commands are read by."""
        comments = tuple(comment.id for comment in counted_comments(evidence))
        landed = evidence.fix.landed if evidence.fix is not None else None
        return cls(repository, evidence.number, comments, guess, source, named, landed, presences)


@dataclass(frozen=True)
class Stated:
    """What a command says where it `counts`, and what its writer is told beside the reaction.

    A reproduction at no `position` never happened.
    """

    counts: bool
    fix: ManualFix | None = None
    position: int | None = None
    bug_type: str | None = None
    words: str | None = None


def amiss(name: str, arguments: tuple[str, ...], server: str) -> str | None:
    """Return what to tell the writer of a command that cannot mean anything here, else None.

    `server` is the beginning of addresses up to repositories' names. This is known before anything is gathered.
    """
    written = arguments[0] if arguments else ""
    if name == FIX:
        change = read_change(written)
        if change is None:
            return texts.fix_unnamed()
        if change.server is not None and not is_same_server(change.server, server):
            return texts.fix_on_another_server(written)
    if name == TYPE and not written:
        return texts.type_unnamed()
    comment = read_comment(written) if name == REPRODUCED else None
    if comment is not None and not is_same_server(comment.server, server):
        return texts.comment_on_another_server(written)
    return None


def change_named(arguments: tuple[str, ...], repository: str) -> ManualFix:
    """Return the change that a `fix` names in an issue of `repository`; raises ValueError for a command without one."""
    change = read_change(arguments[0]) if arguments else None
    if change is None:
        raise ValueError(f"no change is named by {arguments}")
    return ManualFix(change.repository or repository, change.number, change.sha)


def judge_fix(arguments: tuple[str, ...], looked: Looked) -> Stated:
    """Say whether a named change is noted; raises KeyError for one that was not looked for.

    A change that did not land is noted all the same: it may land yet, and the person's word is kept.
    """
    fix, written = change_named(arguments, looked.repository), arguments[0]
    presence = looked.presences[fix]
    if presence == "absent":
        return Stated(False, words=texts.fix_absent(written))
    words = None
    if presence == "hidden" or (fix == looked.named and looked.landed is None):
        words = texts.fix_hidden(written)
    elif fix == looked.named and not looked.landed:
        words = texts.fix_not_landed(written)
    return Stated(True, fix=fix, words=words)


def judge_reproduced(arguments: tuple[str, ...], looked: Looked) -> Stated:
    """Say where an issue was reproduced; without a word after the command, what was measured is confirmed."""
    count = len(looked.comments)
    if not arguments:
        if looked.guess is None:
            return Stated(False, words=texts.reproduced_without_guess())
        confirmed = texts.reproduced_as_guessed if looked.source == "heuristic" else texts.reproduced_as_labelled
        return Stated(True, position=looked.guess, words=confirmed(looked.guess))
    written = arguments[0]
    if written == NEVER:
        return Stated(True)
    comment = read_comment(written)
    if comment is None:
        position = int(written)
        if 1 <= position <= count:
            return Stated(True, position=position)
        return Stated(False, words=texts.comment_not_counted(count))
    if comment.comment_id in looked.comments:
        return Stated(True, position=looked.comments.index(comment.comment_id) + 1)
    elsewhere = comment.number != looked.number
    return Stated(
        False, words=texts.comment_of_another_issue(written) if elsewhere else texts.comment_not_counted(count)
    )
