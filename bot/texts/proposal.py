"""The words of the one comment that shows a proposal in the issue itself, and what the inbox says of labels.

No text begins a line with a command, none mentions a person, and none leaves a trace in another issue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands.registry import COMMANDS, PREFIX
from bot.texts.guesses import in_the_fix, weighed
from classifier.decide import percent
from reports.markdown import plain

PROPOSAL_MARKER = "<!-- rootcause:proposal -->"
"""The hidden first line by which the App finds its comment in an issue again."""

_LONGEST_NAME = 80
_NONE_KINDS = {
    "functional": "a functional bug",
    "question": "a question",
    "feature": "a request",
    "docs": "about the documentation",
    "misuse": "a misuse",
}


@dataclass(frozen=True)
class Guess:
    """What the model says of an issue: first and second choice with their probabilities, and what weighed most."""

    category: str
    probability: float
    second: str
    second_probability: float
    words: Sequence[str]
    facts: Sequence[str]
    model: str


@dataclass(frozen=True)
class Outcome:
    """What became of the guess: a decided category (`none` with its kind), else why there is none."""

    state: str
    category: str | None
    none_kind: str | None


def proposal_text(guess: Guess, public_url: str | None) -> str:
    """Return the comment's body while nobody has decided, marker included.

    `public_url` is the address of the web process without a slash at its end, or None where it has none.
    """
    commands = "every command" if public_url is None else f"[every command]({public_url}/help)"
    confirm, nothing = f"{PREFIX} {COMMANDS['confirm'].example}", f"{PREFIX} none"
    other = guess.second if guess.second != "none" else guess.category
    how = (
        f"With triage rights you decide by a comment: `{confirm}` if that is right, the right category as in "
        f"`{PREFIX} {other}`, or `{nothing}` if it is not about the system. "
        f"`{PREFIX} {COMMANDS['help'].example}` shows {commands}. Nobody has to answer."
    )
    small = (
        f"<sub>Guessed by {plain(guess.model, _LONGEST_NAME)}. `propose: inbox` in `.github/rootcause.yml` "
        f"switches these comments off, `{PREFIX} off` all questions about this issue.</sub>"
    )
    guessed = f"A small classifier read this closed issue and guesses why it happened: {_choices(guess)}."
    return "\n\n".join([PROPOSAL_MARKER, guessed, *_weighed(guess), how, small]) + "\n"


def settled_text(guess: Guess | None, outcome: Outcome) -> str:
    """Return the comment's body once there is nothing to decide any more: one line, the rest folded away."""
    inside = ["A small classifier had guessed a cause."]
    if guess is not None:
        inside = [f"A small classifier had guessed {_choices(guess)}.", *_weighed(guess)]
    head = f"<details><summary>{_summary(guess, outcome)}</summary>"
    return "\n\n".join([PROPOSAL_MARKER, head, *inside, "</details>"]) + "\n"


def labels_missing_note(repository: str) -> str:
    """Return what the inbox says where labels of ours were to be put on issues and do not exist."""
    return (
        "`propose: label` is set, and the labels do not exist yet. Whoever runs the App makes them once by "
        f"`rootcause labels setup {repository}`; until then no issue is labelled."
    )


def flapping_note(links: Sequence[str]) -> str:
    """Return what the inbox says of issues whose labels are left alone; `links` are safe Markdown."""
    return f"The root-cause labels of {', '.join(links)} were changed three times and are left alone from now on."


def _choices(guess: Guess) -> str:
    return (
        f"**{guess.category}** ({percent(guess.probability)}), else {guess.second} "
        f"({percent(guess.second_probability)})"
    )


def _weighed(guess: Guess) -> list[str]:
    sentences = []
    if guess.words:
        sentences.append(f"What weighed most: {weighed(guess.words)}.")
    if guess.facts:
        sentences.append(in_the_fix(guess.facts))
    return [" ".join(sentences)] if sentences else []


def _summary(guess: Guess | None, outcome: Outcome) -> str:
    if outcome.state == "disputed":
        return "Root cause: maintainers disagree"
    if outcome.category == "none":
        kind = f": {_NONE_KINDS[outcome.none_kind]}" if outcome.none_kind in _NONE_KINDS else ""
        return f"Root cause: not about the system{kind}, as maintainers decided"
    if outcome.category is not None:
        confirmed = guess is not None and guess.category == outcome.category
        return f"Root cause: <b>{outcome.category}</b>, {'confirmed' if confirmed else 'decided'} by maintainers"
    if outcome.state == "rejected":
        return "Root cause: not what the classifier guessed, as maintainers decided"
    return "Root cause: nothing is proposed any more"
