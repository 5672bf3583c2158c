"""The embedded database at home in any folder, shared by processes, left clean however they end."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest
from sqlalchemy import create_engine, text

from bot.store.embedded import embedded_database, embedded_server
from bot.store.errors import DatabaseUnavailable

HOLDER = Path(__file__).with_name("hold_database.py")
NAMES = {
    "plain": "postgres",
    "spaces and quotes": 'Application Support/it\'s "mine" $HOME `x`\\',
    "signs that addresses use": "100% a:b@c?d#e&f=g",
    "a comma": "one,two",
    "not text": os.fsdecode(b"caf\xe9"),
    "over 107 characters": f"{'long' * 30}/{'path' * 30}",
}


def server_processes(folder: Path) -> list[int]:
    """Return the processes of the folder's server, which all carry its name."""
    status = (folder / "cluster").stat()
    name = f"rootcause-{status.st_dev:x}-{status.st_ino:x}"
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if any(name in argument for argument in process.info["cmdline"] or ())
    ]


def postmaster(folder: Path) -> int:
    return int((folder / "cluster" / "postmaster.pid").read_bytes().split(b"\n", 1)[0])


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Start another process that holds the database; it leaves cleanly at the end unless it was killed."""
    with subprocess.Popen(
        [sys.executable, HOLDER, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.communicate(timeout=60)


def ready(process: subprocess.Popen[str]) -> int:
    """Wait until a holder has entered and return the server's process number as it sees it."""
    assert process.stdout is not None
    return int(process.stdout.readline())


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait(timeout=10)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
async def test_at_home_in_any_folder(memory_folder: Path, name: str) -> None:
    folder = memory_folder / name
    async with embedded_database(folder) as server:
        with psycopg.connect(server.conninfo) as connection:
            connection.execute("CREATE TABLE kept (value text)")
            connection.execute("INSERT INTO kept VALUES ('ü')")
        engine = create_engine(server.url)
        with engine.connect() as session:
            assert session.scalar(text("SELECT value FROM kept")) == "ü"
        engine.dispose()
        assert server_processes(folder)
    assert server_processes(folder) == []
    async with embedded_database(folder) as server:
        with psycopg.connect(server.conninfo) as connection:
            assert connection.execute("SELECT value FROM kept").fetchone() == ("ü",)
    assert server_processes(folder) == []


def test_no_tcp_and_nothing_is_open_to_others(memory_folder: Path) -> None:
    memory_folder.chmod(0o700)
    folder = memory_folder / "data" / "postgres"
    with embedded_server(folder) as server:
        with psycopg.connect(server.conninfo) as connection:
            assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
            assert connection.execute("SHOW fsync").fetchone() == ("on",)
        entries = [folder.parent, *folder.parent.rglob("*")]
        assert [path for path in entries if path.lstat().st_mode & 0o077] == []
        assert memory_folder.stat().st_mode & 0o777 == 0o700
        assert server_processes(folder)
        assert all(psutil.Process(pid).uids().effective != 0 for pid in server_processes(folder))


def test_a_folder_that_was_open_is_closed(memory_folder: Path) -> None:
    folder = memory_folder / "postgres"
    folder.mkdir(mode=0o755)
    with embedded_server(folder):
        assert folder.stat().st_mode & 0o777 == 0o700


async def test_two_entries_of_one_process_share_the_server(memory_folder: Path) -> None:
    async with embedded_database(memory_folder) as first:
        async with embedded_database(memory_folder) as second:
            assert first.start == second.start
        assert first.is_alive
    assert not first.is_alive


def test_simultaneous_cold_starts_share_one_server(memory_folder: Path) -> None:
    with ExitStack() as stack:
        holders = [stack.enter_context(holder(memory_folder)) for _ in range(3)]
        assert {ready(process) for process in holders} == {postmaster(memory_folder)}
    assert server_processes(memory_folder) == []


def test_one_of_two_killed_and_the_other_leaves_nothing_behind(memory_folder: Path) -> None:
    with holder(memory_folder) as first, holder(memory_folder) as second:
        assert ready(first) == ready(second)
        kill(first)
        with embedded_server(memory_folder) as server:
            assert server.is_alive
        assert server_processes(memory_folder)  # the second still holds it
    assert server_processes(memory_folder) == []


def test_all_killed_and_the_next_clean_stop_leaves_nothing_behind(memory_folder: Path) -> None:
    with holder(memory_folder) as only:
        pid = ready(only)
        kill(only)
    assert postmaster(memory_folder) == pid
    assert server_processes(memory_folder)
    with embedded_server(memory_folder):
        assert postmaster(memory_folder) == pid  # joined, not started anew
    assert server_processes(memory_folder) == []


