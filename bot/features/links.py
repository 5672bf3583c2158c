"""Links that leave no trace: GitHub notes every plain link to an issue in that issue's timeline."""

from __future__ import annotations

_GITHUB = "https://github.com/"
_QUIET = "https://redirect.github.com/"


def quiet_link(url: str) -> str:
    """Return an address of the same page that makes no back-reference.

    `redirect.github.com` is GitHub's documented remedy; other servers have none, so their addresses stay as they are.
    """
    return _QUIET + url.removeprefix(_GITHUB) if url.startswith(_GITHUB) else url
