"""`rootcause train` and `rootcause evaluate`, entered where a person enters, on a corpus that fits in a moment."""

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli import app
from classifier.examples import read_corpus
from classifier.measure.held_out import part_of
from classifier.training import read_rows
from tests.support.small_corpus import WORDS, made_text, write_corpus

HEADINGS = [
    "## Real threads, labels of the study's own author",
    "## Real threads, development set",
    "## Paraphrases (coded issues), leave one framework out",
    "## Paraphrases, by time",
    "## False alarms",
    "## The public benchmark of the text engine (NLBSE'24)",
    "## Learning curve",
    "## Agreement on blind issues",
    "## What it learned from",
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus and every file that an evaluation can read."""
    folder = tmp_path_factory.mktemp("evaluation")
    write_corpus(folder / "corpus")
    threads, labels = [], []
    for number, (category, repository) in enumerate((key, name) for key in WORDS for name in ("a/a", "b/b", "c/c")):
        text = made_text(category, 100 + number)
        threads.append({"repository": repository, "number": number, "title": text.title, "body": text.body})
        labels.append({"repository": repository, "number": number, "category": category})
    write(folder / "threads.jsonl.gz", threads)
    write(folder / "labels.jsonl", labels)
    created = [f"2018-01-{1 + at:02d}" for at in range(len(threads))]
    coded = zip(threads, labels, created, strict=True)
    write(folder / "coded.jsonl", [{**one, **label, "created": day} for one, label, day in coded])
    reports = [
        {"repository": repository, "title": f"{word} {at}", "body": f"about the {word}", "label_original": label}
        for repository in ("d/d", "e/e")
        for label, word in (("bug", "crash"), ("feature", "wish"), ("question", "doubt"))
        for at in range(10)
    ]
    write(folder / "reports.jsonl", reports)
    decided = [("none", "none"), ("none", "data-race"), ("data-race", "data-race")]
    write(
        folder / "records.jsonl",
        [{"blind": True, "category_source": "decision", "proposal_category": p, "category": c} for p, c in decided],
    )
    return folder


def write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)


def run(place: Path, *arguments: str) -> str:
    words = [word.replace("@", f"{place}/") for word in arguments]
    result = CliRunner().invoke(app, ["evaluate", "--corpus", str(place / "corpus"), *words])
    assert result.exit_code == 0, result.output
    return result.stdout


EVERYTHING = (
    *("--coded", "@coded.jsonl", "--real", "@threads.jsonl.gz", "--labels", "@labels.jsonl", "--dev", "@labels.jsonl"),
    *("--nlbse", "@reports.jsonl", "@reports.jsonl", "--records", "@records.jsonl"),
)


def test_every_part_is_printed_real_text_first(place: Path) -> None:
    printed = run(place, *EVERYTHING)
    assert [line for line in printed.splitlines() if line.startswith("## ")] == HEADINGS
    assert "| lexicon alone | 12 |" in printed
    by_time = printed.partition("## Paraphrases, by time")[2].partition("\n## ")[0]
    assert "| without the corpus | 6 |" in by_time
    assert all(part in by_time for part in ("| category | issues |", "Commonest confusions: ", "| precision wanted |"))
    assert "3 issues decided without seeing the proposal; Cohen's kappa of proposal and decision 0.400." in printed


def test_the_same_figures_come_as_json(place: Path) -> None:
    figures = json.loads(run(place, "--coded", "@coded.jsonl", "--json"))
    assert figures["paraphrases"]["summary"]["n"] == 12
    assert figures["paraphrases"]["summary"]["accuracy"] == 1.0
    assert figures["corpus"]["rows"] == 40
    assert figures["temporal"]["until"] == "2018-01-07"
    assert figures["temporal"]["without_corpus"]["n"] == 6
    assert figures["paraphrases"]["summary"]["kappa"] == 1.0
    assert "without_corpus" not in figures["paraphrases"], "the labels of three repositories are too few"
    assert figures["blind"] == {"n": 0, "kappa": None}
    assert figures["learning_curve"][-1]["rows"] == 40
    assert "nlbse24" not in figures


def test_with_labels_of_five_repositories_the_corpus_is_left_out_too(place: Path) -> None:
    rows = [json.loads(line) for line in (place / "coded.jsonl").read_text().splitlines()]
    spread = [{**row, "repository": f"r{at % 5}/r"} for at, row in enumerate(rows * 2)]
    write(place / "spread.jsonl", spread)
    printed = run(place, "--coded", "@spread.jsonl")
    assert "| without the corpus, on the other repositories' labels | 24 |" in printed
    assert "| on the corpus and those labels | 24 |" in printed
    assert "Not measured: no issue was decided without seeing the proposal yet." in printed


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--labels", "@labels.jsonl"), "give --real FILE"),
        (("--coded", "@nowhere.jsonl"), "cannot read"),
        (("--coded", "@corpus/own_0.jsonl"), "has a row that is no issue"),
        (("--coded", "@records.jsonl"), "has a row that is no issue"),
        (("--real", "@coded.jsonl", "--dev", "@reports.jsonl"), "has no issue d/d#None"),
        (("--nlbse", "@coded.jsonl", "@coded.jsonl"), "without repository, or with the label None"),
        (("--corpus", "@empty"), "holds no file named *.jsonl"),
    ],
)
def test_a_file_that_does_not_fit_is_a_persons_mistake(place: Path, arguments: tuple[str, ...], complaint: str) -> None:
    (place / "empty").mkdir(exist_ok=True)
    words = [word.replace("@", f"{place}/") for word in arguments]
    given = [] if "--corpus" in words else ["--corpus", str(place / "corpus")]
    result = CliRunner().invoke(app, ["evaluate", *given, *words])
    assert result.exit_code == 2
    assert complaint in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "own_x.jsonl, line 1"),
        ('{"title": "t", "body": "b", "origin": "own", "category": "slow"}', "unknown category slow"),
        ('{"title": "t", "body": "b", "origin": "own", "category": "none", "bug_type": "x"}', "unknown bug type x"),
        ('{"title": "t", "body": "b", "origin": "own", "category": "none"}', "at least two categories"),
    ],
)
def test_a_corpus_that_cannot_be_learned_from_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    (tmp_path / "own_x.jsonl").write_text(line + "\n")
    result = CliRunner().invoke(app, ["train", "--corpus", str(tmp_path), "--out", str(tmp_path / "m.npz")])
    assert result.exit_code == 2
    assert complaint in " ".join(result.output.split())
    assert not (tmp_path / "m.npz").exists()


def test_a_larger_part_of_the_corpus_holds_the_smaller(place: Path) -> None:
    rows = read_rows(read_corpus(place / "corpus"))
    small, large = part_of(rows, 10), part_of(rows, 20)
    assert {one.issue for one in small.examples} < {one.issue for one in large.examples}
    assert len(large.examples) == 20
