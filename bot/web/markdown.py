"""Markdown that is safe on GitHub, as HTML that fits the pages' own rules."""

from __future__ import annotations

from markupsafe import Markup

from bot.markdown.render import render

_SCROLLS = '<div class="scroll" role="group" tabindex="0" aria-label="Table"><table>'


def markdown(text: str) -> Markup:
    """Return a text as HTML, its own first heading of rank 2 left out.

    Wide tables scroll by themselves, also by keyboard, and no element carries a style, which the pages forbid.
    """
    first, _, rest = text.partition("\n")
    html = render(rest.strip() if first.startswith("## ") else text)
    html = html.replace("<table>", _SCROLLS).replace("</table>", "</table></div>").replace("<th>", '<th scope="col">')
    for side in ("left", "right", "center"):
        html = html.replace(f'style="text-align:{side}"', f'class="{side}"')
    return Markup(html)  # noqa: S704 - `render` lets nothing unsafe pass
