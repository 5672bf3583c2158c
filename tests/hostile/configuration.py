"""The configuration file: read whole, or refused with mistakes that each have a place in it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from hypothesis import strategies as st

from bot.config import BadConfiguration, Configuration, read
from bot.config.characters import MOST_BYTES
from bot.config.effects import Circumstances, Standing, settled
from bot.config.merging import merged
from bot.config.published import all_keys, published_schema
from bot.config.rules import eligibility_rules
from bot.texts.configuration import Broken, render_broken
from tests.hostile.surface import Surface, bytes_of, repeated
from tests.support.schema_documents import documents

_DAY = datetime(2026, 11, 30, tzinfo=UTC)
_PIECES = [
    *(f"{key}: " for key in all_keys()),
    *(
        "active",
        "observe",
        "off",
        "ml",
        "auto",
        "0.5",
        "10",
        "true",
        "null",
        "~",
        "memory-leak",
        "none",
        "octocat",
        "1e9",
    ),
    *(
        "\n",
        "\n  ",
        "\n    ",
        "\n- ",
        "\n  - ",
        "\t",
        " ",
        "\r\n",
        "\r",
        ": ",
        ", ",
        "#",
        "'",
        '"',
        "\\",
        "[",
        "]",
        "{",
    ),
    *("}", "&a ", "*a", "!!set ", "!", "<<: ", "? ", "---\n", "...\n", "%YAML 1.1\n", "|\n", ">-\n", "|2\n", "@", "`"),
    *(
        '"\\x00"',
        '"\\ud800"',
        '"\\UFFFFFFFF"',
        "\0",
        "\x85",
        "\u2028",
        "\ufeff",
        "\u202e",
        "é",
        "\U0001f600",
        "0x1F",
        ".inf",
    ),
    *("<<<<<<< HEAD\n", "=======\n"),
]
_CLOSED = {"active", "observe"}


def _target(case: bytes) -> None:
    try:
        found = read(case)
    except BadConfiguration as error:
        _is_told(error, case)
        return
    document = found.document()
    assert Configuration.of(document) == found
    assert Configuration.of(merged(document, document)) == found
    assert Configuration.of(merged({}, document)) == found
    assert read(json.dumps(document).encode()) == found
    eligibility_rules(found)
    standing = Standing("observe", _DAY, None, None, "group")
    circumstances = Circumstances(False, False, None, None, True, _DAY, _DAY, 14)
    assert settled(standing, Configuration(), found, circumstances).state in _CLOSED


def _is_told(error: BadConfiguration, case: bytes) -> None:
    assert error.mistakes
    lines = case.decode("utf-8-sig", "replace").splitlines() or [""]
    for one in error.mistakes:
        width = len(lines[one.line - 1]) if one.line <= len(lines) else 0
        assert one.sentence
        assert "\n" not in one.sentence
        assert 1 <= one.line <= len(lines) + 1
        assert 1 <= one.column <= width + 1
    shown = render_broken(Broken(1, error.mistakes, holds_earlier=False))
    assert len(shown) < 65_536
    shown.encode()


_LINES = st.lists(st.sampled_from(_PIECES), max_size=40).map("".join)
_DOCUMENTS = documents(published_schema()).map(json.dumps)

SURFACE = Surface(
    target=_target,
    seeds=(
        b"",
        b"paradigm: ml\ndomain: Computer Vision\nshare: off\nmode: observe\npropose: off\nthreshold: .5\n",
        b"labels:\n  prefix: cause/\n  map: {'module: memory usage': memory-leak, flaky: none, no: conversion}\n",
        b"inbox: {sample: 5, labels: [pinned]}\nexclude:\n  labels: [wontfix]\n  authors:\n  - 'helper[bot]'\n",
        b"report:\n  enabled: False\n  style: central\n  repository: acme/reports\n  assignees:\n  - octocat\n",
        b"eligibility:\n  min_comments: 2\n  min_words: 1\n  question_labels:\n  - question\n  bots: [a]\n",
        b"mode: actve\nreport: {day: 29}\ninbox: &a {sample: '5'}\n---\n",
    ),
    words=tuple(bytes_of(piece) for piece in _PIECES),
    made=st.one_of(
        st.binary(max_size=300),
        _LINES.map(bytes_of),
        _DOCUMENTS.map(str.encode),
        st.tuples(_DOCUMENTS, st.integers(0, 400), _LINES).map(
            lambda made: bytes_of(made[0][: made[1]] + made[2] + made[0][made[1] :])
        ),
        repeated(_PIECES, MOST_BYTES).map(lambda text: bytes_of(text)[: MOST_BYTES + 1]),
    ),
)
