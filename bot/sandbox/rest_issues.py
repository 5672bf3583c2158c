"""REST: issues and their timeline."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from bot.sandbox.calls import Call, Reply, Routes
from bot.sandbox.errors import ApiError, forbidden, invalid
from bot.sandbox.rest_labels import existing_labels
from bot.sandbox.shapes_issue import (
    comment_event_json,
    event_json,
    full_issue_json,
    issue_json,
    pull_request_as_issue_json,
)
from bot.sandbox.state import Account, Comment, Issue, PullRequest, StateReason, TimelineEvent
from bot.sandbox.texts import check_body, check_title, read_text, too_long

routes = Routes()


def require_issues(call: Call) -> None:
    """Refuse with 410 where issues are switched off."""
    if not call.repository.has_issues:
        raise ApiError(410, "Issues has been disabled in this repository.")


@routes.add("GET", "/repos/{owner}/{repo}/issues", "issues:read")
def list_issues(call: Call) -> Reply:
    """List issues and pull requests by state, labels, creator and `since`."""
    require_issues(call)
    world, repository, query = call.world, call.repository, call.query
    everything: list[Issue | PullRequest] = [
        issue
        for issue in world.issues_of[repository.id].values()
        if not issue.deleted and issue.transferred_to is None and _has_labels(call, issue)
    ]
    if not query.get("labels"):
        everything += world.pulls_of[repository.id].values()
    state = query.get("state", "open")
    if state != "all":
        everything = [row for row in everything if (row.closed_at is not None) == (state == "closed")]
    if query.get("since"):
        since = _moment(query["since"])
        everything = [row for row in everything if row.updated_at >= since]
    if query.get("creator"):
        creator = world.account(query["creator"])
        everything = [row for row in everything if creator is not None and row.author_id == creator.id]
    _sort(call, everything)
    return call.rows(everything, lambda row: _either_json(call, row))


@routes.add("POST", "/repos/{owner}/{repo}/issues", "issues:write", content=True)
def create_issue(call: Call) -> Reply:
    """Open an issue with existing labels."""
    require_issues(call)
    title = call.body.get("title")
    if isinstance(title, int):
        title = str(title)
    if not isinstance(title, str):
        raise ApiError(422, 'Invalid request.\n\n"title" wasn\'t supplied.')
    check_title(title)
    body = read_text(call.body, "body")
    check_body("Issue", body or "")
    labels = existing_labels(call, call.body.get("labels") or [])
    assignees = _assignees(call, call.body.get("assignees") or [])
    issue = call.services.issues.open(
        call.repository, call.account, title, body, labels, assignees=assignees, via_app=True
    )
    return Reply(full_issue_json(call.world, issue), 201)


@routes.add("GET", "/repos/{owner}/{repo}/issues/{number}", "issues:read")
def get_issue(call: Call) -> Reply:
    """Return an issue, or a pull request as an issue."""
    subject = call.subject()
    if isinstance(subject, PullRequest):
        return Reply(pull_request_as_issue_json(call.world, subject))
    return Reply(full_issue_json(call.world, subject))


@routes.add("PATCH", "/repos/{owner}/{repo}/issues/{number}", "issues:write")
def update_issue(call: Call) -> Reply:
    """Edit, close, reopen or relabel; a body over the limit is ignored in silence, as on GitHub."""
    issue, changes, account = call.issue(), call.services.issues, call.account
    title, body = read_text(call.body, "title"), read_text(call.body, "body")
    if title is not None:
        check_title(title)
    state = call.body.get("state")
    if state not in (None, "open", "closed"):
        raise invalid("Issue", "state", "invalid")
    reason = _reason(call) if state == "closed" else "completed"
    if body is not None and too_long(body):
        body = None
    if "labels" in call.body:
        wanted = existing_labels(call, call.body["labels"] or [])
        for label in [call.world.labels[label_id] for label_id in issue.label_ids]:
            if label not in wanted:
                changes.unlabel(issue, label, account, via_app=True)
        for label in wanted:
            changes.label(issue, label, account, via_app=True)
    changes.edit(issue, account, title=title, body=body)
    if state == "closed" and issue.closed_at is None:
        changes.close(issue, account, reason, via_app=True)
    if state == "open" and issue.closed_at is not None:
        changes.reopen(issue, account, via_app=True)
    return Reply(full_issue_json(call.world, issue))


@routes.add("GET", "/repos/{owner}/{repo}/issues/{number}/timeline", "issues:read")
def list_timeline(call: Call) -> Reply:
    """List events and comments in the order of time."""
    thread = (call.repository.id, call.subject().number)
    rows: list[Comment | TimelineEvent] = [
        *call.world.comments_on.get(thread, ()),
        *call.world.events_on.get(thread, ()),
    ]
    rows.sort(key=lambda row: row.created_at)
    return call.rows(
        rows,
        lambda row: comment_event_json(call.world, row) if isinstance(row, Comment) else event_json(call.world, row),
    )


def _reason(call: Call) -> StateReason:
    match call.body.get("state_reason"):
        case None | "completed":
            return "completed"
        case "not_planned":
            return "not_planned"
        case "duplicate":
            return "duplicate"
        case _:
            raise invalid("Issue", "state_reason", "invalid")


def _has_labels(call: Call, issue: Issue) -> bool:
    names = {name.strip().lower() for name in call.query.get("labels", "").split(",") if name.strip()}
    return names <= {call.world.labels[label_id].name.lower() for label_id in issue.label_ids}


def _sort(call: Call, rows: list[Issue | PullRequest]) -> None:
    thread_comments, sort = call.world.comments_on, call.query.get("sort", "created")

    def key(row: Issue | PullRequest) -> Any:
        if sort == "comments":
            return len(thread_comments.get((row.repository_id, row.number), ())), row.number
        return (row.updated_at if sort == "updated" else row.created_at), row.number

    rows.sort(key=key, reverse=call.query.get("direction", "desc") != "asc")


def _either_json(call: Call, row: Issue | PullRequest) -> dict[str, Any]:
    if isinstance(row, PullRequest):
        return pull_request_as_issue_json(call.world, row)
    return issue_json(call.world, row)


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise invalid("Issue", "since", "invalid") from None
    if moment.tzinfo is None:
        raise invalid("Issue", "since", "invalid")
    return moment


def _assignees(call: Call, logins: list[str]) -> list[Account]:
    if len(logins) > 10:
        raise forbidden("An issue may have at most ten assignees.")
    accounts = [call.world.account(login) for login in logins]
    return [account for account in accounts if account is not None and account.id in call.repository.collaborators]
