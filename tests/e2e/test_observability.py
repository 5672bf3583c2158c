"""What an operator sees of closings on their way through web and worker: whole log lines, and metrics of all processes.

The worker here is the worker process's own, so that ten jobs run at once.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
import structlog
from prometheus_client.parser import text_string_to_metric_families

from bot.logs import configure_logs
from bot.store.database import Database
from tests.support.closed_issues import REPOSITORY
from tests.support.running import Running, running_bot, working

CLOSINGS = range(1, 11)


async def metrics(bot: Running) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    async with bot.session.get(bot.web.make_url("/metrics")) as answer:
        assert answer.status == 200
        text = await answer.text()
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def every_delivery_ended(bot: Running) -> None:
    deadline = time.monotonic() + 30
    while not all(one.state != "waiting" for one in await bot.deliveries()):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


def lines(shown: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in shown.splitlines()]


async def test_a_closing_is_followed_by_log_lines_and_metrics_through_web_and_worker(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs(json_lines=True)
    structlog.configure(cache_logger_on_first_use=False)  # later tests may look at the same loggers otherwise
    async with running_bot(database) as bot:
        bot.prepare(*CLOSINGS)
        await bot.sandbox.deliver_pending()
        async with working(bot.services):
            await every_delivery_ended(bot)
            bot.sandbox.comment(REPOSITORY, 1, "triage-person", "/rootcause memory-leak")
            await bot.sandbox.deliver_pending()
            await every_delivery_ended(bot)
        found = await metrics(bot)
        deliveries = {one.guid: one for one in await bot.deliveries()}
        repository_id = bot.sandbox.repository(REPOSITORY).id
    told = lines(capsys.readouterr().err)
    about = [line for line in told if "delivery" in line]
    assert {line["delivery"] for line in about if line["event"] == "delivery ended"} == set(deliveries)
    for line in about:
        own = deliveries[line["delivery"]]
        assert (line["github_event"], line["unit"]) == (own.event, own.unit), line
        assert (line.get("issue"), line.get("repository_id")) == (own.number, own.repository_id), line
        if line["event"] == "delivery ended" and own.repository_id is not None:
            assert line["repository"] == REPOSITORY
    jobs = {line["job"]: line for line in about if line.get("issue") in CLOSINGS and "job" in line}
    assert len(jobs) >= len(CLOSINGS)
    assert {line["task"] for line in jobs.values()} == {"process"}

    def value(name: str, **labels: str) -> float:
        return found.get((name, frozenset(labels.items())), 0.0)

    assert value("rootcause_deliveries_total", event="issues", outcome="stored") >= len(CLOSINGS)
    assert value("rootcause_deliveries_processed_total", event="issues", outcome="done") >= len(CLOSINGS)
    assert value("rootcause_delivery_latency_seconds_count", event="issues") >= len(CLOSINGS)
    assert value("rootcause_job_duration_seconds_count", task="process", outcome="succeeded") >= len(CLOSINGS)
    assert value("rootcause_job_latency_seconds_count", task="process") >= len(CLOSINGS)
    assert value("rootcause_job_latency_seconds_sum", task="process") > 0
    assert value("rootcause_github_requests_total", resource="graphql", status="2xx") >= len(CLOSINGS)
    assert value("rootcause_github_points_total", resource="graphql") >= len(CLOSINGS)
    assert value("rootcause_proposals_total", outcome="proposed") >= len(CLOSINGS)
    assert value("rootcause_decisions_total", via="comment") == 1
    assert value("rootcause_proposals_decided_total", outcome="confirmed") == 1
    assert (
        0
        < value("rootcause_github_budget_remaining", resource="graphql")
        < value("rootcause_github_budget_limit", resource="graphql")
    )
    assert value("rootcause_model_info", version=bot.services.classifier.version) == 1
    assert value("rootcause_deliveries_waiting") == 0
    assert value("rootcause_database_up") == 1
    assert not any(str(repository_id) in text for _, labels in found for _, text in labels)
