"""A visit to every endpoint of the sandbox, and every act of which it sends a webhook."""

from __future__ import annotations

import json
from datetime import timedelta

from bot.clock import SystemClock
from bot.sandbox.registering import read_manifest, register
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Review, ReviewComment
from bot.setup.manifest import manifest
from tests.sandbox.support import Client, app_jwt, connected, small_github

PLACE = "/repos/acme/frame"
FILES = [{"path": "src/a.py", "status": "modified", "additions": 3, "deletions": 1}]


async def visit() -> None:
    """Read, write and be refused everywhere; then let people do all they can."""
    sandbox = small_github(SystemClock())
    _furnish(sandbox)
    async with connected(sandbox) as client:
        app = client.acting(f"Bearer {app_jwt(sandbox)}")
        await _read(sandbox, client)
        await _write(sandbox, client)
        await _be_the_app(sandbox, app)
        await _be_refused(sandbox, client)
        _act(sandbox)
        await _register(sandbox, client)
    sandbox.close_storage()


def _furnish(sandbox: Sandbox) -> None:
    """Make one of everything that can be read."""
    now = sandbox.world.now()
    sandbox.open_issue("acme/frame", "stranger", "It leaks", "- [ ] memory", ("bug",))
    sandbox.comment("acme/frame", 1, "tess", "I see it too.")
    sandbox.react("acme/frame", 1, "walt", "eyes")
    commit = sandbox.add_commit("acme/frame", "a" * 40, "Free it\n\nFixes #1", login="walt", files=FILES)
    unknown = sandbox.add_commit("acme/frame", "b" * 40, "Free more\n\nFixes #1", files=FILES)
    ada = sandbox.account("ada").id
    sandbox.add_commit("acme/frame", "d" * 40, "Try something", files=FILES, branch="side")
    review = Review(ada, "APPROVED", "Good.", now, [ReviewComment(ada, "Why?", "src/a.py", now)])
    pull = sandbox.add_pull_request(
        "acme/frame", "Free it", "walt", files=FILES, closes=[1], merged_at=now + timedelta(seconds=1),
        merged_by="ada", merge_commit_sha=commit.sha, reviews=[review],
    )  # fmt: skip
    waiting = sandbox.add_pull_request("acme/frame", "Free nothing", None)
    other = sandbox.open_issue("acme/frame", "stranger", "It leaks as well", "", ())
    sandbox.comment("acme/frame", pull.number, None, "Somebody who left.")
    sandbox.cross_reference("acme/frame", 1, pull, "walt", will_close=True)
    sandbox.cross_reference("acme/frame", 1, other, "walt")
    sandbox.reference("acme/frame", 1, commit, "walt")
    sandbox.edit_issue("acme/frame", 1, "stranger", title="It leaks memory", body="- [x] memory")
    sandbox.connect("acme/frame", 1, waiting, "walt")
    sandbox.close("acme/frame", 1, "ada", "completed", pull)
    sandbox.close("acme/frame", other.number, "ada", "completed", unknown)
    sandbox.mark_duplicate("acme/frame", other.number, 1, "ada")
    sandbox.lock("acme/frame", other.number, "ada", "resolved")
    sandbox.unlock("acme/frame", other.number, "ada")
    sandbox.unlabel("acme/frame", 1, "tess", "bug")
    sandbox.label("acme/frame", 1, "tess", "bug")
    sandbox.put_file("acme/frame", ".github/rootcause.yml", "paradigm: ml\n")


async def _read(sandbox: Sandbox, client: Client) -> None:
    comment = sandbox.comments("acme/frame", 1)[0].id
    for path in (
        PLACE, f"{PLACE}/issues?state=all&sort=updated&direction=asc&since=2020-01-01T00:00:00Z&per_page=2&page=2",
        f"{PLACE}/issues?state=closed&labels=bug&creator=stranger", f"{PLACE}/issues/1", f"{PLACE}/issues/2",
        f"{PLACE}/issues/1/comments?per_page=1", f"{PLACE}/issues/2/comments", f"{PLACE}/issues/comments/{comment}",
        f"{PLACE}/issues/comments/{comment}/reactions", f"{PLACE}/issues/1/reactions?content=eyes",
        f"{PLACE}/issues/1/timeline?per_page=100", f"{PLACE}/issues/4/timeline?per_page=100",
        f"{PLACE}/issues/1/labels", f"{PLACE}/labels", f"{PLACE}/labels/bug",
        f"{PLACE}/collaborators/tess/permission", f"{PLACE}/collaborators/stranger/permission",
        f"{PLACE}/contents/.github/rootcause.yml", f"{PLACE}/pulls/2", f"{PLACE}/pulls/3", f"{PLACE}/pulls/2/files",
        f"{PLACE}/pulls/2/reviews",
        f"{PLACE}/commits/{'a' * 40}", f"{PLACE}/commits/{'b' * 40}",
        *(f"{PLACE}/compare/main...{each * 40}" for each in "abd"), "/users/tess", "/users/acme",
        "/users/rootcause%5Bbot%5D", "/rate_limit", "/installation/repositories", "/meta",
        f"/repositories/{sandbox.repository('acme/frame').id}",
    ):  # fmt: skip
        answer = await client.send("GET", path)
        assert answer.status == 200, (path, answer.body)


