"""Evidence of one issue, read over HTTP from the local GitHub."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import datetime, timedelta
from typing import Any

import aiohttp
import pytest
from pydantic import SecretStr

from bot.evidence.model import Actor, Evidence, FixFile
from bot.github.client import GitHubClient
from bot.github.errors import NotFound
from bot.github.gather import gather
from bot.github.linking import ManualFix
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Review, ReviewComment
from tests.support.clock import START, VirtualClock

FRAME = "acme/frame"
FILES = [
    {"path": "src/core.cc", "status": "modified", "additions": 10, "deletions": 2},
    {"path": "python/core.py", "status": "modified", "additions": 3, "deletions": 1},
]


class World:
    """A sandbox with people, and a client of it that lists what it asked for."""

    def __init__(self, sandbox: Sandbox, client: GitHubClient) -> None:
        self.sandbox = sandbox
        self.client = client
        self.asked: list[str] = []

    async def graphql(self, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
        self.asked.append(query.split("(")[0].split()[-1])
        return await self.client.graphql(query, variables)

    async def get(self, path: str, params: Mapping[str, Any] | None = None) -> Any:
        self.asked.append(path)
        return await self.client.get(path, params)

    async def gather(self, number: int, fix: ManualFix | None = None) -> Evidence:
        self.asked.clear()
        return await gather(self, FRAME, number, fix, frozenset({"merge-robot"}))

    def issue(self, title: str = "Crash at start", body: str = "It crashes.") -> int:
        return self.sandbox.open_issue(FRAME, "ann", title, body, at=at(0)).number


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    clock = VirtualClock(at(1000))
    sandbox = Sandbox(clock, webhook_url="http://127.0.0.1:9/", secret="s", app_id=4711, slug="rootcause")
    sandbox.add_owner("acme")
    sandbox.add_repository("acme", "frame")
    for login in ("ann", "bob", "cy", "merge-robot"):
        sandbox.add_user(login)
    sandbox.add_user("helper[bot]", kind="Bot")
    sandbox.add_member("acme", "bob")
    async with sandbox.running() as url, aiohttp.ClientSession() as session:
        token = SecretStr(sandbox.personal_token("cy"))
        client = GitHubClient.with_token(token, api_url=url, graphql_url=f"{url}/graphql", session=session, clock=clock)
        yield World(sandbox, client)


async def test_an_issue_closed_by_a_pull_request_takes_one_request(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    sandbox.label(FRAME, number, "bob", "bug")
    sandbox.comment(FRAME, number, "bob", "I can reproduce this.", at=at(1))
    sandbox.comment(FRAME, number, "helper[bot]", "Thanks!", at=at(2))
    sandbox.comment(FRAME, number, None, "Me too", at=at(3))
    pull = sandbox.add_pull_request(
        FRAME, "Fix the crash", "cy", files=FILES, closes=[number], merged_at=at(5), merged_by="bob",
        reviews=[
            Review(sandbox.account("bob").id, "COMMENTED", "Nice", at(4), [
                ReviewComment(sandbox.account("bob").id, "why?", "src/core.cc", at(4)),
                ReviewComment(sandbox.account("bob").id, "typo", "src/core.cc", at(4)),
            ]),
            Review(sandbox.account("bob").id, "APPROVED", "", at(4.5)),
            Review(sandbox.account("helper[bot]").id, "COMMENTED", "All green", at(4.5)),
            Review(None, "COMMENTED", "late", at(900)),
        ],
    )  # fmt: skip
    sandbox.comment(FRAME, pull.number, "merge-robot", "merging", at=at(4.6))
    sandbox.comment(FRAME, pull.number, "ann", "works for me", at=at(4.7))
    sandbox.comment(FRAME, pull.number, "ann", "thanks again", at=at(800))
    sandbox.close(FRAME, number, "bob", closer=pull, at=at(5))

    evidence = await world.gather(number)

    assert world.asked == ["IssueEvidence"]
    assert (evidence.repository, evidence.number, evidence.title) == (FRAME, number, "Crash at start")
    assert evidence.issue_id == sandbox.issue(FRAME, number).id
    assert evidence.author == Actor("human", sandbox.account("ann").id, "ann")
    assert (evidence.state, evidence.state_reason, evidence.is_pull_request) == ("closed", "completed", False)
    # The label was put on long after the closing.
    assert evidence.labels == ()
    assert [one.label for one in evidence.labellings] == ["bug"]
    assert [(span.opened_at, span.closed_at) for span in evidence.spans] == [(at(0), at(5))]
    assert [(comment.author.kind, comment.association) for comment in evidence.comments] == [
        ("human", "MEMBER"),
        ("bot", "NONE"),
        ("ghost", "NONE"),
    ]
    fix = evidence.fix
    assert fix is not None
    assert evidence.fix_link == fix.link == "closer_pr"
    assert (fix.kind, fix.number, fix.landed, fix.merged_at) == ("pull_request", pull.number, True, at(5))
    assert (fix.additions, fix.deletions, fix.changed_files, fix.files_truncated) == (13, 3, 2, False)
    assert fix.files == (FixFile("src/core.cc", 10, 2), FixFile("python/core.py", 3, 1))
    # Two comments on lines and the text of bob's review, and ann's comment before the closing.
    assert fix.comments == 4
    assert [person.login for person in fix.participants] == ["cy", "ann", "bob"]


async def test_a_commit_costs_one_more_request_for_its_files(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    commit = sandbox.add_commit(
        FRAME, "c" * 40, f"Guard the loop\n\nFixes #{number}", login="cy", at=at(3), files=FILES
    )
    sandbox.close(FRAME, number, "cy", closer=commit, at=at(3))

    evidence = await world.gather(number)

    assert world.asked == ["IssueEvidence", f"/repos/{FRAME}/commits/{'c' * 40}"]
    fix = evidence.fix
    assert fix is not None
    assert (fix.kind, fix.link, fix.sha, fix.title) == ("commit", "closer_commit", "c" * 40, "Guard the loop")
    assert (fix.landed, fix.merged_at, fix.additions, fix.deletions) == (True, at(3), 13, 3)
    assert (fix.comments, [person.login for person in fix.participants]) == (0, ["cy"])


async def test_a_merge_bots_commit_leads_to_the_pull_request_it_closed(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    pull = sandbox.add_pull_request(FRAME, "Fix the crash", "cy", files=FILES, closes=[number])
    message = f"Fix the crash (#{pull.number})\n\nFixes #{number}\n\nPull Request resolved: https://github.com/{FRAME}/pull/{pull.number}"
    commit = sandbox.add_commit(FRAME, "d" * 40, message, login="merge-robot", at=at(6), files=FILES)
    sandbox.close_pull_request(FRAME, pull.number, "merge-robot", commit, at=at(6))
    sandbox.close(FRAME, number, "merge-robot", closer=commit, at=at(6))

    evidence = await world.gather(number)

    assert world.asked == ["IssueEvidence", "PullRequest"]
    fix = evidence.fix
    assert fix is not None
    assert (fix.kind, fix.link, fix.number, fix.landed) == ("pull_request", "closer_commit", pull.number, True)
    assert fix.merged_at == at(6)
    assert evidence.spans[-1].closed_by is not None
    assert evidence.spans[-1].closed_by.kind == "bot"


async def test_a_linked_pull_request_that_landed_is_the_fix_of_an_issue_closed_by_hand(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    rejected = sandbox.add_pull_request(FRAME, "First try", "cy", closes=[number])
    sandbox.close_pull_request(FRAME, rejected.number, "bob", at=at(2))
    landed = sandbox.add_pull_request(FRAME, "Second try", "cy", files=FILES, closes=[number], merged_at=at(4))
    sandbox.close(FRAME, number, "bob", at=at(5))

    evidence = await world.gather(number)

    assert evidence.fix is not None
    assert (evidence.fix.link, evidence.fix.number, evidence.fix.landed) == ("linked_pr", landed.number, True)


async def test_a_mention_alone_is_no_fix(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    pull = sandbox.add_pull_request(FRAME, "Something near", "cy", files=FILES, merged_at=at(2))
    sandbox.cross_reference(FRAME, number, pull, "cy")
    commit = sandbox.add_commit(FRAME, "e" * 40, f"Related to #{number}", login="cy", at=at(2))
    sandbox.reference(FRAME, number, commit, "cy", at=at(2))
    sandbox.close(FRAME, number, "bob", at=at(5))

    evidence = await world.gather(number)

    assert (evidence.fix, evidence.fix_link) == (None, None)


async def test_a_commit_that_says_so_is_the_last_resort(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    commit = sandbox.add_commit(
        FRAME, "e" * 40, f"Free the buffer, resolves #{number}", login="cy", at=at(2), files=FILES
    )
    sandbox.reference(FRAME, number, commit, "cy", at=at(2))
    sandbox.close(FRAME, number, "bob", at=at(5))

    evidence = await world.gather(number)

    assert evidence.fix is not None
    assert (evidence.fix.link, evidence.fix.sha) == ("commit_keyword", "e" * 40)


async def test_a_closer_that_cannot_be_read_is_private_and_not_missing(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    sandbox.add_repository("acme", "secret", private=True)
    commit = sandbox.add_commit("acme/secret", "f" * 40, f"Fixes {FRAME}#{number}", login="bob", at=at(2))
    sandbox.close(FRAME, number, "bob", closer=commit, at=at(2))

    evidence = await world.gather(number)

    assert (evidence.fix, evidence.fix_link) == (None, "private")
    assert evidence.spans[-1].closed_at == at(2)


@pytest.mark.parametrize("named", [False, True])
async def test_a_private_fix_that_we_may_read_shows_nothing_in_a_public_issue(world: World, named: bool) -> None:
    sandbox, number = world.sandbox, world.issue()
    sandbox.add_repository("acme", "secret", private=True)
    sandbox.grant("acme/secret", "cy", "read")
    assert (await world.client.get("/repos/acme/secret"))["private"]
    merged = sandbox.add_pull_request("acme/secret", "Hidden", "bob", files=FILES, merged_at=at(2))
    sandbox.close(FRAME, number, "bob", closer=None if named else merged, at=at(2))

    evidence = await world.gather(number, ManualFix("acme/secret", number=merged.number) if named else None)

    assert (evidence.fix, evidence.fix_link) == (None, "private")


async def test_a_person_names_the_fix(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    by_hand = sandbox.add_pull_request(FRAME, "The real one", "cy", files=FILES, merged_at=at(2))
    other = sandbox.add_pull_request(FRAME, "Another", "cy", closes=[number], merged_at=at(4))
    commit = sandbox.add_commit(FRAME, "a" * 40, "Tidy", login="cy", at=at(2), files=FILES)
    sandbox.close(FRAME, number, "bob", closer=other, at=at(5))

    named = await world.gather(number, ManualFix(FRAME, number=by_hand.number))
    by_sha = await world.gather(number, ManualFix(FRAME, sha=commit.sha))
    absent = await world.gather(number, ManualFix(FRAME, number=4000))

    assert named.fix is not None
    assert (named.fix_link, named.fix.number, named.fix.landed) == ("manual", by_hand.number, True)
    assert by_sha.fix is not None
    assert (by_sha.fix_link, by_sha.fix.sha, by_sha.fix.landed) == ("manual", commit.sha, True)
    assert (absent.fix, absent.fix_link) == (None, "private")


async def test_long_threads_and_changes_are_read_to_the_end(world: World) -> None:
    sandbox, number = world.sandbox, world.issue()
    for position in range(230):
        sandbox.comment(FRAME, number, "bob", f"comment {position}", at=at(1) + timedelta(seconds=position))
    many = [
        {"path": f"src/f{position}.cc", "status": "modified", "additions": 1, "deletions": 0} for position in range(150)
    ]
    reviews = [Review(sandbox.account("bob").id, "COMMENTED", "hm", at(3)) for _ in range(25)]
    pull = sandbox.add_pull_request(FRAME, "Large", "cy", files=many, closes=[number], merged_at=at(5), reviews=reviews)
    sandbox.close(FRAME, number, "bob", closer=pull, at=at(5))

    evidence = await world.gather(number)

    assert world.asked == ["IssueEvidence", "IssuePage", "IssuePage", "PullRequestPage"]
    assert [comment.body for comment in evidence.comments] == [f"comment {position}" for position in range(230)]
    assert evidence.fix is not None
    assert (len(evidence.fix.files), evidence.fix.comments, evidence.fix.files_truncated) == (150, 25, False)


async def test_reopening_adds_a_span_and_an_edit_keeps_the_first_version(world: World) -> None:
    sandbox, number = world.sandbox, world.issue(body="First words")
    sandbox.edit_issue(FRAME, number, "ann", body="Second words", at=at(1))
    sandbox.edit_issue(FRAME, number, "ann", body="Third words", at=at(1.5))
    sandbox.close(FRAME, number, "ann", "not_planned", at=at(2))
    sandbox.reopen(FRAME, number, "bob", at=at(4))
    sandbox.close(FRAME, number, "bob", at=at(10))
    sandbox.edit_issue(FRAME, number, "ann", body="Words after the closing", at=at(11))

    evidence = await world.gather(number)

    assert (evidence.body, evidence.first_body) == ("Third words", "First words")
    assert [(span.opened_at, span.closed_at, span.state_reason) for span in evidence.spans] == [
        (at(0), at(2), "not_planned"),
        (at(4), at(10), "completed"),
    ]
    assert evidence.closed_at == at(10)


async def test_an_open_issue_has_no_end(world: World) -> None:
    number = world.issue()

    evidence = await world.gather(number)

    assert (evidence.state, evidence.closed_at, evidence.first_body) == ("open", None, "It crashes.")


async def test_what_is_gone_is_told_as_not_found(world: World) -> None:
    sandbox = world.sandbox
    deleted, moved = world.issue(), world.issue()
    sandbox.add_repository("acme", "other")
    sandbox.delete_issue(FRAME, deleted, "bob")
    sandbox.transfer_issue(FRAME, moved, "acme/other", "bob")

    for number in (deleted, moved, 4000):
        with pytest.raises(NotFound):
            await world.gather(number)
    with pytest.raises(NotFound):
        await gather(world, "acme/nowhere", 1)
