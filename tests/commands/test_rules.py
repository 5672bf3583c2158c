"""Every right against every command in every place, and what GitHub's answer about a person comes to."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands import rules
from bot.commands.grammar import ParsedCommand, parse
from bot.commands.registry import COMMANDS, Command, Place, Who, registered
from bot.commands.rights import Rights
from bot.commands.rules import Outcome, Reason, authorise

MEMBERS = {Rights.TRIAGE, Rights.WRITE, Rights.MAINTAIN, Rights.ADMIN}


def written(words: str) -> ParsedCommand:
    (command,) = parse(f"/rootcause {words}", "root-cause")
    return command


def in_place(name: str, place: Place) -> ParsedCommand:
    registered_command = COMMANDS[name]
    targets = " #12" if place is Place.INBOX and registered_command.about_issue else ""
    return written(registered_command.example + targets)


@pytest.mark.parametrize(
    ("rights", "name", "place", "is_author"), list(product(Rights, COMMANDS, Place, [False, True]))
)
def test_every_row_of_the_permission_table(rights: Rights, name: str, place: Place, is_author: bool) -> None:
    verdict = authorise(in_place(name, place), rights, place, is_author)
    maintains = rights in {Rights.MAINTAIN, Rights.ADMIN}
    if name == "help" or (maintains if name == "report" else rights in MEMBERS):
        assert (verdict.outcome, verdict.reason, verdict.reaction) == (Outcome.ALLOWED, Reason.MAY, "+1")
    elif rights is Rights.UNKNOWN:
        assert (verdict.outcome, verdict.reason, verdict.reaction) == (Outcome.UNKNOWN, Reason.RIGHTS_UNKNOWN, "-1")
        assert verdict.answer_in_words
    else:
        assert (verdict.outcome, verdict.reason, verdict.reaction) == (Outcome.REFUSED, Reason.RIGHTS_LACKING, "-1")
        assert not verdict.answer_in_words


LATER = registered(
    Command("off", "off", Who.AUTHOR_OR_TRIAGE, "off", "Leave this issue alone.", frozenset({Place.ISSUE})),
    Command("report", "report", Who.MAINTAIN, "report", "Post it now.", frozenset(Place), about_issue=False),
)


@pytest.mark.parametrize(("rights", "place", "is_author"), list(product(Rights, Place, [False, True])))
def test_an_author_may_what_is_given_to_authors_and_only_maintainers_may_the_rest(
    monkeypatch: pytest.MonkeyPatch, rights: Rights, place: Place, is_author: bool
) -> None:
    monkeypatch.setattr(rules, "COMMANDS", LATER)
    off, report = (ParsedCommand(name, (), (), 1, name) for name in ("off", "report"))
    allowed = authorise(off, rights, place, is_author).outcome is Outcome.ALLOWED
    assert allowed == (place is Place.ISSUE and (is_author or rights in MEMBERS))
    if place is Place.INBOX and rights in MEMBERS:
        assert authorise(off, rights, place, is_author).reason is Reason.WRONG_PLACE
    allowed = authorise(report, rights, place, is_author).outcome is Outcome.ALLOWED
    assert allowed == (rights in {Rights.MAINTAIN, Rights.ADMIN})


@pytest.mark.parametrize(
    ("words", "place", "reason"),
    [
        ("confirm", Place.INBOX, Reason.TARGET_MISSING),
        ("memory-leak", Place.INBOX, Reason.TARGET_MISSING),
        ("undo", Place.INBOX, Reason.TARGET_MISSING),
        ("fix #12", Place.INBOX, Reason.TARGET_MISSING),
        ("fix", Place.INBOX, Reason.TARGET_MISSING),
        ("reproduced never", Place.INBOX, Reason.TARGET_MISSING),
        ("fix #12 #99", Place.ISSUE, Reason.TARGET_ELSEWHERE),
        ("reproduced #12 4", Place.ISSUE, Reason.TARGET_ELSEWHERE),
        ("confirm #12", Place.ISSUE, Reason.TARGET_ELSEWHERE),
        ("help #12", Place.ISSUE, Reason.TARGET_ELSEWHERE),
        ("help #12", Place.INBOX, Reason.TARGET_ELSEWHERE),
        ("confrim", Place.ISSUE, Reason.NOT_UNDERSTOOD),
        ("", Place.INBOX, Reason.NOT_UNDERSTOOD),
    ],
)
@pytest.mark.parametrize("rights", list(Rights))
def test_a_mistake_is_explained_to_people_with_rights_only(
    rights: Rights, words: str, place: Place, reason: Reason
) -> None:
    verdict = authorise(written(words), rights, place, is_issue_author=True)
    assert verdict.outcome is not Outcome.ALLOWED
    if rights in MEMBERS:
        assert (verdict.reason, verdict.reaction, verdict.answer_in_words) == (reason, "confused", True)
    elif rights is not Rights.UNKNOWN:
        assert not verdict.answer_in_words


def answer(role: str | None = None, **permissions: bool) -> dict[str, Any]:
    user = {"login": "someone", "permissions": permissions} if permissions else {"login": "someone"}
    return {"permission": "admin", "user": user} | ({} if role is None else {"role_name": role})


@pytest.mark.parametrize(
    ("payload", "rights"),
    [
        (answer(pull=True, triage=True, push=True, maintain=True, admin=True), Rights.ADMIN),
        (answer(pull=True, triage=True, push=True, maintain=True, admin=False), Rights.MAINTAIN),
        (answer(pull=True, triage=True, push=True, maintain=False, admin=False), Rights.WRITE),
        (answer(pull=True, triage=True, push=False, maintain=False, admin=False), Rights.TRIAGE),
        (answer(pull=True, triage=False, push=False, maintain=False, admin=False), Rights.READ),
        (answer(pull=False, triage=False, push=False, maintain=False, admin=False), Rights.NONE),
        (answer("issue-sorter", pull=True, triage=True, push=False), Rights.TRIAGE),
        (answer("admin", pull=True, triage=False), Rights.READ),
        (answer("triage"), Rights.TRIAGE),
        (answer("maintain"), Rights.MAINTAIN),
        (answer("read"), Rights.READ),
        (answer("none"), Rights.NONE),
        (answer("issue-sorter"), Rights.UNKNOWN),
        (answer(), Rights.UNKNOWN),
        ({"permission": "admin", "role_name": "write", "user": None}, Rights.WRITE),
        ({"role_name": "triage", "user": {"permissions": {"admin": "yes"}}}, Rights.TRIAGE),
        ({"role_name": 5}, Rights.UNKNOWN),
        (None, Rights.UNKNOWN),
        ([], Rights.UNKNOWN),
    ],
)
def test_rights_are_read_from_the_booleans_and_else_from_the_role(payload: object, rights: Rights) -> None:
    assert Rights.from_permission_answer(payload) is rights


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["user", "permissions", "role_name", "admin"]), inner)
    ),
    max_leaves=10,
)


@given(JSON)
def test_any_answer_is_read(payload: object) -> None:
    assert Rights.from_permission_answer(payload) in Rights
