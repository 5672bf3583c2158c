"""The state survives its process, a kill -9 included, and recorded issues keep their dates."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.seeding import clean
from tests.sandbox.support import small_github
from tests.support.clock import VirtualClock

RECORD: dict[str, Any] = {
    "repository": "acme/frame", "number": 41, "title": "It leaks", "body": None, "author": None,
    "labels": ["bug", "bug"],
    "created_at": "2014-04-21T08:16:29Z", "closed_at": "2014-05-14T20:02:43Z",
    "comments": [
        {"author": None, "created_at": "2014-04-22T00:00:00Z", "body": "Lone \ud800 surrogate"},
        {"author": "ada", "created_at": "2014-05-15T00:03:01Z", "body": "Fixed."},
    ],
    "fix": {
        "kind": "pull_request", "number": 52, "sha": None, "merged_at": "2014-05-14 12:28:55-07:00",
        "files": [{"path": "src/io.cpp", "status": "changed", "additions": 3, "deletions": 1}],
    },
}  # fmt: skip

VICTIM = """
import sys, time
from pathlib import Path
from bot.clock import SystemClock
from tests.sandbox.support import small_github
github = small_github(SystemClock(), Path(sys.argv[1]))
github.open_issue("acme/frame", "stranger", "It leaks", "Badly.", ("bug",))
for number in range(100):
    comment = github.comment("acme/frame", 1, "tess", str(number))
github.react("acme/frame", 1, "walt", "eyes", comment.id)
github.delete_comment(comment.id, "tess")
print("written", flush=True)
time.sleep(60)
"""


def test_what_was_done_survives_a_kill(tmp_path: Path, clock: VirtualClock) -> None:
    path = tmp_path / "a folder" / "github.sqlite"
    victim = subprocess.Popen([sys.executable, "-c", VICTIM, str(path)], stdout=subprocess.PIPE, text=True)
    assert victim.stdout is not None
    assert victim.stdout.readline() == "written\n"
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    victim.stdout.close()
    github = small_github(clock, path)
    assert [comment.body for comment in github.comments("acme/frame", 1)] == [str(number) for number in range(99)]
    assert github.labels("acme/frame", 1) == ["bug"]
    assert [row.event for row in github.deliveries][:2] == ["installation", "issues"]
    assert len(github.courier.pending()) == len(github.deliveries)
    first = github.deliveries[-1].id
    github.comment("acme/frame", 1, "tess", "after")
    assert github.deliveries[-1].id > first
    assert len({comment.id for comment in github.comments("acme/frame", 1)}) == 100
    github.close_storage()


def test_the_key_and_the_ids_stay(tmp_path: Path, clock: VirtualClock) -> None:
    path = tmp_path / "github.sqlite"
    first = small_github(clock, path)
    kept = (first.private_key, first.app.bot_id, first.repository("acme/frame").id, first.installation("acme").id)
    first.close_storage()
    again = small_github(clock, path)
    assert (
        again.private_key, again.app.bot_id, again.repository("acme/frame").id, again.installation("acme").id,
    ) == kept  # fmt: skip
    assert len(again.deliveries) == 1, "a second set-up does nothing again"
    again.close_storage()


def test_a_recorded_issue_keeps_its_dates_and_gets_its_fix(tmp_path: Path, clock: VirtualClock) -> None:
    github = small_github(clock, tmp_path / "github.sqlite")
    before = len(github.deliveries)
    issue = github.seed_issue("acme/frame", RECORD, closed_by="ada", emit=True)
    assert github.seed_issue("acme/frame", RECORD, emit=True) is issue
    (delivery,) = github.deliveries[before:]
    payload = json.loads(delivery.payload)["issue"]
    assert (payload["created_at"], payload["closed_at"]) == ("2014-04-21T08:16:29Z", "2014-05-14T20:02:43Z")
    assert (payload["number"], payload["comments"], payload["body"]) == (41, 2, "")
    first, second = github.comments("acme/frame", 41)
    assert (first.author_id, first.body) == (issue.author_id, "Lone ? surrogate")
    assert second.author_id == github.account("ada").id
    fix = github.pull_request("acme/frame", 52)
    assert (fix.additions, fix.deletions, fix.changed_files, fix.closes) == (3, 1, 1, [issue.id])
    assert fix.merged_at is not None
    assert fix.merged_at.isoformat() == "2014-05-14T19:28:55+00:00"
    assert github.fix_of("acme/frame", 41) is fix
    assert github.open_issue("acme/frame", "tess", "next").number == 53
    github.close_storage()


def test_a_recorded_issue_may_stay_open_until_its_fix_lands(clock: VirtualClock) -> None:
    github = small_github(clock)
    commit_fix = {**RECORD["fix"], "kind": "commit", "number": None, "sha": "c" * 40}
    github.seed_issue("acme/frame", {**RECORD, "fix": commit_fix}, close=False)
    assert github.issue("acme/frame", 41).closed_at is None
    github.close("acme/frame", 41, "ada", closer=github.fix_of("acme/frame", 41))
    (event,) = [row for row in github.world.events_on[github.repository("acme/frame").id, 41] if row.kind == "closed"]
    assert event.closer_commit_id is not None
    assert github.world.commits[event.closer_commit_id].sha == "c" * 40
    github.close_storage()


def test_a_number_is_given_once(clock: VirtualClock) -> None:
    github = small_github(clock)
    github.seed_issue("acme/frame", RECORD)
    with pytest.raises(ValueError, match="already has a number 52"):
        github.seed_issue("acme/frame", {**RECORD, "number": 52})
    with pytest.raises(ValueError, match="has no time zone"):
        github.seed_issue("acme/frame", {**RECORD, "number": 60, "created_at": "2014-04-21T08:16:29"})
    with pytest.raises(TypeError, match="A repository has no colour"):
        github.add_repository("acme", "another", colour="red")
    github.close_storage()


def test_clean_keeps_what_github_can_hold() -> None:
    assert clean("a\x00\U0001f41b\udfff") == "a\x00\U0001f41b?"
