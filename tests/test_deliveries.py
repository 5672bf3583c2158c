"""The pure decisions at the door: what is kept, as which unit of work, and what is not for us."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.deliveries import ACTIONS, Arrival, MalformedPayloadError, arrival
from bot.dispatch import ISSUE_HANDLERS
from tests.support.door import BOT_ID, REPOSITORY_ID, comment_event, issue_event

ISSUE = f"issue:{REPOSITORY_ID}:7"
PLACE = f"repository:{REPOSITORY_ID}"


def decide(event: str, payload: dict[str, Any], bot_id: int | None = BOT_ID) -> Arrival | None:
    return arrival("a-guid", event, payload, bot_id=bot_id, slug="rootcause")


def without(payload: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name not in names}


def with_issue(payload: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**payload, "issue": {**payload["issue"], **fields}}


KEPT: list[tuple[str, dict[str, Any], str, bool]] = [
    *[("issues", issue_event(action), ISSUE, action == "closed") for action in sorted(ACTIONS["issues"])],
    ("issues", with_issue(issue_event(), pull_request=None), ISSUE, True),
    ("issues", issue_event(sender=None), ISSUE, True),
    ("issues", without(issue_event(), "installation"), ISSUE, True),
    ("issues", issue_event(number=2**31 - 1), f"issue:{REPOSITORY_ID}:{2**31 - 1}", True),
    ("issue_comment", comment_event("/rootcause confirm"), ISSUE, False),
    ("issue_comment", comment_event("thanks!\n\n@RootCause none", "edited"), ISSUE, False),
    *[
        ("repository", without(issue_event(action), "issue"), PLACE, False)
        for action in ("renamed", "transferred", "archived", "unarchived", "privatized", "publicized", "deleted")
    ],
    ("installation", {"action": "created", "installation": {"id": 31}}, "installation:31", False),
    ("installation", {"action": "suspend", "installation": {"id": 31}}, "installation:31", False),
    ("installation_repositories", {"action": "added", "installation": {"id": 31}}, "installation:31", False),
]


@pytest.mark.parametrize(("event", "payload", "unit", "settles"), KEPT)
def test_what_somebody_acts_on_is_kept_as_its_unit_of_work(
    event: str, payload: dict[str, Any], unit: str, settles: bool
) -> None:
    kept = decide(event, payload)
    assert kept is not None
    assert (kept.unit, kept.settles, kept.action) == (unit, settles, payload["action"])
    assert json.loads(kept.payload)["action"] == payload["action"]


DROPPED: list[tuple[str, dict[str, Any]]] = [
    ("ping", {"zen": "Keep it logically awesome.", "hook_id": 1, "hook": {}}),
    ("issues", issue_event("opened")),
    ("issues", issue_event("assigned")),
    ("issues", issue_event("a-new-action")),
    ("issues", without(issue_event(), "action")),
    ("issues", issue_event(action="")),
    ("issues", {**issue_event(), "action": ["closed"]}),
    ("issues", with_issue(issue_event(), pull_request={"url": "https://api.github.com/repos/a/b/pulls/7"})),
    ("issues", with_issue(issue_event(), pull_request={})),
    ("issue_comment", comment_event("I can reproduce this.")),
    ("issue_comment", comment_event("Ask @rootcaus, it knows the root cause.")),
    ("issue_comment", comment_event("")),
    ("issue_comment", comment_event(None)),
    ("issue_comment", comment_event("/rootcause confirm", "deleted")),
    ("issue_comment", with_issue(comment_event("/rootcause confirm"), pull_request={"url": "https://..."})),
    ("repository", without(issue_event("created"), "issue")),
    ("installation", {"action": "a-new-action\u0000\ud800", "installation": {"id": 31}}),
    ("pull_request", issue_event("closed")),
    ("push", {"ref": "refs/heads/main", "sender": "not an object"}),
    ("sponsorship", {"action": "created", "sender": {"id": "not a number"}}),
    ("projects_v2_item", {"action": "edited", "sender": {"id": -1}}),
]


@pytest.mark.parametrize(("event", "payload"), DROPPED)
def test_what_nobody_acts_on_is_dropped_whatever_else_is_wrong_with_it(event: str, payload: dict[str, Any]) -> None:
    assert decide(event, payload) is None


def test_our_own_events_are_known_by_the_number_of_the_sender_alone() -> None:
    own = {"id": BOT_ID, "login": "any-name", "type": "Bot"}
    assert decide("issues", issue_event("edited", sender=own)) is None
    assert decide("issue_comment", comment_event("/rootcause help", sender=own)) is None

    namesake = {"id": 6, "login": "rootcause[bot]", "type": "Bot"}
    assert decide("issues", issue_event("edited", sender=namesake)) is not None

    by_a_person = with_issue(issue_event("edited"), user=own)
    assert decide("issues", by_a_person) is not None, "a person's tick in our inbox is a decision"
    assert decide("issues", issue_event("edited", sender=own), bot_id=None) is not None, "nobody knows yet"


OUT_OF_RANGE: list[object] = [-1, 0, 2**63, 10**30, "7", 7.0, True, None, [7], {"id": 7}]


@pytest.mark.parametrize("value", OUT_OF_RANGE)
@pytest.mark.parametrize(
    ("event", "outer", "inner"),
    [
        ("issues", "repository", "id"),
        ("issues", "issue", "number"),
        ("issues", "installation", "id"),
        ("issues", "sender", "id"),
        ("issue_comment", "issue", "number"),
        ("issue_comment", "comment", "id"),
        ("repository", "repository", "id"),
        ("installation", "installation", "id"),
    ],
)
def test_numbers_that_github_never_gives_are_refused(event: str, outer: str, inner: str, value: object) -> None:
    action = {"repository": "renamed", "installation": "created", "issue_comment": "created"}.get(event, "closed")
    payload = comment_event("/rootcause confirm", action)
    payload = {**payload, outer: {**payload[outer], inner: value}}
    optional = event == "issues" and outer in {"installation", "sender"} and value is None
    if optional:
        assert decide(event, payload) is not None
        return
    with pytest.raises(MalformedPayloadError):
        decide(event, payload)


def test_an_issue_number_fits_the_column_that_keeps_it() -> None:
    with pytest.raises(MalformedPayloadError):
        decide("issues", issue_event(number=2**31))


@pytest.mark.parametrize("missing", ["issue", "repository"])
def test_a_payload_without_what_its_event_always_has_is_refused(missing: str) -> None:
    values: tuple[object, ...] = (None, [], "text", 7)
    for value in values:
        with pytest.raises(MalformedPayloadError):
            decide("issues", {**issue_event(), missing: value})
    with pytest.raises(MalformedPayloadError):
        decide("issues", without(issue_event(), missing))


@pytest.mark.parametrize("comment", [None, [], "text", 7])
def test_a_comment_event_without_a_comment_is_refused(comment: object) -> None:
    with pytest.raises(MalformedPayloadError):
        decide("issue_comment", {**issue_event("created"), "comment": comment})


def test_whatever_is_kept_about_issues_has_somebody_who_acts_on_it() -> None:
    kept = {(event, action) for event in ("issues", "issue_comment") for action in ACTIONS[event]}
    assert kept == set(ISSUE_HANDLERS)


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
anything = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner))
parts = anything | st.fixed_dictionaries(
    {}, optional={"id": scalars, "number": scalars, "body": scalars, "pull_request": scalars, "login": scalars}
)
payloads = st.fixed_dictionaries(
    {"action": st.sampled_from(sorted(set().union(*ACTIONS.values()))) | anything},
    optional=dict.fromkeys(("issue", "comment", "repository", "installation", "sender"), parts),
)


@settings(max_examples=60, deadline=None)
@given(event=st.sampled_from([*ACTIONS, "ping", "push"]), payload=payloads)
def test_any_payload_is_kept_dropped_or_refused_and_what_is_kept_fits_the_table(
    event: str, payload: dict[str, Any]
) -> None:
    try:
        kept = arrival("a-guid", event, payload, bot_id=BOT_ID, slug="rootcause")
    except MalformedPayloadError:
        return
    if kept is None:
        return
    assert kept.action in ACTIONS[event]
    for number in (kept.installation_id, kept.repository_id, kept.sender_id):
        assert number is None or 0 < number < 2**63
    assert kept.number is None or 0 < kept.number < 2**31
    assert kept.sender_id != BOT_ID
    json.loads(kept.payload.encode())
    assert kept.unit.partition(":")[0] in {"issue", "repository", "installation"}
