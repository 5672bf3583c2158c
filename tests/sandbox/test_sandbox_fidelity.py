"""The local GitHub does not judge itself: its answers and webhooks are read by the models of githubkit."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from githubkit import AppInstallationAuthStrategy, GitHub
from pydantic import TypeAdapter

from bot.clock import SystemClock
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Review, ReviewComment
from tests.sandbox.support import app_jwt, connected, small_github

MERGED = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)
FILES = [{"path": "src/a.py", "status": "modified", "additions": 3, "deletions": 1}]


@pytest.fixture(scope="session")
def models() -> Any:
    """GitHub's own descriptions of its answers, as pydantic models; slow to import."""
    import githubkit_schemas.latest.models as found

    return found


@pytest.fixture(scope="session")
def events() -> dict[str, TypeAdapter[Any]]:
    """A validator for each event the App may get."""
    import githubkit_schemas.latest.webhooks as found

    names: dict[str, Any] = {
        "issues": found.IssuesEvent,
        "issue_comment": found.IssueCommentEvent,
        "repository": found.RepositoryEvent,
        "installation": found.InstallationEvent,
        "installation_repositories": found.InstallationRepositoriesEvent,
        "ping": found.PingEvent,
    }
    return {name: TypeAdapter(event) for name, event in names.items()}


def furnish(sandbox: Sandbox) -> None:
    """Make one of everything that can be read."""
    sandbox.open_issue("acme/frame", "stranger", "It leaks", "- [ ] memory", ("bug",))
    sandbox.comment("acme/frame", 1, "tess", "I see it too.")
    sandbox.react("acme/frame", 1, "walt", "eyes")
    commit = sandbox.add_commit("acme/frame", "a" * 40, "Free it\n\nFixes #1", login="walt", files=FILES)
    remark = ReviewComment(sandbox.account("ada").id, "Why?", "src/a.py", MERGED)
    review = Review(sandbox.account("ada").id, "APPROVED", "Good.", MERGED, [remark])
    pull = sandbox.add_pull_request(
        "acme/frame", "Free it", "walt", files=FILES, closes=[1], merged_at=MERGED, merged_by="ada",
        merge_commit_sha=commit.sha, reviews=[review],
    )  # fmt: skip
    sandbox.cross_reference("acme/frame", 1, pull, "walt", will_close=True)
    sandbox.reference("acme/frame", 1, commit, "walt")
    sandbox.edit_issue("acme/frame", 1, "stranger", title="It leaks memory", body="- [x] memory")
    sandbox.close("acme/frame", 1, "ada", "completed", pull)
    sandbox.put_file("acme/frame", ".github/rootcause.yml", "paradigm: ml\n")


READ = [
    ("/repos/acme/frame", "FullRepository"),
    ("/repos/acme/frame/issues?state=all", "list[Issue]"),
    ("/repos/acme/frame/issues/1", "Issue"),
    ("/repos/acme/frame/issues/2", "Issue"),
    ("/repos/acme/frame/issues/1/comments", "list[IssueComment]"),
    ("/repos/acme/frame/issues/comments/{comment}", "IssueComment"),
    ("/repos/acme/frame/issues/1/reactions", "list[Reaction]"),
    ("/repos/acme/frame/issues/1/labels", "list[Label]"),
    ("/repos/acme/frame/labels", "list[Label]"),
    ("/repos/acme/frame/labels/bug", "Label"),
    ("/repos/acme/frame/collaborators/tess/permission", "RepositoryCollaboratorPermission"),
    ("/repos/acme/frame/contents/.github/rootcause.yml", "ContentFile"),
    ("/repos/acme/frame/pulls/2", "PullRequest"),
    ("/repos/acme/frame/pulls/2/files", "list[DiffEntry]"),
    ("/repos/acme/frame/pulls/2/reviews", "list[PullRequestReview]"),
    ("/repos/acme/frame/commits/aaaaaaa", "Commit"),
    ("/users/tess", "PublicUser"),
    ("/users/rootcause%5Bbot%5D", "PublicUser"),
    ("/rate_limit", "RateLimitOverview"),
    ("/installation/repositories", "InstallationRepositoriesGetResponse200"),
    ("/meta", "ApiOverview"),
]


