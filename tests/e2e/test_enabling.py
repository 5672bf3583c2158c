"""A silent repository that the operator enables takes part as a new one does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from typer.testing import CliRunner, Result

from bot.cli import app
from bot.store.database import Database
from bot.store.tables import Backfill
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.promised import kept_promise
from tests.support.running import running_bot


def enable(database_url: str, *words: str) -> Result:
    """Run the command beside the test's event loop, since it opens one of its own."""
    with ThreadPoolExecutor(1) as threads:
        environment = {"DATABASE_URL": database_url, "ROOTCAUSE_OBSERVE_DAYS": "0"}
        return threads.submit(CliRunner().invoke, app, ["enable", *words], env=environment).result()


async def test_the_operator_enables_one_of_very_many(database: Database, database_url: str) -> None:
    async with running_bot(database) as bot:
        bot.sandbox.add_owner("pytorch")
        for name in ("pytorch", "other"):
            bot.sandbox.add_repository("pytorch", name)
        bot.sandbox.install("pytorch", "all")
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        await bot.settle()
        assert await bot.records() == []

        done = kept_promise(["enable"], enable(database_url, "PyTorch/pytorch", "--json").stdout)
        assert (done["repository"], done["state"], done["reads_history"]) == (REPOSITORY, "active", True)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        await bot.settle()
        assert [one.number for one in await bot.records()] == [1, 2], "its recent history is read as well"
        assert "[#2]" in ((await bot.inbox()).body or "")
        assert (await bot.repository("pytorch/other")).state == "silent"
        other = enable(database_url, "pytorch/other")
        assert (other.exit_code, other.output) == (0, "pytorch/other takes part from now on\n")
        async with bot.services.database.sessions() as session:
            assert await session.get(Backfill, 1) is not None

        assert "is not silent: it is active already" in enable(database_url, REPOSITORY).output
        refused = enable(database_url, "no/where")
        assert (refused.exit_code, refused.output) == (
            2,
            "the App is not installed on 'no/where'; write it as owner/name\n",
        )
