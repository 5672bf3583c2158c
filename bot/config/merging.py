"""An owner's defaults below a repository's own file, key by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Document = Mapping[str, Any]
"""The keys that a file gave, as `Configuration.document` returns them."""


def merged(default: Document, own: Document) -> dict[str, Any]:
    """Return what holds where both say something: the repository's own word, and in groups that of each key.

    Lists are not joined, so that a repository can take away what the owner put in. A label that both map is one label
    whatever its letters.
    """
    result = dict(default)
    for key, value in own.items():
        same = next((one for one in result if one.casefold() == key.casefold()), key)
        before = result.pop(same, None)
        is_group = isinstance(value, Mapping) and isinstance(before, Mapping)
        result[key] = merged(before, value) if is_group else value
    return result
