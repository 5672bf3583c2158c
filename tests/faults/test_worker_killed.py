"""kill -9, in the middle of everything: nothing is lost, and nothing happens twice."""

from __future__ import annotations

import asyncio
import json
import random
from pathlib import Path

from bot.sandbox.records import Delivery
from tests.faults.harness import (
    Bot,
    doubled_creations,
    doubled_questions,
    inboxes,
    running_processes,
    until,
)
from tests.support.made_issues import made_issues
from tests.support.subprocesses import processes_below

REPOSITORIES = ("facebook/react", "grafana/grafana", "keras-team/keras", "pytorch/pytorch")
EACH = 30
SEED = 20_260_530
KILLS = 3


async def test_three_dead_workers_and_a_dead_web_process_lose_and_double_nothing(memory_folder: Path) -> None:
    generator = random.Random(SEED)  # noqa: S311 - the same kills in every run are wanted
    issues = made_issues(REPOSITORIES, EACH, SEED)
    async with running_processes(memory_folder) as bot:
        decided, helped = prepare(bot, issues, generator)
        expected = len(issues)

        worker_kills = asyncio.create_task(kill_workers(bot, expected, generator))
        await deliver_over_a_dead_web_process(bot, generator)
        seen = await worker_kills
        assert len(seen) == KILLS
        assert all(count < expected for count in seen), "each worker died in the middle"
        await bot.come_to_rest()

        assert await bot.count("delivery", "state <> 'done'") == 0
        stored = {guid for (guid,) in await bot.query("SELECT guid FROM delivery")}
        assert {one.guid for one in bot.sandbox.deliveries if not is_own(bot, one)} <= stored
        assert await bot.count("procrastinate_jobs", "status = 'failed'") == 0
        assert await bot.query("SELECT count(*), count(DISTINCT issue_id), count(gathered_at) FROM record") == [
            (expected, expected, expected)
        ]
        assert await bot.query("SELECT repository_id, number FROM record GROUP BY 1, 2 HAVING count(*) > 1") == []
        assert await bot.count("proposal") == await bot.count("(SELECT DISTINCT issue_id FROM proposal) AS one")
        found = await bot.query(
            "SELECT full_name, number, decision.category FROM decision JOIN record USING (issue_id)"
            " JOIN repository ON repository.id = record.repository_id"
        )
        assert sorted(found) == sorted(decided)
        assert await bot.count("record", "decided_at IS NOT NULL") == len(decided)

        assert inboxes(bot.sandbox) == dict.fromkeys(REPOSITORIES, 1)
        assert doubled_questions(bot.sandbox) == []
        assert doubled_creations(bot.sandbox) == []
        answers = [write for write in bot.sandbox.writes if write.method == "POST" and write.path.endswith("/comments")]
        assert len(answers) == len(helped)
        assert bot.stop() == [0, 0]
    assert "Traceback" not in bot.log("worker") + bot.log("web")
    assert processes_below(memory_folder) == []


def is_own(bot: Bot, delivery: Delivery) -> bool:
    """Tell whether it says what the App itself did."""
    return bool(json.loads(delivery.payload)["sender"]["id"] == bot.sandbox.app.bot_id)


def prepare(
    bot: Bot, issues: list[dict[str, object]], generator: random.Random
) -> tuple[list[tuple[str, int, str]], list[tuple[str, int]]]:
    """Close all issues, a third with a decision beside, some with a cry for help; return those two."""
    for name in REPOSITORIES:
        owner, _, short = name.partition("/")
        bot.sandbox.add_repository(owner, short)
        bot.sandbox.grant(name, "triager", "triage")
        bot.sandbox.install(owner, [name])
    decided: list[tuple[str, int, str]] = []
    helped: list[tuple[str, int]] = []
    for issue in issues:
        name, number = str(issue["repository"]), int(str(issue["number"]))
        bot.sandbox.seed_issue(name, issue, emit=True)
        luck = generator.random()
        if luck < 1 / 3:
            decided.append((name, number, generator.choice(("memory-leak", "data-race", "none"))))
            bot.sandbox.comment(name, number, "triager", f"/rootcause {decided[-1][2]}")
        elif luck < 0.4:
            helped.append((name, number))
            bot.sandbox.comment(name, number, "triager", "/rootcause help")
    return decided, helped


async def kill_workers(bot: Bot, expected: int, generator: random.Random) -> list[int]:
    """Kill the worker at random points of the way; return how many issues were recorded each time."""
    seen = []
    for part in range(KILLS):
        wanted = int(expected * (part + generator.uniform(0.1, 0.9)) / (KILLS + 1))

        async def is_reached(wanted: int = wanted) -> bool:
            return await bot.count("record") >= wanted

        await until(is_reached)
        bot.kill("worker")
        seen.append(await bot.count("record"))
        bot.start("worker")
    return seen


async def deliver_over_a_dead_web_process(bot: Bot, generator: random.Random) -> None:
    """Deliver everything, with the web process killed at a random point; what it did not take is sent again."""
    waiting = len(bot.sandbox.courier.pending())
    wanted = generator.randrange(waiting // 4, waiting * 3 // 4)
    sending = asyncio.create_task(bot.sandbox.deliver_pending(concurrency=4))

    async def is_reached() -> bool:
        return sum(one.status_code == 202 for one in bot.sandbox.deliveries) >= wanted

    await until(is_reached)
    bot.kill("web")
    refused = sum(one.status_code != 202 for one in await sending)
    assert refused, "the web process died while deliveries were on their way"
    bot.start("web")
    await bot.wait_for_web()
    await bot.deliver_all()
