"""The only place that writes to GitHub: performs each action once, and checks that GitHub kept it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, assert_never

import structlog

from bot.clock import Clock
from bot.github.actions import (
    Action,
    AddLabel,
    CreateComment,
    CreateIssue,
    CreateLabel,
    PinIssue,
    React,
    RemoveLabel,
    UnpinIssue,
    UpdateComment,
    UpdateIssue,
)
from bot.github.breaker import OPEN, Breaker, write_of
from bot.github.client import GitHubClient
from bot.github.errors import BodyTooLong, Forbidden, Gone, IssuesDisabled, Moved, NotFound, NotOurs, WriteNotKept
from bot.github.home import Homes
from bot.github.label_writes import change_label, check_label
from bot.github.limits import Pacer
from bot.github.pins import change_pin
from bot.github.readback import find_comment, find_issue, find_reaction, holds, is_at_home, is_by, reactions_path
from bot.github.sender import READ_BACK_SECONDS, Sender
from bot.metrics import WRITES

MOST_BODY = 60_000
"""Code points of a body: whatever they are, GitHub's 65,536 characters and 262,144 bytes both hold."""

MOST_TITLE = 256
WrittenKind = Literal["issue", "comment"]
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class WrittenItem:
    """An issue or comment that the App created; `number` is the issue's."""

    kind: WrittenKind
    github_id: int
    number: int | None
    url: str


class WrittenStore(Protocol):
    """Remembers what was created in one repository, so that it is created once even if a person deletes it."""

    async def get(self, marker: str) -> WrittenItem | None:
        """Return what was created under a marker."""
        ...

    async def put(self, marker: str, item: WrittenItem) -> None:
        """Remember it; the first one stays."""
        ...


@dataclass(frozen=True)
class Outcome:
    """What became of an action: `unchanged` was so already, `skipped` cannot be (`reason`), `observed` may not be."""

    status: Literal["done", "unchanged", "observed", "skipped"]
    reason: str | None = None
    number: int | None = None
    github_id: int | None = None
    url: str | None = None


