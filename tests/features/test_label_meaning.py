"""What a label's name says."""

from __future__ import annotations

import pytest

from bot.config import Configuration
from bot.features.label_decisions import Meaning, meaning
from bot.store.label_words import source_of

CONFIGURATION = Configuration.of(
    {"labels": {"prefix": "cause:", "map": {"module: memory usage": "memory-leak", "cause:none": "data-race"}}}
)


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("cause:memory-leak", Meaning("memory-leak", ours=True)),
        ("CAUSE:Memory-Leak", Meaning("memory-leak", ours=True)),
        ("cause:none", Meaning("none", ours=True)),
        ("Module: Memory Usage", Meaning("memory-leak", ours=False)),
        ("old/data-race", Meaning("data-race", ours=True)),
        ("cause:memory", None),
        ("cause-memory-leak", None),
        ("memory-leak", None),
        ("bug", None),
        ("", None),
    ],
)
def test_each_label(label: str, found: Meaning | None) -> None:
    assert meaning(label, CONFIGURATION, {"old/"}) == found


def test_no_label_passes_for_another_in_a_source() -> None:
    assert source_of("a", "b:1") != source_of("a:b", "1")
    assert source_of("Bug", "x") == source_of("bug", "x")
