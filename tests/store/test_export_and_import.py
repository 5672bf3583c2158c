"""The replication package: out of a database, into another, and the same report from all three."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli import app
from bot.store.database import Database, normalise_url, open_database
from bot.store.imported import save_imported
from bot.store.tables import Record, Repository
from reports import Rows, read_records
from reports.package_files import write_package
from tests.benchmarks.report_speed import full_rows
from tests.store.test_rows import OTHER_PRIVATE, PRIVATE, PUBLIC, fill

PERIOD = "2026-11"


def run(url: str, *words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(words), env={"DATABASE_URL": url})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with rows in every file, one repository private, and a field that a newer version may write."""
    rows = full_rows(4, 12)
    repositories = tuple(replace(one, private=one.repository_id == 4) for one in rows.repositories)
    records = tuple(replace(one, unknown=(("mood", ["calm"]),)) for one in rows.records)
    write_package(replace(rows, repositories=repositories, records=records), tmp_path / "package", ["v1"])
    return tmp_path / "package"


def test_a_package_is_read_back_as_it_was_written(package: Path) -> None:
    rows = read_records(package)
    again = package.parent / "again"
    write_package(rows, again, ["v1"])
    for path in package.iterdir():
        assert (again / path.name).read_bytes() == path.read_bytes()
    assert rows.records[0].unknown == (("mood", ["calm"]),)
    manifest = json.loads((package / "package.json").read_text())
    assert (manifest["schema_version"], manifest["models"]) == (1, ["v1"])
    assert manifest["counts"]["records.jsonl"] == 48
    readme = (package / "README.md").read_text()
    assert "`open_days`" in readme
    assert "48 rows" in readme


def test_the_report_from_files_and_from_the_database_is_the_same_bytes(
    package: Path, tmp_path: Path, database_url: str
) -> None:
    assert run(database_url, "import", str(package))[0] == 0
    for name, repository in (("all", []), ("one", ["--repository", "Made-up/framework4"])):
        asked = ["report", "build", "--period", PERIOD, *repository, "--out"]
        assert run(database_url, *asked, str(tmp_path / name / "files"), "--records", str(package))[0] == 0
        assert run(database_url, *asked, str(tmp_path / name / "database"))[0] == 0
        for made in ("report.md", "report.json"):
            from_files, from_database = (tmp_path / name / where / made for where in ("files", "database"))
            assert from_files.read_bytes() == from_database.read_bytes()


def test_importing_twice_and_exporting_again_gives_the_same_package(
    package: Path, tmp_path: Path, database_url: str
) -> None:
    for _ in range(2):
        code, _, err = run(database_url, "import", str(package))
        assert code == 0
        assert "48 records" in err
    out = tmp_path / "out"
    assert run(database_url, "export", "--out", str(out), "--include-private")[0] == 0
    for name in ("repositories.jsonl", "records.jsonl", "participants.jsonl", "decisions.jsonl"):
        assert (out / name).read_bytes() == (package / name).read_bytes()


def test_private_repositories_stay_out_of_an_export(database_url: str, tmp_path: Path) -> None:
    async def prepare() -> None:
        async with open_database(normalise_url(database_url)) as opened:
            await fill(opened)

    asyncio.run(prepare())
    assert run(database_url, "export", "--out", str(tmp_path / "public"))[0] == 0
    rows = read_records(tmp_path / "public")
    assert {one.repository_id for one in rows.repositories} == {PUBLIC}
    assert {one.issue_id for one in rows.records} == {11, 12, 13, 14}
    for path in (tmp_path / "public").iterdir():
        text = path.read_text()
        assert "private" not in text.replace("`private`", "").replace('"private": false', "") or path.suffix == ".md"
        assert "ann" not in text.split()
        assert "secret title" not in text
    assert run(database_url, "export", "--out", str(tmp_path / "all"), "--include-private")[0] == 0
    everything = read_records(tmp_path / "all")
    assert {one.repository_id for one in everything.repositories} == {PUBLIC, PRIVATE, OTHER_PRIVATE}


def rewrite(folder: Path, name: str, **changes: object) -> None:
    """Change the first row of a file, and the manifest so that the file is as it says."""
    first, *others = (folder / name).read_text().splitlines()
    (folder / name).write_text("\n".join([json.dumps({**json.loads(first), **changes}), *others]))
    manifest = json.loads((folder / "package.json").read_text())
    manifest["sha256"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / "package.json").write_text(json.dumps(manifest))


