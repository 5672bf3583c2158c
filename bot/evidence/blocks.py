"""A description's Markdown as a flat row of blocks: headings, lines of prose, code; and the addresses in it."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.evidence.attachments import attached_file, attached_image
from bot.evidence.words import addresses

LONGEST_BODY = 65_536
"""Characters GitHub once allowed and still names (github.md C1); what is longer is not read."""

_MOST_BRACKETS = 4_000
"""Above that many, nobody wrote it: the cost of looking for links grows with their square, so none is looked for."""

_MOST_BARS = 8_000
"""Above that many, a table is read as lines of text: a token for each tiny cell would cost seconds."""

_LINE_OF_BOLD = 7
"""Rank of a line that is all bold, below the six of real headings."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSEEN = re.compile(r"<(script|style|textarea)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_PRE = re.compile(r"<pre\b[^>]*>(.*?)(</pre\s*>|\Z)", re.DOTALL | re.IGNORECASE)
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
            self.add("code", found.group(1))
            self.in_pre = not found.group(2)
            position = found.end()
        if not self.in_pre:
            self.add("paragraph", _without_tags(content[position:]))

    def continue_pre(self, content: str) -> str:
        """Append what still stands in an open `<pre>` as code, however blank lines cut it up; return what follows."""
        inside, closed, rest = content.partition("</pre>")
        self.add("code", inside)
        self.in_pre = not closed
        return rest

    def look_into(self, tags: str) -> bool:
        """Note the images, videos and attached files that raw HTML shows or leads to; return whether there are any."""
        images = map(attached_image, _IMAGE_SOURCE.findall(tags))
        return self.note(*images, *map(attached_file, _LINK_TARGET.findall(tags)))

    def note(self, *keys: str | None) -> bool:
        """Note what is attached, None being nothing; return whether anything was."""
        found = {key for key in keys if key is not None}
        self.attached |= found
        return bool(found)


def read_blocks(body: str) -> Blocks:
    """Read a description as GitHub's Markdown; any text is valid, and what is past `LONGEST_BODY` is not read."""
    body = body[:LONGEST_BODY]
    parser = MarkdownIt("gfm-like", {"linkify": False})
    if body.count("[") > _MOST_BRACKETS:
        parser.disable(["link", "image"])
    if body.count("|") > _MOST_BARS:
        parser.disable("table")
    environment: dict[str, object] = {}
    result = Blocks()
    tokens = parser.parse(body, environment)
    depth = 0
    first_in_item = False
    for position, token in enumerate(tokens):
        match token.type:
            case "list_item_open":
                depth, first_in_item = depth + 1, True
            case "list_item_close":
                depth, first_in_item = depth - 1, False
            case "fence" | "code_block":
                result.add("code", token.content)
                first_in_item = False
            case "html_block":
                result.add_html(token.content)
            case "inline":
                before = tokens[position - 1]
                _add_inline(result, token, before, depth if first_in_item else 0)
                first_in_item = False
    references = environment.get("references")
    if isinstance(references, dict):
        result.note(*(attached_file(str(reference.get("href", ""))) for reference in references.values()))
    return result


def _add_inline(result: Blocks, token: Token, before: Token, item_depth: int) -> None:
    if result.in_pre:
        result.continue_pre(token.content)
        return
    children = token.children or []
    text, attaches = _text(result, children)
    if before.type == "heading_open":
        result.add("heading", text, int(before.tag[1:]))
    elif _is_bold_line(children):
        result.add("heading", text, _LINE_OF_BOLD)
    elif item_depth:
        result.add("item", text, item_depth, attaches=attaches)
    else:
        result.add("paragraph", text, attaches=attaches)


def _text(result: Blocks, children: Sequence[Token]) -> tuple[str, bool]:
    """Return the words of a paragraph without markup, and whether anything is attached in it, which is noted.

    The text of a link is kept, unless it leads to an attached file.
    """
    pieces: list[str] = []
    links: list[tuple[int, bool]] = []
    attaches = False
    for child in children:
        match child.type:
            case "text":
                pieces.append(child.content)
                attaches |= result.note(*(attached_file(found) for found in addresses(child.content)))
            case "code_inline":
                pieces.append(child.content)
            case "softbreak" | "hardbreak":
                pieces.append("\n")
            case "image":
                attaches |= result.note(attached_image(str(child.attrGet("src") or "")))
            case "html_inline" if not child.content.startswith("<!--"):
                attaches |= result.look_into(child.content)
                pieces.append("\n" if child.content.lower().startswith("<br") else "")
            case "link_open":
                is_file = result.note(attached_file(str(child.attrGet("href") or "")))
                links.append((len(pieces), is_file))
                attaches |= is_file
            case "link_close":
                start, is_file = links.pop()
                if is_file:
                    del pieces[start:]
    return "".join(pieces), attaches


def _is_bold_line(children: Sequence[Token]) -> bool:
    """Tell whether a paragraph is one line of bold text, perhaps with a colon: how old templates write headings."""
    shown = [child for child in children if child.type != "html_inline" and (child.tag or child.content.strip(" :"))]
    if not shown or shown[0].type != "strong_open" or shown[-1].type != "strong_close":
        return False
    kinds = [child.type for child in shown]
    return kinds.count("strong_open") == 1 and "softbreak" not in kinds


def _without_tags(content: str) -> str:
    return html.unescape(_TAG.sub(" ", content))
