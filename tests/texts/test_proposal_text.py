"""The words of the comment on a closed issue, and what the inbox says of labels, against their golden files."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.commands.grammar import parse
from bot.texts.proposal import (
    PROPOSAL_MARKER,
    Guess,
    Outcome,
    flapping_note,
    labels_missing_note,
    proposal_text,
    settled_text,
)
from tests.support.golden import is_golden

GUESS = Guess(
    "memory-leak", 0.861, "resource-usage", 0.064, ("leak", "memory usage", "batch"), ("one file changed",), "corpus-v1"
)
HOSTILE = replace(GUESS, words=("@everyone", "fixes #1", "</details>", "`", "\n/rootcause none"), facts=())
CASES = {
    "proposal.md": proposal_text(GUESS, "https://rootcause.example"),
    "proposal_without_page.md": proposal_text(replace(GUESS, second="none", facts=()), None),
    "proposal_hostile.md": proposal_text(HOSTILE, None),
    "proposal_confirmed.md": settled_text(GUESS, Outcome("confirmed", "memory-leak", None)),
    "proposal_corrected.md": settled_text(GUESS, Outcome("corrected", "data-race", None)),
    "proposal_none.md": settled_text(GUESS, Outcome("rejected", "none", "question")),
    "proposal_disputed.md": settled_text(HOSTILE, Outcome("disputed", None, None)),
    "labels_missing.md": labels_missing_note("pytorch/pytorch") + "\n",
    "labels_left_alone.md": flapping_note(["[#12](https://redirect.github.com/o/r/issues/12)"]) + "\n",
}


@pytest.mark.parametrize("file", CASES)
def test_the_text_reads_as_it_should(file: str) -> None:
    is_golden(CASES[file], file)


@pytest.mark.parametrize("file", CASES)
def test_no_text_commands_mentions_or_refers(file: str) -> None:
    text = CASES[file]
    assert parse(text, "rootcause") == ()
    assert not any(line.lstrip().startswith("/rootcause") for line in text.splitlines())
    assert "@everyone" not in text.replace("@\u200b", "")
    if file.startswith("proposal"):
        assert text.startswith(PROPOSAL_MARKER + "\n\n")
        assert text.count("</details>") == text.count("<details>")
