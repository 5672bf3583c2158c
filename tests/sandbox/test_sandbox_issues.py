"""What issues, comments, labels and reactions may hold, and how GitHub refuses the rest."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.sandbox.sandbox import Sandbox
from tests.sandbox.support import connected
from tests.support.clock import VirtualClock

ISSUES = "/repos/acme/frame/issues"
JUST_FITS, TOO_LONG = "é" * 131_072, "é" * 131_072 + "x"


async def test_a_body_is_measured_in_bytes_and_an_overlong_edit_is_ignored_in_silence(sandbox: Sandbox) -> None:
    async with connected(sandbox) as client:
        assert (await client.send("POST", ISSUES, {"title": "x", "body": JUST_FITS})).status == 201
        for method, path, body in (
            ("POST", ISSUES, {"title": "x", "body": TOO_LONG}),
            ("POST", f"{ISSUES}/1/comments", {"body": TOO_LONG}),
        ):
            refused = await client.send(method, path, body)
            assert refused.status == 422
            assert refused.body["errors"][0]["field"] == "body"
        comment = (await client.send("POST", f"{ISSUES}/1/comments", {"body": "short"})).body
        path = f"{ISSUES}/comments/{comment['id']}"
        assert (await client.send("PATCH", path, {"body": TOO_LONG})).status == 422
        kept = await client.send("PATCH", f"{ISSUES}/1", {"body": TOO_LONG})
        assert (kept.status, kept.body["body"]) == (200, JUST_FITS)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"title": "x" * 256}, 201),
        ({"title": "x" * 257}, 422),
        ({"title": " "}, 422),
        ({}, 422),
        ({"title": ["x"]}, 422),
        ({"title": "x", "body": 5}, 422),
        ({"title": "x", "labels": ["unknown"]}, 403),
        ({"title": "x", "labels": [5]}, 422),
        (["x"], 400),
    ],
)
async def test_an_issue_is_opened_or_refused(sandbox: Sandbox, body: Any, status: int) -> None:
    async with connected(sandbox) as client:
        assert (await client.send("POST", ISSUES, body)).status == status


async def test_labels_are_made_first_and_only_once(sandbox: Sandbox) -> None:
    sandbox.open_issue("acme/frame", "stranger", "x")
    async with connected(sandbox) as client:
        labels = "/repos/acme/frame/labels"
        assert (await client.send("POST", labels, {"name": "root-cause/a b", "color": "0052cc"})).status == 201
        taken = await client.send("POST", labels, {"name": "Root-Cause/A B"})
        assert (taken.status, taken.body["errors"][0]["code"]) == (422, "already_exists")
        added = await client.send("POST", f"{ISSUES}/1/labels", ["root-cause/a b"])
        assert [row["name"] for row in added.body] == ["root-cause/a b"]
        removed = await client.send("DELETE", f"{ISSUES}/1/labels/root-cause%2Fa%20b")
        assert (removed.status, removed.body) == (200, [])
        assert (await client.send("DELETE", f"{ISSUES}/1/labels/root-cause%2Fa%20b")).status == 404


async def test_a_reaction_is_given_once(sandbox: Sandbox) -> None:
    sandbox.open_issue("acme/frame", "stranger", "x")
    comment = sandbox.comment("acme/frame", 1, "tess", "/rootcause confirm")
    async with connected(sandbox) as client:
        path = f"{ISSUES}/comments/{comment.id}/reactions"
        first = await client.send("POST", path, {"content": "eyes"})
        again = await client.send("POST", path, {"content": "eyes"})
        assert (first.status, again.status) == (201, 200)
        assert again.body["id"] == first.body["id"]
        assert (await client.send("POST", path, {"content": "shrug"})).status == 422
        assert sandbox.reactions("acme/frame", 1, comment.id) == [("rootcause[bot]", "eyes")]
        assert (await client.send("DELETE", f"{path}/{first.body['id']}")).status == 204
    assert sandbox.reactions("acme/frame", 1, comment.id) == []


async def test_locked_archived_disabled_deleted_and_transferred(sandbox: Sandbox) -> None:
    for title in ("locked", "deleted", "moved"):
        sandbox.open_issue("acme/frame", "stranger", title)
    sandbox.lock("acme/frame", 1, "ada")
    sandbox.delete_issue("acme/frame", 2, "ada")
    moved = sandbox.transfer_issue("acme/frame", 3, "other/public", "ada")
    async with connected(sandbox) as client:
        locked = await client.send("POST", f"{ISSUES}/1/comments", {"body": "x"})
        assert (locked.status, locked.body["message"]) == (403, "Unable to create comment because issue is locked.")
        assert (await client.send("GET", f"{ISSUES}/2")).status == 410
        there = await client.send("GET", f"{ISSUES}/3")
        assert there.status == 301
        assert (await client.send("GET", there.headers["location"])).body["id"] == moved.id
        assert [row["number"] for row in (await client.send("GET", ISSUES)).body] == [1]
        sandbox.archive("acme/frame")
        archived = await client.send("POST", f"{ISSUES}/1/reactions", {"content": "eyes"})
        assert (archived.status, archived.body["message"]) == (403, "Repository was archived so is read-only.")
        sandbox.repository("acme/frame").archived = False
        sandbox.repository("acme/frame").has_issues = False
        assert (await client.send("POST", ISSUES, {"title": "x"})).status == 410


async def test_issues_are_listed_by_state_label_creator_date_and_page(sandbox: Sandbox, clock: VirtualClock) -> None:
    for number in range(1, 6):
        clock.advance(hours=1)
        sandbox.open_issue("acme/frame", "tess" if number == 2 else "stranger", f"Issue {number}", "", ("bug",))
    sandbox.close("acme/frame", 3, "ada", at=clock.now())
    sandbox.unlabel("acme/frame", 4, "ada", "bug")

    async def numbers(query: str) -> list[int]:
        answer = await client.send("GET", f"{ISSUES}?{query}")
        return [row["number"] for row in answer.body]

    async with connected(sandbox) as client:
        assert await numbers("") == [5, 4, 2, 1]
        assert await numbers("state=all&sort=created&direction=asc") == [1, 2, 3, 4, 5]
        assert await numbers("state=closed") == [3]
        assert await numbers("labels=bug&state=all") == [5, 3, 2, 1]
        assert await numbers("creator=tess") == [2]
        since = (datetime(2026, 11, 2, 9, tzinfo=UTC) + timedelta(hours=5)).strftime("%Y-%m-%dT%H:%M:%SZ")
        assert await numbers(f"since={since}&state=all") == [5, 4, 3]
        page = await client.send("GET", f"{ISSUES}?state=all&per_page=2&page=2")
        assert [row["number"] for row in page.body] == [3, 2]
        links = dict(reversed(part.split("; ")) for part in page.headers["link"].split(", "))
        assert set(links) == {'rel="prev"', 'rel="next"', 'rel="last"', 'rel="first"'}
        last = await client.send("GET", links['rel="last"'].strip("<>"))
        assert [row["number"] for row in last.body] == [1]


async def test_what_the_app_writes_is_marked_as_its_own(sandbox: Sandbox) -> None:
    async with connected(sandbox) as client:
        issue = (await client.send("POST", ISSUES, {"title": "Inbox", "body": "x"})).body
        comment = (await client.send("POST", f"{ISSUES}/1/comments", {"body": "y"})).body
    for written in (issue, comment):
        assert written["performed_via_github_app"]["slug"] == "rootcause"
        assert (written["user"]["login"], written["user"]["type"]) == ("rootcause[bot]", "Bot")
        assert written["user"]["id"] == sandbox.app.bot_id
    assert [(write.method, write.status) for write in sandbox.writes] == [("POST", 201), ("POST", 201)]


@pytest.mark.parametrize(
    ("login", "permission", "role", "flags"),
    [
        ("ada", "admin", "admin", "admin maintain push triage pull"),
        ("walt", "write", "write", "push triage pull"),
        ("tess", "read", "triage", "triage pull"),
        ("stranger", "read", "read", "pull"),
    ],
)
async def test_permissions_are_told_in_githubs_three_ways(
    sandbox: Sandbox, login: str, permission: str, role: str, flags: str
) -> None:
    async with connected(sandbox) as client:
        answer = (await client.send("GET", f"/repos/acme/frame/collaborators/{login}/permission")).body
    assert (answer["permission"], answer["role_name"]) == (permission, role)
    assert {name for name, has in answer["user"]["permissions"].items() if has} == set(flags.split())


async def test_a_private_member_looks_like_anybody(sandbox: Sandbox) -> None:
    sandbox.add_member("acme", "mia", public=True)
    sandbox.add_member("acme", "max", public=False)
    for login in ("mia", "max", "tess", "stranger"):
        sandbox.open_issue("acme/frame", login, login)
    async with connected(sandbox) as client:
        rows = (await client.send("GET", ISSUES)).body
    standing = {row["user"]["login"]: row["author_association"] for row in rows}
    assert standing == {"mia": "MEMBER", "max": "NONE", "tess": "COLLABORATOR", "stranger": "NONE"}


async def test_a_commit_gives_its_files_300_a_page(sandbox: Sandbox) -> None:
    files = [{"path": f"f{n}", "status": "added", "additions": 1, "deletions": 0} for n in range(301)]
    sandbox.add_commit("acme/frame", "b" * 40, "Everything", files=files)
    async with connected(sandbox) as client:
        first = await client.send("GET", f"/repos/acme/frame/commits/{'b' * 40}")
        second = await client.send("GET", f"/repos/acme/frame/commits/{'b' * 40}?page=2")
    assert (len(first.body["files"]), len(second.body["files"])) == (300, 1)
    assert 'rel="next"' in first.headers["link"]
    assert first.body["stats"]["additions"] == 301
