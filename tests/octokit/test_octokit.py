"""Judges of another house: what the App asks and what the sandbox says, by the packages that describe GitHub."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.app import Api
from bot.store.database import Database
from tests.octokit.living import live
from tests.octokit.recording import Recording, queries_of_the_app, recording
from tests.octokit.spoiling import EXPECTED, spoiled
from tests.octokit.visiting import visit

HERE = Path(__file__).parent
INSTALLED = HERE / "node_modules" / "@octokit" / "openapi"


def unvisited(heard: Recording) -> set[tuple[str, str]]:
    """Return the endpoints of the sandbox, as its own router knows them, that never gave a good answer."""
    sandbox = heard.sandboxes[0]
    resources = Api(sandbox.services, sandbox.faults).application().router.resources()
    routes = {(route.method, resource.canonical) for resource in resources for route in resource}
    return {one for one in routes - heard.answered if one[0] != "HEAD" and not one[1].startswith("/repositories/")}


@pytest.fixture
async def heard(database: Database) -> Recording:
    """Everything that was said during a visit to the sandbox and a life of the App in it."""
    with recording() as listening:
        await visit()
        await live(database, listening)
    return listening


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not at hand")
@pytest.mark.skipif(
    not INSTALLED.exists(), reason="run `npm install` in tests/octokit to get the packages that describe GitHub"
)
def test_the_app_asks_and_the_sandbox_answers_as_github_describes(heard: Recording, tmp_path: Path) -> None:
    assert unvisited(heard) == set()
    assert {name for name, text in queries_of_the_app().items() if text not in heard.texts_sent()} == set()
    judged = judge(heard.content(), tmp_path)
    print(judged.stdout)  # noqa: T201 - what was checked is worth reading where nothing is wrong, too
    assert judged.returncode == 0, judged.stdout + judged.stderr
    judged = judge(spoiled(heard.content()), tmp_path)
    assert judged.returncode == 1
    assert [line for line in EXPECTED if line not in judged.stdout] == []


def judge(content: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    """Let the packages judge a recording."""
    recording_file = folder / "recording.json"
    recording_file.write_text(json.dumps(content))
    command = ["node", str(HERE / "check.mjs"), str(recording_file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
