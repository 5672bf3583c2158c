"""One closed issue's whole way: signed webhook, record, inbox line, confirmation, report."""

from __future__ import annotations

from bot.features.monthly_report import publish
from bot.store.database import Database
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import running_bot


async def test_a_closed_issue_travels_from_a_signed_webhook_to_a_monthly_report(database: Database) -> None:
    async with running_bot(database) as bot:
        bot.sandbox.add_owner("pytorch")
        bot.sandbox.add_repository("pytorch", "pytorch")
        bot.sandbox.grant(REPOSITORY, "triager", "triage")
        bot.sandbox.install("pytorch", [REPOSITORY])
        bot.sandbox.seed_issue(REPOSITORY, leaking(), emit=True)
        await bot.settle()

        (record,) = await bot.records()
        assert (record.number, record.state, record.eligible_system, record.eligible_bug) == (7, "proposed", True, True)
        assert record.changed_lines == 16
        assert record.issue_comments == 3
        assert record.issue_participants == 4
        inbox = next(one for one in bot.sandbox.world.issues.values() if "rootcause:inbox" in (one.body or ""))
        assert "**memory-leak**" in (inbox.body or "")

        comment = bot.sandbox.comment(REPOSITORY, 7, "triager", "/rootcause confirm")
        await bot.settle()
        (record,) = await bot.records()
        assert (record.state, record.category, record.selection) == ("confirmed", "memory-leak", "random")
        assert bot.reactions(comment.id) == ["+1"]
        assert "Nothing to decide" in (bot.sandbox.issue(REPOSITORY, inbox.number).body or "")

        period = f"{record.closed_at:%Y-%m}"
        report = await publish(bot.services, record.repository_id, period)
        assert report is not None
        assert report.number is not None
        body = bot.sandbox.issue(REPOSITORY, report.number).body or ""
        assert f"period={period}" in body
        again = await publish(bot.services, record.repository_id, period)
        assert again is not None
        assert again.number == report.number
        written = [one for one in bot.sandbox.writes if one.method == "POST" and one.path.endswith("/issues")]
        assert len(written) == 2, "one inbox, one report"
