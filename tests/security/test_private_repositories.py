"""A private repository's words are nowhere but in itself: not on any page, in any file to take away or any log line."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from pydantic import SecretStr

from bot.features.monthly_report import publish
from bot.jobs import defer_inbox
from bot.logs import configure_logs
from bot.sandbox.faults import Fault
from bot.store.database import Database
from bot.store.figures import store_figures
from bot.store.rows import load_everything
from bot.store.tables import Repository
from reports.figures import FigureFile
from reports.package_files import write_package
from tests.support.closed_issues import REPOSITORY, leaking
from tests.support.running import Running, running_bot, working
from tests.support.secrecy import WATCH

TOKEN = "the token of the operator"
PERIOD = f"{datetime.now(UTC):%Y-%m}"


@dataclass(frozen=True)
class Place:
    """A repository and the words that occur in it alone: who owns it and wrote there, its name, title, text and fix."""

    owner: str
    name: str
    writer: str
    title: str
    text: str
    folder: str

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"

    @property
    def figure(self) -> FigureFile:
        """A figure of a report that was posted there."""
        return FigureFile("shares", "light", self.title, f"<svg>{self.title}</svg>".encode(), self.text.encode())

    def issue(self, number: int) -> dict[str, Any]:
        """Return a leak in its words."""
        record = leaking(number, title=f"Memory leak in {self.title}: memory usage grows until it is killed")
        record["body"] += f"\nThe {self.text} is killed as well.\n"
        record["fix"]["files"][0]["path"] = f"{self.folder}/loader.py"
        return record | {"repository": self.full_name, "author": self.writer}

    def found_in(self, texts: dict[str, str]) -> dict[str, list[str]]:
        """Return where a word of it stands, with some text around it."""
        words = "|".join((self.owner, self.name, self.writer, self.title, self.text, self.folder))
        pattern = re.compile(f".{{0,60}}(?:{words}).{{0,60}}", re.IGNORECASE)
        return {place: found for place, text in texts.items() if (found := pattern.findall(text))}


ALWAYS = Place("zorblatt", "quokka-vault", "snarkvane", "Wibblefrotz", "plinthgoose", "grumbletoad")
LATER = Place("fnordling", "heron-cellar", "mugwhistle", "Blatherskite", "quibblenaut", "thrumbleton")


def addresses(app: web.Application, place: Place, repository_id: int) -> Iterator[str]:
    """Return every address that the web process has, filled in for a repository."""
    values = {
        "owner": place.owner, "name": place.name, "period": PERIOD, "id": str(repository_id), "key": "categories",
        "file": place.figure.svg_name,
    }  # fmt: skip
    parameter = re.compile(r"\{(\w+)(?::(?:[^{}]|\{[^{}]*\})*)?\}")
    for route in app.router.routes():
        if route.method == "GET" and route.resource is not None:
            yield parameter.sub(lambda found: values[found[1]], route.resource.canonical)
    yield f"/figures/{place.figure.png_name}"
    yield from (f"/reports/{REPOSITORY}/{PERIOD}{part}" for part in ("", "/report.json", "/package.zip"))


async def crawl(bot: Running, place: Place, known: dict[str, str]) -> dict[str, str]:
    """Ask for every address, also with what a browser would remember of it, and return the whole answers."""
    texts: dict[str, str] = {}
    repository_id = bot.sandbox.repository(place.full_name).id
    for path in addresses(bot.web.app, place, repository_id):
        for headers in ({}, {"If-None-Match": known.get(path, "*")}):
            async with bot.session.get(bot.web.make_url(path), headers=headers, allow_redirects=False) as answer:
                head = "\n".join(f"{key}: {value}" for key, value in answer.headers.items())
                texts[f"{path} {sorted(headers)}"] = f"{head}\n{(await answer.read()).decode('latin-1')}"
                if place.name in path or str(repository_id) in path or path in known:
                    assert answer.status == 404, path
    return texts


def prepare(bot: Running) -> None:
    """Install the App in a public repository and in two more, of which one is private."""
    sandbox = bot.sandbox
    bot.prepare(7)
    sandbox.put_file(REPOSITORY, ".github/rootcause.yml", "paradigm: ml\nshare: named\n")
    for place in (ALWAYS, LATER):
        sandbox.add_owner(place.owner)
        sandbox.add_repository(place.owner, place.name, private=place is ALWAYS)
        sandbox.put_file(place.full_name, ".github/rootcause.yml", "paradigm: traditional\nshare: named\n")
        sandbox.grant(place.full_name, place.writer, "write")
        sandbox.install(place.owner, [place.name])
        sandbox.seed_issue(place.full_name, place.issue(3), emit=True)


async def fail_and_go_on(bot: Running, place: Place, number: int) -> None:
    """Let somebody decide, misspell a command and close another issue, while GitHub fails in between."""
    bot.sandbox.faults.add("*", f"/repos/{place.full_name}*", Fault.SERVER_ERROR, count=1)
    bot.sandbox.comment(place.full_name, 3, place.writer, "/rootcause memory-leak")
    bot.sandbox.comment(place.full_name, 3, place.writer, f"/rootcause {place.title}")
    bot.sandbox.seed_issue(place.full_name, place.issue(number), emit=True)
    await bot.settle()


async def let_a_job_fail(bot: Running, place: Place) -> None:
    """Let GitHub refuse a job for good, and wait until the operator's page, and nobody else, is told what it was."""
    await bot.settle()
    bot.sandbox.faults.add("*", f"/repos/{place.full_name}/issues*", Fault.FORBIDDEN)
    await defer_inbox(bot.sandbox.repository(place.full_name).id, 0.0)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with working(bot.services):
        for _ in range(200):
            async with bot.session.get(bot.web.make_url("/status.json"), headers=headers) as answer:
                if failed := (await answer.json())["failed_jobs"]:
                    break
            await asyncio.sleep(0.05)
    assert [(one["task"], one["repository"]) for one in failed] == [("refresh_inbox", place.full_name)]
    assert f"/repos/{place.full_name}/issues" in failed[0]["error"]


