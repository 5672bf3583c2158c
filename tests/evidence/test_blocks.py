"""What a description is read into, and the addresses in running text."""

from __future__ import annotations

import pytest

from bot.evidence.markdown import read_blocks
from bot.evidence.words import addresses


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("", []),
        ("# One *two*\n\nthree\nfour", [("heading", "One two", 1), ("paragraph", "three\nfour", 0)]),
        ("- a\n  - b\n\n    more", [("item", "a", 1), ("item", "b", 2), ("paragraph", "more", 0)]),
        ("```\r\nx\r\n```\r\n", [("code", "x\n", 0)]),
        ("<pre>a\n\nb</pre>after", [("code", "a\n\nb", 0), ("paragraph", "after", 0)]),
        ("<div><pre>a\n\nb</PRE >after", [("code", "a\n", 0), ("code", "b", 0), ("paragraph", "after", 0)]),
        ("<div><pre>a\n\nb\n\n- c\n", [("code", "a\n", 0), ("code", "b", 0), ("code", "c", 0)]),
        ("**Bold**\nplain", [("heading", "Bold\n", 7), ("paragraph", "plain", 0)]),
        ("<script>no()</script>\n\nyes", [("paragraph", "yes", 0)]),
        ("[text](https://example.org) &amp; `c`", [("paragraph", "text & c", 0)]),
    ],
)
def test_blocks(body: str, blocks: list[tuple[str, str, int]]) -> None:
    assert [(one.kind, one.text, one.depth) for one in read_blocks(body).blocks] == blocks


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see https://example.org/a.", ["https://example.org/a"]),
        ("(http://a.example/b), HTTPS://c.example!", ["http://a.example/b", "HTTPS://c.example"]),
        ("<https://a.example> 'https://b.example'", ["https://a.example", "https://b.example"]),
        ("见https://a.example/x。然后", ["https://a.example/x"]),
        ("ftp://a.example www.b.example https://", []),
    ],
)
def test_addresses(text: str, found: list[str]) -> None:
    assert addresses(text) == found
