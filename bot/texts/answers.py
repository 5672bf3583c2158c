"""The one comment that answers commands: the help, and a sentence for each mistake of a person with rights.

No text begins a line with a command, since the App would read itself, and none mentions a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands.grammar import ParsedCommand
from bot.commands.registry import COMMANDS, FIX, OFF, PREFIX, categories_markdown, table_markdown
from bot.commands.rules import Reason
from bot.texts.code import code
from bot.texts.onboarding import categories

ANSWER_MARKER = "<!-- rootcause:answer -->"
"""The hidden first line by which the App finds its one answer in an issue again."""

_HOW = (
    "A command stands on a line of its own. In the inbox, name the issues it is about, "
    f"as in `{PREFIX} {COMMANDS['confirm'].example} #12 #14`; of `{FIX}` the issue comes first, "
    f"as in `{PREFIX} {FIX} #12 #99`."
)
_SEE_HELP = f"`{PREFIX} {COMMANDS['help'].example}` shows every command. "
_REWRITTEN = 'This comment is rewritten for each new answer; GitHub keeps earlier ones under "edited".'
_MOST_NAMED = 3
"""Commands that an answer begins with; the others of the same comment are counted."""
_ELSEWHERE = (
    "Here a command is about this issue only. Leave the `#` numbers out, or write it in the inbox to name other issues."
)
_ONE_CHANGE = f"Here `{FIX}` is about this issue: name only what fixed it, as in `{PREFIX} {FIX} #99`."
_FIXED_WHICH = f"Which issue did it fix? Name the issue first, as in `{PREFIX} {FIX} #12 #99`."
_OFF_WHICH = f"Which issue? Name it, as in `{PREFIX} {OFF} #12`. To switch all questions off, close the inbox."
_RIGHTS_UNKNOWN = (
    "I could not check what you may do in this repository, because GitHub did not tell me, so nothing was changed. "
    "Please write the command again in a few minutes."
)


@dataclass(frozen=True)
class Asked:
    """A command that is answered, as written after the prefix, and the comment of the same issue that it stands in."""

    text: str
    comment_id: int


def answer_text(
    mistakes: Sequence[tuple[ParsedCommand, Reason]],
    *,
    asked: Sequence[Asked],
    with_help: bool,
    public_url: str | None,
    told: Sequence[str] = (),
) -> str:
    """Return the body of the answer, marker included: what was `asked`, each mistake once, in order, then the help.

    The help stands there only if it was asked for. `told` are sentences on what commands came to, which stand behind
    the mistakes.

    `public_url` is the address of the web process without a slash at its end, or None where it has none.
    """
    sentences = dict.fromkeys([*(mistake_sentence(command, reason) for command, reason in mistakes), *told])
    parts = [ANSWER_MARKER, _asked(asked), *sentences]
    if with_help:
        parts.append(help_text(public_url))
    else:
        parts += dict.fromkeys(
            _what_may_be_written(command) for command, reason in mistakes if _is_lost(command, reason)
        )
    parts.append(f"<sub>{'' if with_help else _SEE_HELP}{_REWRITTEN}</sub>")
    return "\n\n".join(parts) + "\n"


def _is_lost(command: ParsedCommand, reason: Reason) -> bool:
    """Say whether a command holds a word that is near nothing."""
    return reason is Reason.NOT_UNDERSTOOD and command.arguments[0] != "" and not command.nearest


def _what_may_be_written(command: ParsedCommand) -> str:
    """Return how the command that was begun is written, or the categories where it was none."""
    begun = COMMANDS.get(command.text.partition(" ")[0].casefold())
    return f"The categories: {categories()}." if begun is None else f"It is written {_command(begun.usage)}."


def _asked(asked: Sequence[Asked]) -> str:
    """Return what an answer begins with: each command linked to its comment, which names nobody and leaves no trace."""
    links = [f"[{_command(one.text)}](#issuecomment-{one.comment_id})" for one in dict.fromkeys(asked)]
    more = f" and {len(links) - _MOST_NAMED} more" if len(links) > _MOST_NAMED else ""
    return f"Answer to {', '.join(links[:_MOST_NAMED])}{more}:"


def help_text(public_url: str | None) -> str:
    """Return a link to the page of commands, or the tables themselves where no page can be reached."""
    if public_url is not None:
        return f"All commands, who may use them, and the categories: {public_url}/help\n\n{_HOW}"
    meanings = f"<details><summary>The categories</summary>\n\n{categories_markdown()}\n</details>"
    return f"{table_markdown()}\n{_HOW}\n\n{meanings}"


def mistake_sentence(command: ParsedCommand, reason: Reason) -> str:
    """Return what to tell the writer of a command that was not carried out, and what to do instead.

    Raises KeyError for a reason that is no mistake: allowed commands and lacking rights get a reaction only.
    """
    if reason is Reason.NOT_UNDERSTOOD:
        return near_miss(command.arguments[0], command.nearest)
    if command.name == FIX and reason in (Reason.TARGET_MISSING, Reason.TARGET_ELSEWHERE):
        return _FIXED_WHICH if reason is Reason.TARGET_MISSING else _ONE_CHANGE
    if command.name == OFF and reason is Reason.TARGET_MISSING:
        return _OFF_WHICH
    return {
        Reason.RIGHTS_UNKNOWN: _RIGHTS_UNKNOWN,
        Reason.TARGET_MISSING: f"Which issue? Name it after the command, as in {_command(command.text + ' #12')}.",
        Reason.TARGET_ELSEWHERE: _ELSEWHERE,
        Reason.WRONG_PLACE: f"{_command(command.text)} cannot be used here.",
    }[reason]


def not_done(number: int, why: str) -> str:
    """Return why a command about an issue came to nothing, and what to do instead; raises KeyError for another reason.

    `why` is what `bot.features.answers.Answer` gives as its reason.
    """
    issue = f"`#{number}`"
    named = f"Name the category instead, as in `{PREFIX} {COMMANDS['categorise'].example}`."
    return {
        "nothing to undo": f"There is nothing to take back of {issue}: no decision on it stands, and nothing else that "
        "was said of it.",
        "asked blind": f"{issue} is asked blind, so there is no guess to confirm. {named}",
        "no proposal": f"I have no guess for {issue} to confirm. {named}",
        "left alone": f"{issue} is left alone, so it is not predicted again. Write `{PREFIX} {COMMANDS['on'].example}` "
        "first.",
        "not recorded": f"I have recorded no closed issue {issue} in this repository, so nothing was changed.",
    }[why]


def went_wrong(text: str, number: int) -> str:
    """Return what to tell the writer of a command that broke something of ours."""
    return (
        f"Something went wrong on my side with {_command(text)} about `#{number}`, and it was not carried out. It is "
        "logged, so that it can be mended."
    )


def near_miss(word: str, nearest: Sequence[str]) -> str:
    """Return the answer to a command that holds `word`, which nobody knows ("" for no word), naming what is near."""
    if not word:
        return "That is a command without a word after it."
    near = f"Nearest: {', '.join(code(each) for each in nearest)}." if nearest else "Nothing I know is near it."
    return f"I do not know {code(word)}. {near}"


def _command(text: str) -> str:
    return code(f"{PREFIX} {text}")
