"""What no log, error or metric may show: secrets by their values, and private repositories by their names.

The values are known to the process from the moment that its settings are read, the names from the moment that a row or
an event about such a repository is. Both are found in whatever form a text has them.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterable
from types import TracebackType
from urllib.parse import quote, quote_plus

HIDDEN = "***"

_SHORTEST = 4
_SHORT = 8
"""A shorter secret is hidden as a whole word only: parts of other words that are equal would leave no text readable."""

_PEM_LINE = 32
_AFTER = r"(?:(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2})|(?<![\w.\\%-]))"
"""Where a word may begin: also after an escape, whose letters look like a part of the word."""

_PATH = re.compile(_AFTER + r"[\w.-]+(?:(?:/|%2[Ff])[\w.-]+)+")
_STEP = re.compile(r"(/|%2[Ff])")

_PATTERNS = re.compile(
    r"gh[pousr]_[\w.-]{8,}|github_pat_\w+|v1\.[0-9a-f]{40}|eyJ[\w-]+\.[\w-]+\.[\w-]+"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----"
    r"|(?<=://)[^/@:\s]+:[^/@\s]+(?=@)"
    r"|(?<=/collaborators/)[^/\s\"'?]+"
)
"""What looks like a token, a key, a password in an address or the login of somebody whose rights were asked for."""


class Secrecy:
    """Secret values and private names, and the one way to take them out of a text."""

    def __init__(self) -> None:
        self._forms: dict[str, tuple[str, ...]] = {}
        self._longest_first: tuple[str, ...] = ()
        self._words: re.Pattern[str] | None = None
        self._names: dict[str, int] = {}

    def hide(self, values: Iterable[str]) -> None:
        """Hide these values from now on; of a key in PEM form every long line is one too."""
        new = {part for text in values for part in _parts(text)} - self._forms.keys()
        if not new:
            return
        self._forms = {**self._forms, **{value: tuple(_forms(value)) for value in new}}
        forms = {form for several in self._forms.values() for form in several}
        self._longest_first = tuple(sorted((one for one in forms if len(one) >= _SHORT), key=len, reverse=True))
        short = sorted((re.escape(one) for one in forms if len(one) < _SHORT), key=len, reverse=True)
        self._words = re.compile(rf"{_AFTER}(?:{'|'.join(short)})(?!\w)") if short else None

    def hide_repository(self, number: int, full_name: str) -> None:
        """Name a private repository by its number from now on, and likewise where its owner's defaults lie."""
        owners_defaults = f"{full_name.partition('/')[0]}/.github"
        self._names = {owners_defaults.lower(): number, **self._names, full_name.lower(): number}

    def show_repository(self, full_name: str) -> None:
        """Let a repository that is public now be named again."""
        self._names = {name: number for name, number in self._names.items() if name != full_name.lower()}

    def mask(self, text: str) -> str:
        """Return a text without secrets, and with numbers for the names of private repositories."""
        text = self.mask_secrets(text)
        return _PATH.sub(self._renamed, text) if self._names else text

    def mask_secrets(self, text: str) -> str:
        """Return a text without anything that is a secret or looks like one."""
        for form in self._longest_first:
            if form in text:
                text = text.replace(form, HIDDEN)
        if self._words is not None:
            text = self._words.sub(HIDDEN, text)
        return _PATTERNS.sub(HIDDEN, text)

    def _renamed(self, path: re.Match[str]) -> str:
        """Return a path, `owner/name` somewhere in it, with the number of each private repository for its name."""
        steps = _STEP.split(path[0])
        for place in range(0, len(steps) - 2, 2):
            name = steps[place + 2]
            for ending in ("", ".", ".git"):
                bare = name.removesuffix(ending)
                number = self._names.get(f"{steps[place]}/{bare}".lower())
                if number is not None and name.endswith(ending):
                    steps[place : place + 3] = ["private-repository", "-", f"{number}{name[len(bare) :]}"]
                    break
        return "".join(steps)


SECRECY = Secrecy()
"""The process's own, as its loggers are."""


def show_last_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write the traceback that a process ends with to standard error, masked as a log is; set as `sys.excepthook`."""
    sys.stderr.write(SECRECY.mask("".join(traceback.format_exception(kind, error, trace))))


def show_error_of_thread(died: threading.ExceptHookArgs) -> None:
    """Do the same for an error that a thread ends with; set as `threading.excepthook`."""
    if died.exc_value is not None:
        show_last_error(died.exc_type, died.exc_value, died.exc_traceback)


def _parts(text: str) -> set[str]:
    value = text.strip()
    if len(value) < _SHORTEST:
        return set()
    if "PRIVATE KEY-----" not in value:
        return {value}
    lines = {line.strip() for line in re.split(r"\n|\\n", value)}
    return {value, *(line for line in lines if len(line) >= _PEM_LINE and not line.startswith("-----"))}


_ESCAPES: tuple[Callable[[str], str], ...] = (
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    lambda text: repr(text)[1:-1],
    lambda text: repr(text.encode(errors="surrogatepass"))[2:-1],
    lambda text: quote(text, errors="surrogatepass"),
    lambda text: quote(text, safe="", errors="surrogatepass"),
    lambda text: quote_plus(text, errors="surrogatepass"),
    lambda text: text.replace("\\", "\\\\").replace("'", "\\'"),
)
"""How JSON, Python, addresses and PostgreSQL's connection strings write a text down."""


def _forms(value: str) -> set[str]:
    """Return a value as it is, escaped, and escaped twice, as a representation within JSON is."""
    once = {value, *(escape(value) for escape in _ESCAPES)}
    return once | {escape(form) for form in once for escape in _ESCAPES}
