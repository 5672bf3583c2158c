"""The file of a trained model: an npz of plain arrays with one JSON member; whatever is not exactly that is refused."""

import hashlib
import io
import json
import lzma
import math
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classifier.blocks import BLOCK_WEIGHTS
from classifier.parameters import Head, Parameters
from classifier.taxonomy import BUG_TYPES, CATEGORIES, NONE
from classifier.vectors import Vocabulary

SCHEMA = 1
LARGEST_FILE = 256 * 1024 * 1024
"""Bytes, packed or unpacked: far above any model, far below a machine's memory."""
LARGEST_HEADER = 32 * 1024 * 1024
"""Bytes of the JSON member: read into objects it takes many times its size."""
MOST_MEMBERS = 16
"""A model has six; the list of an archive's members alone could fill the memory."""
LARGEST_WEIGHT = 1e6
"""Far above any weight that is learned (the largest is about 10), far below what overflows when many are added."""
_HEADER = "model.json"
_LISTED = b"PK\x01\x02"
"""Mark before each entry of an archive's list."""
_NO_ZIP = (zipfile.BadZipFile, zipfile.LargeZipFile)
_DATE = (1980, 1, 1, 0, 0, 0)
"""Date of every member, so that the same model is the same bytes."""
_AXES = {"category": CATEGORIES, "bug_type": tuple(known.key for known in BUG_TYPES)}
_PREFIX = 10
"""Bytes of an array before its head: the format's mark, its version, and the head's length."""
_ARRAY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(?P<kind>[<>|=]?[biufc]\d{1,2})', 'fortran_order': False, "
    rb"'shape': \((?P<shape>\d{1,9},(?: \d{1,9})?)\), \} {0,200}\n",
    re.DOTALL,
)
"""An array of one or two dimensions as numpy writes it."""
Arrays = dict[str, NDArray[np.float32]]


class ModelFileError(ValueError):
    """A model file that is not used, with the reason; whatever model is running goes on."""


