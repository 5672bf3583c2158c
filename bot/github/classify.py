"""From one answer of GitHub to the error it means; pure, since gidgethub's exceptions drop what decides."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.github.errors import (
    Conflict,
    Forbidden,
    ForbiddenReason,
    GitHubError,
    Gone,
    GraphQLError,
    Invalid,
    IssuesDisabled,
    LimitKind,
    NotFound,
    PayloadTooLarge,
    RateLimited,
    TooExpensive,
    Transient,
    Unauthorized,
)
from bot.github.headers import LONGEST_WINDOW, reset_moment, whole_number

UNNAMED_WAIT = timedelta(seconds=60)
"""After a secondary limit that names no moment: "at least one minute" (GitHub, best practices for the REST API)."""

_LONGEST_WAIT = timedelta(days=1)
"""What GitHub asks for by `retry-after` is obeyed, but for what can only be nonsense."""

_LIMIT_TYPES = frozenset({"RATE_LIMITED", "RATE_LIMIT"})
_EXPENSIVE_TYPES = frozenset({"RESOURCE_LIMITS_EXCEEDED", "MAX_NODE_LIMIT_EXCEEDED"})
_LIMIT_WORDS = ("rate limit", "abuse detection", "submitted too quickly")
_REASONS: tuple[tuple[re.Pattern[str], ForbiddenReason], ...] = (
    (re.compile(r"\bsuspended\b"), "suspended"),
    (re.compile(r"\barchived\b"), "archived"),
    (re.compile(r"\blocked\b|locking-conversations"), "locked"),
    (re.compile(r"not accessible|permission|must have"), "permission"),
)


def classify(status: int, headers: Mapping[str, str], body: bytes, now: datetime) -> GitHubError:
    """Return the error that an answer with a status of 400 or more means.

    `headers` is looked up by lower-case names. A limit is told from a refusal by `retry-after`, by
    `x-ratelimit-remaining: 0` or by GitHub's words, since a secondary limit is a 403 with requests remaining.
    """
    answer = _object(body)
    message = _text(answer.get("message")) or f"GitHub answered {status}"
    errors = _list(answer.get("errors"))
    words = " ".join([message, _text(answer.get("documentation_url")), json.dumps(errors)]).lower()
    if status == 429 or (status in (403, 422) and _is_limit(status, headers, words)):
        return _limited(message, headers, now, status)
    match status:
        case 401:
            return Unauthorized(message, status=status)
        case 403 | 451:
            return Forbidden(message, _reason(words), status=status)
        case 404:
            return NotFound(message, status=status)
        case 409:
            return Conflict(message, status=status)
        case 410:
            return (IssuesDisabled if "disabled" in words else Gone)(message, status=status)
        case 413:
            return PayloadTooLarge(message, status=status)
        case 400 | 406 | 415 | 422:
            return Invalid(message, errors, status=status)
        case _ if status >= 500 or status == 408:
            return Transient(message, status=status)
    return GitHubError(message, status=status)


def classify_graphql(
    answer: object, remaining: int | None, reset_at: datetime | None, now: datetime
) -> GitHubError | None:
    """Return the error inside a GraphQL answer of status 200, or None where it holds only data.

    A limit is told by the error's type or words, never by `remaining`: the query that uses up the last point is
    answered in full with 0 remaining, and a refused one may come with some remaining.
    """
    if not isinstance(answer, dict) or not ("data" in answer or "errors" in answer):
        return Transient("GraphQL answered with neither data nor errors", status=200)
    errors = _list(answer.get("errors"))
    if not errors:
        return None
    data = answer.get("data") if isinstance(answer.get("data"), dict) else None
    message = next((_text(error.get("message")) for error in errors if isinstance(error, dict)), "") or "query failed"
    failure = GraphQLError(message, errors, data)
    lowered = message.lower()
    if failure.types & _LIMIT_TYPES or any(word in lowered for word in _LIMIT_WORDS):
        named = remaining == 0 and reset_at is not None and reset_at > now
        retry_at = min(reset_at, now + LONGEST_WINDOW) if named and reset_at is not None else now + UNNAMED_WAIT
        kind: LimitKind = "primary" if named else "secondary"
        return RateLimited(message, retry_at, kind=kind, named=named, status=200)
    if failure.types & _EXPENSIVE_TYPES:
        return TooExpensive(message, status=200)
    if data is not None and any(value is not None for value in data.values()):
        return failure
    if "NOT_FOUND" in failure.types:
        return NotFound(message, status=200)
    if "FORBIDDEN" in failure.types:
        return Forbidden(message, "permission", status=200)
    if not failure.types and lowered.startswith("something went wrong"):
        return Transient(message, status=200)
    return failure


def _reason(words: str) -> ForbiddenReason:
    return next((reason for pattern, reason in _REASONS if pattern.search(words)), "other")


def _is_limit(status: int, headers: Mapping[str, str], words: str) -> bool:
    told = status == 403 and ("retry-after" in headers or headers.get("x-ratelimit-remaining") == "0")
    return told or any(word in words for word in _LIMIT_WORDS)


def _limited(message: str, headers: Mapping[str, str], now: datetime, status: int) -> RateLimited:
    """Obey `retry-after`, then `x-ratelimit-reset` where nothing remains, else wait a minute."""
    exhausted = headers.get("x-ratelimit-remaining") == "0"
    kind: LimitKind = "primary" if exhausted and "secondary" not in message.lower() else "secondary"
    seconds = whole_number(headers, "retry-after")
    if seconds is not None:
        wait = min(timedelta(seconds=max(seconds, 1)), _LONGEST_WAIT)
        return RateLimited(message, now + wait, kind=kind, status=status)
    reset = reset_moment(headers)
    if exhausted and reset is not None:
        # Our clock may run ahead of GitHub's: never a moment that is already past.
        retry_at = min(max(reset, now + timedelta(seconds=1)), now + LONGEST_WINDOW)
        return RateLimited(message, retry_at, kind=kind, status=status)
    return RateLimited(message, now + UNNAMED_WAIT, kind=kind, named=False, status=status)


def _object(body: bytes) -> dict[str, Any]:
    """Decode a JSON object; an HTML page of a proxy, or anything else, is an empty one."""
    try:
        decoded = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return decoded if isinstance(decoded, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> Sequence[Any]:
    if isinstance(value, str):
        return [value]
    return value if isinstance(value, list) else []
