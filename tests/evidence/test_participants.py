"""Who took part, in which role, and as what."""

from __future__ import annotations

import pytest

from bot.evidence.model import Actor, Span
from bot.evidence.participants import (
    counted_comments,
    distinct,
    is_bot_login,
    is_member,
    is_person,
    roles,
    with_first_standing,
)
from tests.evidence.made_evidence import ANN, BOB, CY, GHOST, HELPER, OPENED, at, comment, evidence, fix


@pytest.mark.parametrize(
    ("login", "is_bot"),
    [
        ("dependabot[bot]", True),
        ("Stale[BOT]", True),
        ("merge-robot", True),
        ("Merge-Robot", True),
        ("helper", True),
        ("merge-robot2", False),
        ("robot", False),
        ("[bot]ann", False),
        ("", False),
    ],
)
def test_bots_by_their_login(login: str, is_bot: bool) -> None:
    assert is_bot_login(login, frozenset({"Merge-Robot", "helper[bot]"})) is is_bot


@pytest.mark.parametrize(
    ("actor", "person"),
    [
        (ANN, True),
        (GHOST, True),
        (HELPER, False),
        (Actor("human", 4, "stale[bot]"), False),
        (Actor("human", 5, "MERGER"), False),
        (Actor("human", 6, None), True),
    ],
)
def test_who_is_a_person(actor: Actor, person: bool) -> None:
    assert is_person(actor, frozenset({"merger"})) is person


@pytest.mark.parametrize(
    ("association", "member"),
    [
        ("OWNER", True),
        ("MEMBER", True),
        ("COLLABORATOR", True),
        ("CONTRIBUTOR", False),
        ("FIRST_TIME_CONTRIBUTOR", False),
        ("FIRST_TIMER", False),
        ("MANNEQUIN", False),
        ("NONE", False),
        ("", False),
    ],
)
def test_who_is_a_member(association: str, member: bool) -> None:
    assert is_member(association) is member


@pytest.mark.parametrize(
    ("people", "names"),
    [
        ([], []),
        ([ANN, BOB, ANN], ["ann", "bob"]),
        ([ANN, Actor("human", 1, "ann-renamed")], ["ann"]),
        ([Actor("human", None, "Eve"), Actor("human", None, "eve")], ["Eve"]),
        ([GHOST, ANN, GHOST], [None, "ann", None]),
    ],
)
def test_each_person_once_and_each_deleted_account_for_itself(people: list[Actor], names: list[str | None]) -> None:
    assert [person.login for person in distinct(people)] == names


@pytest.mark.parametrize(
    ("spans", "days"),
    [
        ((Span(OPENED, at(2)),), [1.0, 2.0]),
        ((Span(OPENED, at(0.5)),), []),
        ((Span(OPENED, at(1)), Span(at(2), at(4))), [1.0, 2.0, 3.0]),
        ((Span(OPENED, at(1)), Span(at(2), None)), [1.0, 2.0, 3.0, 9.0]),
    ],
)
def test_comments_count_up_to_the_closing_that_ended_the_last_span(spans: tuple[Span, ...], days: list[float]) -> None:
    talk = (comment(BOB, 1), comment(HELPER, 1.5), comment(ANN, 2), comment(GHOST, 3), comment(CY, 9))

    assert [one.created_at for one in counted_comments(evidence(spans=spans, comments=talk))] == [
        at(day) for day in days
    ]


def test_every_role_of_every_person_once() -> None:
    talk = (comment(BOB, 1, association="MEMBER"), comment(BOB, 1.1), comment(ANN, 2), comment(HELPER, 2))

    found = roles(evidence(comments=talk, fix=fix(author=CY, participants=(CY, BOB, HELPER))))

    assert [(part.person.login, part.role, part.member) for part in found] == [
        ("ann", "author", False),
        ("bob", "commenter", True),
        ("ann", "commenter", False),
        ("cy", "fix_author", None),
        ("bob", "reviewer", True),
    ]


def test_deleted_accounts_and_bots_as_authors() -> None:
    found = roles(evidence(author=GHOST, comments=(comment(GHOST, 1),), fix=fix(author=HELPER, participants=(BOB,))))

    assert [(part.person.kind, part.role, part.member) for part in found] == [
        ("ghost", "author", None),
        ("ghost", "commenter", None),
        ("human", "reviewer", None),
    ]


def test_an_issue_without_a_fix() -> None:
    assert [part.role for part in roles(evidence(fix=None, comments=()))] == ["author"]


def test_people_stand_as_they_did_at_first_sight() -> None:
    seen = evidence(
        author_association="MEMBER",
        comments=(comment(BOB, 1, association="NONE"), comment(CY, 2, association="COLLABORATOR")),
    )
    first = with_first_standing(seen, {1: False, 2: True})
    assert first.author_association == "NONE"
    assert [one.association for one in first.comments] == ["MEMBER", "COLLABORATOR"]
    assert with_first_standing(seen, {1: True, 2: False, 3: True}) == seen
