"""One API request and its answer as the handlers see them, and the table of routes they stand in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.sandbox.callers import Caller, Callers
from bot.sandbox.changes_comments import CommentChanges
from bot.sandbox.changes_issues import IssueChanges
from bot.sandbox.changes_repositories import RepositoryChanges
from bot.sandbox.errors import ApiError, forbidden, not_found
from bot.sandbox.limits import LimitKeeper
from bot.sandbox.outbox import Outbox
from bot.sandbox.rights import role_of
from bot.sandbox.state import Account, Issue, PullRequest, Repository, Role
from bot.sandbox.world import World

Need = Literal["metadata:read", "issues:read", "issues:write", "contents:read", "pull_requests:read"]
PAGE_SIZE, LARGEST_PAGE = 30, 100


@dataclass(frozen=True)
class Services:
    """What handlers work with."""

    world: World
    callers: Callers
    outbox: Outbox
    issues: IssueChanges
    comments: CommentChanges
    repositories: RepositoryChanges
    limits: LimitKeeper


@dataclass(frozen=True)
class Reply:
    """An answer: the JSON body (None for an empty one), the status and further headers."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """One request: who calls, what the path names, the query and the JSON body."""

    services: Services
    caller: Caller
    method: str
    path: str
    params: dict[str, str]
    query: dict[str, str]
    body: dict[str, Any]
    repository_found: Repository | None = None

    @property
    def world(self) -> World:
        """The state."""
        return self.services.world

    @property
    def repository(self) -> Repository:
        """The repository the path names."""
        if self.repository_found is None:
            raise not_found()
        return self.repository_found

    @property
    def account(self) -> Account:
        """The account that acts."""
        if self.caller.account is None:
            raise ApiError(401, "Requires authentication")
        return self.caller.account

    @property
    def role(self) -> Role | None:
        """The caller's role in the repository; an installation has the rights of its permissions, not a role."""
        if self.caller.kind == "person" and self.caller.account is not None:
            return role_of(self.world, self.repository, self.caller.account)
        return None if self.repository.private and not self.caller.covers(self.repository) else "read"

    def number(self, name: str) -> int:
        """Read a number from the path; what is none leads to nothing (404)."""
        text = self.params[name]
        if not text.isascii() or not text.isdigit() or len(text) > 18:
            raise not_found()
        return int(text)

    def subject(self) -> Issue | PullRequest:
        """Find the issue or pull request that the path's `number` names."""
        number = self.number("number")
        pull = self.world.pulls_of[self.repository.id].get(number)
        return pull if pull is not None else self.issue(number)

    def issue(self, number: int | None = None) -> Issue:
        """Find the issue that the path's `number` names; 410 where it was deleted, 301 where it was transferred."""
        wanted = self.number("number") if number is None else number
        if not self.repository.has_issues:
            raise ApiError(410, "Issues are disabled for this repo")
        issue = self.world.issues_of[self.repository.id].get(wanted)
        if issue is None:
            raise not_found()
        if issue.deleted:
            raise ApiError(410, "This issue was deleted")
        if issue.transferred_to is not None:
            moved = self.world.issues[issue.transferred_to]
            address = f"{self.world.base_url}/repositories/{moved.repository_id}/issues/{moved.number}"
            raise ApiError(301, "Moved Permanently", headers={"location": address})
        return issue

    def page(self, size: int = PAGE_SIZE) -> tuple[int, int]:
        """Return (page, rows a page) of the query; `size` is what an endpoint gives unasked."""
        rows = min(max(1, self._count("per_page", size)), max(size, LARGEST_PAGE))
        return max(1, self._count("page", 1)), rows

    def rows(self, rows: list[Any], shape: Callable[[Any], Any], size: int = PAGE_SIZE) -> Reply:
        """Answer one page of rows with GitHub's Link header."""
        page, size = self.page(size)
        last = max(1, -(-len(rows) // size))
        links = {"prev": page - 1, "next": page + 1, "last": last, "first": 1}
        wanted = [name for name in links if (page > 1 if name in ("prev", "first") else page < last)]
        header = ", ".join(f'<{self._address(links[name])}>; rel="{name}"' for name in wanted)
        body = [shape(row) for row in rows[(page - 1) * size : page * size]]
        return Reply(body, headers={"link": header} if header else {})

    def _count(self, name: str, otherwise: int) -> int:
        text = self.query.get(name, "")
        return int(text) if text.isascii() and text.isdigit() else otherwise

    def _address(self, page: int) -> str:
        query = {**self.query, "page": str(page)}
        return f"{self.world.base_url}{self.path}?" + "&".join(f"{name}={value}" for name, value in query.items())


Handler = Callable[[Call], Reply]


@dataclass(frozen=True)
class Route:
    """One endpoint: what it needs, and whether it creates content (which has a limit of its own)."""

    method: str
    template: str
    handler: Handler
    needs: Need | Literal["app", "installation", "any"]
    creates_content: bool = False


class Routes:
    """A table of routes that a module fills with its decorator."""

    def __init__(self) -> None:
        self.rows: list[Route] = []

    def add(
        self, method: str, template: str, needs: Need | Literal["app", "installation", "any"], *, content: bool = False
    ) -> Callable[[Handler], Handler]:
        """Register a handler under a method and a path template."""

        def register(handler: Handler) -> Handler:
            self.rows.append(Route(method, template, handler, needs, content))
            return handler

        return register


def check_access(call: Call, need: str) -> None:
    """Refuse by GitHub's rules: 404 for what the caller may not know of, 403 for what it may not do."""
    repository, caller = call.repository, call.caller
    subject, _, level = need.partition(":")
    if repository.private and call.role is None:
        raise not_found()
    if level == "write":
        if caller.kind == "person":
            raise forbidden("Resource not accessible by personal access token")
        if caller.kind != "installation":
            raise ApiError(401, "Requires authentication")
        if not caller.covers(repository):
            raise forbidden()
        if caller.token is None or caller.token.permissions.get(subject) != "write":
            raise forbidden()
        if repository.archived:
            raise forbidden("Repository was archived so is read-only.")
    elif caller.covers(repository):
        granted = caller.token.permissions if caller.token else {}
        if subject not in granted and repository.private:
            raise forbidden()
