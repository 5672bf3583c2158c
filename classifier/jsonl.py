"""`rootcause classify`: issues as JSON lines in, predictions as JSON lines out, one for one, in order."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Never, TextIO

from classifier.contract import (
    DEFAULT_PRIOR,
    Classifier,
    CommentText,
    FixFileText,
    FixText,
    IssueText,
    Prediction,
)
from classifier.loading import load_classifier
from classifier.text import LONGEST_THREAD

LONGEST_JSON_LINE = 64 * 1024 * 1024
"""Characters of one line that are parsed: far above any thread, far below a machine's memory."""
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
"""Half characters; in decoded text they stand for bytes that were not UTF-8 (an escaped one is left to JSON)."""
_SCALARS = (str, int, float, bool, type(None))


class BadLine(ValueError):  # noqa: N818 - the name that callers know
    """A line that cannot be classified: its number, counted from 1, and the reason in words."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")
        self.number = number
        self.reason = reason


class _LineError(ValueError):
    """What is wrong with a line, before its number is known."""


def _no_constant(name: str) -> Never:
    raise _LineError(f"{name} is not JSON")


def _text(value: object, name: str, *, null_allowed: bool = False) -> str:
    if value is None and null_allowed:
        return ""
    if not isinstance(value, str):
        raise _LineError(f"{name} must be a string")
    return value


def _count(value: object, name: str) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise _LineError(f"{name} must be a whole number, zero or more, or null")


def _comment(value: object, name: str) -> CommentText:
    if isinstance(value, str):
        return CommentText(value)
    if not isinstance(value, dict) or "body" not in value:
        raise _LineError(f'{name} must be a string or an object with "body"')
    member = value.get("member")
    if member is not None and not isinstance(member, bool):
        raise _LineError(f"{name}.member must be true, false or null")
    return CommentText(_text(value["body"], f"{name}.body", null_allowed=True), member)


def _list(value: object, name: str) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _LineError(f"{name} must be a list")
    return value


def _file(value: object, name: str) -> FixFileText:
    if not isinstance(value, dict) or "path" not in value:
        raise _LineError(f'{name} must be an object with "path"')
    return FixFileText(
        _text(value["path"], f"{name}.path"),
        _count(value.get("additions"), f"{name}.additions"),
        _count(value.get("deletions"), f"{name}.deletions"),
    )


def _fix(value: object) -> FixText | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise _LineError("fix must be an object or null")
    title = value.get("title")
    return FixText(
        None if title is None else _text(title, "fix.title"),
        _count(value.get("additions"), "fix.additions"),
        _count(value.get("deletions"), "fix.deletions"),
        tuple(_file(one, f"fix.files[{at}]") for at, one in enumerate(_list(value.get("files"), "fix.files"))),
    )


def _read(line: str) -> tuple[object, IssueText]:
    """Read one line into its id and its issue; raises _LineError with the reason."""
    if not line.strip():
        raise _LineError("the line is blank")
    if len(line) > LONGEST_JSON_LINE:
        raise _LineError(f"the line is longer than {LONGEST_JSON_LINE:,} characters")
    if _NOT_UTF8.search(line):
        raise _LineError("not valid UTF-8")
    try:
        value = json.loads(line, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise _LineError(f"not JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise _LineError("nested too deeply") from error
    except _LineError:
        raise
    except ValueError as error:
        raise _LineError("a number has too many digits") from error
    if not isinstance(value, dict):
        raise _LineError("not a JSON object")
    for name in ("title", "body"):
        if name not in value:
            raise _LineError(f"{name} is missing")
    if not isinstance(value.get("id"), _SCALARS) or value.get("id") in (math.inf, -math.inf):
        raise _LineError("id must be a string, a finite number, true, false or null")
    comments = _list(value.get("comments"), "comments")
    return value.get("id"), IssueText(
        title=_text(value["title"], "title"),
        body=_text(value["body"], "body", null_allowed=True),
        comments=tuple(_comment(comment, f"comments[{at}]") for at, comment in enumerate(comments)),
        fix=_fix(value.get("fix")),
    )


def _written(identifier: object, prediction: Prediction) -> str:
    """Write one prediction as a JSON line, without its line end; lone surrogates come out escaped."""
    return json.dumps(
        {
            "id": identifier,
            "category": prediction.category,
            "probability": prediction.probability,
            "system_related": prediction.system_related,
            "top": [{"category": key, "probability": probability} for key, probability in prediction.top],
            "probabilities": prediction.probabilities,
            "proposed": prediction.proposed,
            "reason": prediction.reason,
            "words": list(prediction.words),
            "model": prediction.model,
        },
        allow_nan=False,
    )


def classify_lines(
    lines: Iterable[str],
    prior: float | None = None,
    note: Callable[[str], None] | None = None,
    classifier: Classifier | None = None,
) -> Iterator[str]:
    """Yield one output line, without line end, for each input line, in order.

    `prior` is the assumed share of system-related issues (None: 0.2). `note` is told in a sentence of each thread that
    was too long to be read whole. Raises BadLine at the first line that cannot be classified, and ValueError for a
    prior outside (0, 1). A byte order mark before the first line is accepted.
    """
    model = classifier or load_classifier()
    target = DEFAULT_PRIOR if prior is None else prior
    for number, line in enumerate(lines, start=1):
        try:
            identifier, issue = _read(line.removeprefix("\ufeff") if number == 1 else line)
        except _LineError as wrong:
            raise BadLine(number, str(wrong)) from wrong
        prediction = model.predict(issue, target)
        if prediction.cut and note:
            note(f"line {number}: only {LONGEST_THREAD:,} characters of the thread were read")
        yield _written(identifier, prediction)


def run_classify(stream: TextIO, prior: float | None = None, note: Callable[[str], None] | None = None) -> str:
    """Classify a whole stream and give the whole output, so that nothing is written before every line was good.

    Blank lines at the end are skipped; one in the middle is a bad line, since output and input match line by line.
    Raises what `classify_lines` raises.
    """
    lines = stream.read().split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    return "".join(f"{line}\n" for line in classify_lines(lines, prior, note))
