import tomllib
from pathlib import Path

import pytest

import classifier
from classifier.patterns import PatternError, PatternIndex, parse_pattern
from classifier.phrases import phrases
from classifier.tokens import tokenize


def found(pattern: str, text: str) -> list[str]:
    tokens = tokenize(text)
    return [tokens.found(first, last) for _, first, last in PatternIndex([pattern]).matches(tokens)]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("leak*", "It leaks, a leakage of Leak", ["leaks", "leakage", "Leak"]),
        ("memory leak*", "a memory leak. memory. leak", ["memory leak"]),
        ("memory ~2 grow*", "memory of it grows; memory of all of it grows", ["memory of it grows"]),
        ("oom|swap kill*", "oom killed and swap killed, kill", ["oom killed", "swap killed"]),
        ("exit code <number>", "exit code 137", ["exit code 137"]),
        ("exit code 137", "exit code 139 and exit code 137", ["exit code 137"]),
        ("slower than <version>", "slower than v2.1.0", ["slower than v2.1.0"]),
        ("<number> cores", "with 8 cores", ["8 cores"]),
        ("can't find", "CAN'T find", ["CAN'T find"]),
        ("a ~1 a", "a a a", ["a a", "a a"]),
    ],
)
def test_a_pattern_finds_its_words(pattern: str, text: str, expected: list[str]) -> None:
    assert found(pattern, text) == expected


def test_no_pattern_reaches_over_a_sentence_or_a_line() -> None:
    assert found("memory ~3 grows", "memory. It grows") == []
    assert found("memory ~3 grows", "memory\ngrows") == []


@pytest.mark.parametrize(
    "source", ["", "~2", "~2 word", "word ~2", "word ~2 ~3 word", "wo*rd", "*", "a||b", "Word", "a-b", "~x a"]
)
def test_a_badly_written_pattern_is_refused(source: str) -> None:
    with pytest.raises(PatternError):
        parse_pattern(source)


def test_every_pattern_of_the_lexicon_is_well_written() -> None:
    """They are read one by one while texts are: none may wait there to be refused."""
    read = tomllib.loads(Path(classifier.__file__).with_name("lexicon.toml").read_text(encoding="utf-8"))
    groups = [*read["categories"].values(), *read["kinds"].values(), read["signals"]]
    sources = [source for group in groups for text in group.values() for source in phrases(text)]
    assert len(sources) > 2_000
    for source in sources:
        assert parse_pattern(source)
        assert source == " ".join(source.split())
