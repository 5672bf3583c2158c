"""The page of a tried report: the report as GitHub would show it, and below it what can be said without decisions."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from bot.markdown.render import render

_FOLDER = Path(__file__).with_name("templates")

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""No script, and no request to anybody but for the page itself."""


def page(full_name: str, heading: str, report: str, undecided: str) -> str:
    """Return the page as HTML from the report's title and two texts of Markdown."""
    loader = jinja2.FileSystemLoader(_FOLDER)
    templates = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
    return templates.get_template("page.html").render(
        name=full_name,
        heading=heading,
        policy=POLICY,
        style=Markup((_FOLDER / "style.css").read_text(encoding="utf-8")),  # noqa: S704 - it is ours
        report=Markup(render(report)),  # noqa: S704 - `render` lets nothing unsafe pass
        undecided=Markup(render(undecided)),  # noqa: S704 - the same
    )
