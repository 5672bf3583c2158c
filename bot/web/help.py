"""The help page: the commands and the categories, from the one registry."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt

from bot.commands.registry import categories_markdown, table_markdown

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rootcause: commands</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; display: block; overflow-x: auto; }}
td, th {{ border: 1px solid #8886; padding: .3rem .6rem; text-align: left; vertical-align: top; }}
</style>
<main>
<h1>Commands</h1>
<p>A command stands on a line of its own in a comment: in the issue it is about, or in the inbox, where it names
the issues by their numbers. Code, quotes and hidden comments are never read as commands.</p>
{commands}
<h2>Categories</h2>
{categories}
</main>
</html>
"""


@cache
def help_page() -> str:
    """Return the whole page as HTML."""
    markdown = MarkdownIt("commonmark").enable("table")
    return _PAGE.format(commands=markdown.render(table_markdown()), categories=markdown.render(categories_markdown()))