async def _write(sandbox: Sandbox, client: Client) -> None:
    comment = sandbox.comments("acme/frame", 1)[0].id
    reactions = f"{PLACE}/issues/comments/{comment}/reactions"
    for method, path, body, status in (
        ("POST", f"{PLACE}/labels", {"name": "root-cause/memory", "color": "ff0000", "description": "Memory"}, 201),
        ("POST", f"{PLACE}/issues", {"title": "Mine", "body": "x", "labels": ["bug"], "assignees": ["walt"]}, 201),
        ("PATCH", f"{PLACE}/issues/5", {"state": "closed", "state_reason": "not_planned", "labels": ["bug"]}, 200),
        ("PATCH", f"{PLACE}/issues/5", {"state": "open", "title": "Mine still", "body": "y"}, 200),
        ("POST", f"{PLACE}/issues/5/labels", {"labels": ["root-cause/memory"]}, 200),
        ("DELETE", f"{PLACE}/issues/5/labels/bug", None, 200),
        ("POST", f"{PLACE}/issues/5/comments", {"body": "Seen."}, 201),
        ("PATCH", f"{PLACE}/issues/comments/{comment + 2}", {"body": "Seen it."}, 200),
        ("POST", reactions, {"content": "+1"}, 201),
        ("POST", reactions, {"content": "+1"}, 200),
        ("POST", f"{PLACE}/issues/1/reactions", {"content": "heart"}, 201),
    ):
        answer = await client.send(method, path, body)
        assert answer.status == status, (path, answer.body)
    for path in (f"{PLACE}/issues/1/reactions", reactions):
        given = (await client.send("GET", path)).body
        ours = next(one["id"] for one in given if one["user"]["login"] == "rootcause[bot]")
        assert (await client.send("DELETE", f"{path}/{ours}")).status == 204
    assert (await client.send("DELETE", f"{PLACE}/issues/comments/{comment + 2}")).status == 204


async def _be_the_app(sandbox: Sandbox, app: Client) -> None:
    sandbox.courier.url = "http://127.0.0.1:9/nobody-listens"
    sandbox.ping()
    await sandbox.deliver_pending()
    installation = f"/app/installations/{sandbox.installation('acme').id}"
    latest = (await app.send("GET", "/app/hook/deliveries?per_page=3")).body[0]
    delivery = f"/app/hook/deliveries/{latest['id']}"
    for path in (
        "/app",
        "/app/hook/config",
        "/app/installations",
        installation,
        f"{PLACE}/installation",
        delivery,
    ):
        assert (await app.send("GET", path)).status == 200
    narrow = {"repositories": ["frame"], "permissions": {"issues": "read"}}
    assert (await app.send("POST", f"{installation}/access_tokens", narrow)).status == 201
    assert (await app.send("POST", f"{delivery}/attempts")).status == 202
    sandbox.suspend("acme")
    assert (await app.send("GET", installation)).status == 200
    assert (await app.send("POST", f"{installation}/access_tokens")).status == 403
    sandbox.unsuspend("acme")


async def _register(sandbox: Sandbox, client: Client) -> None:
    address = "https://rootcause.acme.dev"
    asked = manifest(address, "Another", f"{address}/setup", "https://api.github.com")
    code, _ = register(sandbox.world, read_manifest(json.dumps(asked)), sandbox.account("acme"))
    anybody = client.acting("")
    assert (await anybody.send("POST", f"/app-manifests/{code}/conversions")).status == 201
    assert (await anybody.send("POST", f"/app-manifests/{code}/conversions")).status == 404


async def _be_refused(sandbox: Sandbox, client: Client) -> None:
    sandbox.open_issue("acme/frame", "stranger", "Soon gone")
    sandbox.delete_issue("acme/frame", 6, "ada")
    for method, path, body, status in (
        ("GET", f"{PLACE}/issues/99", None, 404),
        ("GET", f"{PLACE}/issues/6", None, 410),
        ("GET", f"{PLACE}/contents/none.yml", None, 404),
        ("GET", f"{PLACE}/commits/{'c' * 40}", None, 422),
        ("POST", f"{PLACE}/labels", {"name": "bug"}, 422),
        ("POST", f"{PLACE}/issues/1/comments", {"body": ""}, 422),
        ("POST", f"{PLACE}/issues/1/comments", {"body": "x" * 300_000}, 422),
        ("POST", f"{PLACE}/issues/1/labels", {"labels": ["never made"]}, 403),
    ):
        answer = await client.send(method, path, body)
        assert answer.status == status, (path, answer.body)
    assert (await client.acting("token nonsense").send("GET", PLACE)).status == 401


def _act(sandbox: Sandbox) -> None:
    """Let people do what sends a webhook."""
    sandbox.install("other")
    comment = sandbox.comment("acme/frame", 1, "stranger", "Well?")
    sandbox.comment("acme/frame", 2, "ada", "Thanks!")
    sandbox.edit_comment(comment.id, "stranger", "Well? Well?")
    sandbox.delete_comment(comment.id, "stranger")
    sandbox.reopen("acme/frame", 1, "tess")
    sandbox.close("acme/frame", 1, "tess", "duplicate")
    sandbox.reopen("acme/frame", 1, "tess")
    sandbox.close("acme/frame", 1, "tess", "not_planned")
    sandbox.lock("acme/frame", 1, "ada", "off-topic")
    sandbox.unlock("acme/frame", 1, "ada")
    sandbox.lock("acme/frame", 1, "ada")
    sandbox.reopen("acme/frame", 1, "tess")
    sandbox.select_repositories("acme", add=("acme/hidden",))
    sandbox.transfer_issue("acme/frame", 1, "acme/hidden", "ada")
    sandbox.rename_repository("acme/frame", "frame2")
    sandbox.select_repositories("acme", remove=("acme/hidden",))
    sandbox.archive("acme/frame2")
    sandbox.privatize("acme/frame2")
    sandbox.transfer_repository("acme/frame2", "other")
    sandbox.delete_repository("other/frame2")
    sandbox.uninstall("acme")
