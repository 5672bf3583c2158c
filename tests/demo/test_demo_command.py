"""`rootcause demo` as a person or a script runs it: a process of its own, from nothing to a report that can be read."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
import psutil
import psycopg
import pytest

from bot.demo.seeding import MAINTAINER
from bot.store.embedded import embedded_server
from tests.support.made_issues import made_issues, write_issues
from tests.support.subprocesses import ROOT, processes_below, surroundings

_numbers = count(1)

SECONDS = 120.0
"""For a demo to get somewhere on a machine that does much else."""

BOTH_GROUPS = (
    "keras-team/keras", "opencv/opencv", "pytorch/pytorch", "etcd-io/etcd", "facebook/react", "grafana/grafana"
)  # fmt: skip
KEYS = [
    "deliveries", "recorded", "eligible", "proposed", "confirmed", "corrected", "report_url", "report_path",
    "report_number", "seconds", "peak_memory_mb",
]  # fmt: skip


@dataclass(frozen=True)
class Ended:
    """How a demo ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def figures(self) -> dict[str, Any]:
        """The JSON object on the last line of standard output."""
        assert self.code == 0, self.stderr
        found: dict[str, Any] = json.loads(self.stdout.splitlines()[-1])
        return found

    @property
    def report(self) -> str:
        return Path(self.figures["report_path"]).read_text()


class Demo:
    """A demo that runs."""

    def __init__(self, data_dir: Path, *arguments: str | Path, **environment: str) -> None:
        number = next(_numbers)
        self._logs = [data_dir.parent / f"{number}.{stream}" for stream in ("out", "err")]
        with self._logs[0].open("wb") as out, self._logs[1].open("wb") as err:
            command = [sys.executable, "-m", "bot", "demo", "--json", *map(str, arguments)]
            self._process = subprocess.Popen(
                command, cwd=ROOT, env=surroundings(data_dir, **environment), stdout=out, stderr=err
            )

    @property
    def stdout(self) -> str:
        return self._logs[0].read_text()

    def wait_for_json(self) -> dict[str, Any]:
        """Wait until the figures are printed; the demo serves from then on."""
        self._wait_until(lambda: self.stdout.endswith("\n"))
        found: dict[str, Any] = json.loads(self.stdout.splitlines()[-1])
        return found

    def wait_for_children(self) -> list[psutil.Process]:
        """Wait until both processes of the demo run, and return them."""
        parent = psutil.Process(self._process.pid)
        self._wait_until(lambda: len(_commands(parent)) == 2)
        return parent.children()

    def stop(self, number: signal.Signals) -> Ended:
        self._process.send_signal(number)
        return self.wait()

    def wait(self) -> Ended:
        code = self._process.wait(SECONDS)
        return Ended(code, self.stdout, self._logs[1].read_text())

    def kill_all(self) -> None:
        """Leave nothing behind, whatever the test found."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(SECONDS)

    def _wait_until(self, holds: Any) -> None:
        deadline = time.monotonic() + SECONDS
        while not holds():
            assert self._process.poll() is None, self._logs[1].read_text()
            assert time.monotonic() < deadline, self._logs[1].read_text()
            time.sleep(0.05)


def _commands(parent: psutil.Process) -> set[str]:
    try:
        return {" ".join(child.cmdline()[-1:]) for child in parent.children()} & {"web", "worker"}
    except psutil.Error:  # one of them, such as what starts the database, has just ended
        return set()


@contextmanager
def started(data_dir: Path, *arguments: str | Path, **environment: str) -> Iterator[Demo]:
    demo = Demo(data_dir, *arguments, **environment)
    try:
        yield demo
    finally:
        demo.kill_all()


def run(data_dir: Path, *arguments: str | Path, **environment: str) -> Ended:
    with started(data_dir, *arguments, "--exit", **environment) as demo:
        return demo.wait()


def below(data_dir: Path) -> Path:
    """Return the folder of the only input that was played in a data folder."""
    (folder,) = (data_dir / "demo").iterdir()
    return folder


def query(data_dir: Path, statement: str) -> list[tuple[Any, ...]]:
    """Ask the demo's database."""
    with embedded_server(below(data_dir) / "postgres") as server, psycopg.connect(server.conninfo) as connection:
        return connection.execute(statement.encode()).fetchall()


