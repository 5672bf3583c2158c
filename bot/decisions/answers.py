"""What a coder answers about an issue, read from a line or from the cells of a row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.commands.words import split_words
from bot.decisions.errors import StudyError
from bot.text import storable
from classifier.taxonomy import NONE, NONE_KINDS, resolve, resolve_none_kind

LONGEST_CODE = 40
LONGEST_NOTE = 2_000
NEW = "new"


@dataclass(frozen=True)
class Answer:
    """A category with perhaps a second choice or a kind of `none`; or, instead of one, a new code as a draft."""

    category: str | None
    category2: str | None = None
    none_kind: str | None = None
    draft: str | None = None
    note: str | None = None

    @property
    def code(self) -> str:
        """Return what is compared between coders: the category, or the new code marked as one."""
        return self.category if self.category is not None else f"{NEW}:{self.draft}"

    def says_the_same(self, other: Answer) -> bool:
        """Whether both say the same of the issue, notes apart."""
        return replace(self, note=None) == replace(other, note=None)


def read_answer(line: str) -> Answer:
    """Read `<category> [second]`, `none [kind]` or `new <code>`, each with a note after `#`.

    Categories are named as in commands: key, short title, alias or a beginning that only one of them has.

    Raises:
        StudyError: what was not understood, with what is near it.
    """
    said, _, note = line.partition("#")
    words = split_words(said)
    if not words:
        raise StudyError("Name a category; `?` shows them all.")
    if words[0].casefold() in {NEW, f"{NEW}:"}:
        return _with_note(Answer(None, draft=_new_code(" ".join(words[1:]))), note)
    category, rest = _take(words)
    if category == NONE:
        kind = _none_kind(rest[0]) if rest else None
        _nothing_left(rest[1:])
        return _with_note(Answer(NONE, none_kind=kind), note)
    second, rest = _take(rest) if rest else (None, ())
    _nothing_left(rest)
    return _with_note(Answer(category, second if second != category else None), note)


def read_cells(category: str, second: str, none_kind: str, new_code: str, note: str) -> Answer | None:
    """Read an answer from a row's cells; None where neither a category nor a new code is given.

    Raises:
        StudyError: a cell was not understood, or cells contradict each other.
    """
    category, second, none_kind, new_code = (cell.strip() for cell in (category, second, none_kind, new_code))
    if not category and not new_code:
        if second or none_kind:
            raise StudyError("There is a second choice or a kind, but no category.")
        return None
    if new_code:
        if category or second or none_kind:
            raise StudyError("A row has a category or a new code, not both.")
        return _with_note(Answer(None, draft=_new_code(new_code)), note)
    key = _category(category)
    if key != NONE and none_kind:
        raise StudyError(f"Only {NONE} has a kind, and the category is {key}.")
    if key == NONE and second:
        raise StudyError(f"{NONE} has no second choice.")
    other = _category(second) if second else None
    kind = _none_kind(none_kind) if none_kind else None
    return _with_note(Answer(key, other if other != key else None, kind), note)


def _take(words: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Resolve the first two words together, as in `memory leak`, or the first alone; return the key and the rest."""
    if len(words) > 1 and (key := resolve(" ".join(words[:2])).key) is not None:
        return key, words[2:]
    return _category(words[0]), words[1:]


def _category(word: str) -> str:
    found = resolve(word)
    if found.key is None:
        raise StudyError(_unknown("category", word, found.nearest) + f" `{NEW} <code>` proposes one the book lacks.")
    return found.key


def _none_kind(word: str) -> str:
    found = resolve_none_kind(word)
    if found.key is None:
        raise StudyError(_unknown("kind of none", word, found.nearest or NONE_KINDS))
    return found.key


def _unknown(what: str, word: str, nearest: tuple[str, ...]) -> str:
    near = f" Near it: {', '.join(nearest)}." if nearest else ""
    return f"No {what} is called {word[:LONGEST_CODE]!r}.{near}"


def _nothing_left(words: tuple[str, ...]) -> None:
    if words:
        raise StudyError(f"{words[0]!r} is one word too many; a note comes after #.")


def _new_code(text: str) -> str:
    code = "-".join(storable(text).casefold().replace("_", " ").replace("-", " ").split())
    if not code or len(code) > LONGEST_CODE or not code.isprintable():
        raise StudyError(f"A new code has 1 to {LONGEST_CODE} characters, such as: {NEW} numeric-instability.")
    known = resolve(code)
    if known.key is not None:
        raise StudyError(f"{code} is understood as the category {known.key}; a new code needs another name.")
    return code


def _with_note(answer: Answer, note: str) -> Answer:
    text = " ".join(storable(note).split())
    if len(text) > LONGEST_NOTE:
        raise StudyError(f"A note has at most {LONGEST_NOTE:,} characters; this one has {len(text):,}.")
    return replace(answer, note=text or None)
