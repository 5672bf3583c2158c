"""One file of a repository's default branch, read again only where it changed."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from urllib.parse import quote

from bot.github.client import GitHubClient
from bot.github.errors import NotFound, Transient


@dataclass(frozen=True)
class File:
    """A file as GitHub holds it: `content` is None where its place is taken by a folder, a link or a module.

    `size` is in bytes; of a file above 1 MB GitHub gives no content, and it is empty here.
    """

    content: bytes | None
    size: int
    sha: str
    etag: str | None


@dataclass(frozen=True)
class Missing:
    """There is no such file, no such repository, or it may not be read."""


async def read_file(client: GitHubClient, repository: str, path: str, etag: str | None) -> File | Missing | None:
    """Return a file, `Missing`, or None where it is still what `etag` names. Raises a `GitHubError` otherwise."""
    try:
        tagged = await client.get_tagged(f"/repos/{repository}/contents/{quote(path)}", etag)
    except NotFound:
        return Missing()
    if tagged is None:
        return None
    answer, new_etag = tagged
    if not isinstance(answer, dict) or answer.get("type") != "file":
        return File(None, 0, "", new_etag)
    try:
        content = base64.b64decode(answer["content"])
    except (KeyError, TypeError, binascii.Error) as error:
        raise Transient(f"unreadable content of {path} in {repository}: {type(error).__name__}") from error
    return File(content, answer["size"], answer["sha"], new_etag)
