"""What the pages show, as plain values for the templates."""

from __future__ import annotations

import html
from collections.abc import Callable
from datetime import datetime
from typing import Any

from markupsafe import Markup

from bot.markdown.links import Find
from bot.markdown.render import Box, render
from bot.sandbox.rights import ROLES, association, role_of
from bot.sandbox.shapes import REACTIONS
from bot.sandbox.state import Comment, Issue, PullRequest, Repository, TimelineEvent
from bot.sandbox.world import World

View = dict[str, Any]
ROWS_A_PAGE = 50
STRANGER = "passer-by"
"""The login of somebody without any role, whom a person trying things out can always act as."""

_SYMBOLS = dict(zip(REACTIONS, ("👍", "👎", "😄", "🎉", "😕", "❤️", "🚀", "👀"), strict=True))
_MOST_VERSIONS = 20
"""Earlier versions of a comment that its page shows."""

_WHAT: dict[str, Callable[[TimelineEvent], str]] = {
    "reopened": lambda _: "reopened this",
    "labeled": lambda event: f"added the label {event.label}",
    "unlabeled": lambda event: f"removed the label {event.label}",
    "locked": lambda _: "locked the conversation",
    "unlocked": lambda _: "unlocked the conversation",
    "renamed": lambda event: f"changed the title from “{event.title_before}” to “{event.title_after}”",
    "cross-referenced": lambda _: "mentioned this elsewhere",
    "connected": lambda _: "linked a pull request",
    "marked_as_duplicate": lambda _: "marked this as a duplicate",
    "transferred": lambda _: "transferred this here",
    "referenced": lambda _: "mentioned this in a commit",
}


def people(world: World, repository: Repository | None) -> list[View]:
    """List who can be acted as: the people with a role, the mightiest first and then by name, and last a stranger."""
    if repository is not None:
        ids = {*repository.collaborators, repository.owner_id}
    else:
        ids = {account_id for row in world.repositories.values() for account_id in row.collaborators}
    accounts = [world.accounts[account_id] for account_id in ids if world.accounts[account_id].kind == "User"]
    rows: list[View] = [
        {"login": one.login, "role": None if repository is None else role_of(world, repository, one)}
        for one in accounts
    ]
    rows.sort(key=lambda row: (-ROLES.index(row["role"] or "read"), row["login"].casefold()))
    return [*rows, {"login": STRANGER, "role": None}]


def home_view(world: World) -> View:
    """Show the repositories."""
    rows = []
    for repository in sorted(world.repositories.values(), key=world.full_name):
        issues = [row for row in world.issues_of[repository.id].values() if not row.deleted]
        closed = sum(row.closed_at is not None for row in issues)
        rows.append({
            "name": world.full_name(repository),
            "private": repository.private,
            "archived": repository.archived,
            "installed": world.installation_of(repository) is not None,
            "open": len(issues) - closed,
            "closed": closed,
        })  # fmt: skip
    return {"repositories": rows, "app": world.app.name}


