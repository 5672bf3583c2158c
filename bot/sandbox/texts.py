"""GitHub's rules for what an issue, a comment or a label may hold."""

from __future__ import annotations

from typing import Any

from bot.sandbox.errors import ApiError, invalid

BODY_BYTES = 262_144
TITLE_CHARACTERS = 256
LABEL_CHARACTERS = 50


def too_long(body: str) -> bool:
    """Tell whether a body is over the limit, which is measured in bytes although GitHub's message says characters."""
    return len(body.encode("utf-8", "surrogatepass")) > BODY_BYTES


def read_text(body: dict[str, Any], name: str) -> str | None:
    """Return an optional text from a request; 422 where it is something else."""
    value = body.get(name)
    if value is not None and not isinstance(value, str):
        raise ApiError(422, f"Invalid request.\n\nFor 'properties/{name}', {value!r} is not a string.")
    return value


def check_body(resource: str, body: str) -> None:
    """Refuse a body over the limit with 422."""
    if too_long(body):
        raise invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")


def read_comment_body(body: dict[str, Any]) -> str:
    """Return the text of a comment, which must not be empty nor too long."""
    text = read_text(body, "body")
    if text is None:
        raise ApiError(422, 'Invalid request.\n\n"body" wasn\'t supplied.')
    if not text.strip():
        raise invalid("IssueComment", "data", "unprocessable", "Body cannot be blank")
    check_body("IssueComment", text)
    return text


def check_title(title: str) -> None:
    """Refuse an empty title or one over 256 characters with 422."""
    if not title.strip():
        raise invalid("Issue", "title", "missing_field")
    if len(title) > TITLE_CHARACTERS:
        raise invalid("Issue", "title", "custom", "title is too long (maximum is 256 characters)")
