"""Who took part, in which role, and as what."""

from __future__ import annotations

from bot.evidence.participants import roles
from tests.evidence.made_evidence import ANN, BOB, CY, GHOST, HELPER, comment, evidence, fix


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
