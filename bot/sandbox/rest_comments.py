"""REST: comments, and the reactions to issues and comments."""

from __future__ import annotations

from typing import Literal

from bot.sandbox.calls import Call, Reply, Routes
from bot.sandbox.errors import forbidden, invalid, not_found
from bot.sandbox.rest_issues import require_issues
from bot.sandbox.shapes import REACTIONS, reaction_json
from bot.sandbox.shapes_issue import comment_json
from bot.sandbox.state import Comment, Issue
from bot.sandbox.texts import read_comment_body

routes = Routes()
ISSUE = "/repos/{owner}/{repo}/issues/{number}"
COMMENT = "/repos/{owner}/{repo}/issues/comments/{comment_id}"
Subject = tuple[Literal["issue", "comment"], int]


@routes.add("GET", f"{ISSUE}/comments", "issues:read")
def list_comments(call: Call) -> Reply:
    """List the comments of an issue or pull request, the oldest first."""
    rows = call.world.comments_on.get((call.repository.id, call.subject().number), [])
    if "since" in call.query:
        rows = [row for row in rows if comment_json(call.world, row)["updated_at"] >= call.query["since"]]
    return call.rows(sorted(rows, key=lambda row: (row.created_at, row.id)), lambda row: comment_json(call.world, row))


@routes.add("POST", f"{ISSUE}/comments", "issues:write", content=True)
def create_comment(call: Call) -> Reply:
    """Write a comment; 403 where the conversation is locked."""
    require_issues(call)
    subject = call.subject()
    if isinstance(subject, Issue) and subject.locked:
        raise forbidden("Unable to create comment because issue is locked.")
    body = read_comment_body(call.body)
    comment = call.services.comments.create(subject, call.account, body, via_app=True)
    return Reply(comment_json(call.world, comment), 201)


@routes.add("GET", COMMENT, "issues:read")
def get_comment(call: Call) -> Reply:
    """Return a comment."""
    return Reply(comment_json(call.world, _comment(call)))


@routes.add("PATCH", COMMENT, "issues:write")
def update_comment(call: Call) -> Reply:
    """Edit a comment."""
    comment = _comment(call)
    call.services.comments.edit(comment, call.account, read_comment_body(call.body))
    return Reply(comment_json(call.world, comment))


@routes.add("DELETE", COMMENT, "issues:write")
def delete_comment(call: Call) -> Reply:
    """Delete a comment."""
    call.services.comments.delete(_comment(call), call.account)
    return Reply(None, 204)


@routes.add("GET", f"{ISSUE}/reactions", "issues:read")
def list_issue_reactions(call: Call) -> Reply:
    """List the reactions to an issue's description."""
    return _list_reactions(call, ("issue", call.issue().id))


@routes.add("POST", f"{ISSUE}/reactions", "issues:write")
def react_to_issue(call: Call) -> Reply:
    """React to an issue's description."""
    return _react(call, ("issue", call.issue().id))


@routes.add("DELETE", f"{ISSUE}/reactions/{{reaction_id}}", "issues:write")
def delete_issue_reaction(call: Call) -> Reply:
    """Take back a reaction to an issue's description."""
    return _delete_reaction(call, ("issue", call.issue().id))


@routes.add("GET", f"{COMMENT}/reactions", "issues:read")
def list_comment_reactions(call: Call) -> Reply:
    """List the reactions to a comment."""
    return _list_reactions(call, ("comment", _comment(call).id))


@routes.add("POST", f"{COMMENT}/reactions", "issues:write")
def react_to_comment(call: Call) -> Reply:
    """React to a comment."""
    return _react(call, ("comment", _comment(call).id))


@routes.add("DELETE", f"{COMMENT}/reactions/{{reaction_id}}", "issues:write")
def delete_comment_reaction(call: Call) -> Reply:
    """Take back a reaction to a comment."""
    return _delete_reaction(call, ("comment", _comment(call).id))


def _comment(call: Call) -> Comment:
    comment = call.world.comments.get(call.number("comment_id"))
    if comment is None or comment.repository_id != call.repository.id:
        raise not_found()
    return comment


def _list_reactions(call: Call, subject: Subject) -> Reply:
    rows = list(call.world.reactions_to.get(subject, ()))
    content = call.query.get("content")
    rows = [row for row in rows if content is None or row.content == content]
    return call.rows(rows, lambda row: reaction_json(call.world, row))


def _react(call: Call, subject: Subject) -> Reply:
    content = call.body.get("content")
    if not isinstance(content, str) or content not in REACTIONS:
        raise invalid("Reaction", "content", "invalid")
    reaction, new = call.services.comments.react(*subject, call.account, content)
    return Reply(reaction_json(call.world, reaction), 201 if new else 200)


def _delete_reaction(call: Call, subject: Subject) -> Reply:
    reaction = call.world.reactions.get(call.number("reaction_id"))
    if reaction is None or (reaction.subject, reaction.subject_id) != subject:
        raise not_found()
    if reaction.account_id != call.account.id:
        raise forbidden()
    call.world.remove(reaction)
    return Reply(None, 204)
