"""A surface with a crash and a hang planted in it, by which the runner's own test sees that both are found.

The crash is where only an engine that watches branches gets quickly, the hang where only the other engine goes.
"""

from __future__ import annotations

import time

from hypothesis import strategies as st

from tests.hostile.surface import Surface

_LATER = 20
_ran = 0


def _target(case: bytes) -> None:
    global _ran
    _ran += 1
    if case == b"hang" and _ran > _LATER:
        time.sleep(60)
    if case[:2] == b"cr":
        raise ZeroDivisionError("planted")


SURFACE = Surface(
    target=_target, seeds=(b"a",), words=(b"cr",), made=st.sampled_from([b"fine", b"hang", b"well"]), longest=4
)
