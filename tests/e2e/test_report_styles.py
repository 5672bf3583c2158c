"""Reports in the style that a repository's file asks for, and what does not fit into one text."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from sqlmodel import col, select

from bot.features import monthly_report
from bot.features.monthly_report import publish
from bot.features.report_settings import plan_for
from bot.jobs import defer_report, defer_report_again
from bot.store.database import Database
from bot.store.tables import Report as PostedReport
from bot.store.tables import Repository
from reports import Report
from reports.figures import FigureFile
from reports.figures.theme import VARIANTS
from tests.e2e.test_configuration import pass_time
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot

FILE = ".github/rootcause.yml"


async def prepare(bot: Running, configuration: str) -> int:
    """Install the App where this file stands and an issue was closed; return the repository's id."""
    bot.prepare(emit=False)
    bot.sandbox.put_file(REPOSITORY, FILE, configuration)
    bot.sandbox.seed_issue(REPOSITORY, leaking(1, datetime(2026, 9, 10, 12, tzinfo=UTC)), emit=True)
    await bot.settle()
    return bot.sandbox.repository(REPOSITORY).id


async def test_one_issue_is_rewritten_every_month(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(built: Report) -> list[FigureFile]:
        return [FigureFile("a-figure", one, "", f"{one} {built.period.name}".encode(), b"png") for one in VARIANTS]

    monkeypatch.setattr(monthly_report, "draw_figures", draw)
    async with running_bot(database, public_url="https://bot.example") as bot:
        repository_id = await prepare(bot, "report: {style: update-one, assignees: [triage-person]}\n")
        september = await publish(bot.services, repository_id, "2026-09")
        october = await publish(bot.services, repository_id, "2026-10")
        assert september is not None
        assert october is not None
        assert september.number == october.number
        assert october.number is not None
        issue = bot.sandbox.issue(REPOSITORY, october.number)
        assert issue.closed_at is None
        assert "2026-10" in issue.title
        assert bot.writes("POST", "/issues") == 2, "the inbox and one report"
        async with bot.services.database.sessions() as session:
            rows = (await session.execute(select(PostedReport).order_by(col(PostedReport.period)))).scalars()
            shows = [one.figures for one in rows]
        assert [len(one or ()) for one in shows] == [0, 4], "the issue does not show September's figures any more"


async def test_what_does_not_fit_goes_on_in_comments_that_are_rewritten_in_place(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(monthly_report, "BUDGET", 9_000)
    async with running_bot(database) as bot:
        repository_id = await prepare(bot, "")
        report = await publish(bot.services, repository_id, "2026-09")
        assert report is not None
        assert report.number is not None
        first = [one.body for one in bot.sandbox.comments(REPOSITORY, report.number)]
        assert first
        assert all(len(body) <= 9_000 for body in first)
        assert "part=1 -->" in first[0]
        monkeypatch.setattr(monthly_report, "BUDGET", 60_000)
        await publish(bot.services, repository_id, "2026-09", again=True)
        after = [one.body for one in bot.sandbox.comments(REPOSITORY, report.number)]
        assert len(after) == len(first)
        assert all("Nothing is continued here" in body for body in after)
        writes = len(bot.sandbox.writes)
        await publish(bot.services, repository_id, "2026-09")
        assert len(bot.sandbox.writes) == writes, "a complete report stands until somebody asks for it again"


async def test_a_private_repositorys_report_is_never_posted_in_a_public_one(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.prepare(emit=False)
        bot.sandbox.add_repository("pytorch", "reports")
        bot.sandbox.select_repositories("pytorch", add=("pytorch/reports",))
        bot.sandbox.put_file(REPOSITORY, FILE, "report: {style: central, repository: pytorch/reports}\n")
        bot.sandbox.seed_issue(REPOSITORY, leaking(1, datetime(2026, 9, 10, 12, tzinfo=UTC)), emit=True)
        await bot.settle()
        repository_id = bot.sandbox.repository(REPOSITORY).id
        posted = await publish(bot.services, repository_id, "2026-09")
        assert posted is not None
        (report,) = bot.sandbox.issues("pytorch/reports")
        assert "(pytorch/pytorch)" in report.title
        async with bot.services.database.sessions.begin() as session:
            repository = await session.get_one(Repository, repository_id)
            repository.private = True
            assert await plan_for(session, repository, bot.services.clock.now()) is None
        bot.sandbox.put_file(REPOSITORY, FILE, "report: {style: issue}\n")
        await pass_time(bot)
        moved = await publish(bot.services, repository_id, "2026-09", again=True)
        assert moved is not None
        assert moved.issue_id not in {None, report.id}, "the number of an issue elsewhere is nobody's here"


async def test_a_maintainer_asks_for_the_running_months_report_and_it_is_rewritten_when_the_month_is_over(
    database: Database,
) -> None:
    async with running_bot(database) as bot:
        await prepare(bot, "")
        asked = [
            bot.sandbox.comment(REPOSITORY, 1, f"{role}-person", "/rootcause report") for role in ("triage", "maintain")
        ]
        await bot.settle()
        assert [bot.reactions(one.id) for one in asked] == [["-1"], ["eyes"]]
        month = f"{bot.services.clock.now():%Y-%m}"
        (report,) = [one for one in bot.sandbox.issues(REPOSITORY) if f"period={month}" in (one.body or "")]
        again = bot.sandbox.comment(REPOSITORY, report.number, "admin-person", "/rootcause report")
        await bot.settle()
        assert bot.reactions(again.id) == ["eyes"]
        posted = [one for one in bot.sandbox.issues(REPOSITORY) if f"period={month}" in (one.body or "")]
        assert [one.number for one in posted] == [report.number]


async def test_no_report_where_none_is_wanted_unless_somebody_asks(database: Database) -> None:
    async with running_bot(database) as bot:
        repository_id = await prepare(bot, "report: {enabled: false}\n")
        assert await publish(bot.services, repository_id, "2026-09") is None
        assert await publish(bot.services, repository_id, "2026-09", again=True) is not None


async def test_the_pin_is_passed_on_and_no_other_is_touched(database: Database) -> None:
    async with running_bot(database) as bot:
        repository_id = await prepare(bot, "report: {pin: true}\n")

        def pinned() -> list[int]:
            return [one.number for one in bot.sandbox.world.pinned(bot.sandbox.repository(REPOSITORY))]

        theirs = [bot.sandbox.open_issue(REPOSITORY, "admin-person", "Read this").number for _ in range(3)]
        for number in theirs[:2]:
            bot.sandbox.pin(REPOSITORY, number, "admin-person")
        september = await publish(bot.services, repository_id, "2026-09")
        assert september is not None
        assert pinned() == [*theirs[:2], september.number]
        october = await publish(bot.services, repository_id, "2026-10")
        assert october is not None
        assert october.number is not None
        assert pinned() == [*theirs[:2], october.number]
        bot.sandbox.unpin(REPOSITORY, october.number)
        await publish(bot.services, repository_id, "2026-10", again=True)
        assert pinned() == theirs[:2], "what a person unpinned stays so"
        bot.sandbox.pin(REPOSITORY, theirs[2], "admin-person")
        november = await publish(bot.services, repository_id, "2026-11")
        assert november is not None
        assert pinned() == theirs, "three others are pinned"
        async with bot.session.get(f"{bot.sandbox.world.base_url}/web/{REPOSITORY}") as page:
            assert "Pinned issues" in await page.text()


async def test_reports_left_open_elsewhere_are_closed_with_a_link_after_a_change_of_place(database: Database) -> None:
    async with running_bot(database) as bot:
        repository_id = await prepare(bot, "report: {style: update-one, pin: true}\n")
        bot.sandbox.add_repository("pytorch", "reports")
        bot.sandbox.select_repositories("pytorch", add=("pytorch/reports",))
        await bot.settle()
        september = await publish(bot.services, repository_id, "2026-09")
        assert september is not None
        assert september.number is not None
        bot.sandbox.put_file(REPOSITORY, FILE, "report: {style: central, repository: pytorch/reports}\n")
        await pass_time(bot)
        october = await publish(bot.services, repository_id, "2026-10")
        (central,) = bot.sandbox.issues("pytorch/reports")
        assert october is not None
        assert october.target_id == bot.sandbox.repository("pytorch/reports").id
        old = bot.sandbox.issue(REPOSITORY, september.number)
        assert (old.closed_at is not None, old.pinned_at) == (True, None)
        assert bot.sandbox.page_url("pytorch/reports", central.number) in (old.body or "")
        bot.sandbox.put_file(REPOSITORY, FILE, "report: {style: update-one}\n")
        await pass_time(bot)
        back = await publish(bot.services, repository_id, "2026-10", again=True)
        assert back is not None
        assert back.number == september.number
        assert bot.sandbox.issue(REPOSITORY, september.number).closed_at is None, "it is the one live report again"
        assert bot.sandbox.issue("pytorch/reports", central.number).closed_at is not None


async def test_replicas_that_are_asked_at_once_post_one_report(database: Database) -> None:
    async with running_bot(database) as bot:
        repository_id = await prepare(bot, "report: {style: update-one}\n")
        for period in ("2026-09", "2026-10"):
            await defer_report(repository_id, period)
            await defer_report(repository_id, period)
            await defer_report_again(repository_id, period)
        await asyncio.gather(bot.work(), bot.work(), bot.work())
        await bot.work()
        reports = [one for one in bot.sandbox.issues(REPOSITORY) if "rootcause:report" in (one.body or "")]
        assert len(reports) == 1
        assert "2026-10" in reports[0].title


async def test_a_report_that_may_not_be_written_to_any_more_stays_open_and_the_log_says_why(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running_bot(database) as bot:
        repository_id = await prepare(bot, "report: {style: central, repository: pytorch/reports}\n")
        bot.sandbox.add_repository("pytorch", "reports")
        bot.sandbox.select_repositories("pytorch", add=("pytorch/reports",))
        await bot.settle()
        await publish(bot.services, repository_id, "2026-09")
        bot.sandbox.archive("pytorch/reports")
        bot.sandbox.put_file(REPOSITORY, FILE, "report: {style: issue}\n")
        await bot.settle()
        await pass_time(bot)
        assert await publish(bot.services, repository_id, "2026-10") is not None
        (old,) = bot.sandbox.issues("pytorch/reports")
        assert old.closed_at is None
        assert "the repository is archived" in capsys.readouterr().out
