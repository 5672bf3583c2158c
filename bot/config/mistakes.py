"""A person's mistakes in the file: where each stands, and one sentence that says what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Mistake:
    """One mistake; `line` and `column` count from 1, columns in characters."""

    line: int
    column: int
    sentence: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.sentence}"


class BadConfiguration(Exception):  # noqa: N818  the name says what happened
    """The file cannot be used; `mistakes` holds at least one, in the order of the file."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        self.mistakes = tuple(sorted(set(mistakes)))
        super().__init__("; ".join(map(str, self.mistakes)))
