"""How a report is posted: into which issue, when it is due, what becomes of the one before."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.features.report_plan import (
    Plan,
    is_complete,
    left_behind,
    post,
    superseded,
    to_close,
    wants_pin,
    was_closed_by_us,
)
from bot.github.actions import CreateIssue, UpdateIssue
from bot.store.tables import Report

NOVEMBER_ENDS = datetime(2026, 12, 1, tzinfo=UTC)
PLAN = Plan(1, "acme/frame", 1, "acme/frame")
ONE_ISSUE = Plan(1, "acme/frame", 1, "acme/frame", style="update-one")
CENTRAL = Plan(1, "acme/frame", 2, "acme/reports", style="central", assignees=("ann",))


def report(period: str = "2026-11", number: int | None = None, posted: datetime | None = None) -> Report:
    state = "due" if posted is None else "posted"
    return Report(
        repository_id=1, period=period, number=number, state=state, posted_at=posted, created_at=NOVEMBER_ENDS,
        issue_id=None if number is None else 1000 + number,
        url=None if number is None else f"https://github.com/acme/frame/issues/{number}",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("posted", "complete"),
    [
        (None, False),
        (datetime(2026, 11, 20, tzinfo=UTC), False),
        (NOVEMBER_ENDS, True),
        (datetime(2026, 12, 1, 6, tzinfo=UTC), True),
    ],
)
def test_a_report_posted_before_its_month_was_over_is_not_complete(posted: datetime | None, complete: bool) -> None:
    assert is_complete(report(posted=posted)) is complete


def test_a_first_report_is_a_new_issue() -> None:
    action = post(PLAN, "2026-11", None, "Report", "body")
    assert isinstance(action, CreateIssue)
    assert action.marker == "<!-- rootcause:report repository=1 period=2026-11 -->"
    assert (action.title, action.repository) == ("Report", "acme/frame")


def test_a_report_that_has_an_issue_is_rewritten_there() -> None:
    action = post(PLAN, "2026-11", 9, "Report", "body")
    assert action == UpdateIssue(1, "acme/frame", 9, title="Report", body="body")


def test_one_issue_holds_all_periods() -> None:
    earlier = [report("2026-09", 5, NOVEMBER_ENDS), report("2026-10", 5, NOVEMBER_ENDS)]
    assert ONE_ISSUE.marker("2026-09") == ONE_ISSUE.marker("2026-10")
    assert to_close(ONE_ISSUE, report(number=5, posted=NOVEMBER_ENDS), earlier) == []
    first = post(ONE_ISSUE, "2026-11", None, "Report", "body")
    assert isinstance(first, CreateIssue)
    assert "period" not in first.marker


def test_a_central_report_names_its_repository_and_is_posted_elsewhere() -> None:
    action = post(CENTRAL, "2026-11", None, "Report", "body")
    assert isinstance(action, CreateIssue)
    assert (action.repository, action.title, action.assignees) == ("acme/reports", "Report (acme/frame)", ("ann",))
    assert "repository=1" in action.marker


def test_open_earlier_reports_are_closed_unless_asked_not_to() -> None:
    old, gone = report("2026-10", 7, NOVEMBER_ENDS), report("2026-09", 6, NOVEMBER_ENDS)
    gone.state = "closed"
    newest = report(number=9, posted=NOVEMBER_ENDS)
    assert to_close(PLAN, newest, [gone, old]) == [old]
    assert to_close(Plan(1, "a/b", 1, "a/b", close_previous=False), newest, [gone, old]) == []


def test_an_earlier_report_leads_to_the_newer_one_once_and_quietly() -> None:
    newer = report(number=9, posted=NOVEMBER_ENDS)
    body = superseded("<!-- marker -->\n\nAll fine.\n", newer)
    assert body == (
        "<!-- marker -->\n\n> A newer report: [2026-11](https://redirect.github.com/acme/frame/issues/9)\n\nAll fine.\n"
    )
    assert superseded(body, newer) == body


def posted(period: str, number: int, target: int, state: str = "posted", *, pinned: bool = False) -> Report:
    """A report in an issue of a repository; the issue's id is made of both."""
    return Report(
        repository_id=1, period=period, number=number, issue_id=1000 * target + number, target_id=target, state=state,
        pinned=pinned, posted_at=NOVEMBER_ENDS, created_at=NOVEMBER_ENDS,
    )  # fmt: skip


def test_a_report_left_open_elsewhere_is_closed_after_a_change_of_style() -> None:
    monthly, elsewhere = posted("2026-09", 5, 1), posted("2026-10", 5, 2)
    assert to_close(ONE_ISSUE, posted("2026-11", 9, 1), [monthly, elsewhere]) == [monthly, elsewhere]
    one = [posted("2026-09", 5, 1), posted("2026-10", 5, 1)]
    assert to_close(CENTRAL, posted("2026-11", 9, 2), one) == [one[1]], "one issue is closed once"


def test_the_same_periods_report_elsewhere_is_left_behind() -> None:
    assert left_behind(CENTRAL, posted("2026-11", 5, 1), 5) is not None
    assert left_behind(CENTRAL, posted("2026-11", 5, 2), 5) is None
    assert left_behind(PLAN, report(), 5) is None
    kept = Plan(1, "acme/frame", 2, "acme/reports", style="central", close_previous=False)
    earlier = [posted("2026-10", 5, 1, "closed")]
    assert was_closed_by_us(ONE_ISSUE, 1005, report(), earlier)
    assert was_closed_by_us(CENTRAL, 2007, posted("2026-11", 5, 1), [])
    assert not was_closed_by_us(kept, 2007, posted("2026-11", 5, 1), [])
    assert not was_closed_by_us(ONE_ISSUE, 1005, report(), [posted("2026-10", 5, 1)]), "a person closed it"


def test_a_report_is_pinned_once_and_only_where_that_is_asked_for() -> None:
    pinning = Plan(1, "acme/frame", 1, "acme/frame", pin=True)
    assert wants_pin(pinning, posted("2026-11", 9, 1))
    assert not wants_pin(pinning, posted("2026-11", 9, 1, pinned=True))
    assert not wants_pin(PLAN, posted("2026-11", 9, 1))