def validate(models: Any, name: str, body: Any) -> None:
    """Read a body with a model, or each of its rows with `list[model]`."""
    if name.startswith("list["):
        assert body, f"an empty list shows nothing about {name}"
        for row in body:
            getattr(models, name[5:-1]).model_validate(row)
    else:
        getattr(models, name).model_validate(body)


async def test_every_answer_is_what_github_describes(sandbox: Sandbox, models: Any) -> None:
    furnish(sandbox)
    (comment,) = sandbox.comments("acme/frame", 1)
    async with connected(sandbox) as client:
        for path, name in READ:
            answer = await client.send("GET", path.format(comment=comment.id))
            assert answer.status == 200, (path, answer.body)
            validate(models, name, answer.body)


async def test_every_write_answers_what_github_describes(sandbox: Sandbox, models: Any) -> None:
    furnish(sandbox)
    (comment,) = sandbox.comments("acme/frame", 1)
    writes = [
        ("POST", "/repos/acme/frame/issues", {"title": "Inbox", "body": "x", "labels": ["bug"]}, 201, "Issue"),
        ("PATCH", "/repos/acme/frame/issues/3", {"state": "closed", "state_reason": "not_planned"}, 200, "Issue"),
        ("POST", "/repos/acme/frame/issues/1/comments", {"body": "Seen."}, 201, "IssueComment"),
        ("POST", f"/repos/acme/frame/issues/comments/{comment.id}/reactions", {"content": "+1"}, 201, "Reaction"),
        ("POST", "/repos/acme/frame/issues/1/reactions", {"content": "eyes"}, 201, "Reaction"),
        ("POST", "/repos/acme/frame/labels", {"name": "root-cause/memory", "color": "FF0000"}, 201, "Label"),
        ("POST", "/repos/acme/frame/issues/3/labels", {"labels": ["root-cause/memory"]}, 200, "list[Label]"),
    ]
    async with connected(sandbox) as client:
        for method, path, body, status, name in writes:
            answer = await client.send(method, path, body)
            assert answer.status == status, (path, answer.body)
            validate(models, name, answer.body)
    assert [(row.method, row.path) for row in sandbox.writes] == [(row[0], row[1]) for row in writes]


async def test_the_app_reads_itself_and_its_deliveries(sandbox: Sandbox, models: Any) -> None:
    sandbox.courier.url = "http://127.0.0.1:9/nobody-listens"
    sandbox.ping()
    await sandbox.deliver_pending()
    async with connected(sandbox) as client:
        app = client.acting(f"Bearer {app_jwt(sandbox)}")
        deliveries = (await app.send("GET", "/app/hook/deliveries")).body
        installation = sandbox.installation("acme").id
        for path, name in (
            ("/app", "Integration"),
            ("/app/installations", "list[Installation]"),
            (f"/app/installations/{installation}", "Installation"),
            ("/repos/acme/frame/installation", "Installation"),
            ("/app/hook/deliveries", "list[HookDeliveryItem]"),
            (f"/app/hook/deliveries/{deliveries[0]['id']}", "HookDelivery"),
        ):
            answer = await app.send("GET", path)
            assert answer.status == 200, (path, answer.body)
            validate(models, name, answer.body)
        token = await app.send("POST", f"/app/installations/{installation}/access_tokens")
        validate(models, "InstallationToken", token.body)


async def test_the_timeline_is_what_github_describes(sandbox: Sandbox, models: Any) -> None:
    furnish(sandbox)
    sandbox.lock("acme/frame", 1, "ada", "resolved")
    names = {
        "commented": "TimelineCommentEvent",
        "cross-referenced": "TimelineCrossReferencedEvent",
        "labeled": "LabeledIssueEvent",
        "renamed": "RenamedIssueEvent",
        "locked": "LockedIssueEvent",
        "closed": "StateChangeIssueEvent",
        "referenced": "StateChangeIssueEvent",
    }
    async with connected(sandbox) as client:
        rows = (await client.send("GET", "/repos/acme/frame/issues/1/timeline?per_page=100")).body
    assert {row["event"] for row in rows} == set(names)
    for row in rows:
        validate(models, names[row["event"]], row)


