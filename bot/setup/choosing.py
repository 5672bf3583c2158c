"""What the person who sets the App up may choose, read from a form: a mistake is answered with a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from bot.github.links import web_address
from bot.github.registration import SetupFailed
from bot.setup.desk import Choice
from bot.setup.manifest import LONGEST_NAME

GITHUB = "https://github.com"
_ORGANIZATION = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z-]{0,38})")
_HOST = re.compile(r"(?:[\w.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?")
_LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})


def choose(form: Mapping[str, str], usual: Choice) -> Choice:
    """Return what was chosen, the usual where a field is empty; raises SetupFailed."""
    given = {name: value.strip() for name, value in form.items()}
    organization = given.get("organization") or None
    if organization is not None and not _ORGANIZATION.fullmatch(organization):
        raise SetupFailed("An organization is named as in its address: letters, digits and hyphens, at most 39.")
    name = given.get("name") or usual.name
    if len(name) > LONGEST_NAME:
        raise SetupFailed(f"GitHub takes names of at most {LONGEST_NAME} characters.")
    server = given.get("server")
    return Choice(
        address=_origin(given.get("address") or usual.address, "the address of this page"),
        api_url=api_of(_origin(server, "the address of Enterprise Server")) if server else usual.api_url,
        name=name,
        organization=organization,
    )


def is_host(text: str) -> bool:
    """Tell whether a text is a host and nothing else, perhaps with its port."""
    try:
        found = urlsplit(f"//{text}")
        return _HOST.fullmatch(text) is not None and bool(found.hostname) and found.port != 0
    except ValueError:
        return False


def _origin(address: str, what: str) -> str:
    """Return scheme, host and port of an address that is nothing else."""
    mistake = SetupFailed(f"Give {what} as https://host, without anything after it.")
    try:
        found = urlsplit(address.rstrip("/"))
    except ValueError:
        raise mistake from None
    whole = found.scheme in ("http", "https") and is_host(found.netloc)
    if not whole or found.path or found.query or found.fragment:
        raise mistake
    return f"{found.scheme}://{found.netloc}"


def api_of(server: str) -> str:
    """Return where the API of a GitHub is, by the address of its pages."""
    found = urlsplit(server)
    if server == GITHUB:
        return "https://api.github.com"
    if found.hostname in _LOCAL:
        return server
    if (found.hostname or "").endswith(".ghe.com"):
        return f"{found.scheme}://api.{found.netloc}"
    return f"{server}/api/v3"


def pages_of(api_url: str) -> str:
    """Return where the pages of the GitHub with this API are, the local one's own included."""
    return api_url if urlsplit(api_url).hostname in _LOCAL else web_address(api_url)


def form_address(choice: Choice, mark: str) -> str:
    """Return where on GitHub a manifest is handed in."""
    owner = f"/organizations/{choice.organization}" if choice.organization else ""
    return f"{pages_of(choice.api_url)}{owner}/settings/apps/new?state={mark}"