async def publish_all(bot: Running, *places: str) -> dict[str, str]:
    """Post the reports of repositories and return the text of the public one's."""
    texts = {}
    for place in places:
        report = await publish(bot.services, bot.sandbox.repository(place).id, PERIOD)
        assert report is not None
        assert report.number is not None
        texts[place] = bot.sandbox.issue(place, report.number).body or ""
    return {REPOSITORY: texts[REPOSITORY]}


async def remembered(bot: Running, place: Place) -> dict[str, str]:
    """Return the addresses of a repository that is still public, with what a browser keeps to ask about them later."""
    async with bot.services.database.sessions.begin() as session:
        repository_id = bot.sandbox.repository(place.full_name).id
        assert await store_figures(session, repository_id, [place.figure], bot.services.clock.now())
    known: dict[str, str] = {}
    for path in (
        f"/reports/{place.full_name}/{PERIOD}",
        f"/figures/{place.figure.svg_name}",
        f"/figures/{place.figure.png_name}",
    ):
        async with bot.session.get(bot.web.make_url(path)) as answer:
            assert answer.status == 200, path
            assert answer.headers["Cache-Control"].startswith("private, ")
            known[path] = answer.headers["ETag"]
    return known


async def exported(database: Database, folder: Path) -> dict[str, str]:
    """Return what an export holds."""
    async with database.sessions() as session:
        write_package(await load_everything(session, include_private=False), folder, ())
    return {str(path): path.read_text() for path in folder.iterdir()}  # noqa: ASYNC240


async def test_a_private_repository_is_seen_nowhere(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logs(json_lines=True)
    async with running_bot(database, status_token=SecretStr(TOKEN)) as bot:
        prepare(bot)
        bot.sandbox.comment(REPOSITORY, 7, "triage-person", "/rootcause memory-leak")
        await bot.settle()
        await fail_and_go_on(bot, ALWAYS, 4)
        assert await publish(bot.services, bot.sandbox.repository(ALWAYS.full_name).id, PERIOD) is not None
        await let_a_job_fail(bot, ALWAYS)
        known = await remembered(bot, LATER)
        logs_before = capsys.readouterr().err
        bot.sandbox.privatize(LATER.full_name)
        await bot.settle()
        await fail_and_go_on(bot, LATER, 4)
        seen = await publish_all(bot, REPOSITORY, LATER.full_name)
        for place in (ALWAYS, LATER):
            seen |= await crawl(bot, place, known)
            async with database.sessions() as session:
                stored = await session.get_one(Repository, bot.sandbox.repository(place.full_name).id)
                assert (stored.private, stored.share, stored.paradigm) == (True, "named", "traditional")
        seen |= await exported(database, tmp_path / "package")
        decided = {one.repository_id for one in await bot.records() if one.category}
        assert len(decided) == 3
    seen["logs"] = capsys.readouterr().err
    for text in (seen["logs"], logs_before):
        assert "private-repository-" in text, "it was logged about, by its number"
        assert "github.retry" in text
    assert re.search(r"Job refresh_inbox\[\d+\]\(repository_id=\d+\) ended with status: Error, ", logs_before)
    assert REPOSITORY in seen[REPOSITORY]
    assert len(seen) > 60
    assert ALWAYS.found_in({**seen, "before": logs_before}) == {}
    assert LATER.found_in(seen) == {}
    WATCH.see(*seen.values())  # no answer holds a secret either
