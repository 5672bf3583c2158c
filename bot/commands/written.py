"""The lines of a comment that a reader sees as the author's own words, found with a Markdown parser.

Not written text: code, quotes, HTML blocks, HTML comments, tables, `#` headings, link texts, struck out text, and
lists, but for a line at the left margin: somebody who goes on there after a list has left it behind, although
Markdown counts the line to the last item. Text between the tags of `<details>` that Markdown renders is written text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.common.utils import mdTrim
from markdown_it.rules_inline import StateInline, escape, newline
from markdown_it.token import Token

from bot.commands.markup import OpenMarkup

LONGEST_BODY = 65_536
"""Characters of a comment that are read, the length GitHub itself names; hostile text of it costs a second or two."""

_MOST_BRACKETS = 4_000
"""Above that many, nobody wrote it: looking for links would take seconds, so none is looked for."""

_NEWLINES = re.compile("\r\n?")
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n)")
_NEXT_LINE = "next_line"
_UNDERLINES = frozenset("=-")


@dataclass(frozen=True)
class WrittenLine:
    """One line: its number in the comment (from 1), its source, and the text that a reader sees of it."""

    number: int
    source: str
    text: str


def written_lines(body: str) -> tuple[WrittenLine, ...]:
    """Return the lines of a comment that are the author's own words, in order; never raises.

    Rendering follows CommonMark with GitHub's tables and strikethrough. Of a body over `LONGEST_BODY` only the blocks
    that are whole within it are read, so that no number, quote or comment is cut in two.
    """
    source = _within_limit(_NEWLINES.sub("\n", body).removeprefix("\ufeff"))
    lines = source.split("\n")
    references: dict[str, object] = {}
    parser = _WITHOUT_LINKS if source.count("[") > _MOST_BRACKETS else _MARKDOWN
    return tuple(_walk(parser, parser.parse(source, references), references, lines))


def _within_limit(source: str) -> str:
    if len(source) <= LONGEST_BODY:
        return source
    ends = [blank.start() for blank in _BLANK_LINE.finditer(source, 0, LONGEST_BODY)]
    return source[: ends[-1]] if ends else ""


def _note_newline(state: StateInline, silent: bool) -> bool:
    """Parse a line's end as usual, and note in its token where in the source the next line begins."""
    end = state.pos + len("\n")
    return newline(state, silent) and _note(state, silent, end)


def _note_escape(state: StateInline, silent: bool) -> bool:
    """Parse an escape as usual; a backslash before a line's end is a line's end too."""
    ends_line = state.src.startswith("\\\n", state.pos)
    end = state.pos + len("\\\n")
    return escape(state, silent) and (not ends_line or _note(state, silent, end))


def _note(state: StateInline, silent: bool, end: int) -> bool:
    if not silent:
        state.tokens[-1].meta[_NEXT_LINE] = end
    return True


def _parser() -> MarkdownIt:
    """Make a parser of blocks; what stands inside a block is parsed only where it matters."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable(["inline", "text_join"])
    parser.inline.ruler.at("newline", _note_newline)
    parser.inline.ruler.at("escape", _note_escape)
    return parser


_MARKDOWN = _parser()
_WITHOUT_LINKS = _parser().disable(["link", "image"])


@dataclass
class _Context:
    """Where in the document the walk is: the blocks around it, and the raw HTML left open."""

    markup: OpenMarkup = field(default_factory=OpenMarkup)
    blocks: list[tuple[str, int]] = field(default_factory=list)

    def enter_or_leave(self, token: Token) -> None:
        if token.nesting == 1:
            kind = token.type.removesuffix("_open")
            if kind == "heading" and token.markup in _UNDERLINES:
                kind = "paragraph"
            self.blocks.append((kind, self.markup.depth))
        elif token.nesting == -1:
            kind, depth = self.blocks.pop()
            self.markup.leave(depth, kind)

    def is_written(self) -> bool:
        """Tell whether the present block can hold written text; a heading made by underlining is one."""
        *around, inner = (kind for kind, _ in self.blocks)
        return inner == "paragraph" and "blockquote" not in around

    def holds(self, source: str) -> bool:
        """Tell whether a line of such a block is written text: in a list, only one at the left margin is."""
        return len(self.blocks) == 1 or not source.startswith((" ", "\t"))


def _walk(
    parser: MarkdownIt, tokens: list[Token], references: dict[str, object], lines: list[str]
) -> Iterator[WrittenLine]:
    context = _Context()
    for token in tokens:
        context.enter_or_leave(token)
        if token.type == "html_block":
            context.markup.feed(token.content)
        elif token.type == "inline" and token.map is not None:
            written = context.is_written()
            if not written and "<" not in token.content:
                continue
            inside = parser.inline.parse(token.content, parser, references, [])
            first = _first_line(token.map, lines)
            for number, text in _inline_lines(inside, token.content, first, context.markup):
                if written and context.holds(lines[number]):
                    yield WrittenLine(number + 1, lines[number], text)


def _first_line(span: list[int], lines: list[str]) -> int:
    """Return the index of the line where a block's text begins: the parser trims lines of odd white space off."""
    return next((index for index in range(*span) if mdTrim(lines[index])), span[0])


def _inline_lines(tokens: list[Token], content: str, first: int, markup: OpenMarkup) -> Iterator[tuple[int, str]]:
    """Yield index and visible text of each line of a block that begins outside code, HTML, links and struck text."""
    number, position, begins_written, text = first, 0, not markup, ""
    linked = struck = 0
    for token in tokens:
        if token.type in {"softbreak", "hardbreak"}:
            if begins_written:
                yield number, text
            number += content.count("\n", position, token.meta[_NEXT_LINE])
            position = token.meta[_NEXT_LINE]
            begins_written, text = not (markup or linked or struck), ""
        elif token.type == "html_inline":
            markup.feed(token.content)
        elif token.type in {"link_open", "link_close"}:
            linked += token.nesting
        elif token.type in {"s_open", "s_close"}:
            struck += token.nesting
        elif token.type in {"text", "text_special", "code_inline"} and not struck:
            text += token.content
    if begins_written:
        yield number, text