def repository_view(world: World, repository: Repository, shown: str, page: int) -> View:
    """Show one page of a repository's issues, the newest first."""
    issues = [row for row in world.issues_of[repository.id].values() if not row.deleted and row.transferred_to is None]
    closed = sum(row.closed_at is not None for row in issues)
    wanted = [row for row in issues if shown == "all" or (row.closed_at is not None) == (shown == "closed")]
    wanted.sort(key=lambda row: (row.created_at, row.number), reverse=True)
    rows = [
        {
            "number": row.number,
            "title": row.title,
            "state": "closed" if row.closed_at else "open",
            "labels": [world.labels[label_id] for label_id in row.label_ids],
            "author": _login(world, row.author_id),
            "created": _day(row.created_at),
            "comments": len(world.comments_on.get((repository.id, row.number), ())),
        }
        for row in wanted[(page - 1) * ROWS_A_PAGE : page * ROWS_A_PAGE]
    ]
    return {
        "name": world.full_name(repository),
        "description": repository.description,
        "shown": shown,
        "counts": {"open": len(issues) - closed, "closed": closed, "all": len(issues)},
        "pinned": [{"number": row.number, "title": row.title} for row in world.pinned(repository)],
        "rows": rows,
        "page": page,
        "pages": max(1, -(-len(wanted) // ROWS_A_PAGE)),
    }


def subject_view(world: World, subject: Issue | PullRequest) -> View:
    """Show an issue or pull request with everything in its thread."""
    repository = world.repositories[subject.repository_id]
    thread: list[Comment | TimelineEvent] = [
        *world.comments_on.get((repository.id, subject.number), ()),
        *(row for row in world.events_on.get((repository.id, subject.number), ()) if not _as_opened(row, subject)),
    ]
    thread.sort(key=lambda row: (row.created_at, row.id))
    entries = [_text_view(world, repository, subject, _box(world, subject) if isinstance(subject, Issue) else None)]
    entries += (
        _text_view(world, repository, row, None) if isinstance(row, Comment) else _event_view(world, row)
        for row in thread
    )
    is_issue = isinstance(subject, Issue)
    locked = isinstance(subject, Issue) and subject.locked
    labels_may_change = is_issue and not repository.archived
    return {
        "name": world.full_name(repository),
        "number": subject.number,
        "title": subject.title,
        "state": "closed" if subject.closed_at else "open",
        "reason": (subject.state_reason or "").replace("_", " ")
        if isinstance(subject, Issue) and subject.closed_at
        else "",
        "labels": [world.labels[label_id] for label_id in subject.label_ids] if isinstance(subject, Issue) else [],
        "all_labels": [one.name for one in world.labels_of[repository.id].values()] if labels_may_change else [],
        "locked": locked,
        "pinned": isinstance(subject, Issue) and subject.pinned_at is not None,
        "pull_request": not is_issue,
        "writable": not locked and not repository.archived,
        "thread": entries,
    }


def _as_opened(event: TimelineEvent, subject: Issue | PullRequest) -> bool:
    """Tell whether a label was there from the beginning, which is no news."""
    return event.kind == "labeled" and event.created_at == subject.created_at


def _text_view(world: World, repository: Repository, row: Issue | PullRequest | Comment, box: Box | None) -> View:
    standing = association(world, repository, row.author_id)
    account = world.accounts[row.author_id] if row.author_id is not None else None
    is_comment = isinstance(row, Comment)
    shown = render(row.body or "", box, _find(world, repository))
    versions = () if isinstance(row, PullRequest) else row.edits
    return {
        "anchor": f"issuecomment-{row.id}" if is_comment else "",
        "author": _login(world, row.author_id),
        "bot": account is not None and account.kind == "Bot",
        "standing": "" if standing in ("NONE", "CONTRIBUTOR") else standing.lower(),
        "at": _moment(row.created_at),
        "edited": bool(versions),
        "earlier": [(_moment(one.at), one.body) for one in versions[-2::-1][:_MOST_VERSIONS]] if is_comment else [],
        "text": Markup(shown or "<p><em>No description.</em></p>"),  # noqa: S704 - `render` lets nothing unsafe pass
        "reactions": _reactions(world, "comment" if is_comment else "issue", row.id),
    }


def _event_view(world: World, event: TimelineEvent) -> View:
    what = _closing(world, event) if event.kind == "closed" else _WHAT[event.kind](event)
    return {"author": _login(world, event.actor_id), "what": what, "at": _moment(event.created_at)}


def _closing(world: World, event: TimelineEvent) -> str:
    reason = f" as {event.state_reason.replace('_', ' ')}" if event.state_reason else ""
    if event.closer_pull_request_id is not None:
        return f"closed this{reason} in #{world.pull_requests[event.closer_pull_request_id].number}"
    if event.closer_commit_id is not None:
        return f"closed this{reason} in {world.commits[event.closer_commit_id].sha[:7]}"
    return f"closed this{reason}"


def _box(world: World, issue: Issue) -> Box:
    name = world.full_name(world.repositories[issue.repository_id])
    action = html.escape(f"/web/{name}/issues/{issue.number}/tick")

    def make(line: int, ticked: bool) -> str:
        symbol, what = ("☑", "Clear this box") if ticked else ("☐", "Tick this box")
        return (
            f'<form class="box" method="post" action="{action}"><input type="hidden" name="line" value="{line}">'
            f'<input type="hidden" name="ticked" value="{0 if ticked else 1}">'
            f'<button aria-label="{what}">{symbol}</button></form>'
        )

    return make


def _find(world: World, here: Repository) -> Find:
    def find(name: str | None, number: int) -> str | None:
        found = world.find_repository(name) if name is not None else (here, True)
        if found is None:
            return None
        kind = "issues" if number in world.issues_of[found[0].id] else "pull"
        if kind == "pull" and number not in world.pulls_of[found[0].id]:
            return None
        return f"/web/{world.full_name(found[0])}/{kind}/{number}"

    return find


def _reactions(world: World, subject: str, subject_id: int) -> list[tuple[str, list[str]]]:
    logins: dict[str, list[str]] = {}
    for row in world.reactions_to.get((subject, subject_id), ()):
        logins.setdefault(_SYMBOLS[row.content], []).append(world.accounts[row.account_id].login)
    return list(logins.items())


def _login(world: World, account_id: int | None) -> str:
    return world.accounts[account_id].login if account_id is not None else "ghost"


def _day(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d")


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")
