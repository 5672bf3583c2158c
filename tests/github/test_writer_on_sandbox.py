"""The client and the writer in a GitHub that was built apart from them: real tokens, rights, faults and limits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

import pytest

from bot.commands.rights import Rights
from bot.github.actions import (
    Action,
    CreateComment,
    CreateIssue,
    PinIssue,
    React,
    UnpinIssue,
    UpdateComment,
    UpdateIssue,
)
from bot.github.app import GitHubApp
from bot.github.errors import NotOurs, RateLimited
from bot.github.limits import LATE
from bot.github.rights import RightsLookup
from bot.github.sender import Sender
from bot.github.writer import Outcome, Writer
from bot.sandbox.faults import Fault
from bot.sandbox.sandbox import Sandbox
from tests.support.apps import forgetful_writer, running_app
from tests.support.clock import VirtualClock
from tests.support.writing import MemoryPacer

REPOSITORY = "acme/frame"
MARKER = "<!-- rootcause:test -->"


@dataclass
class Place:
    """A sandbox with one repository, and the App at home in it."""

    sandbox: Sandbox
    clock: VirtualClock
    app: GitHubApp
    writer: Writer
    pacer: MemoryPacer
    installation_id: int
    repository_id: int


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    clock = VirtualClock()
    sandbox = Sandbox(clock)
    sandbox.add_owner("acme")
    sandbox.add_user("ann")
    sandbox.add_repository("acme", "frame")
    sandbox.add_repository("acme", "other")
    sandbox.install("acme", "all")
    sandbox.grant(REPOSITORY, "ann", "triage")
    installation_id, repository_id = sandbox.installation("acme").id, sandbox.repository(REPOSITORY).id
    async with running_app(sandbox, clock) as app:
        pacer = MemoryPacer(clock)
        writer = await forgetful_writer(app, installation_id, pacer, clock)
        yield Place(sandbox, clock, app, writer, pacer, installation_id, repository_id)


def _issue(place: Place) -> CreateIssue:
    return CreateIssue(place.repository_id, REPOSITORY, "Inbox", f"{MARKER}\nLines.", MARKER)


def _comment(place: Place, number: int) -> CreateComment:
    return CreateComment(place.repository_id, REPOSITORY, number, f"{MARKER}\nAn answer.", MARKER)


async def test_the_app_knows_itself(place: Place) -> None:
    assert await place.app.slug() == "rootcause"
    assert await place.app.bot_user_id() == place.sandbox.app.bot_id


async def test_every_action_once_and_within_the_limits(place: Place) -> None:
    sandbox, perform = place.sandbox, place.writer.perform
    theirs = sandbox.open_issue(REPOSITORY, "ann", "Crash").number
    asked = sandbox.comment(REPOSITORY, theirs, "ann", "/rootcause confirm").id
    where = (place.repository_id, REPOSITORY)
    ours = await perform(_issue(place))
    answer = await perform(_comment(place, theirs))
    assert ours.number is not None
    assert answer.github_id is not None
    actions: list[Action] = [
        _issue(place),
        _comment(place, theirs),
        UpdateComment(*where, answer.github_id, "Shorter."),
        React(*where, theirs, asked, "+1"),
        React(*where, theirs, asked, "+1"),
        React(*where, theirs, None, "eyes"),
        UpdateIssue(*where, ours.number, title="New", body="New lines."),
        UpdateIssue(*where, ours.number, state="closed"),
        UpdateIssue(*where, ours.number, state="closed"),
    ]
    statuses = [(await perform(action)).status for action in actions]
    assert statuses == ["unchanged", "unchanged", "done", "done", "done", "done", "done", "done", "unchanged"]
    issue = sandbox.issue(REPOSITORY, ours.number)
    assert (issue.title, issue.body, issue.closed_at is not None) == ("New", "New lines.", True)
    assert [c.body for c in sandbox.comments(REPOSITORY, theirs)] == ["/rootcause confirm", "Shorter."]
    assert sandbox.reactions(REPOSITORY, theirs, asked) == [("rootcause[bot]", "+1")]
    assert sandbox.violations == []


@pytest.mark.parametrize(
    "fault", [Fault.SERVER_ERROR_AFTER, Fault.DROPPED_AFTER, Fault.SERVER_ERROR, Fault.BAD_GATEWAY]
)
async def test_a_fault_while_creating_leaves_one(place: Place, fault: Fault) -> None:
    place.sandbox.faults.add("POST", f"/repos/{REPOSITORY}/issues", fault, count=1)
    assert (await place.writer.perform(_issue(place))).status == "done"
    assert len(place.sandbox.issues(REPOSITORY)) == 1
    place.sandbox.faults.add("POST", f"/repos/{REPOSITORY}/issues/1/comments", fault, count=1)
    assert (await place.writer.perform(_comment(place, 1))).status == "done"
    assert len(place.sandbox.comments(REPOSITORY, 1)) == 1


async def test_an_over_long_issue_body_is_accepted_and_not_kept(place: Place) -> None:
    created = await place.writer.perform(_issue(place))
    sender = Sender(place.app.installation(place.installation_id), place.pacer, place.clock, place.installation_id)
    path = f"/repos/{REPOSITORY}/issues/{created.number}"
    answer = await sender.send("PATCH", path, {"body": "x" * 262_145}, place.repository_id)
    assert answer["body"] == _issue(place).body


async def test_locked_archived_deleted_and_transferred_are_skipped(place: Place) -> None:
    sandbox, perform = place.sandbox, place.writer.perform
    numbers = [sandbox.open_issue(REPOSITORY, "ann", f"Crash {n}").number for n in range(4)]
    sandbox.lock(REPOSITORY, numbers[0], "ann")
    sandbox.delete_issue(REPOSITORY, numbers[1], "ann")
    sandbox.transfer_issue(REPOSITORY, numbers[2], "acme/other", "ann")
    outcomes = [await perform(_comment(place, number)) for number in numbers[:3]]
    assert outcomes == [Outcome("skipped", reason) for reason in ("locked", "deleted", "transferred")]
    assert [sandbox.comments("acme/other", 1), sandbox.comments(REPOSITORY, numbers[0])] == [[], []]
    sandbox.archive(REPOSITORY)
    assert await perform(_comment(place, numbers[3])) == Outcome("skipped", "archived")
    assert await perform(React(place.repository_id, REPOSITORY, numbers[3], None, "+1")) == Outcome(
        "skipped", "archived"
    )


async def test_a_renamed_repository_is_still_written_to(place: Place) -> None:
    place.sandbox.open_issue(REPOSITORY, "ann", "Crash")
    place.sandbox.rename_repository(REPOSITORY, "renamed")
    assert (await place.writer.perform(_comment(place, 1))).status == "done"
    assert len(place.sandbox.comments("acme/renamed", 1)) == 1


async def test_rights_as_the_repository_gives_them(place: Place) -> None:
    ann, eve = place.sandbox.account("ann").id, place.sandbox.add_user("eve").id
    lookup = RightsLookup(place.app.installation(place.installation_id), place.clock)
    assert await lookup.of(place.repository_id, REPOSITORY, ann, "ann") is Rights.TRIAGE
    assert await lookup.of(place.repository_id, REPOSITORY, eve, "eve") <= Rights.READ
    assert await lookup.of(place.repository_id, REPOSITORY, 3, "nobody-at-all") is Rights.NONE


async def test_the_write_after_the_five_hundredth_waits_for_the_hour_and_breaks_no_limit(place: Place) -> None:
    place.sandbox.open_issue(REPOSITORY, "ann", "Crash")
    started = place.clock.now()
    sender = Sender(place.app.installation(place.installation_id), place.pacer, place.clock, place.installation_id)
    path = f"/repos/{REPOSITORY}/issues/1/comments"
    for number in range(500):
        await sender.send("POST", path, {"body": f"{number}"}, place.repository_id)
    with pytest.raises(RateLimited) as caught:
        await sender.send("POST", path, {"body": "one more"}, place.repository_id)
    assert caught.value.retry_at == started + timedelta(hours=1) + LATE
    place.clock.advance(seconds=(caught.value.retry_at - place.clock.now()).total_seconds())
    await sender.send("POST", path, {"body": "one more"}, place.repository_id)
    assert len(place.sandbox.comments(REPOSITORY, 1)) == 501
    assert place.sandbox.violations == []


async def test_a_pin_of_our_own_is_given_and_taken_and_nobody_elses_is_touched(place: Place) -> None:
    sandbox, perform = place.sandbox, place.writer.perform
    number = (await perform(_issue(place))).number
    assert number is not None
    where = (place.repository_id, REPOSITORY, number)
    for _ in range(3):
        sandbox.pin(REPOSITORY, sandbox.open_issue(REPOSITORY, "ann", "Read this").number, "ann")
    full = await perform(PinIssue(*where))
    assert (full.status, full.reason) == ("skipped", "three others are pinned")
    theirs = sandbox.world.pinned(sandbox.repository(REPOSITORY))
    sandbox.unpin(REPOSITORY, theirs[0].number)
    answers = [await perform(one(*where)) for one in (PinIssue, PinIssue, UnpinIssue, UnpinIssue)]
    assert [one.status for one in answers] == ["done", "unchanged", "done", "unchanged"]
    sandbox.pin(REPOSITORY, number, "ann")
    by_ann = await perform(UnpinIssue(*where))
    assert (by_ann.status, by_ann.reason) == ("skipped", "pinned by somebody else")
    assert (await perform(PinIssue(*where))).reason == "pinned by somebody else"
    assert [one.number for one in sandbox.world.pinned(sandbox.repository(REPOSITORY))] == [
        *(one.number for one in theirs[1:]),
        number,
    ]
    with pytest.raises(NotOurs):
        await perform(PinIssue(place.repository_id, REPOSITORY, theirs[0].number))


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR_AFTER, Fault.DROPPED_AFTER, Fault.SERVER_ERROR])
async def test_a_pin_in_doubt_is_looked_for_before_it_is_given_again(place: Place, fault: Fault) -> None:
    number = (await place.writer.perform(_issue(place))).number
    assert number is not None
    pin = PinIssue(place.repository_id, REPOSITORY, number)
    await place.writer.perform(UnpinIssue(place.repository_id, REPOSITORY, number))
    place.sandbox.faults.add("POST", "/graphql", fault, count=2)
    outcome = await place.writer.perform(pin)
    assert outcome.status in {"done", "unchanged"}
    assert place.sandbox.issue(REPOSITORY, number).pinned_at is not None


async def test_a_refused_pin_is_skipped_and_says_why(place: Place) -> None:
    number = (await place.writer.perform(_issue(place))).number
    assert number is not None
    for token in place.sandbox.world.tokens.values():
        token.permissions["issues"] = "read"
    outcome = await place.writer.perform(PinIssue(place.repository_id, REPOSITORY, number))
    assert outcome.status == "skipped"
    assert "not accessible" in (outcome.reason or "")
    gone = await place.writer.perform(PinIssue(place.repository_id, REPOSITORY, 99))
    assert (gone.status, gone.reason) == ("skipped", "deleted")
