"""`.github/rootcause.yml`: heeded, shown where it has mistakes, and what brings a silent repository to life."""

from __future__ import annotations

from datetime import timedelta

from sqlmodel import update

from bot.config.published import published_schema
from bot.features.configuration import READ_OWNERS_EVERY, heed
from bot.features.configuration_issue import ask_again
from bot.sandbox.state import Issue
from bot.store.configurations import configuration_of
from bot.store.database import Database
from bot.store.tables import ConfigurationFile
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

FILE = ".github/rootcause.yml"


async def pass_time(bot: Running) -> None:
    """Let enough time pass since every file was read."""
    async with bot.services.database.sessions.begin() as session:
        later = ConfigurationFile.checked_at - READ_OWNERS_EVERY
        await session.execute(update(ConfigurationFile).values(checked_at=later))


async def write_file(bot: Running, text: str | None, repository: str = REPOSITORY) -> None:
    """Put a file in its place, or take it away, and let the clock ask for what it asks for."""
    bot.sandbox.put_file(repository, FILE, text)
    await pass_time(bot)
    await bot.refresh()


def ours(bot: Running, repository: str = REPOSITORY) -> list[Issue]:
    """Return the issues of the App about its configuration."""
    found = bot.sandbox.issues(repository)
    return [one for one in found if one.author_id == bot.sandbox.app.bot_id and "mistakes" in one.title]


