"""Rows of the database with good defaults: name only what a test is about."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.store.tables import Proposal, Record, Repository

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)


def a_repository(repository_id: int = 1, full_name: str = "acme/frame", **facts: Any) -> Repository:
    """Return a public repository in which the App is active."""
    usual: dict[str, Any] = {"state": "active", "created_at": NOW, "updated_at": NOW}
    return Repository(id=repository_id, full_name=full_name, **usual | facts)


def a_record(issue_id: int = 1, repository_id: int = 1, **facts: Any) -> Record:
    """Return the record of an issue that was closed just now, opened three days before; `number` is its id."""
    closed_at: datetime = facts.pop("closed_at", NOW)
    usual: dict[str, Any] = {
        "number": issue_id,
        "title": "Memory grows with every batch",
        "created_at": closed_at - timedelta(days=3),
        "closed_at": closed_at,
        "gathered_at": NOW,
    }
    return Record(issue_id=issue_id, repository_id=repository_id, **usual | facts)


def a_proposal(issue_id: int = 1, category: str = "memory-leak", **facts: Any) -> Proposal:
    """Return a prediction of the category, sure enough to be proposed."""
    usual: dict[str, Any] = {
        "model": "lexicon-0.1",
        "probability": 0.75,
        "second": "none",
        "second_probability": 0.1,
        "system_related": 0.9,
        "proposed": True,
        "created_at": NOW,
    }
    return Proposal(issue_id=issue_id, category=category, **usual | facts)
