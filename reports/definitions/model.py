"""What a definition of one field consists of."""

from dataclasses import dataclass
from typing import Final

FIRST: Final = "first study"
SECOND: Final = "second study"
OURS: Final = "ours"
GITHUB: Final = "GitHub"

NEVER: Final = "never"


@dataclass(frozen=True, slots=True)
class Definition:
    """One field of a file: its unit, what exactly it means, when it is null, and where the definition comes from.

    `null` is a clause that completes "null", such as "without a fix" or `NEVER`. `source` names a study with its
    section or table, GitHub's own name of it, or says that it is ours.
    """

    name: str
    unit: str
    text: str
    null: str
    source: str
