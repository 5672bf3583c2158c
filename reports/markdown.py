"""Make untrusted text harmless inside GitHub Markdown: it pings no one, links nothing and stays in its cell.

What GitHub turns into mentions, references and links is listed in its documentation under "Autolinked references and
URLs" and "Basic writing and formatting syntax".
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

LONGEST: Final = 80
"""Characters kept of a name or title."""

LONGEST_NOTE: Final = 400
"""Characters kept of a sentence that readers must see."""

GITHUB: Final = "https://github.com"
_QUIET: Final = "https://redirect.github.com"

_BREAK: Final = "\0"
"""Stands for a zero-width space while text is prepared; untrusted text has lost its control characters by then."""

_SPECIAL: Final = {ord(mark): f"&#{ord(mark)};" for mark in "&<>|`[]*_~\\!$"} | {0: "&#8203;"}
_LINKED: Final = re.compile(
    r"(?P<mention>@)|(?P<number>#)|(?P<address>:(?=//))|(?P<host>www(?=\.))|(?P<prefix>[a-z]-(?=\d))"
    r"|(?P<commit>[0-9a-f]{6}(?=[0-9a-f]))",
    re.IGNORECASE | re.ASCII,
)
"""What GitHub links, up to the place where a zero-width space breaks it: people, issues, addresses, commits."""

_RIGHT_TO_LEFT: Final = frozenset({"R", "AL", "AN"})
_MARKS: Final = frozenset({"Mn", "Me"})
_MOST_MARKS: Final = 2
_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_SLUG: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+", re.ASCII)


def plain(text: str, longest: int = LONGEST) -> str:
    """Return untrusted text on one line, cut to `longest` characters, safe in a sentence or a table's cell.

    Control, zero-width and direction characters go, runs of combining marks are cut to two, Markdown and HTML marks
    become character references, and whatever GitHub would link is broken by a zero-width space. Quotes stay,
    which mean something in tags and in titles of links alone: the result belongs in neither.
    """
    line = " ".join("".join(_visible(text)).split())
    if len(line) > longest:
        line = line[: longest - 1].rstrip() + "…"
    escaped = _LINKED.sub(lambda match: match[0] + _BREAK, line).translate(_SPECIAL)
    if any(unicodedata.bidirectional(mark) in _RIGHT_TO_LEFT for mark in line):
        return f"&#8296;{escaped}&#8297;"
    return escaped


def _visible(text: str) -> Iterator[str]:
    """Give the characters that print, every kind of space as a space, at most two combining marks on a letter."""
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in _MARKS else 0
        if character.isspace():
            yield " "
        elif category not in _DROPPED and marks <= _MOST_MARKS:
            yield character


def repository_link(slug: str, server: str = GITHUB) -> str:
    """Return a link to a repository on a server, or the plain name if it is no slug.

    github.com's documented way around back-references is its host `redirect.github.com`; elsewhere there is none, and
    none is needed for the page of a repository.
    """
    if _SLUG.fullmatch(slug) is None or len(slug) > LONGEST:
        return plain(slug)
    return f"[{plain(slug)}]({_QUIET if server == GITHUB else server}/{slug})"


def issue_link(slug: str, number: int, server: str = GITHUB) -> str:
    """Return a link to an issue that leaves no reference behind there; its bare number where no link can do that."""
    if server != GITHUB or _SLUG.fullmatch(slug) is None or len(slug) > LONGEST:
        return f"issue {number}"
    return f"[issue {number}]({_QUIET}/{slug}/issues/{number})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], text_columns: int = 1) -> str:
    """Return a Markdown table of cells that are already safe; the first columns are text, the others numbers."""
    rule = ["---"] * text_columns + ["---:"] * (len(head) - text_columns)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def details(summary: str, body: str) -> str:
    """Return a collapsed section."""
    return f"<details>\n<summary>{summary}</summary>\n\n{body}\n\n</details>"