async def test_an_old_package_brings_back_nothing_that_was_kept_out_since(database: Database) -> None:
    from bot.store.rows import load_everything

    await fill(database)
    async with database.sessions.begin() as session:
        await save_imported(session, await load_everything(session, include_private=False))
        reopened = await session.get_one(Record, 12)
        reopened.is_open = True
        assert {one.issue_id for one in (await load_everything(session, include_private=False)).records} == {11, 13, 14}
        (await session.get_one(Repository, PUBLIC)).private = True
        hidden = await load_everything(session, include_private=False)
    assert (hidden.repositories, hidden.records, hidden.participants, hidden.decisions) == ((), (), (), ())


async def test_what_was_recorded_here_counts_before_what_was_imported(database: Database) -> None:
    from bot.store.rows import load_everything

    await fill(database)
    async with database.sessions.begin() as session:
        live = await load_everything(session, include_private=False)
        changed = tuple(replace(one, open_days=99.0) for one in live.records)
        named = tuple(replace(one, repository="other/name") for one in live.repositories)
        await save_imported(
            session, Rows(repositories=named, records=(*changed, replace(changed[0], issue_id=77, number=77)))
        )
        both = await load_everything(session, include_private=False)
    assert [one.repository for one in both.repositories] == ["acme/public"]
    assert {one.issue_id: one.open_days for one in both.records} == {11: 2.5, 12: 2.5, 13: 2.5, 14: 2.5, 77: 99.0}


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda folder: (folder / "package.json").unlink(), "is not there: give a folder that rootcause export wrote"),
        (lambda folder: (folder / "package.json").write_text("[]"), "is not a package's manifest"),
        (lambda folder: (folder / "records.jsonl").write_text(""), "is not as it was exported"),
        (lambda folder: (folder / "decisions.jsonl").unlink(), "decisions.jsonl cannot be read"),
        (
            lambda folder: (folder / "package.json").write_text('{"schema_version": 99, "sha256": {}}'),
            "has the schema version 99, and this version reads 1: update Rootcause",
        ),
        (
            lambda folder: (folder / "package.json").write_text('{"schema_version": 1, "sha256": {"../x": "1"}}'),
            "which is not in the package",
        ),
        (
            lambda folder: (folder / "package.json").write_text('{"schema_version": 1, "sha256": {"a\\u0000": "1"}}'),
            "which is not in the package",
        ),
        (lambda folder: (folder / "package.json").write_text("[" * 100_000), "is not a package's manifest"),
        (lambda folder: rewrite(folder, "records.jsonl", mood="a\0b"), "The record of repository_id 1"),
        (lambda folder: rewrite(folder, "records.jsonl", mood=float("nan")), "cannot be stored"),
        (lambda folder: rewrite(folder, "records.jsonl", mood=json.loads("[" * 60 + "]" * 60)), "cannot be stored"),
        (lambda folder: rewrite(folder, "records.jsonl", none_kind="\ud800"), "cannot be stored"),
        (lambda folder: rewrite(folder, "participants.jsonl", person="x" * 5_000), "cannot be stored"),
    ],
)
def test_a_damaged_package_is_refused_with_a_sentence(
    package: Path, database_url: str, spoil: object, says: str
) -> None:
    spoil(package)  # type: ignore[operator]
    code, _, err = run(database_url, "import", str(package))
    assert code == 2
    assert says in err


def test_a_preview_is_the_report_of_a_recorded_repository(database_url: str) -> None:
    async def prepare() -> None:
        async with open_database(normalise_url(database_url)) as opened, opened.sessions.begin() as session:
            rows = full_rows(2, 5)
            one = rows.records[0]
            assert one.closed_at is not None
            at, known = one.closed_at, ["Somebody should know this."]
            session.add(Repository(id=9, full_name="acme/frame", notes=known, created_at=at, updated_at=at))

    asyncio.run(prepare())
    code, out, _ = run(database_url, "report", "preview", "--period", PERIOD, "--repository", "Acme/Frame")
    assert code == 0
    assert out.startswith("**") or "#" in out
    assert "Somebody should know this." in out
    code, _, err = run(database_url, "report", "preview", "--period", PERIOD, "--repository", "no/body")
    assert code == 2
    assert "No repository 'no/body' is recorded" in err
