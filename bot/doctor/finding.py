"""One thing that was looked at, what was found, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["fine", "warning", "wrong", "unknown"]


@dataclass(frozen=True)
class Finding:
    """`said` is a sentence; `cure` is what to do, None where all is fine and nowhere else (ValueError).

    *wrong* keeps the App from working, *warning* does not yet; *unknown* could not be looked at, and `said` says why.
    """

    check: str
    state: State
    said: str
    cure: str | None = None

    def __post_init__(self) -> None:
        if bool(self.cure) == (self.state == "fine"):
            raise ValueError(f"{self.check} is {self.state}, with the cure {self.cure!r}")
