"""The page of definitions: the terms of the tables, then every field of the package and the rules behind it."""

from __future__ import annotations

import re
from functools import cache

from markupsafe import Markup

from bot.web.markdown import markdown
from bot.web.pages import write_page
from bot.web.reports.terms import TERMS
from reports.definitions import definitions_markdown

_FIELD = re.compile(r"<td><code>(\w+)</code></td>")


@cache
def definitions_page() -> bytes:
    """Return the page as HTML; a term is at `#term-KEY`, a field (where it stands first) at `#field-NAME`."""
    seen: set[str] = set()

    def name(found: re.Match[str]) -> str:
        field = found[1]
        anchor = "" if field in seen else f' id="field-{field}"'
        seen.add(field)
        return f'<th scope="row"{anchor}><code>{field}</code></th>'

    fields = Markup(_FIELD.sub(name, markdown(definitions_markdown(level=2))))  # noqa: S704 - `markdown` is safe
    return write_page("definitions.html", terms=tuple(TERMS.values()), fields=fields)
