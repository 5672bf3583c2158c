"""`rootcause study sample-size`, `sample` and `match`, entered where researchers do."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select
from typer.testing import CliRunner

from bot.cli import app
from bot.github.popularity import Popularity, read_popularity
from bot.store.tables import Repository, StudyIssue
from tests.study.conftest import Study, repository
from tests.support.scripted_github import Answer, open_stage


@pytest.mark.parametrize(
    ("population", "margin", "printed"),
    [("1000", "0.1", "87.62"), ("1000", ".05", "277.54"), ("10000", ".05", "369.95"), ("1e9", ".05", "384.16")],
)
def test_sample_size_prints_two_decimals_and_the_ceiling(population: str, margin: str, printed: str) -> None:
    result = CliRunner().invoke(app, ["study", "sample-size", "--population", population, "--margin", margin])
    assert result.exit_code == 0
    assert result.stdout == f"{printed}, rounded up {int(float(printed)) + 1}\n"


def test_sample_size_says_that_121_cannot_be_and_refuses_in_words() -> None:
    helped = CliRunner().invoke(app, ["study", "sample-size", "--help"], env={"COLUMNS": "200"})
    assert "no population gives the 121" in " ".join(helped.stdout.split())
    refused = CliRunner().invoke(app, ["study", "sample-size", "--population", "10", "--margin", "5"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == "The margin of error lies between 0 and 1, such as 0.05 for 5 %.\n"


async def _list(session: AsyncSession) -> list[tuple[int, float, int]]:
    rows = (await session.execute(select(StudyIssue).order_by(col(StudyIssue.issue_id)))).scalars()
    return [(row.issue_id, row.probability, row.seed) for row in rows]


def test_a_sample_is_shared_out_listed_and_the_same_again(study: Study, tmp_path: Path) -> None:
    out = tmp_path / "sample.csv"
    first = study("sample", "--size", "6", "--seed", "4", "--out", str(out))
    assert (first.code, first.err) == (0, "")
    written = out.read_bytes()
    lines = [line.split() for line in first.out.splitlines()]
    assert ["acme/frame", "6", "4", "66.7%"] in lines
    assert ["Acme/UI", "3", "2", "66.7%"] in lines
    assert ["total", "9", "6", "66.7%"] in lines
    rows = list(csv.DictReader(written.decode().splitlines()))
    assert [row["repository"] for row in rows].count("acme/frame") == 4
    assert {row["probability"] for row in rows} == {"0.666667"}
    listed = study.look(_list)
    assert sorted(int(row["issue_id"]) for row in rows) == [issue_id for issue_id, _, _ in listed]
    assert 1007 not in {issue_id for issue_id, _, _ in listed}  # open again
    again = study("sample", "--size", "6", "--seed", "4", "--out", str(out))
    assert again == first
    assert study.look(_list) == listed
    assert out.read_bytes() == written


def test_a_sample_by_margin_of_some_repositories_and_of_eligible_issues(study: Study) -> None:
    said = study("sample", "--repository", "ACME/frame", "--margin", "0.3", "--eligible")  # 10.67 / (1 + 10.67 / 5)
    assert [line.split() for line in said.out.splitlines()][1] == ["acme/frame", "5", "4", "80.0%"]
    assert {issue_id // 1000 for issue_id, _, _ in study.look(_list)} == {1}
    assert 1006 not in {issue_id for issue_id, _, _ in study.look(_list)}
    assert study.json("sample", "--repository", "acme/ui", "--size", "1") == {
        "seed": 1, "closed": 3, "drawn": 1, "repositories": [{"repository": "Acme/UI", "closed": 3, "drawn": 1}],
    }  # fmt: skip
    assert {issue_id // 1000 for issue_id, _, _ in study.look(_list)} == {1, 2}  # another group's list is left alone


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--size", "3", "--margin", "0.1"], "either --margin"),
        ([], "either --margin"),
        (["--size", "10"], "9 issues to draw from, fewer than the 10"),
        (["--size", "0"], "at least one issue"),
        (["--margin", "2"], "between 0 and 1"),
        (["--size", "1", "--repository", "acme/fram"], "Did you mean acme/frame?"),
        (["--size", "1", "--out", "/nowhere/at/all.csv"], "/nowhere/at/all.csv: No such file"),
    ],
)
def test_a_sample_that_cannot_be_drawn_is_refused_in_words(study: Study, words: list[str], sentence: str) -> None:
    said = study("sample", *words)
    assert said.code == 2
    assert sentence in said.err


def test_a_sample_is_not_drawn_again_after_a_look_at_the_answers(study: Study) -> None:
    study("sample", "--size", "3", "--seed", "1")
    assert "1 of 3 issues are coded by ann" in study("code", "--coder", "ann", typed="leak\n").out
    before = study.look(_list)
    refused = study("sample", "--size", "3", "--seed", "8")
    assert refused.code == 2
    assert "coded already" in refused.err
    assert study.look(_list) == before
    assert study("sample", "--size", "6", "--seed", "1").code == 0
    assert study.record(1006).selection_probability == pytest.approx(2 / 3)
    assert {issue_id for issue_id, _, _ in before} < {issue_id for issue_id, _, _ in study.look(_list)}


def test_the_studys_own_frameworks_are_matched_without_a_database() -> None:
    result = CliRunner().invoke(app, ["study", "match", "--table2"], env={"DATABASE_URL": "postgresql://nobody@/none"})
    assert result.exit_code == 0
    assert len([line for line in result.stdout.splitlines() if line.startswith(("TensorFlow ", "OpenCV "))]) == 2
    assert "Not balanced (above 0.1)" in result.stdout


def test_stored_repositories_are_matched_and_the_pairs_kept(study: Study) -> None:
    empty = study("match")
    assert empty.code == 2
    assert "at least two ML and two traditional" in empty.err
    assert "Left out, indicators unknown: Acme/UI, acme/frame." in empty.err

    async def add(session: AsyncSession) -> None:
        for number, (name, paradigm, size) in enumerate(
            [("a/ml", "ml", 100), ("b/ml", "ml", 9_000), ("c/t", "traditional", 120), ("d/t", "traditional", 8_000)], 10
        ):
            indicators = dict.fromkeys(("watches", "stars", "forks", "commits", "contributors"), size)
            session.add(repository(number, name, paradigm=paradigm, domain=name, **indicators))

    async def matches(session: AsyncSession) -> dict[int, int | None]:
        rows = (await session.execute(select(Repository))).scalars()
        return {row.id: row.matched_with for row in rows}

    study.look(add)
    said = study.json("match")
    assert study.look(matches) == {1: None, 2: None, 10: 12, 11: 13, 12: 10, 13: 11}
    assert {(one["ml"], one["traditional"]) for one in said["pairs"]} == {("a/ml", "c/t"), ("b/ml", "d/t")}
    assert said["left_out"] == ["Acme/UI", "acme/frame"]
    assert "Left out, indicators unknown: Acme/UI, acme/frame." in study("match").out


def test_indicators_are_read_only_with_a_token(study: Study) -> None:
    said = study("match", "--refresh")
    assert (said.code, said.err) == (2, "Set ROOTCAUSE_READ_TOKEN to a token that may read public repositories.\n")


async def test_indicators_are_read_from_github() -> None:
    async with open_stage() as stage:
        github, client = stage.github, stage.client()
        branch = {"target": {"history": {"totalCount": 321}}}
        facts = {"watchers": {"totalCount": 4}, "stargazerCount": 50, "forkCount": 6, "defaultBranchRef": branch}
        github.on("POST", "/graphql", Answer(200, {"data": {"repository": facts}}))
        following = {"Link": f'<{github.url}/repos/o/r/contributors?page=2>; rel="next"'}
        path = "/repos/o/r/contributors"
        github.on("GET", path, Answer(200, [{}] * 100, following), Answer(200, [{}] * 7))
        assert await read_popularity(client, "o/r") == Popularity(4, 50, 6, 321, 107)
        assert github.asked("GET", path)[0].query["anon"] == "true"
        empty = facts | {"defaultBranchRef": None}
        github.on("POST", "/graphql", Answer(200, {"data": {"repository": empty}}))
        too_large = "The history or contributor list is too large to list contributors for this repository via the API."
        github.on("GET", path, Answer(403, {"message": too_large}))
        assert await read_popularity(client, "o/r") == Popularity(4, 50, 6, None, None)
