"""The App's manifest as GitHub takes it: `app.yml` with the addresses of this installation."""

from __future__ import annotations

import ipaddress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

EXAMPLE = "https://rootcause.example"
"""Stands in `app.yml` for the address of the web process."""

LONGEST_NAME = 34
"""Characters of an App's name on GitHub."""

_HERE = Path(__file__).parents[1]


@cache
def _text() -> str:
    """Return `app.yml`: beside the package where it is installed, at the top of a clone."""
    packed = _HERE / "app.yml"
    return (packed if packed.exists() else _HERE.parent / "app.yml").read_text(encoding="utf-8")


def wanted() -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the permissions and the events that the App is to have."""
    manifest = yaml.safe_load(_text())
    return manifest["default_permissions"], tuple(manifest["default_events"])


def manifest(address: str, name: str, back: str, api_url: str) -> dict[str, Any]:
    """Return the manifest for an App whose web process answers at `address`; the browser comes back to `back`.

    GitHub takes no webhook address that it cannot reach, so where the one with the API at `api_url` cannot, the
    example's own stays in its place and deliveries are pulled.
    """
    found: dict[str, Any] = yaml.safe_load(_text().replace(EXAMPLE, address))
    found["name"], found["redirect_url"] = name, back
    if out_of_reach(address, api_url):
        found["hook_attributes"]["url"] = yaml.safe_load(_text())["hook_attributes"]["url"]
    return found


def out_of_reach(address: str, api_url: str) -> bool:
    """Tell whether an address leads nowhere from the GitHub with this API.

    Nothing but this machine reaches itself by its own name; a private network is reached from within, so by an
    Enterprise Server there, and by none on the internet.
    """
    return on_this_machine(address) or (in_private_network(address) and _on_the_internet(api_url))


def on_this_machine(address: str) -> bool:
    """Tell whether an address means the machine that uses it."""
    host = urlsplit(address).hostname or ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return found.is_loopback or found.is_unspecified


def in_private_network(address: str) -> bool:
    """Tell whether an address is one that the internet does not know, this machine's own included."""
    host = urlsplit(address).hostname or ""
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".local", ".internal"))


def _on_the_internet(api_url: str) -> bool:
    host = urlsplit(api_url).hostname or ""
    return host == "api.github.com" or host.endswith(".ghe.com")