def test_every_webhook_is_what_github_describes(sandbox: Sandbox, events: dict[str, TypeAdapter[Any]]) -> None:
    furnish(sandbox)
    sandbox.ping()
    sandbox.open_issue("acme/frame", "stranger", "Another", "")
    comment = sandbox.comment("acme/frame", 3, "stranger", "Well?")
    on_pull = sandbox.comment("acme/frame", 2, "ada", "Thanks!")
    sandbox.edit_comment(comment.id, "stranger", "Well? Well?")
    sandbox.delete_comment(comment.id, "stranger")
    sandbox.reopen("acme/frame", 1, "tess")
    sandbox.close("acme/frame", 1, "tess", "duplicate")
    sandbox.unlabel("acme/frame", 1, "tess", "bug")
    sandbox.lock("acme/frame", 1, "ada", "resolved")
    sandbox.unlock("acme/frame", 1, "ada")
    sandbox.select_repositories("acme", add=("acme/hidden",))
    sandbox.transfer_issue("acme/frame", 1, "acme/hidden", "ada")
    sandbox.delete_issue("acme/frame", 3, "ada")
    sandbox.rename_repository("acme/frame", "frame2")
    sandbox.select_repositories("acme", remove=("acme/hidden",))
    sandbox.archive("acme/frame2")
    sandbox.privatize("acme/frame2")
    sandbox.suspend("acme")
    sandbox.unsuspend("acme")
    sandbox.delete_repository("acme/frame2")
    sandbox.uninstall("acme")
    seen = set()
    for delivery in sandbox.deliveries:
        payload = json.loads(delivery.payload)
        events[delivery.event].validate_python(payload)
        seen.add(f"{delivery.event}.{delivery.action}" if delivery.action else delivery.event)
        if delivery.event != "ping":
            assert isinstance(payload["sender"]["id"], int)
    assert json.loads(next(row.payload for row in sandbox.deliveries if str(on_pull.id) in row.payload))["issue"][
        "pull_request"
    ]
    assert seen == {
        "ping", "installation.created", "installation.deleted", "installation.suspend", "installation.unsuspend",
        "installation_repositories.added", "installation_repositories.removed",
        "issues.opened", "issues.labeled", "issues.unlabeled", "issues.edited", "issues.closed", "issues.reopened",
        "issues.locked", "issues.unlocked", "issues.transferred", "issues.deleted",
        "issue_comment.created", "issue_comment.edited", "issue_comment.deleted",
        "repository.renamed", "repository.archived", "repository.privatized", "repository.deleted",
    }  # fmt: skip


def test_a_transferred_repository_is_told_where_the_app_is_installed(
    sandbox: Sandbox, events: dict[str, TypeAdapter[Any]]
) -> None:
    sandbox.install("other")
    sandbox.transfer_repository("acme/frame", "other")
    payload = json.loads(sandbox.deliveries[-1].payload)
    events["repository"].validate_python(payload)
    assert (payload["action"], payload["repository"]["full_name"]) == ("transferred", "other/frame")
    assert payload["changes"]["owner"]["from"]["organization"]["login"] == "acme"


async def test_an_independent_client_can_live_here() -> None:
    sandbox = small_github(SystemClock())
    sandbox.open_issue("acme/frame", "stranger", "It leaks", "Badly.")
    query = """query($n: Int!) { repository(owner: "acme", name: "frame") { issue(number: $n) {
        comments(first: 10) { nodes { body author { __typename login } } } } } }"""
    async with sandbox.running() as base_url:
        auth = AppInstallationAuthStrategy(sandbox.app.id, sandbox.private_key, sandbox.installation("acme").id)
        async with GitHub(auth, base_url=base_url, http_cache=False, auto_retry=False) as github:
            issues = await github.rest.issues.async_list_for_repo("acme", "frame")
            created = await github.rest.issues.async_create_comment("acme", "frame", 1, body="Seen.")
            answer = await github.graphql.arequest(query, {"n": 1})
    assert [issue.title for issue in issues.parsed_data] == ["It leaks"]
    assert created.parsed_data.performed_via_github_app
    (node,) = answer["repository"]["issue"]["comments"]["nodes"]
    assert node == {"body": "Seen.", "author": {"__typename": "Bot", "login": "rootcause"}}
    sandbox.close_storage()
