"""Registering an App from a manifest, as GitHub does: the form handed in, a code that is good once, the keys."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from bot.sandbox.app_identity import AppIdentity, new_private_key
from bot.sandbox.calls import Call, Reply, Routes
from bot.sandbox.errors import not_found
from bot.sandbox.shapes import app_json
from bot.sandbox.state import Account
from bot.sandbox.world import World

CODE_LIFE = timedelta(hours=1)
LONGEST_NAME = 34
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_LEVELS = frozenset({"read", "write", "admin"})

routes = Routes()


class BadManifest(ValueError):  # noqa: N818  the name says what happened
    """GitHub does not take this manifest; the message is what its page would say."""


@dataclass(frozen=True)
class Manifest:
    """What GitHub reads of a manifest."""

    name: str
    hook_url: str
    redirect_url: str
    setup_url: str
    permissions: dict[str, str]
    events: tuple[str, ...]


def read_manifest(text: str) -> Manifest:
    """Read a manifest; raises BadManifest."""
    try:
        found: Any = json.loads(text)
        manifest = Manifest(
            name=found["name"],
            hook_url=found["hook_attributes"]["url"],
            redirect_url=found["redirect_url"],
            setup_url=found.get("setup_url", ""),
            permissions=dict(found["default_permissions"]),
            events=tuple(found["default_events"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadManifest(f"The manifest is missing or malformed: {error!r}") from error
    if not manifest.name or len(manifest.name) > LONGEST_NAME:
        raise BadManifest(f"Name must have 1 to {LONGEST_NAME} characters")
    if urlsplit(manifest.hook_url).hostname in {*_LOCAL, None}:
        raise BadManifest("Hook url is not supported because it isn't reachable over the public Internet")
    if not set(manifest.permissions.values()) <= _LEVELS:
        raise BadManifest("Default permission records are invalid")
    return manifest


def register(world: World, manifest: Manifest, owner: Account) -> tuple[str, str]:
    """Make the App of this GitHub the one of the manifest; return the code, and the secret of its webhook."""
    slug = re.sub(r"[^0-9a-z]+", "-", manifest.name.lower()).strip("-")
    bot = world.account(f"{slug}[bot]") or world.add(
        Account(world.new_id("account"), f"{slug}[bot]", "Bot", world.now())
    )
    world.app = AppIdentity(
        id=world.app.id + 1,
        slug=slug,
        name=manifest.name,
        owner_id=owner.id,
        bot_id=bot.id,
        private_key=new_private_key(),
        permissions=manifest.permissions,
        events=manifest.events,
    )
    code, secret = secrets.token_hex(20), secrets.token_hex(20)
    world.codes[code] = (secret, world.clock.now() + CODE_LIFE)
    return code, secret


@routes.add("POST", "/app-manifests/{code}/conversions", "any")
def convert(call: Call) -> Reply:
    """Give the App's keys for a code, once."""
    secret, until = call.world.codes.pop(call.params["code"], ("", call.world.clock.now()))
    if until <= call.world.clock.now():
        raise not_found()
    keys = {"client_secret": secrets.token_hex(20), "webhook_secret": secret, "pem": call.world.app.private_key}
    return Reply({**app_json(call.world), **keys}, 201)
