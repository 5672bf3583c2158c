"""The file as people write it: what it means, and every mistake with its place."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.config import DEFAULTS, BadConfiguration, Configuration, Mistake, read
from bot.config.characters import MOST_BYTES
from bot.config.published import published_schema
from bot.config.tree import grow
from tests.support.schema_documents import documents

A_DOMAIN = "a text of at most 60 characters, such as `Computer Vision`"
A_LABEL = "a text of at most 50 characters, such as `module: memory usage`"
LABELS = f"a list of at most 200 entries, each {A_LABEL}"


def mistakes(content: str | bytes) -> list[str]:
    """Return the mistakes of a file that has some."""
    with pytest.raises(BadConfiguration) as caught:
        read(content.encode() if isinstance(content, str) else content)
    return [str(one) for one in caught.value.mistakes]


@pytest.mark.parametrize("content", ["", "\n", "# nothing yet\n", "---\n", "~", "{}", "\ufeff", "report:\ninbox:\n"])
def test_a_file_that_says_nothing_gives_the_defaults(content: str) -> None:
    found = read(content.encode())

    assert (found, found.document()) == (DEFAULTS, {})


def test_the_defaults_are_the_products() -> None:
    assert (DEFAULTS.paradigm, DEFAULTS.domain, DEFAULTS.share, DEFAULTS.mode) == (None, None, "group", None)
    assert (DEFAULTS.propose, DEFAULTS.threshold, DEFAULTS.own_threshold) == ("inbox", "auto", None)
    assert (DEFAULTS.labels.prefix, DEFAULTS.labels.map) == ("root-cause/", {})
    assert (DEFAULTS.inbox.sample, DEFAULTS.inbox.labels) == (10, ())
    assert (DEFAULTS.eligibility.min_comments, DEFAULTS.eligibility.min_words) == (3, 8)
    report = DEFAULTS.report
    assert (report.enabled, report.style, report.repository, report.day) == (True, "issue", None, 1)
    assert (report.assignees, report.close_previous, report.pin) == ((), True, False)


def test_every_kind_of_value() -> None:
    found = read(
        b"paradigm: ml\ndomain: Computer Vision\nshare: off\nmode: observe\npropose: off\nthreshold: .5\n"
        b"labels:\n  map: {'module: memory usage': memory-leak, flaky: none, no: conversion}\n"
        b"inbox: {sample: 5, labels: [pinned]}\n"
        b"report:\n  enabled: False\n  style: central\n  repository: acme/reports\n  assignees:\n  - 'helper[bot]'\n"
    )

    assert (found.paradigm, found.domain, found.share, found.mode) == ("ml", "Computer Vision", "off", "observe")
    assert (found.propose, found.own_threshold) == ("off", 0.5)
    assert found.labels.map == {"module: memory usage": "memory-leak", "flaky": "none", "no": "conversion"}
    assert (found.inbox.sample, found.inbox.labels) == (5, ("pinned",))
    assert (found.report.enabled, found.report.style, found.report.repository) == (False, "central", "acme/reports")
    assert found.report.assignees == ("helper[bot]",)
    assert Configuration.of(found.document()) == found


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("mod: observe", ["1:1: there is no key `mod`; did you mean `mode`?"]),
        ("\n\n  Modes: x", ["3:3: there is no key `Modes`; did you mean `mode`?"]),
        ("min_coment: 2", ["1:1: there is no key `min_coment` at the top; `min_comments` stands under `eligibility:`"]),
        (
            "boxes: {a: , b: {c: }}",
            ["1:1: there is no key `boxes`; did you mean `inbox`?"],
        ),
        (
            "report:\n  propose: off",
            ["2:3: there is no key `propose` in `report`; `propose` stands at the top, without indentation"],
        ),
        (
            "exclude: {zzz: 1}",
            ["1:11: there is no key `zzz` in `exclude`; the keys are labels, authors"],
        ),
        ("mode: actve", ["1:7: `mode` takes `active` or `observe`, not `actve`; did you mean `active`?"]),
        ("mode: [observe]", ["1:7: `mode` takes `active` or `observe`, not a list"]),
        ("mode:", ["1:1: `mode` has no value; it takes `active` or `observe`"]),
        ("exclude:\n  labels: # none", [f"2:3: `labels` has no value; it takes {LABELS}"]),
        ("threshold: 1.01", ["1:12: `threshold` takes `auto` or a number from 0 to 1, not `1.01`"]),
        ("threshold: .nan", ["1:12: `threshold` takes `auto` or a number from 0 to 1, not `.nan`"]),
        ("report: {day: 29}", ["1:15: `day` takes a whole number from 1 to 28, not `29`"]),
        ("report: {pin: yes}", ["1:15: `pin` takes `true` or `false`, not `yes`"]),
        ("inbox:\n  sample: '5'", ["2:11: `sample` takes a whole number from 1 to 50, not `5`"]),
        ("domain: 2024", [f"1:9: `domain` takes {A_DOMAIN}, not `2024`; put it into quotes"]),
        ("domain: ''", [f"1:9: `domain` takes {A_DOMAIN}, not an empty text"]),
        ("exclude: {authors: ['@ann']}", ["1:21: an entry of `authors` is a text, such as `octocat`, not `@ann`"]),
        ("labels: {map: {a: leek}}", ["1:19: `a` takes a category, not `leek`; did you mean `memory-leak`?"]),
        ("labels: {map: {'': none}}", ["1:16: a label's name has 1 to 50 characters"]),
        (
            "labels:\n  map:\n    Leak: memory-leak\n    leak: none",
            ["4:5: `leak` and `Leak` are one label on GitHub; keep one of them"],
        ),
        (
            "report:\n  style: central",
            ["2:10: `style: central` needs to be told where: add `repository: owner/name` beside it"],
        ),
        ("- mode: active", ["1:1: the file holds a list; it should hold keys with values, such as `mode: observe`"]),
        ("active", ["1:1: the file holds a single value; it should hold keys with values, such as `mode: observe`"]),
        ("mode: 1\nmode: active", ["2:1: `mode` stands here for the second time, after line 1; keep one of them"]),
        ("inbox: &a {sample: 5}", ["1:8: anchors (`&name`) are not read here; delete it"]),
        ("inbox: *a", ["1:8: aliases (`*name`) are not read here; write the value out"]),
        ("mode: !!python/name:os.system x", ["1:7: tags (`!name`) are not read here; delete it"]),
        ("mode: active\n---\nmode: observe", ["2:1: a second document begins here; one file holds one configuration"]),
        ("? [a]\n: 1", ["1:3: a key is one word or one text in quotes, not a list or a group of keys"]),
        ("[[[[[[[[", ["1:5: this lies deeper than any key does; check the indentation"]),
        ("report:\n\tday: 2", ["2:1: a tab stands here; YAML is indented by spaces"]),
        (
            b"\xef\xbb\xbfmode: observ\r\n\r\nshare: x\r\n",
            [
                "1:7: `mode` takes `active` or `observe`, not `observ`; did you mean `observe`?",
                "3:8: `share` takes `group`, `named` or `off`, not `x`",
            ],
        ),
        ("mode:\tactive", ["1:6: a tab stands here; put a space in its place"]),
        ("mode: active\n...\nshare: off", ["3:1: nothing may follow the configuration here"]),
        ("share: x\n<<<<<<< HEAD\nmode: active\n=======\n", [
            "2:1: a merge conflict was left here; keep one side of it and delete its marks"
        ]),
        ("report: {day: 0x1F}", ["1:15: `day` takes a whole number from 1 to 28, not `0x1F`"]),
        ("report: {day: 1:30}", ["1:15: `day` takes a whole number from 1 to 28, not `1:30`"]),
        ("report: {day: 2}\nreport: {pin: true}", [
            "2:1: `report` stands here for the second time, after line 1; keep one of them"
        ]),
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", ["1:4: anchors (`&name`) are not read here; delete it"]),
        ("exclude:\n  labels:\n" + "  - a\n" * 201, [f"3:3: `labels` takes {LABELS}, not 201 entries"]),
        ("mode: active\x00", ["1:13: the character U+0000 is not allowed in YAML; delete it"]),
        ("mode: {{ x }}", ["1:8: a key is one word or one text in quotes, not a list or a group of keys"]),
        ("domain: 'Vision\nmode: observe", ["1:9: this text in quotes never ends; add the second quotation mark"]),
        ("domain: @home", ["1:9: nothing can begin by `@` here; put the text into quotes"]),
        ("mode: active\n  day: 2", ["2:6: a `:` is not expected here; put a text with `: ` inside into quotes"]),
        ("inbox: [1, 2", ["1:8: this list in brackets never ends, or a comma is missing"]),
        (b"mode: active\ndomain: \xe9t\xe9", ["2:9: this byte is not UTF-8; save the file as UTF-8"]),
        ("mode: active".encode("utf-16"), ["1:1: this byte is not UTF-8; save the file as UTF-8"]),
        ("domain: a\x07b", ["1:10: the character U+0007 is not allowed in YAML; delete it"]),
        ('domain: "\\UFFFFFFFF"', ["1:1: a number behind this place is too large to be read"]),
        (b"#" * (MOST_BYTES + 1), ["1:1: the file has 32,769 bytes, and at most 32,768 are read"]),
        ("\r\nmods: x\r\n", ["2:1: there is no key `mods`; did you mean `mode`?"]),
    ],
)  # fmt: skip
def test_a_mistake_has_a_place_and_a_sentence(content: str | bytes, expected: list[str]) -> None:
    assert mistakes(content) == expected


def test_all_mistakes_are_told_at_once() -> None:
    content = "x1: 1\nmode: actve\nmode: 2\nreport:\n  day: 0\n  dya: 1\nexclude:\n  labels: [ok, '', 3]\n  authors:\n"

    assert [one.split(": ")[0] for one in mistakes(content)] == [
        "1:1",
        "3:1",
        "3:7",
        "5:8",
        "6:3",
        "8:16",
        "8:20",
        "9:3",
    ]


def test_what_cannot_be_shown_or_stored_is_refused() -> None:
    for content in ('domain: "a\\0b"', 'domain: "\\ud800"', "domain: |\n  a\n  b", '"a\\nb": 1', "domain: a\u202eb"):
        assert "cannot be seen" in " ".join(mistakes(content))


def test_a_person_text_cannot_format_or_mention_in_a_sentence() -> None:
    (sentence,) = mistakes('mode: "`@all` [x](https://evil.example)"')
    assert sentence == "1:7: `mode` takes `active` or `observe`, not `@all [x](https://evil.example)`"


def test_deep_and_wide_files_cost_little() -> None:
    for content in (b"[" * MOST_BYTES, b"{a: " * (MOST_BYTES // 4), b"- " * (MOST_BYTES // 2)):
        mistakes(content)


# --- whatever is written ---

QUICK = settings(max_examples=60, deadline=None)

LINES = st.sampled_from(
    ["mode: observe", "report:", "  day: 3", "\tx: 1", "- a", "labels: {map: {a: none}}", "'", '"\\x', "&a", "*a", "? ",
     "!!set", "---", "...", "%YAML 1.1", "|", ">-", ": :", "[", "}", "\x00", "\u2028", "é", "\r", "<<: *a", "'@'"]
)  # fmt: skip


@QUICK
@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
)
def test_no_bytes_raise_anything_else(content: bytes) -> None:
    _reads_or_tells(content)


@QUICK
@given(st.lists(LINES, max_size=12).map("\n".join))
def test_no_lines_raise_anything_else(content: str) -> None:
    _reads_or_tells(content.encode())


def _reads_or_tells(content: bytes) -> None:
    told: tuple[Mistake, ...] | None = None
    try:
        read(content)
    except BadConfiguration as error:
        told = error.mistakes
    assert told is None or told
    lines = content.decode("utf-8-sig", "replace").splitlines() or [""]
    for one in told or ():
        width = len(lines[one.line - 1]) if one.line <= len(lines) else 0
        assert one.sentence
        assert 1 <= one.line <= len(lines) + 1
        assert 1 <= one.column <= width + 1


WORDS = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "Z")), max_size=12)
VALUES = st.recursive(
    st.one_of(WORDS, st.integers(-(10**17), 10**17), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)


def _words(value: Any) -> list[str]:
    """Return every text in a value, keys included."""
    if isinstance(value, dict):
        return [word for key, inner in value.items() for word in (key, *_words(inner))]
    if isinstance(value, list):
        return [word for inner in value for word in _words(inner)]
    return [value] if isinstance(value, str) else []


@QUICK
@given(st.dictionaries(WORDS, VALUES, max_size=4))
def test_plain_values_come_through_and_each_key_is_where_it_stands(value: dict[str, Any]) -> None:
    # YAML 1.1, which writes here, takes other words for numbers than YAML 1.2, which reads.
    assume(not any(re.match(r"[-+]?[.]?[0-9]", word) for word in _words(value)))
    text = yaml.safe_dump(value, allow_unicode=True, width=10_000)
    try:
        tree = grow(text)
    except BadConfiguration as error:
        assume("deeper" not in str(error))
        raise
    assert tree.value == value
    lines = text.splitlines()
    for path, (line, column) in tree.keys.items():
        shown = lines[line - 1][column - 1 :].removeprefix("? ")
        assert shown.startswith((str(path[-1]), "'", '"'))


@settings(max_examples=30, deadline=None)
@given(documents(published_schema()))
def test_what_the_published_schema_allows_is_read(document: dict[str, Any]) -> None:
    found = read(json.dumps(document, ensure_ascii=False).encode())
    assert Configuration.of(found.document()) == found
    again = read(yaml.safe_dump(document, allow_unicode=True, width=10_000).encode())
    assert again == found


def test_the_worst_files_are_refused_at_once() -> None:
    """Every one of them is as large as may be read; YAML 1.1's own words and numbers mean nothing here."""
    started = time.perf_counter()
    for piece in ("[", "{a: ", "- ", "? ", "!", "&", "*", "'", '"', ":", "|", "%", "[*a,", "&a [", "\t"):
        assert mistakes(piece * (MOST_BYTES // len(piece)))
    assert time.perf_counter() - started < 10
    for word in ("yes", "on", "y", "no", "off", "n"):
        assert mistakes(f"report: {{pin: {word}}}") == [f"1:15: `pin` takes `true` or `false`, not `{word}`"]
    assert read(b"report: {day: 010}").report.day == 10
    assert read(b"domain: 2024-01-01").domain == "2024-01-01"
