"""What coders may type or write into cells, and how they are called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.decisions.answers import Answer, read_answer, read_cells
from bot.decisions.coders import coder_id, coder_name
from bot.decisions.errors import StudyError


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("memory-leak", Answer("memory-leak")),
        ("  Memory Leak  ", Answer("memory-leak")),
        ("ML", Answer("memory-leak")),
        ("leak ru # plateau? no", Answer("memory-leak", "resource-usage", note="plateau? no")),
        ("memory leak memory leak", Answer("memory-leak")),
        ("conf", Answer("configuration-error")),  # here no command begins so
        ("none", Answer("none")),
        ("none question#", Answer("none", none_kind="question")),
        ("not-system docs", Answer("none", none_kind="docs")),
        (
            "new Numeric instability # NaN after an hour",
            Answer(None, draft="numeric-instability", note="NaN after an hour"),
        ),
        ("new: numeric_instability", Answer(None, draft="numeric-instability")),
    ],
)
def test_a_line_is_understood(line: str, answer: Answer) -> None:
    assert read_answer(line) == answer


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("", "Name a category"),
        ("# only a note", "Name a category"),
        ("memory-laek", "Near it: memory-leak"),
        ("mem", "Near it: memory-allocation, memory-leak"),
        ("memory-leak nonsense", "No category is called 'nonsense'"),
        ("memory-leak ru io", "'io' is one word too many"),
        ("none functional docs", "'docs' is one word too many"),
        ("none because", "No kind of none"),
        ("new", "A new code has 1 to 40 characters"),
        ("new " + "x" * 41, "A new code has 1 to 40 characters"),
        ("new memory leak", "understood as the category memory-leak"),
        ("io # " + "x" * 2001, "at most 2,000 characters"),
    ],
)
def test_a_line_that_is_not_understood_is_answered_in_words(line: str, sentence: str) -> None:
    with pytest.raises(StudyError, match=sentence):
        read_answer(line)


@given(st.text())
def test_any_line_is_an_answer_or_a_sentence(line: str) -> None:
    try:
        answer = read_answer(line)
    except StudyError as error:
        assert str(error)  # noqa: PT017
    else:
        assert (answer.category is None) != (answer.draft is None)


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        (("", "", "", "", ""), None),
        ((" ", "", "", "", "just a thought"), None),
        (("Leak", "RU", "", "", " why "), Answer("memory-leak", "resource-usage", note="why")),
        (("none", "", "feature", "", ""), Answer("none", none_kind="feature")),
        (("", "", "", "Slow start", ""), Answer(None, draft="slow-start")),
    ],
)
def test_cells_are_understood(cells: tuple[str, str, str, str, str], answer: Answer | None) -> None:
    assert read_cells(*cells) == answer


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (("", "io", "", "", ""), "no category"),
        (("io", "", "", "slow", ""), "not both"),
        (("io", "", "docs", "", ""), "Only none has a kind"),
        (("none", "io", "", "", ""), "no second choice"),
    ],
)
def test_cells_that_contradict_each_other_are_refused(cells: tuple[str, str, str, str, str], sentence: str) -> None:
    with pytest.raises(StudyError, match=sentence):
        read_cells(*cells)


def test_a_coder_is_the_same_in_any_spelling_and_nobody_on_github() -> None:
    assert coder_name("  Ann  Lee ") == coder_name("ANN LEE") == "ann lee"
    assert coder_id("ann lee") == coder_id("ann lee")
    assert coder_id("ann lee") != coder_id("bob")
    assert -(2**63) < coder_id("ann lee") < 0


@pytest.mark.parametrize("name", ["", " ", "a:b", "x" * 41, "a\x00b"])
def test_a_name_that_cannot_be_kept_is_refused(name: str) -> None:
    with pytest.raises(StudyError, match="A coder's name"):
        coder_name(name)
