"""The headers of a delivery as GitHub sends them, with the signature over the raw body."""

from __future__ import annotations

import hashlib
import hmac
import re

EVENT = re.compile(r"[a-z0-9_]{1,64}")
"""The form of an event's name, in X-GitHub-Event."""

GUID = re.compile(r"[0-9A-Za-z-]{1,64}")
"""The form of a delivery's identifier, in X-GitHub-Delivery."""


def signature(body: bytes | bytearray, secret: str) -> str:
    """Return what X-Hub-Signature-256 says of a body: its HMAC by SHA-256 (GitHub, validating webhook deliveries)."""
    return "sha256=" + hmac.digest(secret.encode(), body, hashlib.sha256).hex()


def signed_headers(event: str, guid: str, body: bytes, secret: str) -> dict[str, str]:
    """Return the headers to send a delivery with."""
    return {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": guid,
        "X-Hub-Signature-256": signature(body, secret),
    }
