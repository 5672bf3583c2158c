"""How pages are written and answered: templates, files beside them, headers, and answers that need no body."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from aiohttp import ETag, web

_FOLDER = Path(__file__).parent
_DIGITS = 12

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Encoding",
}
SERVER = "rootcause"
"""What answers call themselves, in place of the versions of what they are written with."""

ALWAYS_ASK = "private, no-cache"
"""Kept by the reader's browser and by nobody between, and never shown without asking again, since it may vanish."""

FOR_GOOD = "public, max-age=31536000, immutable"
FOR_A_DAY = "private, max-age=86400, immutable"
"""The names never change what they name, but the repository may turn private and its figures with it: those who saw
them may see them for a day, and nobody between keeps them for others."""


@cache
def assets() -> dict[str, tuple[bytes, str]]:
    """Return the files beside the pages, each with its type, by names that hold a digest of their bytes."""
    types = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
    found = {}
    for path in sorted((_FOLDER / "static").iterdir()):
        content = path.read_bytes()
        found[f"{path.stem}-{hashlib.sha256(content).hexdigest()[:_DIGITS]}{path.suffix}"] = (
            content,
            types[path.suffix],
        )
    return found


def _asset(file: str) -> str:
    """Return the address of a file beside the pages."""
    stem, _, ending = file.rpartition(".")
    return next(f"/assets/{name}" for name in assets() if name.startswith(f"{stem}-") and name.endswith(f".{ending}"))


@cache
def _templates() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(_FOLDER / "templates")
    templates = jinja2.Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    templates.globals["asset"] = _asset
    return templates


def write_page(template: str, **values: Any) -> bytes:
    """Return a page as HTML; whatever is not marked as safe is escaped."""
    return _templates().get_template(template).render(**values).encode()


def answer(
    request: web.Request,
    content: bytes,
    content_type: str,
    *,
    status: int = 200,
    cached: str = ALWAYS_ASK,
    modified: datetime | None = None,
    headers: dict[str, str] | None = None,
) -> web.Response:
    """Answer with the content, or with 304 where the asker has it already; packed where the asker can unpack."""
    etag = ETag(hashlib.sha256(content).hexdigest()[:32], is_weak=True)
    known = request.if_none_match
    if known is not None:
        same = any(one.value in {etag.value, "*"} for one in known)
    else:
        since = request.if_modified_since
        same = modified is not None and since is not None and modified.replace(microsecond=0) <= since
    unchanged = same and status == 200
    response = web.Response(status=304) if unchanged else web.Response(status=status, body=content)
    response.headers.update({**HEADERS, "Cache-Control": cached, **(headers or {})})
    if status == 200:
        response.etag = etag
        response.last_modified = modified
    if not unchanged:
        response.content_type = content_type
        if content_type.startswith("text/") or content_type.endswith(("json", "xml")):
            response.charset = "utf-8"
            response.enable_compression()
    return response