def _digest(header: dict[str, Any], arrays: Arrays) -> str:
    """Hash everything but the hash itself: the header's JSON, then names, shapes and bytes of the arrays."""
    known = {key: value for key, value in header.items() if key != "sha256"}
    digest = hashlib.sha256(json.dumps(known, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(f"{name}{arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name], dtype="<f4").tobytes())
    return digest.hexdigest()


def model_bytes(model: Parameters) -> bytes:
    """Pack a model; the same model gives the same bytes."""
    arrays: Arrays = {"rarity": model.vocabulary.rarity}
    axes: dict[str, Any] = {}
    for axis, head in (("category", model.category), ("bug_type", model.bug_type)):
        if head is not None:
            arrays[f"{axis}_coefficients"], arrays[f"{axis}_intercepts"] = head.coefficients, head.intercepts
            axes[axis] = {"classes": head.labels, "examples": dict(head.examples), "shares": dict(head.shares)}
    header = {
        "schema": SCHEMA,
        "version": model.version,
        "lexicon": model.lexicon,
        "training_hash": model.training_hash,
        "threshold": model.threshold,
        "features": dict(model.vocabulary.terms),
        "axes": axes,
    }
    header = json.loads(json.dumps(header))
    header["sha256"] = _digest(header, arrays)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as members:
        members.writestr(zipfile.ZipInfo(_HEADER, _DATE), json.dumps(header), zipfile.ZIP_DEFLATED)
        for name in sorted(arrays):
            written = io.BytesIO()
            np.lib.format.write_array(written, np.ascontiguousarray(arrays[name], dtype="<f4"), allow_pickle=False)
            # Deflating would take a tenth off the weights and cost more than all else in reading them.
            members.writestr(zipfile.ZipInfo(f"{name}.npy", _DATE), written.getvalue(), zipfile.ZIP_STORED)
    return packed.getvalue()


def read_model(packed: bytes) -> Parameters:
    """Unpack a model; raises ModelFileError with a sentence for anything that `model_bytes` would not write."""
    if len(packed) > LARGEST_FILE:
        raise ModelFileError(f"the model file is larger than {LARGEST_FILE // 1024**2} MB")
    if packed.count(_LISTED) > MOST_MEMBERS:
        raise ModelFileError(f"the model file has more than {MOST_MEMBERS} members")
    try:
        with zipfile.ZipFile(io.BytesIO(packed)) as members:
            header, arrays = _unpacked(members)
    except ModelFileError:
        raise
    except (*_NO_ZIP, zlib.error, lzma.LZMAError, ValueError, OSError, EOFError, RuntimeError) as error:
        raise ModelFileError(f"the model file is no npz: {error}") from error
    if header.get("sha256") != _digest(header, arrays):
        raise ModelFileError("the model file's hash does not match its content: it was changed or cut after writing")
    try:
        return _model(header, arrays)
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise ModelFileError(f"the model file's parts do not fit together: {error}") from error


def read_model_file(path: Path) -> Parameters:
    """Read a model from a file; raises ModelFileError, also where the file cannot be read."""
    try:
        return read_model(path.read_bytes())
    except OSError as error:
        raise ModelFileError(f"the model file {path.name} cannot be read: {error.strerror}") from error


def _unpacked(members: zipfile.ZipFile) -> tuple[dict[str, Any], Arrays]:
    if sum(member.file_size for member in members.infolist()) > LARGEST_FILE:
        raise ModelFileError(f"the model file unpacks to more than {LARGEST_FILE // 1024**2} MB")
    names = [member.filename for member in members.infolist()]
    if len({name.removesuffix(".npy") for name in names}) < len(names):
        raise ModelFileError("the model file has a member twice")
    header = _header(members)
    return header, {name.removesuffix(".npy"): _array(members, name) for name in names if name != _HEADER}


def _header(members: zipfile.ZipFile) -> dict[str, Any]:
    if _HEADER not in members.namelist():
        raise ModelFileError(f"the model file has no {_HEADER}")
    if members.getinfo(_HEADER).file_size > LARGEST_HEADER:
        raise ModelFileError(f"the model file's {_HEADER} is larger than {LARGEST_HEADER // 1024**2} MB")
    try:
        header = json.loads(members.read(_HEADER))
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"the model file's {_HEADER} is no JSON") from error
    if not isinstance(header, dict) or not isinstance(header.get("schema"), int):
        raise ModelFileError("the model file names no schema version")
    if header["schema"] > SCHEMA:
        raise ModelFileError(
            f"the model file has schema {header['schema']}, this version reads {SCHEMA}: update Rootcause to use it"
        )
    if header["schema"] < 1:
        raise ModelFileError(f"the model file has schema {header['schema']}, which there never was")
    return header


def _array(members: zipfile.ZipFile, name: str) -> NDArray[np.float32]:
    """Read one member in numpy's format; its head is compared, never evaluated."""
    packed = members.read(name)
    head = _ARRAY.match(packed)
    if head is None:
        raise ModelFileError(f"{name} of the model file is no plain array")
    if head["kind"] != b"<f4":
        raise ModelFileError(f"{name} of the model file does not hold single-precision numbers")
    shape = tuple(int(size) for size in head["shape"].split(b",") if size.strip())
    content = packed[head.end() :]
    if head.end() != _PREFIX + int.from_bytes(packed[8:_PREFIX], "little") or len(content) != 4 * math.prod(shape):
        raise ModelFileError(f"{name} of the model file is no plain array: it is not as long as it says")
    read = np.frombuffer(content, dtype="<f4").reshape(shape)
    if not np.isfinite(read).all():
        raise ModelFileError(f"{name} of the model file holds numbers that are not finite")
    return read


def _model(header: dict[str, Any], arrays: Arrays) -> Parameters:
    features = header["features"]
    if list(features) != list(BLOCK_WEIGHTS):
        raise ValueError(f"its blocks are {', '.join(features)}")
    terms = {block: tuple(names) for block, names in features.items()}
    for block, names in terms.items():
        if set(map(type, names)) - {str} or len(set(names)) < len(names):
            raise ValueError(f"the features of {block} are not distinct words")
    rarity = arrays["rarity"]
    if ((rarity <= 0) | (rarity > LARGEST_WEIGHT)).any():
        raise ValueError("the rarity of a feature is not positive, or too large")
    vocabulary = Vocabulary(terms, rarity)
    threshold = float(header["threshold"])
    if not 0 < threshold <= 1:
        raise ValueError(f"its threshold is {threshold}")
    heads = {axis: _head(axis, entry, arrays, vocabulary.size) for axis, entry in header["axes"].items()}
    if NONE not in heads["category"].labels:
        raise ValueError("it does not know none")
    return Parameters(
        version=_word(header["version"]),
        lexicon=_word(header["lexicon"]),
        training_hash=_word(header["training_hash"]),
        threshold=threshold,
        vocabulary=vocabulary,
        category=heads["category"],
        bug_type=heads.get("bug_type"),
    )


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} should be a word")
    return value


def _head(axis: str, entry: dict[str, Any], arrays: Arrays, size: int) -> Head:
    labels = tuple(entry["classes"])
    if len(labels) < 2 or list(labels) != [label for label in _AXES[axis] if label in labels]:
        raise ValueError(f"unknown classes of {axis}: {labels}")
    coefficients, intercepts = arrays[f"{axis}_coefficients"], arrays[f"{axis}_intercepts"]
    if coefficients.shape != (len(labels), size) or intercepts.shape != (len(labels),):
        raise ValueError(f"{axis} has {len(labels)} classes and {size} features, its weights {coefficients.shape}")
    if max(np.abs(coefficients).max(initial=0), np.abs(intercepts).max()) > LARGEST_WEIGHT:
        raise ValueError(f"a weight of {axis} is too large")
    shares = {label: float(entry["shares"][label]) for label in labels}
    if min(shares.values()) <= 0 or not math.isclose(sum(shares.values()), 1, abs_tol=1e-6):
        raise ValueError(f"the shares of {axis} are no shares")
    examples = {label: int(entry["examples"][label]) for label in labels}
    return Head(labels, coefficients, intercepts, examples, shares)
