"""`rootcause model`: what it prints, what it changes, and what it refuses in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine
from sqlmodel import Session, select
from typer.testing import CliRunner

from bot.cli import app
from bot.store.database import normalise_url
from bot.store.proposals import guess_of
from bot.store.tables import ModelVersion, Proposal
from classifier import load_classifier
from classifier.loading import open_model
from tests.support.decided import LISTED, NOW, add_issue, add_repositories
from tests.support.promised import kept_promise
from tests.support.small_corpus import good_model, made_text

FIGURES = {
    "champion": "lexicon-v0.1",
    "comparisons": [
        {
            "split": "repository",
            "rows": 90,
            "champion": {"macro_f1": 0.5, "log_loss": 1.25},
            "challenger": {"macro_f1": 0.625, "log_loss": 1.0},
            "not_worse": True,
        }
    ],
    "decisions": 2,
    "corpus": 88,
    "threshold": 0.64,
    "shadow": {"issues": 4, "changes": 1},
}

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run `rootcause model ...` on this test's database; return the exit code and what was printed."""
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("ROOTCAUSE_DATA_DIR", str(tmp_path))

    def run(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(app, ["model", *arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
        return result.exit_code, result.output

    return run


def store(database_url: str, *models: ModelVersion) -> None:
    engine = create_engine(normalise_url(database_url), poolclass=NullPool)
    with Session(engine) as session:
        session.add_all(models)
        session.commit()


def stored(version: str, day: int, file: bytes | None, state: str = "candidate") -> ModelVersion:
    return ModelVersion(
        version=version, state=state, created_at=NOW.replace(day=day), training_hash="0" * 64, row_ids=[4, 9],
        figures=FIGURES, file=file,
    )  # fmt: skip


def test_from_an_empty_list_to_a_promotion_and_back(run: Run, database_url: str) -> None:
    good = open_model(good_model()).version
    shipped = load_classifier().version
    head = f"{'version'.ljust(len(shipped))}  state            made  decisions  file"
    assert run("list") == (0, f"{head}\n{shipped}  shipped, in use\n")
    assert run("rollback") == (2, "The model that is shipped is used: there is nothing to go back from.\n")
    assert run("shadow")[0] == 2
    store(database_url, stored(good, 2, good_model()), stored("poisoned", 1, b"poison"), stored("old", 3, None))
    listed = kept_promise(["model", "list"], run("list", "--json")[1])
    assert listed["shipped"] == shipped
    assert [(one["version"], one["state"], one["decisions"]) for one in listed["models"]] == [
        ("old", "candidate", 2), (good, "candidate", 2), ("poisoned", "candidate", 2),
    ]  # fmt: skip
    assert run("promote", "poisoned") == (2, "the model file is no npz: File is not a zip file\n")
    assert "is not kept" in run("promote", "old")[1]
    assert "There is no model nothing" in run("promote", "nothing")[1]
    assert run("promote", good) == (
        0, f"{good} is used from now on, {shipped} no more; running workers follow within seconds.\n"
    )  # fmt: skip
    assert "champion already" in run("promote", good)[1]
    back = kept_promise(["model", "rollback"], run("rollback", "--json")[1])
    assert back == {"before": good, "champion": shipped}
    run("promote", good)
    assert run("promote", shipped)[0] == 0
    assert "retired" in run("list")[1]


def test_one_model_in_full(run: Run, database_url: str) -> None:
    store(database_url, stored("learned-0.2-1a2b3c4d", 2, b"1234"))
    assert run("show", "learned-0.2-1a2b3c4d") == (0, """\
version        learned-0.2-1a2b3c4d
state          candidate
made           2026-11-02 00:00 UTC
promoted       never
learned from   2 decisions, 88 rows of the corpus
training hash  0000000000000000000000000000000000000000000000000000000000000000
file           4 bytes
proposes from  64%
in the shadow  1 of 4 undecided issues would change

Compared with lexicon-v0.1, on rows that neither had seen:
split by    rows  macro-F1  champion's  log loss  champion's  not worse
repository  90    0.625     0.500       1.000     1.250       yes
""")  # fmt: skip
    shown = kept_promise(["model", "show"], run("show", "learned-0.2-1a2b3c4d", "--json")[1])
    assert shown["row_ids"] == [4, 9]
    assert run("show", "nothing")[0] == 2


async def _issues(database_url: str) -> None:
    from bot.store.database import open_database

    async with open_database(normalise_url(database_url)) as database, database.sessions.begin() as session:
        add_repositories(session)
        for number, category in enumerate(("memory-leak", "data-race"), start=1):
            text = made_text(category, number)
            await add_issue(session, number, LISTED, text, None)
            (first, share), (second, rest) = guess_of(open_model(good_model()).predict(text))
            session.add(
                Proposal(
                    issue_id=number,
                    model="before",
                    category=first if number == 1 else "none",
                    probability=share,
                    second=second,
                    second_probability=rest,
                    system_related=0.5,
                    proposed=True,
                    created_at=NOW,
                )
            )
        await add_issue(session, 3, LISTED, made_text("data-race", 3), "data-race")


def test_a_shadow_run_writes_nothing(run: Run, database_url: str) -> None:
    import asyncio

    asyncio.run(_issues(database_url))
    good = open_model(good_model()).version
    store(database_url, stored(good, 2, good_model()))
    code, text = run("shadow", "--json")
    found = kept_promise(["model", "shadow"], text)
    assert (code, found["model"], found["issues"]) == (0, good, 2), "the decided one is left alone"
    assert 2 in {change["number"] for change in found["changes"]}
    said = run("shadow")[1]
    assert "pytorch/pytorch#2: none " in said
    assert said.endswith("of 2 undecided issues. Nothing was written.\n")
    engine = create_engine(normalise_url(database_url), poolclass=NullPool)
    with Session(engine) as session:
        assert [one.model for one in session.exec(select(Proposal))] == ["before", "before"]
        assert [one.state for one in session.exec(select(ModelVersion))] == ["candidate"]
