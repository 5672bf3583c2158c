"""Files of trained models: refused in a sentence, or a model that predicts."""

from __future__ import annotations

import io
import json
import math
import warnings
import zipfile
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from classifier import IssueText
from classifier.loading import open_model
from classifier.model_file import ModelFileError, _digest, model_bytes, read_model
from classifier.parameters import Head, Parameters
from classifier.vectors import Vocabulary
from tests.hostile.mutations import CHANGES, changed, json_bytes
from tests.hostile.surface import Surface, forms
from tests.support.small_corpus import good_model

_PART = b"\xff\x1e\xff"
"""What stands between the members of a file in a case; a member is its name, a line end and its content."""

_ISSUE = IssueText(
    "Memory leak in the cache", "The resident memory grows until the process is killed.\n\n```\nOOM\n```"
)


def _tiny() -> Parameters:
    """Return a model of two words a block, small enough to be mutated in every place."""
    whole = read_model(good_model())
    terms = {block: names[:2] for block, names in whole.vocabulary.terms.items()}
    size = sum(map(len, terms.values()))

    def cut(head: Head) -> Head:
        return replace(head, coefficients=np.ascontiguousarray(head.coefficients[:, :size]))

    return replace(
        whole,
        vocabulary=Vocabulary(terms, whole.vocabulary.rarity[:size]),
        category=cut(whole.category),
        bug_type=None if whole.bug_type is None else cut(whole.bug_type),
    )


def _members(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


_GOOD = model_bytes(_tiny())
_MEMBERS = _members(_GOOD)
_HEADER = json.loads(_MEMBERS["model.json"])


def _opened(packed: bytes) -> None:
    try:
        model = open_model(packed)
    except ModelFileError as error:
        sentence = str(error)
        assert sentence.startswith("the model file") or " of the model file " in sentence
        return
    found = model.predict(_ISSUE)
    assert math.isclose(math.fsum(found.probabilities.values()), 1, abs_tol=1e-6)
    assert all(0 <= value <= 1 for value in (found.system_related, *found.probabilities.values()))
    model.explain(_ISSUE)
    again = model_bytes(model.parameters)
    assert model_bytes(read_model(again)) == again


def _as_it_is(content: bytes) -> None:
    _opened(content)


def _packed(content: bytes) -> None:
    """Pack members as they are given, with the hash that belongs to them, so that more is looked at than the hash."""
    parts = [part.partition(b"\n") for part in content.split(_PART)]
    members = [(name.decode("latin-1"), inside) for name, _, inside in parts]
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore", UserWarning)  # of names that come twice
        for name, inside in members:
            archive.writestr(zipfile.ZipInfo(name), _with_hash(inside, members) if name == "model.json" else inside)
    _opened(packed.getvalue())


def _with_hash(header: bytes, members: list[tuple[str, bytes]]) -> bytes:
    try:
        read = json.loads(header)
        arrays = {
            name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(inside), allow_pickle=False)
            for name, inside in members
            if name != "model.json"
        }
        read["sha256"] = _digest(read, arrays)
        return json.dumps(read).encode()
    except Exception:  # noqa: BLE001 - whatever is wrong with it is for the reader to say
        return header


_FORMS = (_packed, _as_it_is)


def _target(case: bytes) -> None:
    _FORMS[case[0] % len(_FORMS) if case else 0](case[1:])


def _joined(members: dict[str, bytes]) -> bytes:
    return _PART.join(name.encode("utf-8", "replace") + b"\n" + inside for name, inside in members.items())


def _array(values: Any) -> bytes:
    written = io.BytesIO()
    np.save(written, np.asarray(values, dtype="<f4"), allow_pickle=False)
    return written.getvalue()


_NAMES = st.sampled_from(sorted(_MEMBERS))
_NUMBERS = st.one_of(st.floats(width=32), st.sampled_from([3e38, -3e38, 0.0, math.inf, math.nan, 1e-45]))
_RESCALED = st.tuples(_NAMES.filter(lambda name: name.endswith(".npy")), _NUMBERS).map(
    lambda made: {made[0]: _array(np.full_like(np.load(io.BytesIO(_MEMBERS[made[0]])), made[1]))}
)
_HEADERS = CHANGES.map(lambda changes: {"model.json": json_bytes(changed(_HEADER, changes))})
_BYTES = st.tuples(_NAMES, st.integers(0, 4_000), st.binary(max_size=8)).map(
    lambda made: {made[0]: _put(_MEMBERS[made[0]], made[1], made[2])}
)
_OTHERS = st.dictionaries(st.text(max_size=8), st.binary(max_size=20), max_size=3)


def _put(whole: bytes, at: int, inside: bytes) -> bytes:
    at %= len(whole) + 1
    return whole[:at] + inside + whole[at + len(inside) :]


SURFACE = Surface(
    target=_target,
    seeds=(b"\0" + _joined(_MEMBERS), b"\1" + _GOOD, b"\1" + _GOOD[: len(_GOOD) // 2]),
    words=(
        *(
            _PART,
            b"PK\x01\x02",
            b"PK\x03\x04",
            b"PK\x05\x06",
            b"PK\x06\x06",
            b"\x93NUMPY\x01\x00",
            b"model.json",
            b"rarity",
        ),
        *(b"'<f4'", b"'|O'", b"True", b"shape", b"schema", b"shares", b"classes", b"Infinity", b"\x00\x00\x80\x7f"),
    ),
    made=forms(
        st.one_of(
            st.tuples(_RESCALED, _RESCALED).map(lambda made: _joined({**_MEMBERS, **made[0], **made[1]})),
            st.tuples(_RESCALED, _HEADERS).map(lambda made: _joined({**_MEMBERS, **made[0], **made[1]})),
            _HEADERS.map(lambda made: _joined({**_MEMBERS, **made})),
            _BYTES.map(lambda made: _joined({**_MEMBERS, **made})),
            _OTHERS.map(lambda made: _joined({**_MEMBERS, **made})),
        ),
        st.one_of(
            st.tuples(st.integers(0, len(_GOOD)), st.binary(max_size=6)).map(lambda made: _put(_GOOD, *made)),
            st.tuples(st.integers(0, 300), st.binary(max_size=6)).map(
                lambda made: _put(_GOOD, len(_GOOD) - made[0], made[1])
            ),
            st.integers(0, len(_GOOD)).map(lambda end: _GOOD[:end]),
            st.integers(0, len(_GOOD)).map(lambda at: _GOOD[at:] + _GOOD),
        ),
    ),
    longest=16_384,
)
