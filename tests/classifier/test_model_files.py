"""Model files that must not be used: each is refused with a sentence that says what is wrong with it."""

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifier import IssueText
from classifier.lexicon_model import load_lexicon_model
from classifier.loading import choose_classifier, open_model
from classifier.model_file import (
    LARGEST_FILE,
    LARGEST_HEADER,
    MOST_MEMBERS,
    SCHEMA,
    ModelFileError,
    model_bytes,
    read_model,
)
from classifier.parameters import Parameters
from tests.support.small_corpus import good_model

BROKEN_ZIP = "is no npz"
UNFITTING = "parts do not fit together"
NO_ARRAY = r"rarity\.npy of the model file is no plain array"


@cache
def good() -> Parameters:
    return read_model(good_model())


def members(change: Callable[[dict[str, bytes]], object]) -> bytes:
    """Return the good file with its members changed; the hash stays that of the good one."""
    with zipfile.ZipFile(io.BytesIO(good_model())) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return packed.getvalue()


def member(name: str, content: bytes) -> bytes:
    return members(lambda parts: parts.update({name: content}))


def header(**changes: object) -> bytes:
    """Return the good file with entries of its JSON changed."""

    def change(parts: dict[str, bytes]) -> None:
        parts["model.json"] = json.dumps(json.loads(parts["model.json"]) | changes).encode()

    return members(change)


def category(**changes: Any) -> bytes:
    """Return the file, with the right hash, of a model whose weights or labels are wrong."""
    return model_bytes(replace(good(), category=replace(good().category, **changes)))


def each_label(value: object) -> Mapping[str, Any]:
    return dict.fromkeys(good().category.labels, value)


def saved(array: np.ndarray[Any, Any]) -> bytes:
    written = io.BytesIO()
    np.save(written, array, allow_pickle=True)
    return written.getvalue()


def declared(shape: str, kind: str = "'<f4'") -> bytes:
    """Return an array's file of 16 bytes of content whose head declares a type and a shape."""
    head = f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(16)


