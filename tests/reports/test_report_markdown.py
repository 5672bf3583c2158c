"""Untrusted text: whatever it holds, it stays in its cell, links nothing and pings no one."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reports.markdown import LONGEST, plain, repository_link, table

GITHUB_LINKS = re.compile(r"@[a-z0-9]|#\d|\b[a-z]+-\d|\b[0-9a-f]{7,40}\b|https?://|www\.", re.IGNORECASE | re.ASCII)
"""What GitHub turns into mentions, references and links in rendered text."""

HOSTILE = [
    "a | b || c\\|",
    "`code` ``x`` \\`",
    "@all @torvalds ping@example.org",
    "#1 GH-12 owner/repo#3 JIRA-4",
    "<img src=x onerror=alert(1)> <!-- --> </details> &lt;b&gt;",
    "[x](https://evil.example) ![i](http://evil.example/i.png) [^1] https://github.com/o/r/issues/1 www.evil.example",
    "0123456789abcdef0123456789abcdef01234567",
    "zero\u200bwidth\u200d \u202eright-to-left\u202c \u2066isolate",
    "line\nbreak\r\nand\u2028more\ttab\x00nul\x1b[31m",
    "😀" * 256,
    "**bold** __under__ ~~gone~~ $math$ ***",
    "שלום |עולם",
    "Z" + "\u0300" * 90 + "algo",
    "- [ ] task\n# heading\n> quote\n```",
    "\ud800 lone surrogate",
]
MARKDOWN = MarkdownIt("gfm-like")
if MARKDOWN.linkify is not None:
    MARKDOWN.linkify.set({"fuzzy_link": False})  # GitHub links no bare host such as 0.al, only www. and addresses


def _cells(text: str) -> tuple[list[str], set[str]]:
    """Return the rendered texts of the cells of a one-row table with `text` in it, and the kinds of marks inside."""
    tokens = MARKDOWN.parse(table(("A", "B"), [(plain(text), "end")]))
    inline = [token for token in tokens if token.type == "inline"]
    kinds = {child.type for token in inline for child in token.children or ()}
    return ["".join(child.content for child in token.children or ()) for token in inline], kinds


@given(st.text(max_size=200))
@example("")
@example("0.AL")
def test_any_text_stays_one_plain_cell(text: str) -> None:
    cells, kinds = _cells(text)
    assert cells[:2] == ["A", "B"]
    assert cells[3:] == ["end"]
    assert len(cells) == 4
    assert kinds <= {"text", "text_special"}
    assert GITHUB_LINKS.search(cells[2]) is None


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_one_plain_cell(text: str) -> None:
    cells, kinds = _cells(text)
    assert len(cells) == 4
    assert kinds <= {"text", "text_special"}
    assert GITHUB_LINKS.search(cells[2]) is None
    assert not any(unicodedata.category(mark) in {"Cc", "Cs"} for mark in cells[2])
    plain(text).encode("utf-8")


@given(st.text(alphabet="@#:/w.-GHab0123456789 |`<", max_size=60))
def test_texts_made_of_marks_link_nothing(text: str) -> None:
    assert GITHUB_LINKS.search(_cells(text)[0][2]) is None


@given(st.text(alphabet=st.characters(categories=("Lu", "Ll", "Nd"), max_codepoint=0x24F), max_size=80))
def test_ordinary_words_read_as_before(text: str) -> None:
    assert _cells(text)[0][2].replace("\u200b", "") == text


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Memory leak in std::vector (C++)", "Memory leak in std::vector (C++)"),
        ("@all", "@&#8203;all"),
        ("see #12", "see #&#8203;12"),
        ("GH-7", "GH-&#8203;7"),
        ("https://x", "https:&#8203;//x"),
        ("a|b", "a&#124;b"),
        ('it\'s "here" <b>', 'it\'s "here" &#60;b&#62;'),
        ("a\nb", "a b"),
        ("0123456789abc", "012345&#8203;678abc".replace("678abc", "6789ab&#8203;c")),
        ("x" * 81, "x" * 79 + "…"),
        ("מה", "&#8296;מה&#8297;"),
    ],
)
def test_how_it_is_written(text: str, result: str) -> None:
    assert plain(text) == result


def test_it_is_cut_before_it_is_escaped() -> None:
    assert plain("|" * 100) == "&#124;" * (LONGEST - 1) + "…"


@pytest.mark.parametrize(
    ("slug", "link"),
    [
        ("o/n.x_y", "[o/n.x&#95;y](https://redirect.github.com/o/n.x_y)"),
        ("no slug", "no slug"),
        ("o/n) [x](http://evil.example", "o/n) &#91;x&#93;(http:&#8203;//evil.example"),
        ("o/n/../../x", "o/n/../../x"),
        ("", ""),
    ],
)
def test_only_real_slugs_become_links(slug: str, link: str) -> None:
    assert repository_link(slug) == link
