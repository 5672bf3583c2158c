"""JSON of issues, comments and timeline events, as the REST API gives them."""

from __future__ import annotations

from bot.sandbox.identifiers import node_id
from bot.sandbox.rights import association
from bot.sandbox.shapes import (
    Json,
    app_json,
    label_json,
    reaction_summary,
    stamp,
    stamp_or_none,
    user_or_none,
)
from bot.sandbox.shapes_repository import api_url, commit_json, html_url
from bot.sandbox.state import Comment, Issue, PullRequest, TimelineEvent
from bot.sandbox.world import World


def issue_url(world: World, issue: Issue) -> str:
    """Return the address of an issue in the API."""
    return f"{api_url(world, world.repositories[issue.repository_id])}/issues/{issue.number}"


def issue_page(world: World, issue: Issue) -> str:
    """Return the address of an issue's page."""
    return f"{html_url(world, world.repositories[issue.repository_id])}/issues/{issue.number}"


def issue_json(world: World, issue: Issue) -> Json:
    """Write one issue as it stands in lists and webhooks, which do not say who closed it."""
    repository = world.repositories[issue.repository_id]
    url = issue_url(world, issue)
    assignees = [user_or_none(world, account_id) for account_id in issue.assignee_ids]
    return {
        "id": issue.id,
        "node_id": node_id("issue", issue.id),
        "url": url,
        "repository_url": api_url(world, repository),
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "html_url": issue_page(world, issue),
        "number": issue.number,
        "state": "closed" if issue.closed_at else "open",
        "state_reason": issue.state_reason,
        "title": issue.title,
        "body": issue.body,
        "user": user_or_none(world, issue.author_id),
        "labels": [label_json(world, repository, world.labels[label_id]) for label_id in issue.label_ids],
        "assignee": assignees[0] if assignees else None,
        "assignees": assignees,
        "milestone": None,
        "locked": issue.locked,
        "active_lock_reason": issue.lock_reason,
        "comments": len(world.comments_on.get((issue.repository_id, issue.number), ())),
        "closed_at": stamp_or_none(issue.closed_at),
        "created_at": stamp(issue.created_at),
        "updated_at": stamp(issue.updated_at),
        "author_association": association(world, repository, issue.author_id),
        "type": _type_json(issue, world),
        "reactions": reaction_summary(world, "issue", issue.id, url),
        "timeline_url": f"{url}/timeline",
        "performed_via_github_app": app_json(world) if issue.via_app else None,
    }


def full_issue_json(world: World, issue: Issue) -> Json:
    """Write one issue asked for by itself."""
    return issue_json(world, issue) | {"closed_by": user_or_none(world, issue.closed_by_id)}


def pull_request_as_issue_json(world: World, pull: PullRequest) -> Json:
    """Write a pull request as the issues endpoints give it: an issue with the key `pull_request`."""
    issue = Issue(
        id=pull.id, repository_id=pull.repository_id, number=pull.number, title=pull.title, body=pull.body,
        author_id=pull.author_id, created_at=pull.created_at, updated_at=pull.updated_at, closed_at=pull.closed_at,
        closed_by_id=pull.merged_by_id,
    )  # fmt: skip
    repository = world.repositories[pull.repository_id]
    page = f"{html_url(world, repository)}/pull/{pull.number}"
    return issue_json(world, issue) | {
        "node_id": node_id("pull_request", pull.id),
        "html_url": page,
        "pull_request": {
            "url": f"{api_url(world, repository)}/pulls/{pull.number}",
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
            "merged_at": stamp_or_none(pull.merged_at),
        },
    }


def comment_json(world: World, comment: Comment) -> Json:
    """Write one comment."""
    repository = world.repositories[comment.repository_id]
    base = f"{api_url(world, repository)}/issues"
    url = f"{base}/comments/{comment.id}"
    kind = "issues" if comment.number in world.issues_of[repository.id] else "pull"
    return {
        "id": comment.id,
        "node_id": node_id("comment", comment.id),
        "url": url,
        "html_url": f"{html_url(world, repository)}/{kind}/{comment.number}#issuecomment-{comment.id}",
        "issue_url": f"{base}/{comment.number}",
        "user": user_or_none(world, comment.author_id),
        "body": comment.body,
        "created_at": stamp(comment.created_at),
        "updated_at": stamp(comment.updated_at),
        "author_association": association(world, repository, comment.author_id),
        "reactions": reaction_summary(world, "comment", comment.id, url),
        "performed_via_github_app": app_json(world) if comment.via_app else None,
    }


def event_json(world: World, event: TimelineEvent) -> Json:
    """Write one event of an issue's timeline; as on GitHub it does not name a closing pull request."""
    repository = world.repositories[event.repository_id]
    if event.kind == "cross-referenced":
        return _cross_reference_json(world, event)
    commit_id = event.closer_commit_id or event.commit_id
    commit = world.commits[commit_id] if commit_id else None
    shape: Json = {
        "id": event.id,
        "node_id": node_id("event", event.id),
        "url": f"{api_url(world, repository)}/issues/events/{event.id}",
        "actor": user_or_none(world, event.actor_id),
        "event": event.kind,
        "commit_id": commit.sha if commit else None,
        "commit_url": commit_json(world, repository, commit)["url"] if commit else None,
        "created_at": stamp(event.created_at),
        "performed_via_github_app": app_json(world) if event.via_app else None,
    }
    if event.kind in ("closed", "reopened"):
        shape["state_reason"] = event.state_reason
    if event.label is not None:
        shape["label"] = {"name": event.label, "color": event.color}
    if event.kind == "renamed":
        shape["rename"] = {"from": event.title_before, "to": event.title_after}
    if event.kind == "locked":
        shape["lock_reason"] = event.lock_reason
    return shape


def comment_event_json(world: World, comment: Comment) -> Json:
    """Write a comment as it stands in the timeline."""
    shape = comment_json(world, comment)
    return shape | {"event": "commented", "actor": shape["user"]}


def _type_json(issue: Issue, world: World) -> Json | None:
    if issue.issue_type is None:
        return None
    moment = stamp(world.repositories[issue.repository_id].created_at)
    return {
        "id": issue.repository_id,
        "node_id": node_id("issue_type", issue.repository_id, issue.issue_type),
        "name": issue.issue_type,
        "description": None,
        "color": "gray",
        "created_at": moment,
        "updated_at": moment,
        "is_enabled": True,
    }


def _cross_reference_json(world: World, event: TimelineEvent) -> Json:
    if event.source_pull_request_id is not None:
        pull = world.pull_requests[event.source_pull_request_id]
        source = pull_request_as_issue_json(world, pull)
    else:
        source = issue_json(world, world.issues[event.source_issue_id or 0])
    return {
        "event": "cross-referenced",
        "actor": user_or_none(world, event.actor_id),
        "created_at": stamp(event.created_at),
        "updated_at": stamp(event.created_at),
        "source": {"type": "issue", "issue": source},
    }