async def test_the_death_of_the_server_is_noticed_and_recovered_from(memory_folder: Path) -> None:
    async with embedded_database(memory_folder) as server:
        with psycopg.connect(server.conninfo) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS value")
        watch = asyncio.create_task(server.wait_dead())
        os.kill(postmaster(memory_folder), signal.SIGKILL)
        await asyncio.wait_for(watch, 30)
        async with embedded_database(memory_folder) as again:
            assert not server.is_alive
            with psycopg.connect(again.conninfo) as connection:
                assert connection.execute("SELECT value FROM kept").fetchone() == (7,)
    assert server_processes(memory_folder) == []


async def test_a_folder_removed_meanwhile_is_noticed_and_left_without_an_error(memory_folder: Path) -> None:
    async with embedded_database(memory_folder / "postgres") as server:
        process = psutil.Process(postmaster(memory_folder / "postgres"))
        shutil.rmtree(memory_folder / "postgres")
        await asyncio.wait_for(server.wait_dead(), 10)
    process.send_signal(signal.SIGQUIT)  # it would end by itself, but a test does not wait a minute


def test_a_process_number_left_by_a_crash_may_be_in_use_again(memory_folder: Path) -> None:
    names = ("postmaster.pid", ".s.PGSQL.5432.lock")
    with embedded_server(memory_folder) as server:
        left = {name: (memory_folder / "cluster" / name).read_text() for name in names}
        user = psutil.Process(postmaster(memory_folder)).uids().effective
    with subprocess.Popen(["sleep", "60"], user=user if os.geteuid() == 0 else None) as other:
        for name, content in left.items():
            _, rest = content.split("\n", 1)
            (memory_folder / "cluster" / name).write_text(f"{other.pid}\n{rest}")
        with embedded_server(memory_folder) as server:
            assert server.is_alive
        assert other.poll() is None
        other.kill()


def test_a_creation_that_was_interrupted_is_done_anew(memory_folder: Path) -> None:
    (memory_folder / "cluster.new" / "base").mkdir(parents=True)
    with embedded_server(memory_folder) as server:
        assert server.is_alive
    assert not (memory_folder / "cluster.new").exists()


def test_a_copy_brought_back_by_another_hand_is_used(memory_folder: Path) -> None:
    with embedded_server(memory_folder / "old") as server, psycopg.connect(server.conninfo) as connection:
        connection.execute("CREATE TABLE kept ()")
    shutil.copytree(memory_folder / "old", memory_folder / "new")  # owned by whoever copies
    with embedded_server(memory_folder / "new") as server, psycopg.connect(server.conninfo) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)


async def test_a_cancelled_start_leaves_nothing_behind(memory_folder: Path) -> None:
    async def enter() -> None:
        async with embedded_database(memory_folder):
            await asyncio.sleep(60)

    entering = asyncio.create_task(enter())
    while not (memory_folder / "cluster.new").exists():  # noqa: ASYNC110 - a folder tells nobody that it appears
        await asyncio.sleep(0.01)
    entering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await entering
    assert (memory_folder / "cluster" / "PG_VERSION").exists()
    assert server_processes(memory_folder) == []


def test_no_link_is_left_in_the_temporary_folder(memory_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = memory_folder / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with embedded_server(memory_folder / "one,two"):
        assert [path.stat().st_mode & 0o777 for path in temporary.iterdir()] == [0o700]
    assert list(temporary.iterdir()) == []


def test_a_statement_that_fails_does_not_reach_the_log(memory_folder: Path) -> None:
    with (
        embedded_server(memory_folder) as server,
        psycopg.connect(server.conninfo) as connection,
        pytest.raises(psycopg.Error),
    ):
        connection.execute("SELECT 'private words'::int")
    log = (memory_folder / "cluster" / "server.log").read_text()
    assert "ready to accept connections" in log
    assert "private words" not in log


def test_a_file_in_the_folders_place_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "postgres").write_text("")
    with pytest.raises(DatabaseUnavailable, match="ROOTCAUSE_DATA_DIR"), embedded_server(tmp_path / "postgres"):
        pass


def test_the_files_of_another_postgresql_are_refused_in_words(memory_folder: Path) -> None:
    with embedded_server(memory_folder):
        pass
    (memory_folder / "cluster" / "PG_VERSION").write_text("12\n")
    with pytest.raises(DatabaseUnavailable, match="made by PostgreSQL 12"), embedded_server(memory_folder):
        pass


def test_a_server_that_cannot_start_says_why_and_is_not_left_behind(memory_folder: Path) -> None:
    with embedded_server(memory_folder):
        pass
    (memory_folder / "cluster" / "postgresql.auto.conf").write_text("nonsense = here\n")
    with pytest.raises(DatabaseUnavailable, match="nonsense"), embedded_server(memory_folder):
        pass
    assert server_processes(memory_folder) == []
