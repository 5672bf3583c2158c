"""Facts about fixes alone: nobody decided a root cause, and the difficulty is that of every bug with a fix."""

from __future__ import annotations

import json
from dataclasses import replace

from reports import Rows, build_report, render, report_json
from tests.reports.synthetic import PERIOD, synthetic_rows

SAID = "How hard all bugs with a landed fix were, whatever their root cause"


def facts(**changes: object) -> Rows:
    """Return rows of which only dates and fixes are known, as git histories tell them."""
    rows = synthetic_rows(5, 12)
    plain = {"state": "collected", "category": None, "category_source": None, "eligible_system": False}
    made = tuple(replace(one, eligible_bug=True, **{**plain, **changes}) for one in rows.records)  # type: ignore[arg-type]
    return replace(rows, records=made)


def test_without_any_decision_or_proposal_difficulty_is_that_of_all_fixes_and_says_so() -> None:
    report = build_report(facts(), PERIOD)
    content = json.loads(report_json(report))
    overall = {row["indicator"]: row for row in content["tables"]["difficulty"] if row["category"] == "overall"}
    assert (overall["changed_lines"]["ml"]["n"], overall["changed_lines"]["testable"]) == (60, True)
    assert all(row["ml"]["n"] == 0 for row in content["tables"]["difficulty"] if row["category"] != "overall")
    assert content["coverage"]["difficulty_of"] == "bugs with a landed fix"
    assert SAID in render(report)
    assert "over all fixed bugs, whatever their root cause" in report.finding[1]


def test_whatever_was_proposed_or_may_be_decided_is_waited_for() -> None:
    for changes in ({"proposal_category": "memory-leak"}, {"eligible_system": True}):
        report = build_report(facts(**changes), PERIOD)
        assert all(row.ml.n == 0 for row in report.tables.difficulty), changes
        assert SAID not in render(report)
