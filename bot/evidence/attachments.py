"""Which addresses in a description are attached files: uploads, images, gists and archives."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"https?://(?:[^/\s?#@]*@)?([^/\s?#:]+)(?::\d+)?(/[^\s?#]*)?", re.IGNORECASE)
_UPLOAD_HOSTS = frozenset(
    {
        "cloud.githubusercontent.com",
        "private-user-images.githubusercontent.com",
        "user-images.githubusercontent.com",
    }
)
_UPLOAD_PATH = re.compile(
    r"/user-attachments/(?:assets|files)/.|/[^/]+/[^/]+/(?:files/\d+/.|assets/\d+/.)|/storage/user/\d+/files/.",
    re.IGNORECASE,
)
_GIST_HOSTS = frozenset({"gist.github.com", "gist.githubusercontent.com"})
_ARCHIVE = re.compile(r"\.(?:zip|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|7z|rar)$", re.IGNORECASE)
_SOURCE_HOSTS = frozenset({"codeload.github.com"})
_SOURCE_PATH = re.compile(r"/[^/]+/[^/]+/(?:archive|releases/download|tarball|zipball|raw|blob)/", re.IGNORECASE)
_BADGE = re.compile(r"(?:^|[./-])(?:shields\.io|badgen\.net|badge\.fury\.io)$|badge", re.IGNORECASE)


def attached_image(address: str) -> str | None:
    """Return the key of an image shown from `address`, or None where it is a badge or no web address at all.

    Two addresses of the same file (other query, other fragment) have the same key.
    """
    parts = _split(address)
    if parts is None:
        return None
    host, path = parts
    is_badge = _BADGE.search(host) or (path.lower().endswith(".svg") and _BADGE.search(path))
    return None if is_badge or path in ("", "/") else host + path


def attached_file(address: str) -> str | None:
    """Return the key of a file that a link leads to, or None where the link is none of an attached file.

    Attached are uploads to GitHub (its addresses of all years), gists, and archives anywhere; archives of a
    repository's own source or releases are not attached by anybody.
    """
    parts = _split(address)
    if parts is None:
        return None
    host, path = parts
    if host in _UPLOAD_HOSTS and len(path) > 1:
        return host + path
    if host in _GIST_HOSTS:
        return host + path if len(path.strip("/")) > 0 else None
    on_github = host == "github.com"
    if on_github and _UPLOAD_PATH.match(path):
        return host + path
    if host in _SOURCE_HOSTS or (on_github and _SOURCE_PATH.match(path)):
        return None
    return host + path if _ARCHIVE.search(path) else None


def _split(address: str) -> tuple[str, str] | None:
    """Return host and path of a web address, the host in lower case and without `www.`."""
    found = _ADDRESS.match(address.strip())
    if found is None:
        return None
    return found.group(1).lower().removeprefix("www."), found.group(2) or ""
