"""One file of a repository, whatever stands in its place."""

from __future__ import annotations

from typing import Any

import pytest

from bot.github.contents import File, Missing, read_file
from bot.github.errors import Forbidden, Transient
from tests.support.scripted_github import Answer, Stage

PATH = "/repos/o/r/contents/.github/rootcause.yml"
A_FILE = {"type": "file", "encoding": "base64", "size": 12, "sha": "a1", "content": "bW9kZTogYWN0\naXZl\n"}


async def read(stage: Stage, answer: Answer) -> File | Missing | None:
    stage.github.on("GET", PATH, answer)
    return await read_file(stage.client(), "o/r", ".github/rootcause.yml", None)


async def test_a_file_is_read_and_so_is_a_link_to_one(stage: Stage) -> None:
    """GitHub follows a link to a file of the same repository by itself."""
    assert await read(stage, Answer(200, A_FILE)) == File(b"mode: active", 12, "a1", None)


@pytest.mark.parametrize(
    "answer",
    [
        [{"type": "file", "name": "a.yml"}],
        [],
        {"type": "symlink", "target": "/etc/passwd", "size": 11, "sha": "a1"},
        {"type": "submodule", "size": 0, "sha": "a1"},
    ],
    ids=["folder", "empty folder", "link to nowhere", "module"],
)
async def test_what_is_no_file_has_no_content(stage: Stage, answer: Any) -> None:
    found = await read(stage, Answer(200, answer))
    assert isinstance(found, File)
    assert found.content is None


async def test_of_a_large_file_only_the_size_is_told(stage: Stage) -> None:
    large = A_FILE | {"size": 1_500_000, "content": "", "encoding": "none"}
    assert await read(stage, Answer(200, large)) == File(b"", 1_500_000, "a1", None)


@pytest.mark.parametrize("message", ["Not Found", "This repository is empty."])
async def test_where_there_is_no_file_no_branch_and_no_repository_nothing_is_found(stage: Stage, message: str) -> None:
    assert await read(stage, Answer(404, {"message": message})) == Missing()


async def test_what_github_refuses_is_not_taken_for_a_file_that_is_gone(stage: Stage) -> None:
    with pytest.raises(Forbidden):
        await read(stage, Answer(403, {"message": "Resource not accessible by integration"}))
    with pytest.raises(Transient):
        await read(stage, Answer(200, A_FILE | {"content": None}))
