"""A corpus so small that a model is fitted in a moment: four categories whose words hardly overlap."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from classifier import IssueText
from classifier.examples import read_corpus
from classifier.model_file import model_bytes
from classifier.training import read_rows, train

WORDS = {
    "memory-leak": ("memory leak", "the resident memory grows and is never released until the process is killed"),
    "data-race": ("race condition", "two threads write the same counter without a lock and the result is torn"),
    "compilation-error": ("build fails", "the compiler stops with an undefined reference while linking"),
    "none": ("typo in the guide", "the documentation names an argument that does not exist"),
}
PLACES = ("cache", "loader", "queue", "parser", "socket", "window", "model", "index", "planner", "renderer")


def made_text(category: str, number: int) -> IssueText:
    """Return an issue of a category; numbers give other places, and other words around them."""
    title, body = WORDS[category]
    place, other = PLACES[number % len(PLACES)], PLACES[(number * 3 + 1) % len(PLACES)]
    return IssueText(f"{title} in the {place}", f"With the {other} in use {body}. This is case {number}.")


def write_corpus(folder: Path, each: int = 10, files: int = 4) -> Path:
    """Write `each` rows of every category, spread over files, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in range(files):
        lines = []
        for category, number in ((category, number) for number in range(file, each, files) for category in WORDS):
            text = made_text(category, number)
            row = {"title": text.title, "body": text.body, "comments": [], "category": category, "origin": "own"}
            lines.append(json.dumps(row) + "\n")
        (folder / f"own_{file}.jsonl").write_text("".join(lines))
    return folder


@cache
def good_model() -> bytes:
    """Return the file of a model trained on it."""
    with TemporaryDirectory() as folder:
        return model_bytes(train(read_rows(read_corpus(write_corpus(Path(folder)))), "small"))
