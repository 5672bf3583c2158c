"""Links that leave no trace on github.com, on Enterprise Server and on ghe.com."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.features.report_plan import superseded
from bot.github.links import quiet_link, web_address
from bot.store.tables import Report
from bot.texts.similar import SimilarIssue, similar_text
from reports.markdown import issue_link, repository_link

ELSEWHERE = "https://git.example.com"


def test_only_githubs_own_pages_have_a_quiet_address() -> None:
    assert quiet_link("https://github.com/a/b/issues/1") == "https://redirect.github.com/a/b/issues/1"
    assert quiet_link("http://127.0.0.1:8080/web/a/b/issues/1") == "http://127.0.0.1:8080/web/a/b/issues/1"
    for server in (ELSEWHERE, "https://acme.ghe.com", "https://github.com.example.org"):
        assert quiet_link(f"{server}/a/b/issues/1") == ""


@pytest.mark.parametrize(
    ("api", "web"),
    [
        ("https://api.github.com", "https://github.com"),
        ("http://127.0.0.1:9000", "https://github.com"),
        ("https://git.example.com/api/v3", ELSEWHERE),
        ("https://api.acme.ghe.com", "https://acme.ghe.com"),
    ],
)
def test_where_the_pages_of_a_github_are(api: str, web: str) -> None:
    assert web_address(api) == web


def test_elsewhere_issues_are_named_and_not_linked() -> None:
    assert issue_link("a/b", 7, ELSEWHERE) == "issue 7"
    assert repository_link("a/b", ELSEWHERE) == f"[a/b]({ELSEWHERE}/a/b)"
    newer = Report(repository_id=1, period="2026-11", url=f"{ELSEWHERE}/a/b/issues/9", created_at=datetime.now(UTC))
    assert f"`{ELSEWHERE}/a/b/issues/9`" in superseded("<!-- m -->\n\nText.\n", newer)
    one = SimilarIssue(
        number=2, url="", repository=None, title="It leaks", category="memory-leak", none_kind=None, open_days=4.0,
        fix=("#99", ""),
    )  # fmt: skip
    text = similar_text(1, [one])
    assert "`#2` It leaks" in text
    assert "`#99`" in text
    assert "]()" not in text