async def test_a_broken_file_is_shown_in_one_issue_until_it_is_mended(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(1)
        bot.sandbox.label(REPOSITORY, 1, "triage-person", "Pinned", emit=False)
        bot.sandbox.put_file(REPOSITORY, FILE, "domain: Vision\ninbox: {labels: [pinned, not there]}\n")
        await bot.settle()
        assert (await bot.repository()).domain == "Machine Learning", "the operator knows what is compared"
        assert bot.sandbox.labels(REPOSITORY, (await bot.inbox()).number) == ["Pinned"]
        assert ours(bot) == []

        await write_file(bot, "mode: observ\n")
        (issue,) = ours(bot)
        assert "- line 1, column 7: `mode` takes `active` or `observe`, not `observ`" in (issue.body or "")
        assert "its last version without mistakes counts" in (issue.body or "")
        async with bot.services.database.sessions() as session:
            assert (await configuration_of(session, issue.repository_id)).domain == "Vision"

        before = len(bot.sandbox.writes)
        await pass_time(bot)
        await bot.refresh()
        assert len(bot.sandbox.writes) == before, "the same mistakes are told once"
        await write_file(bot, "mode: observ\nshare: x\n")
        assert "line 2, column 8" in (ours(bot)[0].body or "")

        bot.sandbox.put_file(REPOSITORY, FILE, "share: named\n")
        await pass_time(bot)
        await ask_again(bot.services)
        await bot.settle()
        (issue,) = ours(bot)
        assert issue.closed_at is not None
        assert (await bot.repository()).share == "named"

        await write_file(bot, "share: [named]\n")
        assert [one.closed_at for one in ours(bot)] == [None], "a later mistake opens it again"
        bot.sandbox.delete_issue(REPOSITORY, ours(bot)[0].number, "admin-person")
        await write_file(bot, "shar: named\n")
        assert ours(bot) == [], "one that a person deleted is not made again"


async def test_an_observed_repository_is_set_up_without_a_word(database: Database) -> None:
    async with running_bot(database, observe_days=7.0) as bot:
        bot.prepare()
        bot.sandbox.put_file(REPOSITORY, FILE, "modes: active\neligibility: {min_comments: 50}\n")
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        await bot.settle()
        assert bot.sandbox.writes == []

        await write_file(bot, "mode: active\neligibility: {min_comments: 50}\nexclude: {labels: [flaky]}\n")
        assert (await bot.repository()).state == "active"
        bot.sandbox.seed_issue(REPOSITORY, leaking(2) | {"labels": ["Flaky"]}, emit=True)
        await bot.settle()
        first, second = await bot.records()
        assert "fewer_than_3_comments" not in first.exclusions
        assert {"excluded_label", "fewer_than_50_comments"} <= set(second.exclusions)

        await write_file(bot, "mode: observe\n")
        repository = await bot.repository()
        assert (repository.state, repository.observe_until) == ("observe", None)
        await write_file(bot, None)
        repository = await bot.repository()
        assert repository.observe_until == repository.created_at + timedelta(days=7)


async def test_the_owners_defaults_lie_below_the_repositorys_own_file(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        bot.sandbox.add_repository("pytorch", ".github")
        bot.sandbox.put_file("pytorch/.github", FILE, "propose: off\nreport: {day: 5, pin: true}\n")
        bot.sandbox.put_file(REPOSITORY, FILE, "report: {day: 9}\n")
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        await bot.settle()
        found = await heed(bot.services, bot.sandbox.repository(REPOSITORY).id)
        assert (found.propose, found.report.day, found.report.pin) == ("off", 9, True)
        assert (await bot.repository()).inbox_number is None, "nothing is asked where proposals are off"

        await write_file(bot, None, "pytorch/.github")
        assert (await bot.repository()).inbox_number is not None


async def test_files_are_read_seldom_and_by_their_etag(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare()
        bot.sandbox.put_file(REPOSITORY, FILE, "share: named\n")
        key = bot.sandbox.repository(REPOSITORY).id
        await bot.settle()
        await heed(bot.services, key)
        client = bot.services.client(bot.sandbox.installation("pytorch").id)
        await client.get("/rate_limit")
        left = client.budget
        await heed(bot.services, key)
        await pass_time(bot)
        bot.sandbox.put_file("pytorch/pytorch", "README.md", "x")
        await heed(bot.services, key)
        await client.get(f"/repos/{REPOSITORY}")
        spent = (left.remaining if left else 0) - (client.budget.remaining if client.budget else 0)
        assert spent == 3, "of the own file nothing; the owner's, not there by either name, and the question itself"

        bot.sandbox.permit("pytorch", contents=None)
        await pass_time(bot)
        assert (await heed(bot.services, key)).share == "named", "what was read last holds"

        async with bot.session.get(bot.web.make_url("/config.schema.json")) as response:
            assert await response.json(content_type="application/schema+json") == published_schema()


async def test_a_silent_repository_is_woken_by_its_own_file_and_silenced_without_it(database: Database) -> None:
    async with running_bot(database, backfill_days=365.0) as bot:
        bot.sandbox.add_owner("pytorch")
        bot.sandbox.add_repository("pytorch", "pytorch")
        bot.sandbox.add_repository("pytorch", "fork", fork=True)
        bot.sandbox.add_repository("pytorch", ".github")
        bot.sandbox.put_file("pytorch/.github", FILE, "mode: active\n")
        bot.sandbox.put_file("pytorch/fork", FILE, "mode: active\n")
        bot.sandbox.install("pytorch", "all")
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        await bot.settle()
        assert (await bot.repository()).state == "silent", "an owner's defaults ask for nothing"
        assert await bot.records() == []

        bot.sandbox.put_file(REPOSITORY, FILE, "# as the defaults are\n")
        await pass_time(bot)
        bot.sandbox.seed_issue(REPOSITORY, leaking(2), emit=True)
        bot.sandbox.open_issue("pytorch/fork", "pytorch", "Hello")
        bot.sandbox.comment("pytorch/fork", 1, "pytorch", "/rootcause help")
        await bot.hasten()
        assert (await bot.repository()).state == "active"
        assert (await bot.repository("pytorch/fork")).state == "silent", "a fork has its parent's file"
        assert [one.number for one in await bot.records()] == [1, 2], "its history is read as well"

        bot.sandbox.put_file(REPOSITORY, FILE, None)
        await write_file_named(bot, ".github/rootcause.yaml", "domain: Vision\nmode: active\n")
        assert (await bot.repository()).state == "active", "the other ending is as good"
        await write_file_named(bot, ".github/rootcause.yaml", None)
        assert (await bot.repository()).state == "silent"


async def write_file_named(bot: Running, path: str, text: str | None) -> None:
    bot.sandbox.put_file(REPOSITORY, path, text)
    await pass_time(bot)
    await bot.refresh()


async def test_mistakes_in_an_owners_defaults_are_told_where_they_stand(database: Database) -> None:
    """Even where nothing else is ever written: they count for all of the owner's repositories."""
    async with running_bot(database) as bot:
        bot.sandbox.add_owner("pytorch")
        for name in ("pytorch", ".github"):
            bot.sandbox.add_repository("pytorch", name)
        bot.sandbox.put_file("pytorch/.github", FILE, "share: off\n")
        bot.sandbox.put_file(REPOSITORY, FILE, "mode: active\n")
        bot.sandbox.install("pytorch", "all")
        bot.sandbox.seed_issue(REPOSITORY, leaking(1), emit=True)
        await bot.settle()
        assert (await bot.repository()).share == "off"

        bot.sandbox.put_file("pytorch/.github", FILE, "share: offf\n")
        await pass_time(bot)
        await bot.refresh()
        (issue,) = ours(bot, "pytorch/.github")
        assert "- line 1, column 8: `share` takes `group`, `named` or `off`, not `offf`" in (issue.body or "")
        assert ours(bot) == [], "it is told once, where it can be mended"
        assert (await bot.repository()).share == "off", "the last version without mistakes counts"
        assert (await bot.repository("pytorch/.github")).state == "silent"

        bot.sandbox.put_file("pytorch/.github", FILE, "share: named\n")
        await pass_time(bot)
        await ask_again(bot.services)
        await bot.settle()
        (issue,) = ours(bot, "pytorch/.github")
        assert issue.closed_at is not None

        # Out of the App's sight, private or not chosen, it says nothing, and nothing breaks.
        bot.sandbox.privatize("pytorch/.github")
        await pass_time(bot)
        await bot.refresh()
        assert (await bot.repository()).share == "named", "the App may read it where it is installed"
        bot.sandbox.delete_repository("pytorch/.github")
        await pass_time(bot)
        await bot.refresh()
        assert (await bot.repository()).share == "group"
        assert [one for one in await bot.deliveries() if one.state == "failed"] == []
