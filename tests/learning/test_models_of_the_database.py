"""Models in the database: one champion, back to the one before, five files kept, and poisoned files refused."""

from __future__ import annotations

import io
import os
import pickle
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from sqlmodel import select
from structlog.testing import capture_logs

from bot.learning.running import OWN_FILE, RunningModel
from bot.store.database import Database
from bot.store.models import (
    KEPT,
    ModelError,
    add_model,
    champion_version,
    list_models,
    model_file,
    promote,
    rollback,
    use_shipped,
)
from bot.store.tables import ModelVersion
from classifier import load_classifier
from classifier.loading import open_model
from tests.support.small_corpus import good_model

NOW = datetime(2026, 11, 30, tzinfo=UTC)


@cache
def good_version() -> str:
    return open_model(good_model()).version


def model(version: str, day: int, file: bytes | None = b"file", state: str = "candidate") -> ModelVersion:
    created = NOW + timedelta(days=day)
    return ModelVersion(version=version, state=state, created_at=created, training_hash=version, file=file)


async def states(database: Database) -> dict[str, str]:
    async with database.sessions() as session:
        return {one.version: one.state for one in await list_models(session)}


async def test_promotion_and_the_way_back_step_by_step(database: Database) -> None:
    async with database.sessions.begin() as session:
        for day, name in enumerate("abc"):
            await add_model(session, model(name, day))
        assert await promote(session, "a", NOW) is None
        assert await promote(session, "b", NOW + timedelta(days=1)) == "a"
        assert await promote(session, "c", NOW + timedelta(days=2)) == "b"
    assert await states(database) == {"a": "retired", "b": "retired", "c": "champion"}
    async with database.sessions.begin() as session:
        assert await rollback(session) == ("c", "b")
        assert await rollback(session) == ("b", "a"), "further back, not forward again"
        assert await rollback(session) == ("a", None)
        with pytest.raises(ModelError, match="nothing to go back from"):
            await rollback(session)
        with pytest.raises(ModelError, match="used already"):
            await use_shipped(session)
    assert set((await states(database)).values()) == {"retired"}


async def test_what_cannot_be_promoted_is_said_in_words(database: Database) -> None:
    async with database.sessions.begin() as session:
        await add_model(session, model("a", 0))
        await add_model(session, model("b", 1, file=None))
        with pytest.raises(ModelError, match="no model z"):
            await promote(session, "z", NOW)
        with pytest.raises(ModelError, match="is not kept"):
            await promote(session, "b", NOW)
        await promote(session, "a", NOW)
        with pytest.raises(ModelError, match="champion already"):
            await promote(session, "a", NOW)


async def test_five_files_are_kept_and_the_champions(database: Database) -> None:
    async with database.sessions.begin() as session:
        await add_model(session, model("first", 0))
        await promote(session, "first", NOW)
        for day in range(1, 8):
            await add_model(session, model(f"m{day}", day))
        kept = {one.version for one in await list_models(session) if one.file_bytes is not None}
        assert kept == {"first"} | {f"m{day}" for day in range(8 - KEPT, 8)}
        assert len(await list_models(session)) == 8, "the proposals of old models still have a name to point at"
        with pytest.raises(ModelError, match="is not kept"):
            await model_file(session, "m1")


async def test_a_replica_follows_the_champion_without_a_restart(database: Database, tmp_path: Path) -> None:
    running = RunningModel(database, tmp_path)
    assert await running.look() is load_classifier()
    async with database.sessions.begin() as session:
        await add_model(session, model(good_version(), 0, good_model()))
    assert (await running.look()).version == load_classifier().version, "a candidate is not used"
    async with database.sessions.begin() as session:
        await promote(session, good_version(), NOW)
    with capture_logs() as logs:
        assert (await running.look()).version == good_version()
    assert [(one["event"], one["model"]) for one in logs] == [("another model predicts from now on", good_version())]
    async with database.sessions.begin() as session:
        await rollback(session)
    assert (await running.look()).version == load_classifier().version


def changed(change: Callable[[dict[str, bytes]], None]) -> bytes:
    """Return the good file with its members changed."""
    with zipfile.ZipFile(io.BytesIO(good_model())) as members:
        parts = {name: members.read(name) for name in members.namelist()}
    change(parts)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as members:
        for name, content in parts.items():
            members.writestr(name, content)
    return packed.getvalue()


class Runs:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return os.mkdir, (str(self.folder),)


def pickled(folder: Path) -> bytes:
    """Return a model file of which an array is a pickle that runs code."""
    array = io.BytesIO()
    np.save(array, np.array([Runs(folder)], dtype=object), allow_pickle=True)
    return changed(lambda parts: parts.update({"rarity.npy": array.getvalue()}))


def wrong_shape(parts: dict[str, bytes]) -> None:
    array = io.BytesIO()
    np.save(array, np.zeros((2, 2), dtype=np.float32))
    parts["category_coefficients.npy"] = array.getvalue()


def from_the_future(parts: dict[str, bytes]) -> None:
    parts["model.json"] = parts["model.json"].replace(b'"schema": ', b'"schema": 9')


@pytest.mark.parametrize("kind", ["pickle", "array", "bare pickle", "shape", "future", "cut", "empty", "another's"])
async def test_a_poisoned_file_is_refused_and_the_running_model_stays(
    kind: str, database: Database, tmp_path: Path
) -> None:
    folder = tmp_path / "made by a pickle"
    poisoned = {
        "pickle": pickled(folder),
        "array": changed(lambda parts: parts.update({"more.npy": b"no array"})),
        "bare pickle": pickle.dumps(Runs(folder)),
        "shape": changed(wrong_shape),
        "future": changed(from_the_future),
        "cut": good_model()[:-40],
        "empty": b"",
        "another's": good_model(),
    }[kind]
    running = RunningModel(database, tmp_path)
    before = await running.look()
    async with database.sessions.begin() as session:
        await add_model(session, model("poisoned", 0, poisoned))
        await promote(session, "poisoned", NOW)
    with capture_logs() as logs:
        assert await running.look() is before
        assert await running.look() is before
    (said,) = logs
    assert (said["log_level"], said["file"], said["running"]) == ("error", "poisoned", before.version), "said once"
    assert len(said["reason"]) > 20

    if kind != "another's":
        (tmp_path / OWN_FILE).write_bytes(poisoned)
        with capture_logs() as logs:
            assert await running.look() is before
            assert await running.look() is before
        (said,) = logs
        assert (said["log_level"], said["file"]) == ("error", OWN_FILE)
    assert not folder.exists()


async def test_a_file_in_the_data_folder_stands_in_for_the_shipped_model(database: Database, tmp_path: Path) -> None:
    (tmp_path / OWN_FILE).write_bytes(good_model())
    running = RunningModel(database, tmp_path)
    own = await running.look()
    assert own.version == good_version()
    (tmp_path / OWN_FILE).write_bytes(b"poison")
    assert await running.look() is own, "what ran goes on"
    (tmp_path / OWN_FILE).unlink()
    assert (await running.look()).version == load_classifier().version


async def test_the_database_allows_one_champion(database: Database) -> None:
    async with database.sessions() as session:
        session.add(model("a", 0, state="champion"))
        await session.flush()
        assert await champion_version(session) == "a"
        assert (await session.execute(select(ModelVersion.state))).scalars().all() == ["champion"]
