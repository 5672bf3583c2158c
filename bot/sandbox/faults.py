"""Faults to order: the next requests that match a pattern fail the way GitHub sometimes does."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from enum import Enum

from bot.sandbox.errors import ApiError, bad_credentials, forbidden, invalid, not_found, secondary_limit


class Fault(Enum):
    """How a request fails; the first two after it was carried out, and the third does not but for its slowness."""

    SERVER_ERROR_AFTER = "500 although the write was done"
    DROPPED_AFTER = "connection dropped although the write was done"
    SLOW = "the right answer, but late"
    SERVER_ERROR = "500"
    BAD_GATEWAY = "502"
    HANG = "no answer at all"
    DROPPED = "connection dropped"
    SECONDARY_LIMIT = "403 secondary limit with retry-after"
    SECONDARY_LIMIT_SILENT = "403 secondary limit without retry-after"
    TOO_MANY_REQUESTS = "429 with retry-after"
    ARCHIVED = "403 archived"
    FORBIDDEN = "403 not accessible"
    NOT_FOUND = "404"
    GONE = "410"
    INVALID = "422"
    TOKEN_EXPIRED = "401"  # noqa: S105 - a status, no password

    @property
    def after(self) -> bool:
        """Whether the request is carried out first."""
        return self in (Fault.SERVER_ERROR_AFTER, Fault.DROPPED_AFTER)


@dataclass
class Planned:
    """A fault that still strikes `left` requests; `method` may be `*`, `path` is a shell-style pattern."""

    method: str
    path: str
    fault: Fault
    left: int


class Faults:
    """The faults ordered and those that struck; `retry_after` and `slow_seconds` say how long some of them last."""

    def __init__(self, retry_after: int = 60, slow_seconds: float = 3.0) -> None:
        self._planned: list[Planned] = []
        self.retry_after = retry_after
        self.slow_seconds = slow_seconds
        self.struck: list[tuple[str, str, Fault]] = []

    def add(self, method: str, path: str, fault: Fault, count: int = 1) -> Planned:
        """Order that the next `count` requests matching method and path fail so."""
        planned = Planned(method, path, fault, count)
        self._planned.append(planned)
        return planned

    def clear(self) -> None:
        """Take back every fault that has not struck."""
        self._planned.clear()

    def strike(self, method: str, path: str) -> Fault | None:
        """Return the fault for a request and use it up, or None."""
        for planned in self._planned:
            if planned.left and planned.method in ("*", method) and fnmatch.fnmatchcase(path, planned.path):
                planned.left -= 1
                self.struck.append((method, path, planned.fault))
                return planned.fault
        return None

    def refusal(self, fault: Fault) -> ApiError:
        """Return the answer of a fault that has one."""
        match fault:
            case Fault.SERVER_ERROR_AFTER | Fault.SERVER_ERROR:
                return ApiError(500, "Server Error")
            case Fault.BAD_GATEWAY:
                return ApiError(502, "Server Error")
            case Fault.SECONDARY_LIMIT:
                return secondary_limit(self.retry_after)
            case Fault.SECONDARY_LIMIT_SILENT:
                return secondary_limit(None)
            case Fault.TOO_MANY_REQUESTS:
                return ApiError(429, "Too Many Requests", headers={"retry-after": str(self.retry_after)})
            case Fault.ARCHIVED:
                return forbidden("Repository was archived so is read-only.")
            case Fault.FORBIDDEN:
                return forbidden()
            case Fault.NOT_FOUND:
                return not_found()
            case Fault.GONE:
                return ApiError(410, "Issues has been disabled in this repository.")
            case Fault.INVALID:
                return invalid("Issue", "body", "invalid")
            case Fault.TOKEN_EXPIRED:
                return bad_credentials()
            case _:
                raise ValueError(f"{fault} has no answer")
