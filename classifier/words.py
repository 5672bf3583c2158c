"""Terms of a text for the trained model: folded, masked, without stop words and product names, cut to their stems."""

import tomllib
from functools import cache
from pathlib import Path

from classifier.phrases import phrases
from classifier.tokens import NUMBER, STOP, Tokens

PRODUCT = "<product>"
"""What stands for the name of a framework or product: a cause is learned, not whose issue it was."""
_READ = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_STOP_WORDS = frozenset(phrases(_READ["stop_words"]))
_PRODUCTS = frozenset(phrases(_READ["products"]))
_KEPT = frozenset(phrases(_READ["kept"]))
_LONGEST = 30
_SHORTEST_STEM = 3
_VOWELS = frozenset("aeiouy")
_BARE = frozenset("lsz")


@cache
def _plural_off(word: str) -> str:
    if word.endswith("ies") and len(word) > 5:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if word.endswith("s") and len(word) > _SHORTEST_STEM and not word.endswith(("ss", "us", "is", "os")):
        return word[:-1]
    return word


def stem(word: str) -> str:
    """Cut plural and verb endings off a lower-case English word: leaks, leaked and leaking become leak.

    Simple on purpose: it only has to send forms of one word to one term, not to give a word of the dictionary.
    """
    if len(word) <= _SHORTEST_STEM or word in _KEPT or not word.isascii():
        return word
    word = _plural_off(word) if len(word) < _LONGEST else word
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= _SHORTEST_STEM and not _VOWELS.isdisjoint(base):
            if base[-1] == base[-2] and base[-1] not in _BARE:
                return base[:-1]
            return base
    if word.endswith("e") and len(word) > _SHORTEST_STEM + 1:
        return word[:-1]
    return word


def _term(word: str) -> str | None:
    """Give the term of one token, or None where it says nothing."""
    if word in _STOP_WORDS or len(word) > _LONGEST:
        return None
    if word in _PRODUCTS:
        return PRODUCT
    if word[0].isdigit():
        return NUMBER if word.isdecimal() else None
    if word.endswith(("'s", "n't")):
        return stem(word[:-2]) if word.endswith("'s") else word
    return stem(word)


_KNOWN: dict[str, str | None] = {STOP: None}
_MOST_KNOWN = 50_000
"""Tokens whose terms are remembered; a bound, so that hostile texts cannot fill the memory."""


def _new_term(word: str) -> str | None:
    term = _term(word)
    if len(_KNOWN) < _MOST_KNOWN:
        _KNOWN[word] = term
    return term


def terms(tokens: Tokens) -> list[tuple[str, int, int]]:
    """Give (term, first token, last token) of single words and of pairs that no end of a sentence parts.

    A stop word is passed over but lets the words around it pair; a run of the same term counts once.
    """
    found: list[tuple[str, int, int]] = []
    before = ""
    before_at = -1
    known = _KNOWN
    for at, word in enumerate(tokens.words):
        term = known[word] if word in known else _new_term(word)
        if term is None:
            if word == STOP:
                before = ""
            continue
        if term == before:
            continue
        found.append((term, at, at))
        if before:
            found.append((f"{before} {term}", before_at, at))
        before, before_at = term, at
    return found
