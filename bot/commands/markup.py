"""Which raw HTML of a comment is open, so that text inside it can be told from what the author says."""

from __future__ import annotations

import re

QUOTING = frozenset({"a", "blockquote", "code", "del", "kbd", "pre", "s", "samp", "strike", "tt"})
"""Elements whose content is shown as quoted, as code, as struck out or as a link: not the author's own words."""
_FORMATTING = frozenset({"code", "s", "strike", "tt"})
"""Elements that browsers reopen after whatever ended around them, until their own end tag (HTML Standard, 13.2.4.3)."""
_BLOCKS = frozenset({"blockquote", "pre"})
"""Elements that end a paragraph around them, instead of ending with it."""

_PIECE = re.compile(r"<!--|<(?P<slash>/?)(?P<name>[a-z][a-z0-9-]*)(?:\s[^<>]*)?/?>", re.IGNORECASE | re.ASCII)


class OpenMarkup:
    """The quoting elements and the comment that the raw HTML read so far has left open."""

    def __init__(self) -> None:
        self._elements: list[str] = []
        self._in_comment = False

    def __bool__(self) -> bool:
        """Tell whether text standing here would be hidden or shown as quoted."""
        return self._in_comment or bool(self._elements)

    @property
    def depth(self) -> int:
        """How many quoting elements are open."""
        return len(self._elements)

    def leave(self, depth: int, kind: str) -> None:
        """Close what a browser closes at the end of a Markdown block, given the `depth` at its beginning.

        `kind` is the parser's name for the block: a paragraph may be ended by what opens in it, a cell keeps all.
        """
        surviving = {"paragraph": _FORMATTING | _BLOCKS, "th": frozenset(), "td": frozenset()}.get(kind, _FORMATTING)
        self._elements[depth:] = [name for name in self._elements[depth:] if name in surviving]

    def feed(self, html: str) -> None:
        """Read one more piece of raw HTML; a comment may end in another piece than it began in."""
        position = 0
        while True:
            if self._in_comment:
                end = html.find("-->", position)
                if end < 0:
                    return
                self._in_comment = False
                position = end + len("-->")
            piece = _PIECE.search(html, position)
            if piece is None:
                return
            position = piece.end()
            if piece["name"] is None:
                self._in_comment = True
                position = piece.start() + len("<!")  # browsers take `<!-->` for a whole comment
            elif piece["name"].lower() in QUOTING:
                self._take(piece["name"].lower(), closing=bool(piece["slash"]))

    def _take(self, name: str, *, closing: bool) -> None:
        if not closing:
            self._elements.append(name)
        elif name in self._elements:
            last = len(self._elements) - 1 - self._elements[::-1].index(name)
            del self._elements[last:]
