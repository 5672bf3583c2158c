"""Which ticks of an inbox stand, worked out from the versions of its text: pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from bot.features.event import is_bot_account
from bot.github.edits import TextVersion
from bot.texts.boxes import issues_by_number, states


@dataclass(frozen=True)
class Tick:
    """A box that a person ticked and nobody took back; `version` is the text that their edit left."""

    issue_id: int
    version: TextVersion


def standing_ticks(versions: Sequence[TextVersion], bots: frozenset[str]) -> tuple[Tick, ...]:
    """Return the ticks that stand at the end of a text's versions, which come in order, by issue id.

    Emptying a box takes its tick back, with two exceptions. A text of the App's own, or of another bot, takes nothing
    back. Nor does a person's edit that ticks another box meanwhile and empties somebody else's: that one was made from
    an older text and wrote over the tick by accident. A line that is gone altogether takes nothing back either.
    """
    known = issues_by_number([version.text for version in versions])
    found: dict[int, TextVersion] = {}
    for before, after in pairwise(versions):
        if not by_person(after, bots):
            continue
        was, now = states(before.text, known), states(after.text, known)
        new = [issue_id for issue_id, is_ticked in now.items() if is_ticked and not was.get(issue_id, False)]
        emptied = [issue_id for issue_id, is_ticked in now.items() if not is_ticked and was.get(issue_id, False)]
        for issue_id in found.keys() & set(emptied):
            if not new or _editor(found[issue_id]) == _editor(after):
                del found[issue_id]
        found |= dict.fromkeys(new, after)
    return tuple(Tick(issue_id, version) for issue_id, version in sorted(found.items()))


def unread_of(versions: Sequence[TextVersion], read: str | None) -> Sequence[TextVersion]:
    """Return the versions after the one that was read last: all of them where GitHub does not show that one."""
    ids = [version.id for version in versions]
    return versions[ids.index(read) + 1 :] if read is not None and read in ids else versions


def by_person(version: TextVersion, bots: frozenset[str]) -> bool:
    """Say whether a person made this edit; of an account that is gone nobody knows, and it may have been one."""
    return version.editor is None or not is_bot_account(version.editor, bots)


def last_edit(versions: Sequence[TextVersion], bots: frozenset[str]) -> datetime | None:
    """Return the moment of a person's last edit, None where nobody edited the text; the first version is no edit."""
    return max((version.edited_at for version in versions[1:] if by_person(version, bots)), default=None)


def _editor(version: TextVersion) -> int | None:
    return None if version.editor is None else version.editor["id"]
