"""The words that answer `similar` and `explain`: golden, and harmless whatever was written."""

from __future__ import annotations

import re

import pytest

from bot.texts.explain import Explained, blind_text, explain_text
from bot.texts.similar import SimilarIssue, similar_text
from tests.support.golden import is_golden

QUIET = "https://redirect.github.com"
PYTORCH = f"{QUIET}/pytorch/pytorch"

FOUND = [
    SimilarIssue(
        12,
        f"{PYTORCH}/issues/12",
        None,
        "Memory grows @everyone | see #1",
        "memory-leak",
        None,
        11.6,
        ("#99", f"{PYTORCH}/pull/99"),
    ),
    SimilarIssue(14, f"{PYTORCH}/issues/14", None, "How do I free memory?", "none", "question", 0.4, None),
    SimilarIssue(
        7, f"{QUIET}/etcd-io/etcd/issues/7", "etcd-io/etcd", "Leak in the watcher", "memory-leak", None, 3.25,
        ("9fceb02d0a", f"{QUIET}/etcd-io/etcd/commit/9fceb02d0ae598e95dc970b74767f19372d61af8"),
    ),
]  # fmt: skip

CASES = {
    "similar.md": similar_text(3, FOUND),
    "similar_none.md": similar_text(3, []),
    "explain.md": explain_text(
        3,
        Explained(
            [("memory-leak", 0.7149), ("none", 0.2), ("resource-usage", 0.031)],
            ["memory leak", "grows with *every* batch", "@someone"],
            ["C or C++ code changed", '"allocator" in a changed path'],
            None,
            "learned-0.2-1a2b3c4d",
        ),
    ),
    "explain_silent.md": explain_text(
        3,
        Explained(
            [("data-race", 0.41), ("none", 0.4), ("multi-threading", 0.1)],
            [],
            [],
            "not sure enough: data-race is 41 % likely if 20 % of issues are system-related; a proposal needs 64 %",
            "v",
        ),
    ),
    "explain_blind.md": blind_text(3),
    "explain_nothing.md": explain_text(3, None),
}


@pytest.mark.parametrize("name", CASES)
def test_the_text_is_as_it_was_agreed(name: str) -> None:
    is_golden(CASES[name] + "\n", name)


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_mentioned_and_nothing_is_linked_loudly(name: str) -> None:
    assert "@everyone" not in CASES[name]
    assert "@someone" not in CASES[name]
    assert "https://github.com" not in CASES[name]
    assert not re.search(r"(?<![`\[&])#\d", CASES[name]), "a bare number would leave a reference"
