"""The App as GitHub knows it: its number, slug, key pair, and the permissions and events it asked for."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

PERMISSIONS: dict[str, str] = {
    "metadata": "read",
    "contents": "read",
    "pull_requests": "read",
    "issues": "write",
}
EVENTS: tuple[str, ...] = ("issues", "issue_comment", "repository")


@dataclass(frozen=True)
class AppIdentity:
    """What identifies the App; `private_key` is the PEM text that only the App itself would hold."""

    id: int
    slug: str
    name: str
    owner_id: int
    bot_id: int
    private_key: str
    permissions: Mapping[str, str] = field(default_factory=PERMISSIONS.copy)
    events: tuple[str, ...] = EVENTS

    @property
    def public_key(self) -> str:
        """The public half of the key, as PEM."""
        return _public_key(self.private_key)


@functools.lru_cache(maxsize=16)
def _public_key(private_key: str) -> str:
    """Read a private key (60 ms, hence once a process)."""
    private = serialization.load_pem_private_key(private_key.encode(), password=None)
    return (
        private.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )


def new_private_key() -> str:
    """Make an RSA key of 2,048 bits as GitHub gives out, as PEM."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    ).decode()
