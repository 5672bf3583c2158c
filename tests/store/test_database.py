"""Addresses, the migrations, and opening a database by the settings."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psycopg
import pytest
from alembic import command
from sqlalchemy import NullPool, create_engine, text

from bot.settings import Settings
from bot.store.database import Database, conninfo, database, normalise_url, upgrade_database
from bot.store.errors import DatabaseUnavailable
from bot.store.migrate import config, pending_migrations, upgrade

SEARCH_PATH = "-csearch_path=public,procrastinate"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+asyncpg"])
def test_every_spelling_of_postgresql_becomes_ours(scheme: str) -> None:
    url = normalise_url(f" {scheme}://anna:p%40ss@db.example:6432/root?sslmode=require\n")
    assert url.drivername == "postgresql+psycopg"
    assert (url.username, url.password, url.host, url.port, url.database) == (
        "anna",
        "p@ss",
        "db.example",
        6432,
        "root",
    )
    assert psycopg.conninfo.conninfo_to_dict(conninfo(url)) == {
        "host": "db.example",
        "port": "6432",
        "user": "anna",
        "password": "p@ss",
        "dbname": "root",
        "sslmode": "require",
        "options": SEARCH_PATH,
        "keepalives_idle": "10",
        "keepalives_interval": "5",
        "keepalives_count": "3",
        "tcp_user_timeout": "15000",
    }


def test_options_of_the_address_are_kept_and_ours_added_once() -> None:
    url = normalise_url(str(normalise_url("postgresql:///root?host=/run/db&options=-cstatement_timeout%3D9s")))
    assert url.query["options"] == f"-cstatement_timeout=9s {SEARCH_PATH}"


def test_how_soon_a_dead_line_is_noticed_may_be_said_in_the_address() -> None:
    url = normalise_url("postgresql://h/root?tcp_user_timeout=60000")
    assert (url.query["tcp_user_timeout"], url.query["keepalives_idle"]) == ("60000", "10")


@pytest.mark.parametrize(
    "address", ["sqlite:///secret.db", "mysql://u:secret@h/d", "secret", "", "postgresql://h:secret/d"]
)
def test_an_address_that_is_not_postgresqls_is_refused_in_words(address: str) -> None:
    with pytest.raises(DatabaseUnavailable, match=r"postgresql://user:password@host:5432/name") as refusal:
        normalise_url(address)
    assert "secret" not in str(refusal.value)


def test_a_parameter_that_postgresql_does_not_know_is_refused_in_words() -> None:
    with pytest.raises(DatabaseUnavailable, match="colour"):
        conninfo(normalise_url("postgresql://h/d?colour=red"))


def test_a_server_that_does_not_answer_is_named_in_words(tmp_path: Path) -> None:
    with pytest.raises(DatabaseUnavailable, match="does not answer") as refusal:
        upgrade(normalise_url(f"postgresql://u:secret@/d?host={tmp_path}"))
    assert "secret" not in str(refusal.value)


def test_pending_migrations_are_listed_in_order_until_they_are_applied(empty_database_url: str) -> None:
    url = normalise_url(empty_database_url)
    pending = pending_migrations(url)
    assert pending[0] == "0001_procrastinate"
    assert pending == sorted(pending)
    upgrade(url)
    assert pending_migrations(url) == []
    upgrade(url)


async def test_two_upgrades_of_an_empty_database_at_once(empty_database_url: str) -> None:
    url = normalise_url(empty_database_url)
    await asyncio.gather(*(asyncio.to_thread(upgrade, url) for _ in range(2)))
    assert pending_migrations(url) == []


def test_a_database_from_a_newer_version_is_refused_in_words(database_url: str) -> None:
    url = normalise_url(database_url)
    with psycopg.connect(conninfo(url)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_later'")
    for use in (upgrade, pending_migrations):
        with pytest.raises(DatabaseUnavailable, match="9999_later by a newer version"):
            use(url)


def test_migrations_and_tables_agree(database_url: str) -> None:
    with create_engine(normalise_url(database_url), poolclass=NullPool).connect() as connection:
        command.check(config(connection))


async def test_a_failed_upgrade_leaves_nothing(empty_database_url: str) -> None:
    url = normalise_url(empty_database_url)
    with psycopg.connect(conninfo(url)) as connection:
        connection.execute("CREATE TABLE record (in_the_way int)")
    with pytest.raises(Exception, match="record"):
        upgrade(url)
    assert pending_migrations(url)[0] == "0001_procrastinate"


async def test_the_queue_and_our_tables_are_reached_without_a_schema(database: Database) -> None:
    async with database.sessions() as session:
        assert await session.scalar(text("SELECT count(*) FROM procrastinate_jobs")) == 0
        assert await session.scalar(text("SELECT count(*) FROM record")) == 0
        index = "SELECT indexdef FROM pg_indexes WHERE indexname = 'rootcause_jobs_lock_idx'"
        assert "(lock)" in (await session.scalar(text(index)) or "")
    async with await psycopg.AsyncConnection.connect(database.conninfo) as connection:
        cursor = await connection.execute("SELECT current_schemas(false)::text[]")
        assert await cursor.fetchone() == (["public", "procrastinate"],)


async def test_without_an_address_the_embedded_database_opens_ready_for_use(memory_folder: Path) -> None:
    settings = Settings(data_dir=memory_folder / "data", database_url=None)
    async with database(settings) as opened:
        assert opened.embedded is not None
        assert opened.embedded.is_alive
        assert pending_migrations(opened.url) == []
    assert not opened.embedded.is_alive


async def test_with_an_address_nothing_is_started_and_the_upgrade_is_left_to_its_command(
    empty_database_url: str, tmp_path: Path
) -> None:
    data_dir = tmp_path / "data"
    settings = Settings.model_validate({"data_dir": data_dir, "DATABASE_URL": empty_database_url})
    async with database(settings) as opened:
        assert opened.embedded is None
        assert pending_migrations(opened.url)
        await upgrade_database(settings)
        assert pending_migrations(opened.url) == []
    assert not data_dir.exists()


def test_no_password_shows_in_a_representation() -> None:
    url = normalise_url("postgresql://anna:secret@h/d")

    async def show() -> str:
        async with database(Settings.model_validate({"DATABASE_URL": "postgresql://anna:secret@h/d"})) as opened:
            return f"{opened!r} {opened.engine!r}"

    assert "secret" not in asyncio.run(show()) + repr(url)