def unpacking_to(size: int) -> bytes:
    """Return the good file whose directory says that its first member unpacks to so many bytes."""
    packed = bytearray(good_model())
    at = packed.index(b"PK\x01\x02")
    packed[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(packed)


def misnamed() -> bytes:
    """Return the good file whose directory says that its first member's name is UTF-8, which it is not."""
    packed = bytearray(good_model())
    at = packed.index(b"PK\x01\x02")
    packed[at + 9] |= 0x08
    packed[at + 46] = 0xBC
    return bytes(packed)


def with_more(*names: str) -> bytes:
    """Return the good file with members of these names added behind its own."""
    packed = io.BytesIO(good_model())
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        warnings.simplefilter("ignore", UserWarning)
        for name in names:
            archive.writestr(name, saved(np.zeros(4, dtype=np.float32)))
    return packed.getvalue()


def first_twice(labels: tuple[str, ...]) -> tuple[str, ...]:
    return (labels[0], labels[0], *labels[2:])


def twice_the_same_word() -> Parameters:
    vocabulary = good().vocabulary
    terms = {block: first_twice(names) if block == "prose" else names for block, names in vocabulary.terms.items()}
    return replace(good(), vocabulary=replace(vocabulary, terms=terms))


def with_rarity(value: float) -> Parameters:
    vocabulary = good().vocabulary
    return replace(good(), vocabulary=replace(vocabulary, rarity=np.full_like(vocabulary.rarity, value)))


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", BROKEN_ZIP),
    "not a zip": (lambda: b"weights, honestly", BROKEN_ZIP),
    "cut in half": (lambda: good_model()[: len(good_model()) // 2], BROKEN_ZIP),
    "without its end": (lambda: good_model()[:-1], BROKEN_ZIP),
    "unpacks to too much": (lambda: unpacking_to(LARGEST_FILE), "unpacks to more than 256 MB"),
    "unpacks to more than it says": (lambda: unpacking_to(10), BROKEN_ZIP),
    "name of a member that is no text": (lambda: misnamed(), BROKEN_ZIP),
    "array twice": (lambda: with_more("rarity.npy"), "has a member twice"),
    "array twice by another name": (lambda: with_more("rarity"), "has a member twice"),
    "header twice": (lambda: with_more("model.json"), "has a member twice"),
    "endless list of members": (lambda: with_more(*map(str, range(MOST_MEMBERS))), "has more than 16 members"),
    "header that is a bomb": (
        lambda: member("model.json", b"[" + b"[]," * (LARGEST_HEADER // 3 + 1) + b"0]"),
        r"model\.json is larger than 32 MB",
    ),
    "pickle inside": (lambda: member("rarity.npy", saved(np.array([{}], dtype=object))), NO_ARRAY),
    "no array": (lambda: member("rarity.npy", b"no array"), NO_ARRAY),
    "double precision": (lambda: member("rarity.npy", saved(np.zeros(4))), "does not hold single-precision"),
    "huge array": (lambda: member("rarity.npy", declared("(1000000000000,)")), NO_ARRAY),
    "size beyond counting": (lambda: member("rarity.npy", declared("(99999999999999999999999,)")), NO_ARRAY),
    "negative size": (lambda: member("rarity.npy", declared("(-4,)")), NO_ARRAY),
    "size that is no number": (lambda: member("rarity.npy", declared("(True,)")), NO_ARRAY),
    "too many dimensions": (lambda: member("rarity.npy", declared(f"({'1,' * 70})")), NO_ARRAY),
    "head without end": (lambda: member("rarity.npy", declared("(4,)", "[" * 5000)), NO_ARRAY),
    "head too deep": (lambda: member("rarity.npy", declared("(4,)", "-" * 9000 + "1")), NO_ARRAY),
    "no header": (lambda: members(lambda parts: parts.pop("model.json")), r"has no model\.json"),
    "header is no JSON": (lambda: member("model.json", b"{"), r"model\.json is no JSON"),
    "header is no text": (lambda: member("model.json", b"\xff\xfe"), r"model\.json is no JSON"),
    "header too deep": (lambda: member("model.json", b"[" * 100_000), r"model\.json is no JSON"),
    "header is a list": (lambda: member("model.json", b"[]"), "names no schema version"),
    "no schema": (lambda: header(schema=None), "names no schema version"),
    "future schema": (lambda: header(schema=SCHEMA + 1), f"has schema {SCHEMA + 1}, .*: update Rootcause to use it"),
    "schema that never was": (lambda: header(schema=0), "has schema 0, which there never was"),
    "wrong hash": (lambda: header(sha256="0" * 64), "hash does not match"),
    "no hash": (lambda: header(sha256=None), "hash does not match"),
    "other threshold, old hash": (lambda: header(threshold=0.01), "hash does not match"),
    "other weights, old hash": (
        lambda: member("category_intercepts.npy", saved(np.zeros(4, dtype=np.float32))),
        "hash does not match",
    ),
    "one array more": (lambda: member("more.npy", saved(np.zeros(4, dtype=np.float32))), "hash does not match"),
    "array missing": (lambda: members(lambda parts: parts.pop("category_coefficients.npy")), "hash does not match"),
    "column missing": (lambda: category(coefficients=good().category.coefficients[:, :-1]), UNFITTING),
    "row missing": (lambda: category(coefficients=good().category.coefficients[:-1]), UNFITTING),
    "intercept missing": (lambda: category(intercepts=good().category.intercepts[:-1]), UNFITTING),
    "flat weights": (lambda: category(coefficients=good().category.coefficients.ravel()), UNFITTING),
    "not a number": (lambda: category(coefficients=good().category.coefficients * np.nan), "not finite"),
    "infinite": (lambda: category(intercepts=good().category.intercepts + np.inf), "not finite"),
    "rarity of nothing": (lambda: model_bytes(with_rarity(0)), UNFITTING),
    "negative rarity": (lambda: model_bytes(with_rarity(-1)), UNFITTING),
    "endless rarity": (lambda: model_bytes(with_rarity(3e38)), UNFITTING),
    "weights that overflow": (
        lambda: category(coefficients=good().category.coefficients + np.float32(3e38)),
        UNFITTING,
    ),
    "unknown class": (lambda: category(labels=("heat-death", *good().category.labels[1:]), shares={}), UNFITTING),
    "class twice": (lambda: category(labels=first_twice(good().category.labels)), UNFITTING),
    "shares of 2": (lambda: category(shares=each_label(0.5)), UNFITTING),
    "shares beyond counting": (lambda: category(shares=each_label(10**400)), UNFITTING),
    "endless examples": (lambda: category(examples=each_label(float("inf"))), UNFITTING),
    "threshold above 1": (lambda: model_bytes(replace(good(), threshold=1.5)), UNFITTING),
    "threshold beyond counting": (lambda: model_bytes(replace(good(), threshold=cast(float, 10**400))), UNFITTING),
    "word twice": (lambda: model_bytes(twice_the_same_word()), UNFITTING),
    "version is a number": (lambda: model_bytes(replace(good(), version=cast(str, 7))), UNFITTING),
    "another lexicon": (lambda: model_bytes(replace(good(), lexicon="99")), "cannot be used: .* lexicon 99"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_poisoned_file_is_refused_in_a_sentence(kind: str, tmp_path: Path) -> None:
    make, sentence = REFUSED[kind]
    packed = make()
    with pytest.raises(ModelFileError, match=sentence) as refused:
        open_model(packed)
    assert str(refused.value).startswith("the model file") or " of the model file " in str(refused.value)
    path = tmp_path / "model.npz"
    path.write_bytes(packed)
    model, reason = choose_classifier(path)
    assert model is load_lexicon_model(), "something still predicts"
    assert reason == str(refused.value)


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"nothing\.npz cannot be read: No such file"):
        open_model(tmp_path / "nothing.npz")
    with pytest.raises(ModelFileError, match="cannot be read: Is a directory"):
        open_model(tmp_path)


def test_the_good_file_is_what_all_the_others_were_made_of() -> None:
    assert read_model(members(lambda parts: None)).version == good().version
    assert model_bytes(good()) == good_model()
    assert open_model(good_model()).predict(IssueText("Memory leak in the cache", "")).category == "memory-leak"


@settings(max_examples=150, deadline=None)
@given(at=st.integers(0, len(good_model()) - 1), put=st.binary(min_size=1, max_size=4), end=st.booleans())
def test_a_damaged_file_is_the_same_model_or_none(at: int, put: bytes, end: bool) -> None:
    at = max(at, len(good_model()) - 400) if end else at
    damaged = good_model()[:at] + put + good_model()[at + len(put) :]
    try:
        found = model_bytes(read_model(damaged))
    except ModelFileError:
        return
    assert found == good_model()
