"""What is kept of payloads: all that features read, whole, and nothing of the rest."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.sandbox.app_identity import new_private_key
from bot.sandbox.sandbox import Sandbox
from bot.trimming import MOST_CHARACTERS, trimmed
from tests.support.clock import VirtualClock

NOW = datetime(2027, 3, 1, tzinfo=UTC)
PLACE = {"id", "full_name", "html_url", "private", "archived", "fork", "updated_at"}
PERSON = {"id", "login", "type"}


def kept(event: str, payload: dict[str, Any]) -> dict[str, Any]:
    found = json.loads(trimmed(event, payload))
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def sent() -> dict[tuple[str, str], dict[str, Any]]:
    """GitHub's whole payload of each event and action, as the local GitHub sends it."""
    clock = VirtualClock(NOW)
    sandbox = Sandbox(clock, secret="a", private_key=new_private_key())
    sandbox.add_owner("acme")
    for name in ("frame", "other"):
        sandbox.add_repository("acme", name)
    sandbox.install("acme", ["frame", "other"])
    sandbox.grant("acme/frame", "ann", "admin")
    for _ in range(2):
        sandbox.open_issue("acme/frame", "ann", "Memory grows", "It grows. " * 1_000)
    sandbox.edit_issue("acme/frame", 1, "ann", title="It leaks", body="It grows more. " * 1_000)
    said = sandbox.comment("acme/frame", 1, "ann", "/rootcause confirm")
    sandbox.edit_comment(said.id, "ann", "/rootcause none")
    sandbox.close("acme/frame", 1, "ann", at=NOW + timedelta(hours=1))
    sandbox.label("acme/frame", 1, "ann", "leak")
    sandbox.transfer_issue("acme/frame", 2, "acme/other", "ann")
    sandbox.archive("acme/frame")
    return {(one.event, one.action or ""): json.loads(one.payload) for one in sandbox.deliveries}


def test_a_closing_is_kept_in_less_than_a_tenth_of_its_length(sent: dict[tuple[str, str], dict[str, Any]]) -> None:
    whole = sent["issues", "closed"]
    found = kept("issues", whole)
    assert set(found) == {"action", "sender", "repository", "installation", "issue"}
    assert set(found["issue"]) == {"id", "number", "state", "updated_at", "user"}
    assert set(found["repository"]) == PLACE
    assert set(found["sender"]) == set(found["issue"]["user"]) == PERSON
    assert len(trimmed("issues", whole)) < 1_000 < len(json.dumps(whole)) / 10


def test_what_features_read_of_each_event_is_kept_as_it_came(sent: dict[tuple[str, str], dict[str, Any]]) -> None:
    comment, whole = kept("issue_comment", sent["issue_comment", "edited"]), sent["issue_comment", "edited"]
    assert comment["comment"]["body"] == "/rootcause none"
    assert comment["changes"]["body"]["from"] == "/rootcause confirm"
    assert set(comment["comment"]["user"]) == PERSON
    assert comment["issue"]["user"]["id"] == whole["issue"]["user"]["id"]
    assert "body" not in comment["issue"]
    assert kept("issues", sent["issues", "edited"])["issue"]["title"] == "It leaks"
    assert kept("issues", sent["issues", "labeled"])["label"] == {"name": "leak"}
    moved, before = kept("issues", sent["issues", "transferred"])["changes"], sent["issues", "transferred"]["changes"]
    for name in ("id", "number", "title", "html_url"):
        assert moved["new_issue"][name] == before["new_issue"][name]
    assert moved["new_repository"]["id"] == before["new_repository"]["id"]
    assert set(kept("repository", sent["repository", "archived"])["repository"]) == PLACE
    installed, told = kept("installation", sent["installation", "created"]), sent["installation", "created"]
    assert [one["id"] for one in installed["repositories"]] == [one["id"] for one in told["repositories"]]
    assert installed["installation"]["account"]["login"] == "acme"
    assert installed["installation"]["suspended_at"] is None


def edit(**user: Any) -> dict[str, Any]:
    issue = {"id": 1, "number": 2, "title": "t", "user": user or None, "body": "- [x] after"}
    return {"action": "edited", "issue": issue, "changes": {"body": {"from": "- [ ] before"}}}


def test_the_text_of_an_issue_is_kept_of_an_inbox_alone() -> None:
    found = kept("issues", edit(id=3, login="rootcause[bot]", type="Bot"))
    assert (found["issue"]["body"], found["changes"]["body"]["from"]) == ("- [x] after", "- [ ] before")
    of_a_person = kept("issues", edit(id=3, login="ann", type="User"))
    assert "body" not in of_a_person["issue"]
    assert "changes" not in of_a_person
    assert "body" in kept("issues", edit())["issue"], "its author is gone"


def test_texts_stay_whole_up_to_githubs_own_length_whatever_they_spell() -> None:
    text = "\ud800\0é😀" * (MOST_CHARACTERS // 4)
    comment = {"id": 5, "body": text, "user": None}
    payload = {"action": "created", "issue": {"number": 1}, "comment": comment}
    assert kept("issue_comment", payload)["comment"]["body"] == text
    assert trimmed("issue_comment", payload).isascii()
    comment["body"] = text + "more"
    assert kept("issue_comment", payload)["comment"]["body"] == text


def test_what_stands_in_anothers_place_is_left_out() -> None:
    payload: dict[str, Any] = {
        "action": "created",
        "sender": [[1]],
        "repository": "x",
        "installation": {"id": {"a": 1}, "account": 7},
    }
    payload |= {"repositories": [{"id": 1, "full_name": ["a"], "topics": []}, 7, None, []]}
    found = {"action": "created", "sender": [], "repository": "x", "installation": {"account": 7}}
    assert kept("installation", payload) == {**found, "repositories": [{"id": 1}]}
