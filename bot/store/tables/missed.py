"""What may never have come: deliveries that GitHub was asked to send again, and how far closings were compared."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import text
from sqlmodel import Field, SQLModel

from bot.store.tables.columns import github_key


class Redelivery(SQLModel, table=True):
    """A delivery that never arrived, and how often GitHub was asked to send it again."""

    __tablename__ = "redelivery"
    guid: str = Field(primary_key=True)
    event: str
    action: str | None = None
    sent_at: datetime  # when GitHub sent it first
    asked: int = 0
    asked_at: datetime | None = None
    given_up_at: datetime | None = None


class DeliveriesLook(SQLModel, table=True):
    """When an App's list of deliveries was asked for and looked at last, by whichever replica."""

    __tablename__ = "deliveries_look"
    app_id: int = github_key()
    asked_at: datetime | None = None
    looked_at: datetime | None = None


class ClosingsSeen(SQLModel, table=True):
    """Up to where a repository's closed issues were compared with its records.

    Closings before `since` are no longer, or were never, to be looked for. `newest_at` is GitHub's own time of the
    newest change that was seen, `etag` names the list as it was then, and `all_seen` is false where some of it was too
    young to tell whether it was missed.
    """

    __tablename__ = "closings_seen"
    repository_id: int = github_key()
    since: datetime
    newest_at: datetime | None = None
    etag: str | None = None
    all_seen: bool = Field(default=True, sa_column_kwargs={"server_default": text("true")})
    looked_at: datetime | None = None
