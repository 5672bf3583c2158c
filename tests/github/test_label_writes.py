"""Our labels through the writer, in a GitHub that was built apart from it: made once, put on and taken off singly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from bot.github.actions import AddLabel, CreateLabel, RemoveLabel
from bot.github.label_writes import NO_LABEL
from bot.github.writer import Outcome, Writer
from bot.sandbox.faults import Fault
from bot.sandbox.sandbox import Sandbox
from tests.support.apps import forgetful_writer, running_app
from tests.support.clock import VirtualClock
from tests.support.writing import MemoryPacer

REPOSITORY = "acme/frame"
LEAK = "root-cause/memory-leak"


@dataclass
class Place:
    """A sandbox with one repository and one issue, and a writer at home in it."""

    sandbox: Sandbox
    writer: Writer
    repository_id: int
    number: int

    def add(self, prefix: str = "root-cause/", category: str = "memory-leak") -> AddLabel:
        return AddLabel(self.repository_id, REPOSITORY, prefix, category, self.number)

    def remove(self) -> RemoveLabel:
        return RemoveLabel(self.repository_id, REPOSITORY, "root-cause/", "memory-leak", self.number)

    def create(self) -> CreateLabel:
        return CreateLabel(self.repository_id, REPOSITORY, "root-cause/", "memory-leak", "c5def5", "Root cause: leak")

    def writes(self) -> list[tuple[str, int]]:
        return [(one.method, one.status) for one in self.sandbox.writes]


@pytest.fixture
async def place() -> AsyncIterator[Place]:
    clock = VirtualClock()
    sandbox = Sandbox(clock)
    sandbox.add_owner("acme")
    sandbox.add_user("ann")
    sandbox.add_repository("acme", "frame")
    sandbox.add_repository("acme", "other")
    sandbox.install("acme", "all")
    number = sandbox.open_issue(REPOSITORY, "ann", "Crash", labels=("bug",)).number
    installation_id, repository_id = sandbox.installation("acme").id, sandbox.repository(REPOSITORY).id
    async with running_app(sandbox, clock) as app:
        writer = await forgetful_writer(app, installation_id, MemoryPacer(clock), clock)
        yield Place(sandbox, writer, repository_id, number)


async def test_a_label_is_made_put_on_and_taken_off_once(place: Place) -> None:
    perform = place.writer.perform
    assert await perform(place.add()) == Outcome("skipped", NO_LABEL)
    assert place.writes() == [], "GitHub would make the label in passing"
    statuses = [
        (await perform(action)).status
        for action in (place.create(), place.create(), place.add(), place.add(), place.remove(), place.remove())
    ]
    assert statuses == ["done", "unchanged", "done", "unchanged", "done", "unchanged"]
    assert place.writes() == [("POST", 201), ("POST", 200), ("DELETE", 200)]
    assert place.sandbox.labels(REPOSITORY, place.number) == ["bug"]
    sent = [(one.action, one.payload) for one in place.sandbox.deliveries if one.action in {"labeled", "unlabeled"}]
    assert [action for action, _ in sent if _ and '"rootcause[bot]"' in _] == ["labeled", "unlabeled"]
    assert place.sandbox.violations == []


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR_AFTER, Fault.DROPPED_AFTER, Fault.SERVER_ERROR])
async def test_a_fault_leaves_what_was_wanted(place: Place, fault: Fault) -> None:
    place.sandbox.faults.add("POST", f"/repos/{REPOSITORY}/labels", fault, count=1)
    place.sandbox.faults.add("POST", "*/issues/*/labels", fault, count=1)
    place.sandbox.faults.add("DELETE", "*/issues/*/labels/*", fault, count=1)
    for action in (place.create(), place.add()):
        assert (await place.writer.perform(action)).status == "done"
    assert place.sandbox.labels(REPOSITORY, place.number) == ["bug", LEAK]
    assert (await place.writer.perform(place.remove())).status == "done"
    assert place.sandbox.labels(REPOSITORY, place.number) == ["bug"]


async def test_a_name_in_other_letters_is_the_same_label(place: Place) -> None:
    place.sandbox.open_issue(REPOSITORY, "ann", "Another", labels=("Root-Cause/Memory-Leak",))
    assert (await place.writer.perform(place.create())).status == "unchanged"
    assert (await place.writer.perform(place.add())).status == "done"
    assert place.sandbox.labels(REPOSITORY, place.number) == ["bug", "Root-Cause/Memory-Leak"]


async def test_a_locked_issue_takes_labels_and_an_archived_or_transferred_one_does_not(place: Place) -> None:
    await place.writer.perform(place.create())
    place.sandbox.lock(REPOSITORY, place.number, "ann")
    assert (await place.writer.perform(place.add())).status == "done"
    place.sandbox.transfer_issue(REPOSITORY, place.number, "acme/other", "ann")
    assert await place.writer.perform(place.remove()) == Outcome("skipped", "transferred")
    place.sandbox.open_issue(REPOSITORY, "ann", "Another")
    place.sandbox.archive(REPOSITORY)
    number = place.number + 1
    action = AddLabel(place.repository_id, REPOSITORY, "root-cause/", "memory-leak", number)
    assert await place.writer.perform(action) == Outcome("skipped", "archived")


@pytest.mark.parametrize(("prefix", "category"), [("", "memory-leak"), ("  ", "memory-leak"), ("root-cause/", "bug")])
async def test_a_label_outside_of_our_namespace_is_our_bug(place: Place, prefix: str, category: str) -> None:
    with pytest.raises(ValueError, match="no label of ours"):
        await place.writer.perform(place.add(prefix, category))
    assert place.writes() == []
