"""Links that leave no trace: GitHub notes every link to an issue in that issue's timeline."""

from __future__ import annotations

from urllib.parse import urlsplit

_GITHUB = "https://github.com/"
_QUIET = "https://redirect.github.com/"
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
"""Where the local GitHub answers, which notes no links."""


def quiet_link(url: str) -> str:
    """Return an address of the same page that makes no back-reference, or nothing where there is none.

    `redirect.github.com` is GitHub's documented remedy for github.com. Enterprise Server and ghe.com have none, and
    their own addresses would leave a trace: there the caller names the page in a code span, which links nothing.
    """
    if url.startswith(_GITHUB):
        return _QUIET + url.removeprefix(_GITHUB)
    return url if urlsplit(url).hostname in _LOCAL else ""


def web_address(api_url: str) -> str:
    """Return where the pages of the GitHub with this API are; the local GitHub stands in for github.com.

    Enterprise Server has its API below `/api/v3` of its own host, ghe.com at `api.` before the host.
    """
    found = urlsplit(api_url)
    host = found.hostname or ""
    if host == "api.github.com" or host in _LOCAL:
        return _GITHUB.rstrip("/")
    if host.startswith("api.") and host.endswith(".ghe.com"):
        return f"{found.scheme}://{found.netloc.removeprefix('api.')}"
    return api_url.removesuffix("/api/v3")
