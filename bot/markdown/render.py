"""Markdown as GitHub shows it, made safe: no HTML of a text reaches the page but a few harmless tags."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from bot.markdown.links import Find, link_references, name_alerts
from bot.markdown.mermaid import ChartError, draw_chart
from bot.markdown.pictures import PICTURES, kept_picture

LONGEST = 65_536
"""Characters that are rendered; the rest of a longer text is cut off, and said so."""

_MOST_BRACKETS = 4_000
"""Above that many, nobody wrote it: looking for links would take seconds, so none is looked for."""
_MOST_LOOKED_THROUGH = 15_000_000
"""Characters that bare addresses may cost, each of them as many as the text has; above that, they stay text."""

_HARMLESS = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|</?(?:details|summary|sub|sup|kbd|b|i|em|strong|p|code)>"
    r"|<details open(?:=(?:\"\"|''))?>"
    r"|<br ?/?>"
    rf"|(?P<picture>{PICTURES})",
    re.DOTALL | re.IGNORECASE,
)
_TASK = re.compile(r"^\[([ xX])\]\s+")
_BOX_IN_SOURCE = re.compile(r"^((?:\s*>)*\s*(?:[-*+]|\d+[.)])\s+)\[([ xX])\]")

Box = Callable[[int, bool], str]
"""Makes the HTML of a task's box from the line it stands in (from 0) and whether it is ticked."""


def render(text: str, box: Box | None = None, find: Find | None = None) -> str:
    """Return the HTML of a text; `box` makes the boxes of task lists, `find` the addresses of issues named."""
    kept = text[:LONGEST]
    markdown = _renderer()
    if kept.count("[") > _MOST_BRACKETS:
        markdown.disable(["link", "image"])
    if kept.count("://") * len(kept) > _MOST_LOOKED_THROUGH:
        markdown.disable("linkify")
    shown: str = markdown.render(kept, {"box": box or _lifeless_box, "find": find or _find_nothing})
    return shown + ("<p><em>(The rest of this long text is not shown.)</em></p>" if len(kept) < len(text) else "")


def tick(text: str, line: int, ticked: bool) -> str:
    """Return a text with the box in a line (from 0) set; raise ValueError where that line has none."""
    lines = text.split("\n")
    if not 0 <= line < len(lines) or not _BOX_IN_SOURCE.match(lines[line]):
        raise ValueError(f"Line {line + 1} has no box to tick.")
    lines[line] = _BOX_IN_SOURCE.sub(lambda found: f"{found[1]}[{'x' if ticked else ' '}]", lines[line], count=1)
    return "\n".join(lines)


def keep_harmless(text: str) -> str:
    """Return HTML of a text with harmless tags kept, comments dropped and everything else shown as text."""
    kept, position = [], 0
    for found in _HARMLESS.finditer(text):
        kept.append(html.escape(text[position : found.start()], quote=False))
        if found["picture"]:
            kept.append(kept_picture(found[0]))
        elif not found[0].startswith("<!--"):
            kept.append(found[0].lower())
        position = found.end()
    return "".join([*kept, html.escape(text[position:], quote=False)])


def _find_nothing(_name: str | None, _number: int) -> str | None:
    return None


def _lifeless_box(_: int, ticked: bool) -> str:
    return '<input type="checkbox" disabled checked> ' if ticked else '<input type="checkbox" disabled> '


def _html(_: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    return keep_harmless(tokens[index].content)


def _fence(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    """Draw a Mermaid chart, or say what is wrong with it above its text; show every other fence as code."""
    shown: str = RendererHTML.fence(renderer, tokens, index, options, env)
    if tokens[index].info.strip() != "mermaid":
        return shown
    try:
        return draw_chart(tokens[index].content)
    except ChartError as error:
        return f"<p><strong>Unable to render this chart: {html.escape(str(error))}</strong></p>{shown}"


def _task(_: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    make: Box = env["box"]
    return make(tokens[index].meta["line"], tokens[index].meta["ticked"])


def _find_tasks(state: StateCore) -> None:
    """Put a box before the text of list items that begin with `[ ]` or `[x]`."""
    for before, paragraph, token in zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False):
        is_item = before.type == "list_item_open" and paragraph.type == "paragraph_open" and token.type == "inline"
        found = _TASK.match(token.content) if is_item else None
        if found is None or not token.children or token.map is None:
            continue
        first = token.children[0]
        first.content = _TASK.sub("", first.content, count=1)
        meta: dict[str, Any] = {"line": token.map[0], "ticked": found[1] != " "}
        token.children.insert(0, Token("task", "", 0, meta=meta))
        before.attrJoin("class", "task")


def _renderer() -> MarkdownIt:
    markdown = MarkdownIt("gfm-like", {"breaks": True})
    markdown.core.ruler.push("tasks", _find_tasks)
    markdown.core.ruler.push("alerts", name_alerts)
    markdown.core.ruler.push("references", link_references)
    for name in ("html_block", "html_inline"):
        markdown.add_render_rule(name, _html)
    markdown.add_render_rule("task", _task)
    markdown.add_render_rule("fence", _fence)
    return markdown
