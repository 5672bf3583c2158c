"""Facts about fixes from git histories: read into records, and shown per repository."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.cli import app
from bot.decisions.errors import StudyError
from bot.study.fix_facts import read_fix_facts
from reports import read_records
from tests.support.promised import kept_promise


def fact(number: int = 7, *paths: str, **changes: Any) -> dict[str, Any]:
    files = [{"path": path, "additions": 3, "deletions": 1} for path in paths]
    made: dict[str, Any] = {
        "repository": "pytorch/pytorch",
        "paradigm": "ml",
        "number": number,
        "created_at": "2020-03-01T00:00:00Z",
        "created_at_estimated": True,
        "closed_at": "2020-03-03T12:00:00+00:00",
        "fix": {"kind": "commit", "number": None, "sha": "0a1b2c3", "files": files},
    }
    return {**made, **changes}


def written(folder: Path, *lines: object, name: str = "facts.jsonl") -> Path:
    path = folder / name
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.mark.parametrize("name", ["facts.jsonl", "facts.jsonl.gz"])
def test_a_fact_becomes_a_record(tmp_path: Path, name: str) -> None:
    line = fact(7, "src/a.cc", "a.py", "test/b.go", "README.md")

    rows = read_fix_facts(written(tmp_path, line, "", name=name))

    (repository,), (record,) = rows.repositories, rows.records
    assert (repository.repository_id, repository.paradigm, repository.domain) == (65_600_975, "ml", "Machine Learning")
    assert repository.in_comparison
    assert (record.repository_id, record.number, record.repository) == (65_600_975, 7, "pytorch/pytorch")
    assert (record.open_days, record.changed_lines, record.changed_files) == (2.5, 16, 4)
    assert (record.created_at_estimated, record.fix_kind, record.fix_link) == (True, "commit", "commit_keyword")
    assert (record.eligible_bug, record.eligible_system, record.selection) == (True, False, "imported")
    assert record.languages == ("C/C++", "Python")
    assert record.languages_with_tests == ("C/C++", "Go", "Python")
    assert (record.mpl, record.mpl_with_tests) == (True, True)
    assert (record.change_entropy, record.change_entropy_with_tests) == pytest.approx((1, 1))
    assert (record.issue_comments, record.members, record.first_close_days, record.category) == (None,) * 4
    assert (rows.participants, rows.decisions) == (None, None)


def test_what_facts_do_not_say_is_not_known(tmp_path: Path) -> None:
    only_words = fact(7, "README.md")
    odd = fact(8, "a.py", repository="acme/frame", closed_at="2020-02-01T00:00:00", created_at_estimated=False)

    words, back_in_time = read_fix_facts(written(tmp_path, only_words, odd)).records

    assert (words.mpl, words.mpl_with_tests, words.change_entropy, words.languages) == (None, None, None, ())
    assert (back_in_time.open_days, back_in_time.created_at_estimated) == (None, False)
    assert back_in_time.mpl is False


def test_made_ids_are_the_same_each_time_and_differ(tmp_path: Path) -> None:
    path = written(tmp_path, *(fact(number, "a.py", repository="acme/frame") for number in range(1, 50)))

    first, again = read_fix_facts(path).records, read_fix_facts(path).records

    assert first == again
    assert len({record.issue_id for record in first}) == len(first)
    assert {record.repository_id for record in first} == {first[0].repository_id}
    assert 2**52 <= first[0].repository_id < 2**53


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "line 2: this is no JSON."),
        ("[]", "line 2: this is no JSON object."),
        ("[" * 100_000, "line 2: this is no JSON."),
        (fact(6, "a.py"), "line 2: pytorch/pytorch#6 is there twice."),
        (fact(7, repository=None), "line 2: 'repository' must be a text."),
        (fact(7, paradigm="deep"), "line 2: 'paradigm' must be one of ml, traditional."),
        (fact(-7), "line 2: 'number' must be a whole number, not negative."),
        (fact(7, closed_at="soon"), "line 2: 'closed_at' must be a time in ISO 8601."),
        (fact(7, fix=None), "line 2: 'fix' must be an object."),
        (fact(7, fix={"kind": "commit", "files": "a.py"}), "line 2: 'files' must be a list of objects."),
        (
            fact(7, fix={"kind": "commit", "files": [{"path": "a.py", "additions": 1.5, "deletions": 0}]}),
            "line 2: 'additions' must be a whole number, not negative.",
        ),
        (fact(7, fix={"kind": "magic", "files": []}), "line 2: 'kind' must be one of pull_request, commit."),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: object, sentence: str) -> None:
    with pytest.raises(StudyError) as error:
        read_fix_facts(written(tmp_path, fact(6, "a.py"), line))

    assert str(error.value).endswith(sentence)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "broken.gz").write_bytes(b"no gzip")
    (tmp_path / "latin").write_bytes(b"\xe9\n")
    written(tmp_path, name="empty")

    for name, words in (
        ("absent", "Cannot read"),
        ("broken.gz", "Cannot read"),
        ("latin", "UTF-8"),
        ("empty", "no facts"),
    ):
        with pytest.raises(StudyError, match=words):
            read_fix_facts(tmp_path / name)


def test_the_command_shows_each_repository_and_both_paradigms(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        fact(1, "a.cc", "a.py"),
        fact(2, "a.cc", "tests/a.py", closed_at="2020-03-05T00:00:00Z"),
        fact(3, "a.py"),
        fact(4, "README.md"),
        fact(1, "a.go", repository="etcd-io/etcd", paradigm="traditional"),
    )

    shown = CliRunner().invoke(app, ["study", "facts", str(path), "--package", str(tmp_path / "package")])
    as_json = CliRunner().invoke(app, ["study", "facts", str(path), "--json"])

    assert shown.exit_code == as_json.exit_code == 0
    heading, pytorch, etcd, ml, traditional = shown.stdout.splitlines()
    told = [" ".join(line.split()) for line in (heading, pytorch, etcd)]
    assert told == [
        "repository fixes MPL without tests days lines files combinations",
        "pytorch/pytorch 4 66.7 % (2/3) 33.3 % (1/3) 2.5 6 1.5 C/C++ + Python 2",
        "etcd-io/etcd 1 0.0 % (0/1) 0.0 % (0/1) 2.5 4 1 -",
    ]
    assert (ml.split()[:2], traditional.split()[:2]) == (["all", "ml"], ["all", "traditional"])
    first, *_ = (kept_promise(["study", "facts"], line) for line in as_json.stdout.splitlines(keepends=True))
    assert first["with_tests"] == {"multi_language": 2, "of": 3, "percent": pytest.approx(66.6667, abs=1e-3)}
    assert first["combinations"] == {"C/C++ + Python": 2}
    assert first["medians"] == {"open_days": 2.5, "changed_lines": 6.0, "changed_files": 1.5}
    packed, facts = read_records(tmp_path / "package"), read_fix_facts(path)
    assert set(packed.records) == set(facts.records)
    assert set(packed.repositories) == set(facts.repositories)


def test_the_command_says_what_is_wrong_in_a_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["study", "facts", str(tmp_path / "absent.jsonl")])

    assert result.exit_code == 2
    assert "No such file" in result.stderr


def test_a_repositorys_name_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    path = written(tmp_path, fact(repository="a/\x1b[31mred\ud800"))
    result = CliRunner().invoke(app, ["study", "facts", str(path)], color=True)
    assert result.exit_code == 0
    assert "a/\\x1b[31mred\\ud800" in result.stdout
