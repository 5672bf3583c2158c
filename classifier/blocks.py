"""An issue's features in blocks, one for each kind of evidence, each with its own weight in the trained model."""

import math
from collections.abc import Mapping
from typing import NamedTuple

from classifier.fix_terms import fix_terms
from classifier.lexicon import Lexicon
from classifier.lexicon_features import lexicon_features
from classifier.lexicon_model import LexiconParameters
from classifier.reading import Reading
from classifier.tokens import Tokens
from classifier.words import terms

LEXICON = "lexicon"
FIX_FILES = "files"
BLOCK_WEIGHTS: Mapping[str, float] = {
    "title": 1.5,
    "prose": 1.5,
    "opening": 0.75,
    "code": 0.75,
    "headings": 0.5,
    "comments": 1.0,
    "closing": 0.75,
    "fix": 0.75,
    FIX_FILES: 0.75,
    LEXICON: 0.5,
}
"""Blocks in the order of the model's columns, and the length that each one's vector is brought to."""
_MEMBER = 1.4
"""What a member's word counts beside anybody else's: the ratio of the lexicon's weights for the two fields."""


Place = tuple[str, int, int]
"""Where a term stands: its field, and its first and last token."""


class Blocks(NamedTuple):
    """Term -> weighted count, by block; and where each term of a text block stands first."""

    counts: Mapping[str, Mapping[str, float]]
    places: Mapping[str, Mapping[str, Place]]


def _count(field: str, tokens: Tokens, weight: float, counts: dict[str, float], places: dict[str, Place]) -> None:
    for term, first, last in terms(tokens):
        if term in counts:
            counts[term] += weight
        else:
            counts[term] = weight
            places[term] = (field, first, last)


_FIELDS_OF: Mapping[str, tuple[tuple[str, float], ...]] = {
    "title": (("title", 1.0),),
    "prose": (("prose", 1.0),),
    "opening": (("opening", 1.0),),
    "code": (("code", 1.0),),
    "headings": (("headings", 1.0),),
    "comments": (("member_comments", _MEMBER), ("comments", 1.0)),
    "closing": (("closing", 1.0),),
    "fix": (("fix", 1.0),),
}


def blocks_of(reading: Reading, lexicon: Lexicon, parameters: LexiconParameters) -> Blocks:
    """Turn a reading into its blocks; an empty field gives an empty block.

    Words of the title that name a cause outright are left to the lexicon: in a corpus whose titles avoid them, or tempt
    with them, the opposite would be learned of what holds in life.
    """
    counts: dict[str, Mapping[str, float]] = {}
    places: dict[str, Mapping[str, Place]] = {}
    for block, sources in _FIELDS_OF.items():
        counted: dict[str, float] = {}
        stand: dict[str, Place] = {}
        for field, weight in sources:
            _count(field, reading.tokens[field], weight, counted, stand)
        counts[block], places[block] = counted, stand
    counts["title"] = {
        term: count for term, count in counts["title"].items() if not lexicon.plain_words.issuperset(term.split())
    }
    title = lexicon.match({"title": reading.tokens["title"]})
    counts[FIX_FILES] = fix_terms(reading.fix)
    counts[LEXICON] = lexicon_features(reading.findings, title, parameters)
    return Blocks(counts, places)


def damped(count: float) -> float:
    """Sublinear term frequency: 1 + ln(count) from 1 on, the count itself below."""
    return 1 + math.log(count) if count > 1 else count
