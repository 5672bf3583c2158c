"""What models are called that learned from decisions here."""

from __future__ import annotations

from classifier.lexicon import load_lexicon


def learned_name() -> str:
    """Return what their versions begin with: a model works with the lexicon alone that it was made with."""
    return f"learned-{load_lexicon().version}"