def test_a_file_of_both_groups_is_played_once_then_served_and_can_be_acted_in(memory_folder: Path) -> None:
    data_dir = memory_folder / 'demo\'s "own" [b] folder'
    issues = made_issues(BOTH_GROUPS, each=7, seed=5)
    file = write_issues(memory_folder / "issues.jsonl.gz", issues)

    first = run(data_dir, "--issues", file, DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing", PORT="1")

    figures = first.figures
    assert list(figures) == KEYS
    assert figures["recorded"] == figures["eligible"] == len(issues)
    assert figures["confirmed"] > figures["corrected"] > 0
    assert figures["confirmed"] + figures["corrected"] == pytest.approx(0.6 * len(issues), abs=8)
    # The App's own writes are told to it as well.
    assert figures["deliveries"] > len(BOTH_GROUPS) + len(issues) + figures["confirmed"] + figures["corrected"]
    assert figures["seconds"] > 0
    assert figures["peak_memory_mb"] is None or 100 < figures["peak_memory_mb"] < 600
    assert Path(figures["report_path"]).is_relative_to(data_dir)
    assert "simulated" in first.report
    assert "group is missing" not in first.report
    assert "2026-05" in first.report.splitlines()[0]
    assert first.report.count("\n|") > 20, "the tables stand there"
    kept = (
        "SELECT count(*), count(DISTINCT issue_id), min(closed_at)::date::text, max(closed_at)::date::text FROM record"
    )
    assert query(data_dir, kept) == [
        (len(issues), len(issues), min(one["closed_at"] for one in issues)[:10], "2026-05-28")
    ]
    assert processes_below(data_dir) == []

    with started(data_dir, "--issues", file) as demo:
        second = demo.wait_for_json()
        changing = {"deliveries", "report_url", "seconds", "peak_memory_mb"}
        assert {key: second[key] for key in KEYS if key not in changing} == {
            key: figures[key] for key in KEYS if key not in changing
        }
        assert second["deliveries"] == 0
        crowd = run(data_dir, "--issues", file)
        assert (crowd.code, crowd.stdout) == (1, "")
        assert crowd.stderr.startswith("another demo runs in ")
        asyncio.run(look_and_tick(second["report_url"], data_dir))
        ended = demo.stop(signal.SIGINT)
    assert ended.code == 130, ended.stderr
    assert "Traceback" not in ended.stderr
    assert json.loads(ended.stdout.splitlines()[-1]) == second
    assert processes_below(data_dir) == []


async def look_and_tick(report_url: str, data_dir: Path) -> None:
    """Read the report and the list of repositories, then tick a box of an inbox as a person does."""
    address = report_url.partition("/web/")[0]
    async with aiohttp.ClientSession(address) as browser:
        assert "simulated" in await read(browser, report_url)
        home = await read(browser, "/web")
        assert all(name in home for name in BOTH_GROUPS)
        for name in BOTH_GROUPS:
            titles = await read(browser, f"/web/{name}")
            inbox = re.search(rf'"(/web/{name}/issues/\d+)"[^<]*Why did these closed issues happen', titles)
            assert inbox is not None, titles
            form = re.search(
                rf'action="({inbox[1]}/tick)".*?name="line" value="(\d+)"', await read(browser, inbox[1]), re.DOTALL
            )
            if form is not None:
                break
        else:
            raise AssertionError("every question of every inbox is answered")
        before = query(data_dir, "SELECT count(*) FROM decision WHERE via = 'tick'")
        async with browser.post(form[1], data={"line": form[2], "ticked": "1"}) as answer:
            assert answer.status == 200, await answer.text()
        assert before == [(0,)]
        deadline = time.monotonic() + SECONDS
        while not (
            ticks := query(
                data_dir, "SELECT person.login FROM decision JOIN person ON person.id = person_id WHERE via = 'tick'"
            )
        ):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.2)
        assert ticks == [(MAINTAINER,)]


async def read(browser: aiohttp.ClientSession, address: str) -> str:
    async with browser.get(address) as answer:
        assert answer.status == 200, address
        return await answer.text()


def test_a_demo_that_is_stopped_breaks_or_is_killed_leaves_nothing_and_goes_on_later(memory_folder: Path) -> None:
    data_dir = memory_folder / "data"
    issues = made_issues(["pytorch/pytorch", "keras-team/keras"], each=4, seed=3, fixed=False)
    file = write_issues(memory_folder / "issues.jsonl", issues)

    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 1)):
        with started(data_dir, "--issues", file) as demo:
            demo.wait_for_children()
            ended = demo.stop(number)
        assert (ended.code, ended.stdout) == (code, "")
        assert "the demo was stopped before its end; started again it goes on from there" in ended.stderr
        assert "Traceback" not in ended.stderr
        assert processes_below(data_dir) == []

    log = below(data_dir) / "worker.log"
    log.unlink()
    log.mkdir()
    broken = run(data_dir, "--issues", file)
    assert (broken.code, broken.stdout) == (1, "")
    assert "worker.log" in broken.stderr
    assert "Traceback" not in broken.stderr
    assert processes_below(data_dir) == []
    log.rmdir()

    with started(data_dir, "--issues", file) as demo:
        children = demo.wait_for_children()
        demo.stop(signal.SIGKILL)
    assert all(child.is_running() for child in children)

    last = run(data_dir, "--issues", file)
    assert not any(child.is_running() for child in children), "what the killed one left was ended"
    assert (last.figures["recorded"], last.figures["eligible"], last.figures["confirmed"]) == (len(issues), 0, 0)
    assert "inbox" not in last.stderr, "nothing is asked, so there is none to look at"
    assert "simulated" in last.report
    assert "2 of 2 ML and 0 of 0 traditional repositories" in last.report
    assert processes_below(data_dir) == []


def test_what_is_wrong_from_the_start_ends_in_a_sentence_and_leaves_nothing(memory_folder: Path) -> None:
    data_dir = memory_folder / "data"
    issues = made_issues(["pytorch/pytorch"], each=2, seed=1)
    good = write_issues(memory_folder / "good.jsonl", issues)
    bad = memory_folder / "bad.jsonl"
    bad.write_text(good.read_text() + '{"repository": "acme/frame"}\n')

    refused = run(data_dir, "--issues", bad)
    assert (refused.code, refused.stdout) == (2, "")
    assert refused.stderr == "line 3 must have a whole number from 1 to 2147483647 in 'number'\n"
    assert not data_dir.exists()

    memory_folder.joinpath("file").touch()
    nowhere = run(memory_folder / "file", "--issues", good)
    assert (nowhere.code, nowhere.stdout) == (1, "")
    assert nowhere.stderr.startswith("the demo in ")
    assert "Traceback" not in nowhere.stderr
