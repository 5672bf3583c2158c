"""Words of a text, with addresses, paths, hashes, versions and numbers masked, in linear time."""

import re
from dataclasses import dataclass

STOP = "."
"""Token between sentences and lines; no pattern reaches over it."""
NUMBER = "<number>"
VERSION = "<version>"
PATH = "<path>"
_LONGEST_WORD = 64

# Every repetition is bounded or starts only where the character before cannot belong to it, so the scan stays linear.
_TOKEN = re.compile(
    r"(?P<url>\b(?:https?|ftp|ssh|git)://[^\s<>)\]]+)"
    r"|(?P<path>(?<![\w.~@/\\-])(?:[\w.~@+-]{0,64}[/\\]){2,}[\w.~@+-]{0,64})"
    r"|(?P<version>(?<![\w.])v?\d{1,8}(?:\.(?:\d{1,8}|[x*]))+(?:[-+.]?(?:alpha|beta|rc|dev|canary|nightly|pre|post)[\w.-]{0,40})?)"
    r"|(?P<hash>\b(?=[0-9a-f]{0,40}\d)(?=[0-9]{0,40}[a-f])(?:0x)?[0-9a-f]{7,}\b)"
    r"|(?P<number>\d+)"
    r"|(?P<word>[^\W\d_][^\W_]{0,63}(?:['’](?:t|s|m|re|ve|ll|d)\b)?)"
    r"|(?P<stop>[.!?;](?=\s|$)|\n)",
    re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's tokens: `words` folded or masked, and where each begins and ends in `text`."""

    text: str
    words: list[str]
    starts: list[int]
    ends: list[int]

    def found(self, first: int, last: int) -> str:
        """Give the text from token `first` to token `last`, both included, as it is written."""
        return " ".join(self.text[self.starts[first] : self.ends[last]].split())


def tokenize(text: str) -> Tokens:
    """Split a text; numbers stay as written, so that a pattern can name one (137) or any (`<number>`).

    Names in camel case and with underscores fall apart (OutOfMemoryError: out, of, memory, error). Addresses and
    hashes vanish.
    """
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []

    def add(word: str, start: int, end: int) -> None:
        words.append(word)
        starts.append(start)
        ends.append(end)

    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        start, end = match.span()
        if kind == "word":
            word = match.group()
            if word.islower():
                add(word.replace("’", "'"), start, end)
                continue
            position = start
            for part in _CAMEL.split(word):
                add(part.casefold().replace("’", "'"), position, position + len(part))
                position += len(part)
        elif kind == "number":
            add(match.group()[:_LONGEST_WORD], start, end)
        elif kind == "version":
            add(VERSION, start, end)
        elif kind == "path":
            add(PATH, start, end)
        elif kind == "stop":
            add(STOP, start, end)
    return Tokens(text, words, starts, ends)
