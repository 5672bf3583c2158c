"""`rootcause dev`: what changes in the source starts the App again, and nothing that happened meanwhile is lost."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

import bot.demo.dev
import bot.demo.processes
import bot.demo.stage
from bot.demo.dev import serve_forever
from bot.demo.stage import free_port, local_github, served
from bot.demo.watching import changes, look
from bot.sandbox.sandbox import Sandbox

APP = """
import http.server
import os
from pathlib import Path


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(202)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words): ...


with Path("starts").open("a") as starts:
    starts.write("started\\n")
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Answers).serve_forever()
"""
"""Stands for the App where only its starts and its answers count, so that it is there in a moment."""


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not is_so():  # noqa: ASYNC110 - files and another process have no event for us
            await asyncio.sleep(0.02)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source tree whose App is the one above."""
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "__init__.py").touch()
    (tmp_path / "bot" / "__main__.py").write_text(APP)
    for module in (bot.demo.dev, bot.demo.processes):
        monkeypatch.setattr(module, "HOME", tmp_path)
    return tmp_path


def starts(home: Path) -> int:
    path = home / "starts"
    return len(path.read_text().splitlines()) if path.exists() else 0


def opened(sandbox: Sandbox) -> int:
    """Open and close an issue on the local GitHub; return its number."""
    number = sandbox.open_issue("octo/frame", "ann", "It leaks").number
    sandbox.close("octo/frame", number, "ann")
    return number


async def test_a_change_starts_the_app_again_and_it_gets_what_happened_meanwhile(
    home: Path, tmp_path_factory: pytest.TempPathFactory, capfd: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    sandbox = local_github(tmp_path_factory.mktemp("github"), port, "secret")
    sandbox.add_owner("octo")
    sandbox.add_repository("octo", "frame")
    sandbox.add_user("ann")
    sandbox.install("octo", "all")
    running = asyncio.create_task(serve_forever(sandbox, {"PORT": str(port)}, f"http://127.0.0.1:{port}"))
    try:
        opened(sandbox)
        await until(lambda: bool(sandbox.deliveries) and not sandbox.courier.pending())
        (home / "bot" / "words.py").write_text("")
        await until(lambda: starts(home) == 2)
        opened(sandbox)
        await until(lambda: len({one.guid for one in sandbox.deliveries if one.status_code == 202}) == 5)
        (home / "bot" / "__main__.py").write_text("raise SystemExit(3)\n")
        await until(lambda: "exit code 3; it starts again with a change" in capfd.readouterr().err)
        (home / "bot" / "__main__.py").write_text(APP)
        await until(lambda: starts(home) == 3)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        sandbox.close_storage()


def test_new_gone_and_changed_files_are_changes_and_compiled_ones_are_none(tmp_path: Path) -> None:
    for name in ("kept.py", "gone.py", "changed.css"):
        (tmp_path / name).touch()
    before = look([tmp_path])
    (tmp_path / "gone.py").unlink()
    os.utime(tmp_path / "changed.css", ns=(1, 1))
    for name in ("new.html", "new.pyc", ".new.py.swp", "new.py~"):
        (tmp_path / name).touch()
    assert [path.name for path in changes(before, look([tmp_path]))] == ["changed.css", "gone.py", "new.html"]


def test_a_port_that_is_taken_is_not_given() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        wanted = taken.getsockname()[1]
        assert free_port(wanted) != wanted
    assert free_port(wanted) == wanted


async def test_where_the_usual_port_is_taken_the_other_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sandbox = local_github(tmp_path, 1, "secret")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setattr(bot.demo.stage, "_USUAL_PORT", port)
        async with served(sandbox) as address:
            assert address != f"http://127.0.0.1:{port}"
    sandbox.close_storage()
    assert capsys.readouterr().err == f"Port {port} is in use; the local GitHub is at {address}/web.\n"
