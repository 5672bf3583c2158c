"""The definitions name every field, say what the code does, and are what the documentation shows."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from bot.evidence.eligibility import EligibilityRules, judge
from bot.evidence.languages import language_of
from bot.evidence.model import FixLink, Span
from reports import Decision, Participant, Record, Repository
from reports.definitions import DEFINITIONS, definitions_markdown
from reports.definitions.rules import EXCLUSIONS, FIX_LINKS, LANGUAGE_DECISIONS, ONLY_SYSTEM
from reports.sampling import sample_size
from tests.evidence.made_evidence import OPENED, evidence, fix

DOCUMENT = Path(__file__).parents[2] / "bot" / "docs" / "definitions.md"
ROWS = {
    "records.jsonl": Record,
    "participants.jsonl": Participant,
    "decisions.jsonl": Decision,
    "repositories.jsonl": Repository,
}


@pytest.mark.parametrize("name", ROWS)
def test_every_field_of_every_file_is_defined_once(name: str) -> None:
    defined = [one.name for one in DEFINITIONS[name]]

    assert len(defined) == len(set(defined))
    assert set(defined) == {field.name for field in fields(ROWS[name])} - {"unknown"}
    assert all(part.strip() for one in DEFINITIONS[name] for part in (one.unit, one.text, one.null, one.source))


def test_the_page_is_what_the_definitions_make() -> None:
    """To make it: `python -c "from reports.definitions import *; print(definitions_markdown(), end='')"`."""
    assert DOCUMENT.read_text(encoding="utf-8") == definitions_markdown()


def test_the_headings_begin_where_they_are_told_to() -> None:
    headings = [line for line in definitions_markdown(3).splitlines() if line.startswith("#")]

    assert headings[0] == "### Definitions"
    assert {line.partition(" ")[0] for line in headings[1:]} == {"####"}


def test_every_row_has_the_cells_of_its_heading() -> None:
    width = 0
    for line in definitions_markdown().splitlines():
        bars = line.count("|")
        if bars:
            assert bars == (width or bars), line
        width = bars


def test_every_reason_that_a_verdict_can_give_is_explained() -> None:
    rules = EligibilityRules(
        own_user_id=1, exclude_labels=frozenset({"wontfix"}), exclude_authors=frozenset({"ann"}), min_words=50
    )
    labels = ("wontfix", "question", "enhancement", "duplicate", "stale")
    wrong = evidence(
        is_pull_request=True, labels=labels, state_reason="not_planned", comments=(), fix=None, fix_link=None
    )
    open_again = evidence(spans=(Span(OPENED, None),), fix=fix(landed=False))
    hidden = evidence(fix=None, fix_link="private")

    given = {reason for one in (wrong, open_again, hidden) for reason in judge(one, rules).exclusions}

    assert given == set(EXCLUSIONS)
    assert judge(evidence(comments=()), rules).exclusions[-2:] == ONLY_SYSTEM
    few = judge(evidence(comments=()), EligibilityRules(min_words=50))
    assert (few.exclusions, few.eligible_bug, few.eligible_system) == (ONLY_SYSTEM, True, False)


def test_every_word_of_a_link_is_explained_in_the_order_of_the_model() -> None:
    assert tuple(FIX_LINKS) == FixLink.__args__  # type: ignore[attr-defined]  # what a Literal lists


@pytest.mark.parametrize(("files", "language", "_why"), LANGUAGE_DECISIONS)
def test_files_are_in_the_languages_that_the_page_says(files: tuple[str, ...], language: str | None, _why: str) -> None:
    assert {language_of(file) for file in files} == {language}


@pytest.mark.parametrize("population", [10, 1_000, 1e6, 1e15])
def test_no_population_gives_the_studys_size(population: float) -> None:
    assert sample_size(population, 0.1).exact < 96.05 < 121
