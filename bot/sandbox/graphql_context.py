"""What GraphQL resolvers share: the state, who asks, which types stand for which objects, and what is hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphql import GraphQLResolveInfo

from bot.sandbox.callers import Caller
from bot.sandbox.graphql_cost import Cost, QueryError
from bot.sandbox.limits import LimitKeeper
from bot.sandbox.rights import role_of
from bot.sandbox.state import (
    Account,
    Comment,
    Commit,
    Edit,
    Issue,
    PullRequest,
    Repository,
    Review,
    ReviewComment,
    TimelineEvent,
)
from bot.sandbox.world import World

Resolver = Callable[..., Any]
Resolvers = dict[str, Resolver]

EVENT_TYPES: dict[str, str] = {
    "closed": "ClosedEvent",
    "reopened": "ReopenedEvent",
    "labeled": "LabeledEvent",
    "unlabeled": "UnlabeledEvent",
    "locked": "LockedEvent",
    "unlocked": "UnlockedEvent",
    "renamed": "RenamedTitleEvent",
    "cross-referenced": "CrossReferencedEvent",
    "connected": "ConnectedEvent",
    "marked_as_duplicate": "MarkedAsDuplicateEvent",
    "transferred": "TransferredEvent",
    "referenced": "ReferencedEvent",
}
_TYPES: dict[type, str] = {
    Issue: "Issue",
    PullRequest: "PullRequest",
    Commit: "Commit",
    Comment: "IssueComment",
    Repository: "Repository",
}


@dataclass(frozen=True)
class Context:
    """One query's surroundings."""

    world: World
    caller: Caller
    limits: LimitKeeper
    cost: Cost

    def readable(self, repository: Repository) -> bool:
        """Tell whether the caller may read a repository."""
        if not repository.private or self.caller.covers(repository):
            return True
        person = self.caller.account if self.caller.kind == "person" else None
        return person is not None and role_of(self.world, repository, person) is not None


@dataclass(frozen=True)
class EditOf:
    """One version of an issue's body."""

    issue: Issue
    position: int
    edit: Edit


@dataclass(frozen=True)
class ReviewOf:
    """One review of a pull request."""

    pull: PullRequest
    position: int
    review: Review


@dataclass(frozen=True)
class RemarkOf:
    """One comment on a line of a pull request."""

    pull: PullRequest
    position: int
    comment: ReviewComment


@dataclass(frozen=True)
class ThreadOf:
    """The comments on one line that follow each other."""

    pull: PullRequest
    position: int
    remarks: tuple[RemarkOf, ...]


def context(info: GraphQLResolveInfo) -> Context:
    """Return the surroundings of the query being answered."""
    found: Context = info.context
    return found


def type_name(value: Any, *_: Any) -> str | None:
    """Return the GraphQL type of an object where an interface or a union leaves it open."""
    if isinstance(value, TimelineEvent):
        return EVENT_TYPES[value.kind]
    if isinstance(value, Account):
        return value.kind
    return _TYPES.get(type(value))


def actor(info: GraphQLResolveInfo, account_id: int | None) -> Account | None:
    """Return an actor, or None for a deleted account."""
    found = context(info).world.accounts[account_id] if account_id is not None else None
    return None if found is None or found.deleted else found


def visible(info: GraphQLResolveInfo, found: Any) -> Any:
    """Return an object that has a repository, or refuse as GitHub does where the caller may not read it."""
    if found is not None and not may_see(info, found):
        raise QueryError("FORBIDDEN", "Resource not accessible by integration")
    return found


def may_see(info: GraphQLResolveInfo, found: Issue | PullRequest | Commit) -> bool:
    """Tell whether the caller may read an object's repository, which may have been deleted."""
    here = context(info)
    repository = here.world.repositories.get(found.repository_id)
    return repository is not None and here.readable(repository)
