"""What people write in Markdown: measured, predicted from, compared, and shown on a page."""

from __future__ import annotations

import math
from dataclasses import asdict
from functools import cache
from html.parser import HTMLParser

from hypothesis import strategies as st

from bot.evidence.eligibility import EligibilityRules, judge
from bot.evidence.indicators import measure
from bot.evidence.prose import issue_text, pack, unpack
from bot.evidence.similar import nearest, words_of
from bot.evidence.text import measure_description
from bot.web.markdown import markdown
from classifier import CATEGORIES, CommentText, IssueText, load_classifier
from tests.evidence.hostile_bodies import PIECES, hostile
from tests.evidence.made_evidence import ANN, BOB, comment, evidence
from tests.hostile.surface import Surface, bytes_of, forms, repeated, text_of

_LONGEST = 65_536
_CUT = "\x1e"
"""What stands between the parts of a thread in a case."""

_TAGS = frozenset(
    [
        "a",
        "alt",
        "b",
        "blockquote",
        "br",
        "code",
        "dd",
        "del",
        "details",
        "div",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "img",
        "input",
        "kbd",
        "li",
        "ol",
        "p",
        "picture",
        "pre",
        "s",
        "source",
        "strong",
        "sub",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
        "circle",
        "path",
        "polyline",
        "rect",
        "svg",
        "text",
    ]
)
_ADDRESSES = {"href", "src", "srcset"}


def _measured(text: str) -> None:
    body, _, rest = text.partition(_CUT)
    comments = (comment(BOB, 1, rest, "MEMBER"), comment(ANN, 2, body), *(comment(BOB, 2, rest) for _ in range(2)))
    issue = evidence(title=body[:256], body=body, labels=tuple(rest.split()[:5]), comments=comments)
    for name, value in asdict(measure(issue)).items():
        if isinstance(value, int | float):
            assert math.isfinite(value), name
            assert value >= 0, name
    judge(issue, EligibilityRules())
    judge(issue, EligibilityRules(question_labels=frozenset(rest.split()), bots=frozenset(body.split())))


def _predicted(text: str) -> None:
    title, *parts = text.split(_CUT)
    body, *bodies = parts or [""]
    issue = IssueText(title, body, tuple(CommentText(each, True) for each in bodies[:50]))
    assert unpack(pack(issue)) == issue
    found = load_classifier().predict(issue)
    assert math.isclose(math.fsum(found.probabilities.values()), 1, abs_tol=1e-6)
    assert all(0 <= value <= 1 for value in (found.probability, found.system_related, *found.probabilities.values()))
    assert found.category in CATEGORIES
    counts = words_of(issue)
    assert all(math.isfinite(cosine) and cosine <= 1.000001 for _, cosine in nearest(counts, {1: counts}))
    issue_text(evidence(body=body, comments=tuple(comment(BOB, 1, each) for each in bodies[:50])), slug="root-cause")


def _shown(text: str) -> None:
    checker = _Checker()
    checker.feed(markdown(text))
    checker.close()


class _Checker(HTMLParser):
    """Refuses every tag and attribute that could run, load or style something on a page of ours."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _TAGS, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name != "style", name
            if name in _ADDRESSES:
                scheme, colon, _ = (value or "").strip().partition(":")
                assert not colon or "javascript" not in scheme.lower(), value
                assert not colon or scheme.lower() not in {"vbscript", "file"}, value

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)


_FORMS = (_measured, _predicted, _shown)


def _target(case: bytes) -> None:
    _FORMS[case[0] % len(_FORMS) if case else 0](text_of(case[1:]))


_PIECES = [
    *dict.fromkeys(PIECES.values()),
    *(
        "](",
        "](javascript:a)",
        ")",
        "[a]: http://b.c/d.zip\n",
        "&#x6a;",
        "&lt;script&gt;",
        "<script>",
        "<style>",
        "</p>",
    ),
    *("<details open>", "<summary>", "<img src='https://a.b/c.png' onerror=d>", '<img src="https://a.b/c.png">'),
    *(
        '<picture><source media="(prefers-color-scheme: dark)" srcset="https://a.b/c">',
        "[![a](b)](c)",
        "http://a.b/c.zip",
    ),
    *("```mermaid\nxychart-beta\n", 'x-axis ["a", "b"]\n', 'y-axis "c" 0 --> 9\n', "bar [1, 2]\n", "line [1, -2]\n"),
    *("```mermaid\npie showData\n", '"a" : 1\n', 'title "b"\n', "9" * 400, "~~~\n", "\t", "    ", "\n\n", "\r\n", "\r"),
    *(
        "### a\n\n_No response_\n\n",
        "Steps to reproduce\n",
        "- OS:\n",
        "[!NOTE]\n",
        "#12",
        "acme/frame#3",
        "@ann",
        ":a:",
    ),
    *("https://github.com/acme/frame/issues/1", "Traceback (most recent call last):\n  File", "std::bad_alloc", "OOM"),
    *(
        "I can reproduce ",
        "reproduced",
        "stale",
        "duplicate of #1",
        "memory leak ",
        "data race",
        "0x7fff",
        "v1.2.3-rc1",
    ),
    *("a/b/c", "\0", "\u200b", "\u2028", "\ufeff", "\ud800", "漢字", "é", "\U0001f600", "’", "/rootcause x\n", _CUT),
]
_BODIES = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(_PIECES), max_size=60).map("".join),
    st.text("[]()!<>`*_~#-:|>\n\t ahx/\"'=&\\", max_size=400),
    repeated(_PIECES, _LONGEST),
).map(bytes_of)


@cache
def _seeds() -> tuple[bytes, ...]:
    threads = [
        f"Memory leak in the loader{_CUT}It grows.\n\n```\nstd::bad_alloc\n```\n{_CUT}I can reproduce it.{_CUT}Fixed.",
        '### Chart\n\n```mermaid\nxychart-beta\n  title "a"\n  x-axis ["b", "c"]\n  y-axis "d" 0 --> 9\n  bar [1]\n```',
        '```mermaid\npie showData\n  title "a"\n  "b" : 1\n  "c" : 2\n```',
        "### What happened?\n\nIt broke.\n\n### Version\n\n_No response_\n",
        "| a | b |\n|:-|-:|\n| 1 | [c](http://d.e/f.zip) |\n\n<details><summary>g</summary>\n\n- [ ] h\n</details>\n",
        *(body for body in hostile(600).values()),
    ]
    return tuple(bytes([form]) + bytes_of(text) for form in range(len(_FORMS)) for text in threads)


SURFACE = Surface(
    target=_target,
    seeds=_seeds(),
    words=tuple(bytes_of(piece) for piece in _PIECES if len(piece) < 64),
    made=forms(_BODIES, _BODIES, _BODIES),
)

# What every case needs is made ready before the first one is timed.
load_classifier()
measure_description("")
