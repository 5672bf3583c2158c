"""A write leaves only for a job that this process still holds; reads, and requests for tokens, always do."""

from __future__ import annotations

import pytest

from bot.clock import SystemClock
from bot.github.holding import JobLost, holding
from bot.sandbox.sandbox import Sandbox
from tests.support.apps import running_app

ISSUES = "/repos/acme/frame/issues"


class Lost:
    """A hold on a job that another worker has."""

    async def sure(self) -> None:
        raise JobLost("another worker has taken up the job")


async def test_who_has_lost_the_job_reads_and_writes_nothing() -> None:
    clock = SystemClock()
    sandbox = Sandbox(clock)
    sandbox.add_owner("acme")
    sandbox.add_repository("acme", "frame")
    installation = sandbox.install("acme", "all")
    async with running_app(sandbox, clock) as app:
        client = app.installation(installation.id)
        with holding(Lost()):
            assert await client.get(ISSUES) == []
            with pytest.raises(JobLost):
                await client.post(ISSUES, {"title": "A report"})
            with pytest.raises(JobLost):
                await client.mutate("mutation { pinIssue(input: {}) { clientMutationId } }", {})
        assert sandbox.writes == []
        await client.post(ISSUES, {"title": "A report"})
    assert len(sandbox.writes) == 1
    sandbox.close_storage()
