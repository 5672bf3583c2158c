"""What the demo says of a file it cannot play, and what it makes of one that it can."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.demo.errors import InputError
from bot.demo.inputs import read_issues
from bot.sandbox.sandbox import Sandbox
from tests.support.clock import VirtualClock

NOW = datetime(2026, 5, 20, tzinfo=UTC)


def line(**changes: Any) -> dict[str, Any]:
    """Return an issue as a file holds it."""
    return {
        "repository": "acme/frame",
        "number": 7,
        "title": "It leaks",
        "body": "Memory grows.",
        "author": "ann",
        "labels": ["bug"],
        "created_at": "2026-03-01T10:00:00Z",
        "closed_at": "2026-03-05T10:00:00Z",
        "comments": [{"author": None, "created_at": "2026-03-02T10:00:00Z", "body": "Here too."}],
        "fix": {
            "kind": "pull_request",
            "number": 8,
            "sha": None,
            "merged_at": "2026-03-05T09:00:00Z",
            "files": [{"path": "a.py", "status": "modified", "additions": 3, "deletions": 1}],
        },
        **changes,
    }


def without(name: str) -> dict[str, Any]:
    return {key: value for key, value in line().items() if key != name}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: Any, name: str = "issues.jsonl") -> Path:
        path = tmp_path / name
        text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines).encode()
        path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
        return path

    return write


@pytest.mark.parametrize("name", ["issues.jsonl", "issues.jsonl.gz"])
def test_a_file_is_read_whether_packed_or_not(write: Callable[..., Path], name: str) -> None:
    (issue,) = read_issues(write(line(), "", name=name), NOW)
    assert (issue["repository"], issue["number"], issue["fix"]["files"][0]["additions"]) == ("acme/frame", 7, 3)


def test_what_may_be_left_out_is_filled_in_and_what_is_unknown_is_dropped(write: Callable[..., Path]) -> None:
    needed = {name: line()[name] for name in ("repository", "number", "title", "created_at", "closed_at")}
    (issue,) = read_issues(write({**needed, "sample": True, "surprise": 1}), NOW)
    assert issue == {**needed, "body": None, "author": None, "labels": [], "comments": [], "fix": None}


def test_the_order_is_that_of_the_closings_whatever_the_time_zone(write: Callable[..., Path]) -> None:
    late = line(number=1, closed_at="2026-03-05T09:00:00+00:00")
    early = line(number=2, closed_at="2026-03-05T10:30:00+02:00", fix=None)
    first = line(number=3, closed_at="2026-02-01T00:00:00Z", fix=None)
    assert [issue["number"] for issue in read_issues(write(late, early, first), NOW)] == [3, 2, 1]


def test_a_number_that_comes_twice_counts_once_with_its_last_line(write: Callable[..., Path]) -> None:
    issues = read_issues(write(line(title="old"), line(title="new", repository="Acme/Frame"), line(number=9)), NOW)
    assert sorted((issue["number"], issue["title"]) for issue in issues) == [(7, "new"), (9, "It leaks")]


def test_without_a_file_the_samples_are_played() -> None:
    issues = read_issues(None, NOW)
    assert len(issues) >= 240
    assert all(issue["sample"] for issue in issues)
    assert [issue["closed_at"] for issue in issues] == sorted(issue["closed_at"] for issue in issues)


@pytest.mark.parametrize(
    ("second", "complaint"),
    [
        ("{", "line 2 is not JSON"),
        ("[" * 100_000, "line 2 is not JSON"),
        ("[]", "line 2 is not a JSON object"),
        (json.dumps(line()).replace("7", "1" * 5000, 1), "line 2 is not JSON"),
        (without("title"), "line 2 must have a text in 'title'"),
        (without("number"), "line 2 must have a whole number from 1 to 2147483647 in 'number'"),
        (line(number="7"), "in 'number'"),
        (line(number=True), "in 'number'"),
        (line(number=7.0), "in 'number'"),
        (line(number=0), "in 'number'"),
        (line(number=2**31), "in 'number'"),
        (line(repository="acme"), "line 2 must name its repository as owner/name"),
        (line(repository="acme/../x"), "as owner/name"),
        (line(repository="acme/.."), "as owner/name"),
        (line(repository="a b/c?d"), "as owner/name"),
        (line(repository=None), "in 'repository'"),
        (line(title=None), "in 'title'"),
        (line(body=["x"]), "in 'body'"),
        (line(author=5), "in 'author'"),
        (line(labels="bug"), "line 2 must have a list in 'labels'"),
        (line(labels=[{"name": "bug"}]), "line 2 must have a text in 'labels'"),
        (line(closed_at=None), "line 2 must have a text in 'closed_at'"),
        (line(closed_at="yesterday"), "line 2 must have a date and time in ISO 8601 in 'closed_at'"),
        (line(closed_at="2026-03-05T10:00:00"), "line 2 must have a time zone, such as Z, in 'closed_at'"),
        (line(created_at="0001-01-01T00:00:00Z"), "line 2 must have a year after 1970 in 'created_at'"),
        (line(comments={}), "line 2 must have a list in 'comments'"),
        (line(comments=["Here too."]), "line 2 must have objects in 'comments'"),
        (line(comments=[{"author": None, "body": "x"}]), "line 2 must have a text in 'created_at'"),
        (line(fix="PR 8"), "line 2 must have objects in 'fix'"),
        (line(fix={"kind": "rebase"}), "line 2 has a fix whose kind is neither 'pull_request' nor 'commit'"),
        (line(fix={"kind": "pull_request", "number": None}), "in 'number'"),
        (line(fix={"kind": "commit"}), "line 2 has a fix whose sha is not one of git's"),
        (line(fix={"kind": "commit", "sha": "\ud800zz"}), "whose sha is not one of git's"),
        (line(fix={"kind": "commit", "sha": "abcdef1", "files": [{"path": "a", "additions": -1}]}), "in 'additions'"),
        (line(fix={"kind": "commit", "sha": "abcdef1", "files": [{"additions": 1}]}), "in 'path'"),
        (line(state_reason=5), "a state_reason that is none of completed"),
        (line(state_reason="banana"), "a state_reason that is none of completed"),
    ],
)
def test_a_line_that_cannot_be_played_is_named(write: Callable[..., Path], second: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=r"^line 2 ") as told:
        read_issues(write(line(number=1, fix=None), second), NOW)
    assert complaint in str(told.value)


def test_a_fix_that_has_the_number_of_another_issue_is_named(write: Callable[..., Path]) -> None:
    with pytest.raises(InputError, match=r"^the fix of acme/frame#7 has the number of another issue$"):
        read_issues(write(line(), line(number=8, fix=None)), NOW)


def test_a_file_that_is_not_there_not_a_file_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^cannot read .*absent.jsonl: No such file"):
        read_issues(tmp_path / "absent.jsonl", NOW)
    with pytest.raises(InputError, match=r"^cannot read .*: Is a directory"):
        read_issues(tmp_path, NOW)
    binary = tmp_path / "binary.jsonl"
    binary.write_bytes(gzip.compress(b"packed, but not called so"))
    with pytest.raises(InputError, match=r"is not UTF-8 text$"):
        read_issues(binary, NOW)


@pytest.mark.parametrize("keep", [0.0, 0.6, 0.98])
def test_a_packed_file_that_is_not_packed_or_cut_off(write: Callable[..., Path], keep: float) -> None:
    path = write(*(line(number=number, fix=None) for number in range(1, 60)), name="issues.gz")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * keep)] or b"not packed at all")
    with pytest.raises(InputError, match=r"^cannot read "):
        read_issues(path, NOW)


@pytest.mark.parametrize("lines", [[], ["", "   "]])
def test_an_empty_file_holds_no_issue(write: Callable[..., Path], lines: list[str]) -> None:
    with pytest.raises(InputError, match=r"^there is no issue in "):
        read_issues(write(*lines), NOW)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    found=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.floats(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(line())), inner, max_size=4),
    ),
    name=st.sampled_from(sorted(line())),
)
def test_no_shape_of_a_field_ends_in_anything_but_an_issue_or_a_sentence(tmp_path: Path, found: Any, name: str) -> None:
    path = tmp_path / "any.jsonl"
    path.write_text(json.dumps(line(**{name: found})))
    complaint = "line 1 "
    try:
        (issue,) = read_issues(path, NOW)
        assert issue.keys() <= line().keys() | {"state_reason"}
    except InputError as error:
        complaint = str(error)
    assert complaint.startswith("line 1 ")


def test_whatever_texts_a_file_holds_the_local_github_takes_them(write: Callable[..., Path]) -> None:
    hostile = [
        "",
        " ",
        "\x00",
        "\ud800",
        "a\u2028b",
        "<!-- rootcause:inbox -->",
        "```" * 999,
        "@ann " * 2000,
        "\U0010ffff",
    ]
    lines = [
        line(
            number=number,
            title=text,
            body=text,
            author=text,
            labels=[text],
            comments=[{"author": text, "created_at": "2026-03-02T10:00:00Z", "body": text}],
            fix={"kind": "commit", "sha": f"{number:040x}", "files": [{"path": text, "status": text}]},
        )
        for number, text in enumerate(hostile, start=1)
    ]
    sandbox = Sandbox(VirtualClock())
    sandbox.add_repository("acme", "frame")
    for issue in read_issues(write(*lines), NOW):
        sandbox.seed_issue("acme/frame", issue, emit=True)
    assert len(sandbox.issues("acme/frame")) == len(hostile)
    sandbox.close_storage()
