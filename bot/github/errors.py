"""What can go wrong between us and GitHub, as classes that say what to do next."""
# ruff: noqa: N818  the names say what happened; each is an error by its base class

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

ForbiddenReason = Literal["locked", "archived", "permission", "suspended", "other"]
LimitKind = Literal["primary", "secondary"]


class GitHubError(Exception):
    """Any failure of a request to GitHub; `status` is None where no answer came.

    The text is GitHub's own message or ours, after `request` (method and path) where that is known; it never holds a
    token, a header or a body we sent.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.request: str | None = None

    def __str__(self) -> str:
        return super().__str__() if self.request is None else f"{self.request}: {super().__str__()}"


class Transient(GitHubError):
    """A 5xx, a time-out, a lost connection or an unreadable answer: a read is tried again, a write is read back."""


class TooExpensive(Transient):
    """GitHub broke a query off since it asks for too much at once; nothing of it may be used. Ask for less."""


class RateLimited(GitHubError):
    """GitHub refused because of a limit; nothing was done, and nothing may be asked before `retry_at` (UTC).

    `named` says whether GitHub named the moment itself; where it did not, waiting doubles from one refusal to the next.
    """

    def __init__(
        self,
        message: str,
        retry_at: datetime,
        *,
        kind: LimitKind,
        named: bool = True,
        status: int | None = None,
    ) -> None:
        super().__init__(message, status=status)
        self.retry_at = retry_at
        self.kind: LimitKind = kind
        self.named = named


class Suspended(RateLimited):
    """The account suspended the App: nothing was done, and all waits, however long it takes, as for a limit."""


class Unauthorized(GitHubError):
    """The token was refused (401)."""


class Forbidden(GitHubError):
    """GitHub understood and refuses for good (403, 451); `reason` is read from its message."""

    def __init__(self, message: str, reason: ForbiddenReason, *, status: int | None = None) -> None:
        super().__init__(message, status=status)
        self.reason: ForbiddenReason = reason


class NotFound(GitHubError):
    """There is no such thing, or we may not see it (404, or NOT_FOUND from GraphQL)."""


class Unchanged(GitHubError):
    """GitHub holds what the given ETag names (304); such an answer is free of the primary limit."""


class Gone(GitHubError):
    """It was there once, or the feature is switched off, such as issues in a repository (410)."""


class IssuesDisabled(Gone):
    """The repository's issues are switched off; they are there again once it switches them on."""


class Conflict(GitHubError):
    """The state of the repository does not allow it, such as commits of an empty repository (409)."""


class Invalid(GitHubError):
    """GitHub cannot accept the request as it is (400, 406, 415, 422); `errors` is its own list of what is wrong."""

    def __init__(self, message: str, errors: Sequence[Any] = (), *, status: int | None = None) -> None:
        super().__init__(message, status=status)
        self.errors = tuple(errors)


class PayloadTooLarge(GitHubError):
    """The request is larger than GitHub takes (413)."""


class Moved(GitHubError):
    """What a write was meant for is at `location` now; nothing was done. Reads follow by themselves."""

    def __init__(self, message: str, location: str, *, status: int | None = None) -> None:
        super().__init__(message, status=status)
        self.location = location


class GraphQLError(GitHubError):
    """A query answered with errors; `data` is the part that came all the same, or None."""

    def __init__(self, message: str, errors: Sequence[Any], data: dict[str, Any] | None) -> None:
        super().__init__(message, status=200)
        self.errors = tuple(errors)
        self.data = data

    @property
    def types(self) -> frozenset[str]:
        """Return the types GitHub gave its errors, such as FORBIDDEN or RESOURCE_LIMITS_EXCEEDED."""
        found = (error.get("type") for error in self.errors if isinstance(error, dict))
        return frozenset(kind for kind in found if isinstance(kind, str))


class BodyTooLong(GitHubError):
    """A text of ours is longer than may be sent; the feature that made it should have cut it (our bug)."""


class NotOurs(GitHubError):
    """A rewrite was asked for of something that another account wrote (our bug)."""


class WriteNotKept(GitHubError):
    """GitHub answered 200 and still holds something else, as it does for an over-long issue body."""
