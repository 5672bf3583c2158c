"""Numeric ids, each kind in a range of its own, and the node ids of GraphQL made from them."""

from __future__ import annotations

import base64
import binascii
import hashlib

FIRST_ID: dict[str, int] = {
    "account": 10_000,
    "installation": 50_000_000,
    "repository": 200_000_000,
    "label": 300_000_000,
    "reaction": 400_000_000,
    "token": 500_000_000,
    "pull_request": 600_000_000,
    "commit": 700_000_000,
    "write": 800_000_000,
    "violation": 900_000_000,
    "issue": 2_000_000_000,
    "comment": 3_000_000_000,
    "event": 10_000_000_000,
    "delivery": 20_000_000_000,
}
_PREFIXES: dict[str, str] = {
    "account": "U",
    "app": "A",
    "installation": "MDIzOk",
    "repository": "R",
    "label": "LA",
    "reaction": "REA",
    "pull_request": "PR",
    "commit": "C",
    "issue": "I",
    "comment": "IC",
    "event": "EV",
    "branch": "REF",
    "edit": "UCE",
    "review": "PRR",
    "review_comment": "PRRC",
    "thread": "PRRT",
    "issue_type": "IT",
    "pinned_issue": "PI",
}
_KINDS = {prefix: kind for kind, prefix in _PREFIXES.items()}


def node_id(kind: str, number: int, part: str = "") -> str:
    """Return the node id of an object; `part` tells apart what has no numeric id of its own."""
    text = f"{number}:{part}" if part else str(number)
    return f"{_PREFIXES[kind]}_{base64.urlsafe_b64encode(text.encode()).decode().rstrip('=')}"


def read_node_id(text: str) -> tuple[str, int] | None:
    """Return kind and numeric id of a node id, or None where it is none of ours."""
    prefix, _, encoded = text.partition("_")
    try:
        decoded = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
        return (_KINDS[prefix], int(decoded)) if prefix in _KINDS else None
    except (binascii.Error, ValueError):
        return None


def small_id(kind: str, pull_id: int, position: int) -> int:
    """Make a stable id below 2^31 for what has no row of its own."""
    return int.from_bytes(hashlib.sha256(f"{kind}:{pull_id}:{position}".encode()).digest()[:4]) >> 1
