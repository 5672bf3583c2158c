"""Measure a description: words of prose, lines of code, attached files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.evidence.blocks import Block
from bot.evidence.markdown import read_blocks
from bot.evidence.words import count_words

_FORM_RANK = 3
"""GitHub writes the labels of an issue form as headings of that rank, each answer below its label."""

_TASK = re.compile(r"\s*\[([ xX])\](?=\s|$)")
_NO_ANSWER = re.compile(r"[\s_*]*no response[\s_*.]*$", re.IGNORECASE)
_KEY = re.compile(r"[^:\n]{1,120}:\W*$")
_KEY_AND_VALUE = re.compile(r"[^:\n]{1,120}:(?:\s|$)")
_EXAMPLE = re.compile(r"\[e\.g\.[^\[\]]*\]", re.IGNORECASE)
_TEMPLATE_LINE = re.compile(
    r"\W*(?:a clear and concise description of\b|if applicable, add screenshots\b|add any other context about\b"
    r"|steps to reproduce the behaviou?r:?\s*$|go to '\.+'|click on '\.+'|scroll down to '\.+'|see error\s*$"
    r"|please make sure that this is a\b|we only address code/doc bugs|build/installation issues on github"
    r"|provide a reproducible test case that is\b|include any logs or source code that\b)",
    re.IGNORECASE,
)
"""How lines of GitHub's default bug report, and of TensorFlow's, begin; whoever left them wrote nothing of theirs."""


@dataclass(frozen=True)
class DescriptionMeasures:
    """The information a description holds (the first study's Table 5): counts, and whether it came by an issue form."""

    description_words: int
    attached_files: int
    code_lines: int
    issue_form: bool


def measure_description(body: str) -> DescriptionMeasures:
    """Measure a description; total on any text, and at worst about a second of CPU: call it in a thread.

    - `description_words`: words of prose. Not counted: fenced, indented and `<pre>` code, HTML comments, addresses,
      and template text nobody filled in: headings (and lines all bold) with nothing below them, `_No response_`,
      unticked boxes, keys with no value (`- OS:`), and lines of well-known bug report templates. In the body of an
      issue form the labels (its headings) and all boxes are the form's words, never the reporter's.
    - `issue_form`: the text has the shape that GitHub gives to the answers of an issue form.
    - `code_lines`: non-blank lines of code blocks. Code inside a line of prose is prose.
    - `attached_files`: different files uploaded, shown or linked (`bot.evidence.attachments`), outside of code.
    """
    read = read_blocks(body)
    return DescriptionMeasures(
        description_words=_words(read.blocks),
        attached_files=len(read.attached),
        code_lines=sum(sum(1 for line in block.text.splitlines() if line.strip()) for block in _code(read.blocks)),
        issue_form=_is_form(read.blocks),
    )


def _code(blocks: Sequence[Block]) -> list[Block]:
    return [block for block in blocks if block.kind == "code"]


def _words(blocks: Sequence[Block]) -> int:
    is_form = _is_form(blocks)
    total = 0
    waiting: list[tuple[int, int]] = []
    for position, block in enumerate(blocks):
        if block.kind == "heading":
            waiting = [heading for heading in waiting if heading[0] < block.depth]
            words = 0 if is_form and block.depth == _FORM_RANK else count_words(block.text)
            waiting.append((block.depth, words))
            continue
        following = blocks[position + 1] if position + 1 < len(blocks) else None
        text = "" if block.kind == "code" else _filled(block, following, is_form=is_form)
        if text.strip() or block.kind == "code" or block.attaches:
            total += count_words(text) + sum(words for _, words in waiting)
            waiting = []
    return total


def _is_form(blocks: Sequence[Block]) -> bool:
    """Tell the body of an issue form: it begins with a heading of rank 3, and has another or an unanswered question."""
    labels = [(block.kind, block.depth) == ("heading", _FORM_RANK) for block in blocks]
    if not labels or not labels[0]:
        return False
    return sum(labels) > 1 or any(_NO_ANSWER.match(block.text) for block in blocks)


def _filled(block: Block, following: Block | None, *, is_form: bool) -> str:
    """Return the lines of a block that somebody wrote, without what a template left open."""
    if _NO_ANSWER.match(block.text):
        return ""
    task = _TASK.match(block.text) if block.kind == "item" else None
    if task is not None and (is_form or task.group(1) == " "):
        return ""
    lines = block.text[task.end() :].splitlines() if task else block.text.splitlines()
    kept = [
        _EXAMPLE.sub(" ", line)
        for position, line in enumerate(lines)
        if not _TEMPLATE_LINE.match(line) and not _is_open_key(block, lines, position, following)
    ]
    return "\n".join(kept)


def _is_open_key(block: Block, lines: Sequence[str], position: int, following: Block | None) -> bool:
    """Tell whether a line is a key with no value: nothing stands behind its colon and nothing answers it below."""
    if not _KEY.match(lines[position].strip()):
        return False
    if position + 1 < len(lines):
        return _KEY_AND_VALUE.match(lines[position + 1].strip()) is not None
    if following is None or following.kind == "heading":
        return True
    return block.kind == "item" and following.kind == "item" and following.depth <= block.depth
