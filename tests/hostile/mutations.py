"""JSON with a few of its values changed or gone."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

_ODD = [
    2**31 - 1,
    2**31,
    2**63 - 1,
    2**63,
    -1,
    0,
    10**40,
    1e300,
    1e400,
    3e38,
    "",
    "\0",
    "\ud800",
    "2026-11-05T00:00:00Z",
]

VALUES = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=20)),
        st.sampled_from(_ODD),
        st.integers(0, 1_200).map(lambda depth: _nested(depth)),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=5,
)
"""Values of JSON, small and odd ones more often than others."""

Changes = list[tuple[int, Any, bool]]
"""Which place, what stands there now, and whether the place goes altogether."""

CHANGES: st.SearchStrategy[Changes] = st.lists(st.tuples(st.integers(0, 2_000), VALUES, st.booleans()), max_size=4)


def changed(value: Any, changes: Changes) -> Any:
    """Return a copy with the changes made, one after the other."""
    result = copy.deepcopy(value)
    for at, new, goes in changes:
        places = _places(result)
        if not places:
            break
        holder, key = places[at % len(places)]
        if goes:
            del holder[key]
        else:
            holder[key] = new
    return result


def json_bytes(value: Any) -> bytes:
    """Return a value as JSON; for one that is nested too deeply to be written, brackets that are as hard to read."""
    try:
        return json.dumps(value).encode()
    except RecursionError:
        return b"[" * 100_000


def _nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return every place: what holds it, and its key there. Of what is nested deeply, the outer places."""
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting and len(found) < 2_000:
        holder = waiting.pop(0)
        pairs = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for key, inner in pairs:
            found.append((holder, key))
            waiting.append(inner)
    return found
