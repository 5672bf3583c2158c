"""The blocks of a description as plain text and the files attached to it, as they are collected from its Markdown."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Literal

from bot.evidence.attachments import attached_file, attached_image

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSEEN = re.compile(r"<(script|style|textarea)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_PRE = re.compile(r"<pre\b[^>]*>(.*?)(</pre\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_PRE_END = re.compile(r"</pre\s*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,4000}>")
_IMAGE_SOURCE = re.compile(r"<(?:img|video|source)\b[^<>]*?\ssrc\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)
_LINK_TARGET = re.compile(r"<a\b[^<>]*?\shref\s*=\s*[\"']?([^\s\"'<>]+)", re.IGNORECASE)

BlockKind = Literal["heading", "paragraph", "item", "code"]


@dataclass(frozen=True)
class Block:
    """One block as plain text: a heading of rank `depth`, a paragraph, a list item at depth `depth`, or code.

    `attaches` says that a picture or a file stands in it, so that it is not empty without words.
    """

    kind: BlockKind
    text: str
    depth: int = 0
    attaches: bool = False


@dataclass
class Blocks:
    """The blocks of a description in order, and the keys of the files attached to it."""

    blocks: list[Block] = field(default_factory=list)
    attached: set[str] = field(default_factory=set)
    in_pre: bool = False

    def add(self, kind: BlockKind, text: str, depth: int = 0, *, attaches: bool = False) -> None:
        """Append a block that is not empty."""
        if text.strip() or attaches:
            self.blocks.append(Block(kind, text, depth, attaches))

    def add_html(self, content: str) -> None:
        """Append a block of raw HTML: what is in `<pre>` as code, the rest as prose without tags."""
        content = _UNSEEN.sub(" ", _COMMENT.sub(" ", content))
        self.add("paragraph", "", attaches=self.look_into(content))
        if self.in_pre:
            content = self.continue_pre(content)
        position = 0
        for found in _PRE.finditer(content):
            self.add("paragraph", _without_tags(content[position : found.start()]))
            self.add("code", _without_tags(found.group(1)))
            self.in_pre = not found.group(2)
            position = found.end()
        if not self.in_pre:
            self.add("paragraph", _without_tags(content[position:]))

    def continue_pre(self, content: str) -> str:
        """Append what still stands in an open `<pre>` as code, however blank lines cut it up; return what follows."""
        inside, *rest = _PRE_END.split(content, maxsplit=1)
        self.add("code", _without_tags(inside))
        self.in_pre = not rest
        return "".join(rest)

    def look_into(self, tags: str) -> bool:
        """Note the images, videos and attached files that raw HTML shows or leads to; return whether there are any."""
        images = map(attached_image, _IMAGE_SOURCE.findall(tags))
        return self.note(*images, *map(attached_file, _LINK_TARGET.findall(tags)))

    def note(self, *keys: str | None) -> bool:
        """Note what is attached, None being nothing; return whether anything was."""
        found = {key for key in keys if key is not None}
        self.attached |= found
        return bool(found)


def _without_tags(content: str) -> str:
    return html.unescape(_TAG.sub(" ", content))
