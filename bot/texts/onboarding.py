"""What the App will do and will not, how to try it, and how to switch it off: said alike in the inbox and on a page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.texts.days import in_days
from classifier.taxonomy import TAXONOMY

_WILL = """\
- read each issue that is closed, with the change that fixed it, and measure how much work it was;
- ask about a few of them in one issue, the inbox: a random sample each week (ten, where you set no other number), and \
up to five more that teach the classifier most;
- post one report a month, as an issue of its own, with what was decided and measured."""

_WILL_NOT = """\
- comment on a closed issue by itself, mention anybody, or ask a reporter for anything;
- close or reopen your issues, change your labels, or touch code;
- answer other bots, or argue: what a person decided stands."""

_TRY = """\
- tick a box of the inbox, or write a command as a comment there, which a reaction answers;
- `/rootcause explain` with an issue's number tells what a guess came from, and `/rootcause undo` takes a decision \
back."""

_SWITCH_OFF = """\
- close the inbox: no more questions, until somebody opens it again or writes `/rootcause on` there;
- `/rootcause off` in an issue: that one is left alone;
- in the file `.github/rootcause.yml`, `propose: off` stops the questions, `report: {enabled: false}` the report, and \
`mode: observe` all that is written;
- uninstall the App: everything stops at once."""

_PARTS = (
    ("What will happen", "Rootcause will", _WILL),
    ("What will not happen", "Unless your own settings ask for more, it will never", _WILL_NOT),
    ("How to try it", "There is nothing to set up", _TRY),
    ("How to switch it off", "In whole or in part, at any time", _SWITCH_OFF),
)

_BEGINNING = """\
Rootcause works out why closed issues happened. A small classifier guesses, maintainers decide, and once a month a \
report says what was found.

Installing the App posts nothing. {watching}

Installed on all repositories of an owner, or on more than five, it does nothing anywhere until a repository has that \
file. In forks it is silent."""

_WATCHES_FIRST = """\
For {days} it only watches: it reads the issues that are closed, and writes nothing. Then, once there is something to \
ask, its inbox appears, which is an ordinary issue. A file `.github/rootcause.yml` with `mode: active` makes it begin \
at once, one with `mode: observe` never."""

_BEGINS_AT_ONCE = """\
Once there is something to ask, its inbox appears, which is an ordinary issue. With `mode: observe` in a file \
`.github/rootcause.yml` it only watches: it reads the issues that are closed, and writes nothing."""

_PERMISSIONS = """\
| it asks for | because |
|---|---|
| metadata, to read | GitHub is asked who may give a command |
| contents, to read | the file with your settings; the change of a commit that closed an issue without a pull request |
| pull requests, to read | what fixed the issue: its size, its files, its reviewers |
| issues, to write | the inbox, the report, one issue where your file has mistakes, reactions, and answers to commands |

It asks for nothing else, and for nothing of the organisation."""


def in_the_inbox(*, first: bool, watched_until: datetime | None, public_url: str | None) -> str:
    """Return the part of an inbox that says all this: open in a repository's first inbox, folded in all later ones.

    `watched_until` is the end of the days in which the App only watched, where it began so.
    """
    page = f"\n\nMore, and every command: {public_url}/welcome" if public_url is not None else ""
    told = "\n\n".join(f"**{title}.** {begin}:\n\n{points}" for title, begin, points in _PARTS)
    if not first:
        return f"<details><summary>What this is, and how to switch it off</summary>\n\n{told}{page}\n\n</details>"
    watched = f"{_watched(watched_until)}\n\n" if watched_until is not None else ""
    return f"### What this is\n\n{watched}{told}{page}"


def on_a_page(observe_days: float) -> str:
    """Return the same as the Markdown of a page for those who think of installing the App, or just did.

    A new repository is only watched for `observe_days`; with 0 the App begins at once.
    """
    watching = _WATCHES_FIRST.format(days=in_days(observe_days)) if observe_days > 0 else _BEGINS_AT_ONCE
    told = "\n\n".join(f"## {title}\n\n{begin}:\n\n{points}" for title, begin, points in _PARTS)
    return f"{_BEGINNING.format(watching=watching)}\n\n{told}\n\n## What it may do\n\n{_PERMISSIONS}\n"


def permissions_on_a_page(followed: Sequence[str]) -> str:
    """Return what the App may do, with the reason of each, and the events it follows, as the Markdown of a page."""
    events = ", ".join(f"`{event}`" for event in followed)
    return (
        f"{_PERMISSIONS}\n\nIt follows the events {events}, and GitHub's own about its installations.\n\n"
        "GitHub shows the same list before you install it; what is asked for can never grow without your consent.\n"
    )


def categories() -> str:
    """Return one line that names every category as a command takes it."""
    return ", ".join(f"`{category.key}`" for category in TAXONOMY)


def _watched(until: datetime) -> str:
    return (
        f"This is the first thing that Rootcause writes here. Until {until.day} {until:%B %Y} it only watched: it read "
        "the issues that were closed, and wrote nothing."
    )