class Writer:
    """Writes to one repository; with `observe` it performs nothing."""

    def __init__(
        self,
        *,
        client: GitHubClient,
        pacer: Pacer,
        clock: Clock,
        written: WrittenStore,
        installation_id: int,
        bot_user_id: int,
        slug: str,
        observe: bool,
        breaker: Breaker | None = None,
    ) -> None:
        self._client = client
        self._clock = clock
        self._sender = Sender(client, pacer, clock, installation_id)
        self._homes = Homes(client)
        self._written = written
        self._bot_user_id = bot_user_id
        self._slug = slug
        self._observe = observe
        self._breaker = breaker

    async def perform(self, action: Action) -> Outcome:
        """Perform an action; performing it again changes nothing.

        It goes to where the repository is now, whatever the action calls it. A locked or archived target, issues
        switched off, a deleted or transferred target, and what would go round in a circle are `skipped`. Raises
        `RateLimited` where it must wait, `Transient` where it failed twice and GitHub does not show it, `WriteNotKept`
        where GitHub did not keep a text, and `BodyTooLong`, `NotOurs` or ValueError for a mistake of ours.
        """
        _check(action)
        outcome = Outcome("observed") if self._observe else await self._unless_in_a_circle(action)
        kind = type(action).__name__
        WRITES.labels(kind=kind, outcome=outcome.status).inc()
        _log.info(
            "github.write",
            action=kind,
            repository=action.repository,
            repository_id=action.repository_id,
            number=outcome.number or getattr(action, "number", None),
            status=outcome.status,
            reason=outcome.reason,
        )
        return outcome

    async def _unless_in_a_circle(self, action: Action) -> Outcome:
        """Perform an action where the circuit-breaker admits it, and tell the breaker what was written."""
        write = write_of(action, self._clock.now())
        if write is None or self._breaker is None:
            return await self._perform_or_skip(action)
        if not await self._breaker.admits(write):
            await self._breaker.stopped(type(action).__name__)
            _log.error("github.circuit_breaker", repository=action.repository, number=write.number)
            return Outcome("skipped", OPEN)
        outcome = await self._perform_or_skip(action)
        if outcome.status == "done":
            await self._breaker.note(write)
        return outcome

    async def _perform_or_skip(self, action: Action) -> Outcome:
        at_home = await self._homes.at_home(action)
        if at_home is None:
            return Outcome("skipped", "repository gone")
        try:
            return await self._perform(at_home)
        except Forbidden as error:
            if error.reason not in ("locked", "archived"):
                raise
            return Outcome("skipped", error.reason)
        except IssuesDisabled:
            return Outcome("skipped", "issues disabled")
        except Gone:
            makes = isinstance(action, CreateIssue | CreateLabel)
            return Outcome("skipped", "issues disabled" if makes else "deleted")
        except NotFound:
            if isinstance(action, CreateIssue | CreateLabel):
                raise
            return Outcome("skipped", "deleted")
        except Moved:
            return Outcome("skipped", "transferred")

    async def _perform(self, action: Action) -> Outcome:
        issues = f"/repos/{action.repository}/issues"
        match action:
            case CreateIssue():
                return await self._create_issue(action, issues)
            case CreateComment():
                return await self._create_comment(action, f"{issues}/{action.number}")
            case UpdateIssue():
                wanted = {"title": action.title, "body": action.body, "state": action.state}
                return await self._update(f"{issues}/{action.number}", wanted, action)
            case UpdateComment():
                return await self._update(f"{issues}/comments/{action.comment_id}", {"body": action.body}, action)
            case React():
                return await self._react(action)
            case PinIssue() | UnpinIssue():
                status, reason = await change_pin(self._client, self._sender, action, self._bot_user_id)
                return Outcome(status, reason, action.number)
            case AddLabel() | RemoveLabel() | CreateLabel():
                return Outcome(*await change_label(self._client, self._sender, action))
        assert_never(action)

    async def _create_issue(self, action: CreateIssue, issues: str) -> Outcome:
        async def find() -> WrittenItem | None:
            found = await find_issue(self._client, action, self._slug, self._bot_user_id)
            return None if found is None else WrittenItem("issue", found["id"], found["number"], found["html_url"])

        async def send() -> WrittenItem:
            data = {"title": action.title, "body": action.body}
            extras = {"labels": list(action.labels), "assignees": list(action.assignees)}
            sent = await self._sender.send("POST", issues, data | extras, action.repository_id)
            return WrittenItem("issue", sent["id"], sent["number"], sent["html_url"])

        return await self._create(action.marker, find, send)

    async def _create_comment(self, action: CreateComment, issue: str) -> Outcome:
        async def find() -> WrittenItem | None:
            current = await self._client.get(issue)
            if not await is_at_home(self._client, current, action):
                raise Moved("the issue was transferred", current["html_url"])
            found = await find_comment(self._client, action, current["comments"], self._bot_user_id)
            if found is None and current["locked"]:
                raise Forbidden("the issue is locked", "locked")
            return None if found is None else WrittenItem("comment", found["id"], action.number, found["html_url"])

        async def send() -> WrittenItem:
            sent = await self._sender.send("POST", f"{issue}/comments", {"body": action.body}, action.repository_id)
            return WrittenItem("comment", sent["id"], action.number, sent["html_url"])

        return await self._create(f"#{action.number} {action.marker}", find, send)

    async def _create(
        self,
        marker: str,
        find: Callable[[], Awaitable[WrittenItem | None]],
        send: Callable[[], Awaitable[WrittenItem]],
    ) -> Outcome:
        """Create what is neither remembered nor to be found on GitHub."""
        item = await self._written.get(marker)
        if item is not None:
            return Outcome("unchanged", None, item.number, item.github_id, item.url)
        item = await find()
        status: Literal["done", "unchanged"] = "unchanged"
        if item is None:
            item = await self._sender.send_surely(send, find)
            status = "done"
        await self._written.put(marker, item)
        return Outcome(status, None, item.number, item.github_id, item.url)

    async def _update(
        self, path: str, fields: Mapping[str, str | None], action: UpdateIssue | UpdateComment
    ) -> Outcome:
        """Change the fields that are not None where GitHub holds others, then read them back."""
        wanted = {name: value for name, value in fields.items() if value is not None}
        before = await self._client.get(path)
        if not is_by(before, self._bot_user_id):
            raise NotOurs(f"{path} in {action.repository} was written by somebody else")
        if holds(before, wanted):
            return _updated("unchanged", before)

        async def find() -> Any:
            current = await self._client.get(path)
            return current if holds(current, wanted) else None

        await self._sender.send_surely(lambda: self._sender.send("PATCH", path, wanted, action.repository_id), find)
        kept = await find()
        if kept is None:
            await self._clock.sleep(READ_BACK_SECONDS)
            kept = await find()
        if kept is None:
            lengths = ", ".join(f"{name}: {len(value)} characters" for name, value in wanted.items())
            raise WriteNotKept(f"GitHub accepted {path} and kept the old text ({lengths})")
        return _updated("done", kept)

    async def _react(self, action: React) -> Outcome:
        """Give a reaction; GitHub itself makes nothing of a second one of the same kind."""
        given = await self._sender.send_surely(
            lambda: self._sender.send(
                "POST", reactions_path(action), {"content": action.content}, action.repository_id
            ),
            lambda: find_reaction(self._client, action, self._bot_user_id),
        )
        return Outcome("done", None, action.number, given["id"])


def _updated(status: Literal["done", "unchanged"], item: Mapping[str, Any]) -> Outcome:
    return Outcome(status, None, item.get("number"), item["id"], item["html_url"])


def _check(action: Action) -> None:
    """Refuse what could not be kept or found again: an over-long text, a marker that its body does not hold."""
    body = getattr(action, "body", None) or ""
    title = getattr(action, "title", None) or ""
    if len(body) > MOST_BODY:
        raise BodyTooLong(f"a body of {len(body)} code points; at most {MOST_BODY} may be sent")
    if len(title) > MOST_TITLE:
        raise BodyTooLong(f"a title of {len(title)} code points; at most {MOST_TITLE} may be sent")
    if isinstance(action, CreateIssue | CreateComment) and (not action.marker or action.marker not in action.body):
        raise ValueError(f"the body does not hold the marker {action.marker!r}, so it could not be found again")
    if isinstance(action, AddLabel | RemoveLabel | CreateLabel):
        check_label(action)
