"""The scripted GitHub that the client's tests speak to."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.scripted_github import Stage, open_stage


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with open_stage() as opened:
        yield opened
