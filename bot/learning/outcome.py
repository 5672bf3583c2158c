"""How a refit ended, as its process tells the one that asked for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """How a refit ended (`promoted`, `kept`, `nothing new`, `busy`), and the model it was about, if any.

    `kept`: the challenger was worse by some figure and is stored as a candidate. `busy`: another one is under way.
    """

    result: str
    version: str | None = None
