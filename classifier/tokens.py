"""Words of a text, with addresses, paths, hashes, versions and numbers masked, in linear time."""

import re
from typing import NamedTuple

STOP = "."
"""Token between sentences and lines; no pattern reaches over it."""
NUMBER = "<number>"
VERSION = "<version>"
PATH = "<path>"
_LONGEST_WORD = 64

# Every repetition is bounded or starts only where the character before cannot belong to it, so the scan stays linear.
# The first choice only makes the common case fast: a lower-case word that nothing but a blank or a comma follows.
_TOKEN = re.compile(
    r"(?P<plain>[a-z]{1,40}(?=[\s,]))"
    r"|(?P<url>\b(?:[hH][tT][tT][pP][sS]?|ftp|ssh|git)://[^\s<>)\]]+)"
    r"|(?P<path>(?<![\w.~@/\\-])(?:[\w.~@+-]{0,64}[/\\]){2,}[\w.~@+-]{0,64})"
    r"|(?P<version>(?<![\w.])[vV]?\d{1,8}(?:\.(?:\d{1,8}|[x*]))+"
    r"(?:[-+.]?(?:alpha|beta|rc|dev|canary|nightly|pre|post)[\w.-]{0,40})?)"
    r"|(?P<hash>\b(?=[0-9a-fA-F]{0,40}\d)(?=[0-9]{0,40}[a-fA-F])[0-9a-fA-F]{7,}\b)"
    r"|(?P<number>\d+)"
    r"|(?P<word>[^\W\d_][^\W_]{0,63}(?:['’](?:[tsmdTSMD]|re|ve|ll)\b)?)"
    r"|(?P<stop>[.!?;](?=\s|$)|\n)"
)
_MASKS = {"version": VERSION, "path": PATH, "stop": STOP}
_WHOLE = frozenset(
    {"tensorflow", "pytorch", "torchvision", "tensorboard", "deeplearning4j", "onnxruntime", "paddlepaddle", "lightgbm"}
    | {"javascript", "typescript", "github", "gitlab", "kubernetes", "powershell", "openssl", "opengl", "macos"}
)
"""Names in camel case that are one word."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


class Tokens(NamedTuple):
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
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        start, end = match.span()
        if kind == "plain":
            word = match.group()
        elif kind == "word":
            word = match.group().replace("’", "'")
            if word.casefold() in _WHOLE:
                word = word.casefold()
            elif not word.islower():
                parts = _CAMEL.split(word)
                for part in parts[:-1]:
                    words.append(part.casefold())
                    starts.append(start)
                    start += len(part)
                    ends.append(start)
                word = parts[-1].casefold()
                end = start + len(parts[-1])
        elif kind == "number":
            word = match.group()[:_LONGEST_WORD]
        elif kind in _MASKS:
            word = _MASKS[kind]
        else:
            continue
        words.append(word)
        starts.append(start)
        ends.append(end)
    return Tokens(text, words, starts, ends)
