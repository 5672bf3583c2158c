"""What a command must say in its place, and what GitHub's answer about a person comes to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.grammar import ParsedCommand, parse
from bot.commands.registry import Place
from bot.commands.rights import Rights
from bot.commands.rules import Outcome, Reason, authorise

MEMBERS = {Rights.TRIAGE, Rights.WRITE, Rights.MAINTAIN, Rights.ADMIN}


def written(words: str) -> ParsedCommand:
    (command,) = parse(f"/rootcause {words}", "root-cause")
    return command


@pytest.mark.parametrize(
    ("words", "place", "reason"),
    [
        ("confirm", Place.INBOX, Reason.TARGET_MISSING),
        ("memory-leak", Place.INBOX, Reason.TARGET_MISSING),
        ("undo", Place.INBOX, Reason.TARGET_MISSING),
        ("fix #12", Place.INBOX, Reason.TARGET_MISSING),
        ("fix", Place.INBOX, Reason.TARGET_MISSING),
        ("type memory", Place.INBOX, Reason.TARGET_MISSING),
        ("off", Place.INBOX, Reason.TARGET_MISSING),
        ("recheck", Place.INBOX, Reason.TARGET_MISSING),
        ("on #12", Place.ISSUE, Reason.TARGET_ELSEWHERE),
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
    verdict = authorise(written(words), rights, place, is_issue_author=False)
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
