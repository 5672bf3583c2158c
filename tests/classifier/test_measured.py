"""Floors under what was measured on real data; each prints its figures (`pytest -s`)."""

import gzip
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from classifier import CommentText, IssueText, Prediction, load_classifier
from classifier.evaluate import Scores, evaluate

DATA = Path(__file__).parents[2].parent / "shared" / "data"


def read(name: str) -> list[dict[str, Any]]:
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand: it is kept beside the repository and not part of it")
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.decode().split("\n") if line]


def issue_of(row: dict[str, Any]) -> IssueText:
    bodies = [one if isinstance(one, str) else one["body"] for one in row.get("comments") or ()]
    return IssueText(row["title"], row["body"] or "", tuple(CommentText(body) for body in bodies))


def predicted(rows: list[dict[str, Any]]) -> list[Prediction]:
    return [load_classifier().predict(issue_of(row)) for row in rows]


def shown(name: str, scores: Scores) -> Scores:
    print(  # noqa: T201 - the figures are the point
        f"\n{name}: n {scores.n}, accuracy {scores.accuracy:.3f}, macro-F1 {scores.macro_f1:.3f}, "
        f"top-3 {scores.top3:.3f}, calibration error {scores.calibration_error:.3f}"
    )
    return scores


def test_coded_issues() -> None:
    rows = read("coded-issues.jsonl")
    predictions = predicted(rows)
    scores = shown("coded issues", evaluate([row["category"] for row in rows], predictions))
    assert scores.accuracy >= 0.72
    assert scores.macro_f1 >= 0.72
    assert scores.top3 >= 0.91
    assert scores.calibration_error <= 0.09
    assert all(scores.f1[row["category"]] > 0.4 for row in rows)
    proposals = [(row["category"], one) for row, one in zip(rows, predictions, strict=True) if one.proposed]
    assert len(proposals) >= 0.33 * len(rows)
    assert sum(true == one.category for true, one in proposals) >= 0.82 * len(proposals)


def test_labels_of_the_studys_author_on_real_threads() -> None:
    labels = {(row["repository"], row["number"]): row["category"] for row in read("author-labels.jsonl")}
    rows = [row for row in read("closed-issues.jsonl.gz") if (row["repository"], row["number"]) in labels]
    true = [labels[row["repository"], row["number"]] for row in rows]
    scores = shown("author's labels", evaluate(true, predicted(rows)))
    assert scores.n == 30
    assert scores.accuracy >= 0.15
    assert scores.top3 >= 0.35


def test_false_alarms_on_features_and_questions() -> None:
    rows = [row for row in read("nlbse24-test.jsonl.gz") if row["label_original"] in ("feature", "question")]
    predictions = predicted([{**row, "comments": []} for row in rows])
    share = sum(one.proposed for one in predictions) / len(rows)
    print(f"\nfalse alarms: {share:.3f} of {len(rows)}")  # noqa: T201 - the figures are the point
    assert len(rows) == 1_000
    assert share <= 0.06
    assert all(one.reason for one in predictions if not one.proposed)


def test_real_threads_are_fast_and_never_empty() -> None:
    rows = random.Random(11).sample(read("closed-issues.jsonl.gz"), 500)  # noqa: S311 - a sample, no secret
    load_classifier()
    taken = []
    for row in rows:
        issue = issue_of(row)
        started = time.process_time()
        prediction = load_classifier().predict(issue)
        taken.append(1000 * (time.process_time() - started))
        assert prediction.category
        assert prediction.proposed or prediction.reason
    p99 = statistics.quantiles(taken, n=100)[98]
    print(f"\nmilliseconds of processor: median {statistics.median(taken):.2f}, p99 {p99:.1f}")  # noqa: T201
    assert statistics.median(taken) < 12
    assert p99 < 120
