"""A small local GitHub for every test here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.sandbox.sandbox import Sandbox
from tests.sandbox.support import small_github
from tests.support.clock import VirtualClock


@pytest.fixture
def clock() -> VirtualClock:
    """A clock turned by hand."""
    return VirtualClock()


@pytest.fixture
def sandbox(clock: VirtualClock) -> Iterator[Sandbox]:
    """The local GitHub, not yet serving."""
    github = small_github(clock)
    yield github
    github.close_storage()
