"""Read a description as GitHub's Markdown into blocks: headings, prose, list items, code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.evidence.attachments import attached_file, attached_image
from bot.evidence.blocks import Blocks
from bot.evidence.words import addresses

LONGEST_BODY = 65_536
"""Characters GitHub once allowed and still names (github.md C1); what is longer is not read."""

_MOST_BRACKETS = 4_000
"""Above that many, nobody wrote it: the cost of looking for links grows with their square, so none is looked for."""

_MOST_BARS = 8_000
"""Above that many, a table is read as lines of text: a token for each tiny cell would cost seconds."""

_LINE_OF_BOLD = 7
"""Rank of a line that is all bold, below the six of real headings."""

_BREAKS = frozenset({"softbreak", "hardbreak"})
_UNSHOWN = _BREAKS | {"html_inline"}


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
        result.add_html(token.content)
        return
    children = token.children or []
    if before.type == "heading_open":
        result.add("heading", _text(result, children)[0], int(before.tag[1:]))
    elif item_depth:
        text, attaches = _text(result, children)
        result.add("item", text, item_depth, attaches=attaches)
    else:
        for is_bold, lines in groupby(_lines(children), key=_is_bold):
            if is_bold:
                for line in lines:
                    result.add("heading", _text(result, line)[0], _LINE_OF_BOLD)
            else:
                text, attaches = _text(result, [child for line in lines for child in line])
                result.add("paragraph", text, attaches=attaches)


def _lines(children: Sequence[Token]) -> list[list[Token]]:
    """Cut a paragraph into its lines, each with the break that ends it."""
    lines: list[list[Token]] = [[]]
    for child in children:
        lines[-1].append(child)
        if child.type in _BREAKS:
            lines.append([])
    return lines


def _is_bold(line: Sequence[Token]) -> bool:
    """Tell whether a line is all bold, perhaps with a colon: how old templates write headings."""
    shown = [child for child in line if child.type not in _UNSHOWN and (child.tag or child.content.strip(" :"))]
    if not shown or shown[0].type != "strong_open" or shown[-1].type != "strong_close":
        return False
    return [child.type for child in shown].count("strong_open") == 1


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
            case kind if kind in _BREAKS:
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
                start, is_file = links.pop() if links else (0, False)
                if is_file:
                    del pieces[start:]
    return "".join(pieces), attaches
