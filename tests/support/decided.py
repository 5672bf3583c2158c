"""Decided issues put straight into a database: what a refit learns from, without a conversation about each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from bot.evidence.prose import pack
from bot.store.tables import Decision, EvidenceText, Record, Repository
from classifier import IssueText

NOW = datetime(2026, 11, 30, tzinfo=UTC)
LISTED, OTHER, UNLISTED, PRIVATE = 1, 2, 3, 4
NAMES = {LISTED: "pytorch/pytorch", OTHER: "etcd-io/etcd", UNLISTED: "acme/own", PRIVATE: "acme/secret"}


def add_repositories(session: AsyncSession) -> None:
    """Add two listed repositories, one that is not listed, and a listed private one."""
    session.add_all(
        Repository(
            id=number,
            full_name=name,
            private=number == PRIVATE,
            in_comparison=number != UNLISTED,
            state="active",
            created_at=NOW,
            updated_at=NOW,
        )
        for number, name in NAMES.items()
    )


async def add_issue(
    session: AsyncSession, issue_id: int, repository_id: int, text: IssueText, said: str | None, **facts: Any
) -> Record:
    """Add a closed issue with its text, and a decision where something was `said`; `facts` are the record's."""
    moment = NOW + timedelta(hours=issue_id)
    record = Record(
        issue_id=issue_id,
        repository_id=repository_id,
        number=issue_id,
        title=text.title,
        html_url=f"https://github.com/{NAMES[repository_id]}/issues/{issue_id}",
        created_at=NOW - timedelta(days=20),
        closed_at=NOW - timedelta(days=10),
        gathered_at=NOW,
        eligible_system=True,
    )
    if said is not None:
        record.state, record.category, record.category_source = "confirmed", said, "decision"
        record.decided_at = moment
        decision = Decision(
            issue_id=issue_id,
            repository_id=repository_id,
            person_id=900,
            category=said,
            via="comment",
            source=f"comment:{issue_id}",
            decided_at=moment,
        )
        session.add(decision)
    for name, value in facts.items():
        setattr(record, name, value)
    session.add(record)
    session.add(EvidenceText(issue_id=issue_id, repository_id=repository_id, text=pack(text), gathered_at=NOW))
    await session.flush()
    return record
