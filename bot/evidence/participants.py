"""Who took part in an issue and in its fix: humans only, each once, with what they did and whether they are members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from bot.evidence.model import Actor, Comment, Evidence

Role = Literal["author", "commenter", "fix_author", "reviewer"]

MEMBER_ASSOCIATIONS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
"""Associations GitHub shows for people with write access; members who hide their membership are missed."""

_BOT_SUFFIX = "[bot]"


@dataclass(frozen=True)
class Part:
    """What one person did. `member` is None where GitHub was not asked how they stand to the repository."""

    person: Actor
    role: Role
    member: bool | None


def is_bot_login(login: str, bots: frozenset[str]) -> bool:
    """Tell a bot by its login: `[bot]` at its end, or one of the configured logins in any case, with it or without."""
    lowered = login.lower()
    return lowered.endswith(_BOT_SUFFIX) or lowered in {name.lower().removesuffix(_BOT_SUFFIX) for name in bots}


def is_person(actor: Actor, bots: frozenset[str] = frozenset()) -> bool:
    """Tell whether somebody counts as a person: everybody but bots, deleted accounts too."""
    return actor.kind != "bot" and not (actor.login is not None and is_bot_login(actor.login, bots))


def distinct(people: Iterable[Actor]) -> tuple[Actor, ...]:
    """Keep each person once, in order; every deleted account stays, since nothing tells two of them apart."""
    found: list[Actor] = []
    seen: set[int | str] = set()
    for person in people:
        key = person.id if person.id is not None else (person.login or "").lower()
        if person.kind == "ghost" or key not in seen:
            found.append(person)
            seen.add(key)
    return tuple(found)


def counted_comments(evidence: Evidence, bots: frozenset[str] = frozenset()) -> tuple[Comment, ...]:
    """Return the comments of people up to the closing that ended the last open span, in order.

    Of an issue that is open all count. Later comments are evidence, but nothing counts them.
    """
    until = evidence.closed_at
    return tuple(
        comment
        for comment in evidence.comments
        if is_person(comment.author, bots) and (until is None or comment.created_at <= until)
    )


def is_member(association: str) -> bool:
    """Tell whether somebody with this association is a member, which in measurements means write access."""
    return association in MEMBER_ASSOCIATIONS


def with_first_standing(evidence: Evidence, known: Mapping[int, bool]) -> Evidence:
    """Return the evidence with people standing to the repository as they did at first sight.

    `known` says of account numbers whether they were members when the issue was first stored; what GitHub shows of
    them now does not change a record. Whoever is not in it stays as shown.
    """

    def first(person: Actor, association: str) -> str:
        was = None if person.id is None else known.get(person.id)
        return association if was is None or was is is_member(association) else "MEMBER" if was else "NONE"

    comments = (replace(one, association=first(one.author, one.association)) for one in evidence.comments)
    return replace(
        evidence,
        author_association=first(evidence.author, evidence.author_association),
        comments=tuple(comments),
    )


def roles(evidence: Evidence, bots: frozenset[str] = frozenset()) -> tuple[Part, ...]:
    """Return every person's part in the issue and its fix, each role of a person once.

    Whoever took part in the fix without being its author is a `reviewer`. How they stand to the repository is known
    where they also took part in the issue.
    """
    talk = counted_comments(evidence, bots)
    standing: dict[int | str, bool] = {}
    voices = [(evidence.author, evidence.author_association)]
    voices += [(comment.author, comment.association) for comment in talk]
    for person, association in voices:
        key = person.id if person.id is not None else (person.login or "")
        if person.kind != "ghost":
            standing[key] = standing.get(key, False) or is_member(association)

    def parts(people: Iterable[Actor], role: Role) -> list[Part]:
        counted = distinct(person for person in people if is_person(person, bots))
        return [Part(person, role, _standing(person, standing)) for person in counted]

    found = parts([evidence.author], "author") + parts((comment.author for comment in talk), "commenter")
    if evidence.fix is not None:
        author = evidence.fix.author
        found += parts([author] if author is not None else [], "fix_author")
        found += parts((person for person in evidence.fix.participants if person != author), "reviewer")
    return tuple(found)


def _standing(person: Actor, standing: dict[int | str, bool]) -> bool | None:
    if person.kind == "ghost":
        return None
    return standing.get(person.id if person.id is not None else (person.login or ""))
