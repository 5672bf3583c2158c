"""References in Markdown: `#12`, `owner/name#12` and GitHub's addresses lead to pages that the caller finds."""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

Find = Callable[[str | None, int], str | None]
"""Returns the page of an issue from `owner/name` (None: the repository of the text) and number, or None."""

_ADDRESS = re.compile(
    r"https?://(?:redirect\.|www\.)?github\.com/([\w.-]+/[\w.-]+)/(?:issues|pull)/(\d{1,9})(?=[#?]|$)"
)
_REFERENCE = re.compile(r"(?<![\w/#&.-])([\w-]+/[\w.-]+)?#(\d{1,9})\b")
_ALERT = re.compile(r"^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*$")


def link_references(state: StateCore) -> None:
    """Link what names an issue that `env["find"]` knows, outside of code and of other links."""
    find: Find = state.env["find"]
    for token in state.tokens:
        inside, linked = 0, []
        for child in token.children or ():
            inside += child.nesting if child.type in ("link_open", "link_close") else 0
            if child.type == "link_open":
                _point_home(child, find)
            linked += _split(child, find) if child.type == "text" and not inside else [child]
        if token.children is not None:
            token.children = linked


def name_alerts(state: StateCore) -> None:
    """Turn the `[!NOTE]` that opens a quotation into a word."""
    for before, paragraph, token in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        if before.type != "blockquote_open" or paragraph.type != "paragraph_open" or not token.children:
            continue
        found = _ALERT.match(token.children[0].content)
        if found is not None:
            word = _text(found[1].capitalize())
            token.children[:1] = [Token("strong_open", "strong", 1), word, Token("strong_close", "strong", -1)]


def _point_home(link: Token, find: Find) -> None:
    found = _ADDRESS.match(str(link.attrGet("href") or ""))
    page = find(found[1], int(found[2])) if found is not None else None
    if page is not None:
        link.attrSet("href", page)


def _split(token: Token, find: Find) -> list[Token]:
    parts: list[Token] = []
    position = 0
    for found in _REFERENCE.finditer(token.content):
        page = find(found[1], int(found[2]))
        if page is None:
            continue
        link = [Token("link_open", "a", 1, attrs={"href": page}), _text(found[0]), Token("link_close", "a", -1)]
        parts += [_text(token.content[position : found.start()]), *link]
        position = found.end()
    return [*parts, _text(token.content[position:])] if parts else [token]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
