"""What is stored of people and their words, for how long, and how it is deleted: the page of privacy."""

from __future__ import annotations

from datetime import timedelta

from bot.texts.days import in_days

_STORED = """\
| what | why | for how long |
|---|---|---|
| of a closed issue: title, address, dates, counts, the words of its description and comments | the guess, \
`similar`, and the next model | until the repository has left and its time is up, or on demand |
| of its fix: address, paths, counts of lines | how hard the issue was | as the issue |
| of people who took part: account number, public name, kind, age, followers, contributions in a year | the report's \
table of communities, in which nobody is named | as the issue |
| of a public profile's own words: one of engineer, senior engineer, researcher, both, unknown | the same | as the \
issue; the words themselves are never kept |
| of whoever decides: account number, what was decided, when | agreement between people, and the newest word counts | \
as the issue; afterwards under a random number |
| deliveries of GitHub, cut to what is used | nothing may be lost or done twice | {kept} |
| the configuration file | it is asked for again only where it changed | as the repository |

No e-mail addresses, no code, no file contents but the configuration, no cookies of visitors, nothing of private \
repositories outside their own inbox and report."""

_SEEN = """\
- In the repository itself: the inbox and the report, by whoever can read the repository.
- On the pages of this installation: reports of public repositories with `share: named`, which name no person.
- In other repositories' reports: numbers of groups. `share: off` takes a repository out of them.
- In a replication package: numbers by issue, people as pseudonyms that nobody outside can undo.
- By the operator of this installation, who holds the database. Nothing is sent to anybody else."""

_DELETED = """\
- Uninstalling deletes what was written and who took part {after}; what stays are numbers about issues, which name \
nobody.
- At once: the operator runs `rootcause forget repository owner/name`, or `rootcause forget person login` for \
one person.
- An issue that is deleted on GitHub, or moved to where the App is not, takes its record along."""


_RUN_BY = """\
Its GitHub App has an owner, whom {page} names. They, or somebody in their name, run it and hold the database: ask \
them to tell you what is stored about you, or to delete it."""


def on_a_page(kept: timedelta, forget_after_days: float, page: str | None) -> str:
    """Return the Markdown of the page: how long deliveries are kept, and people once the App has left (0: no longer).

    People are looked for once a day. `page` is the address of the App's page on GitHub where it is known.
    """
    after = f"after {in_days(forget_after_days)}" if forget_after_days > 0 else "within a day"
    named = f"[the App's page on GitHub](<{page}>)" if page else "the App's page on GitHub"
    parts = {
        "What is stored": _STORED.format(kept=in_days(kept.days)),
        "Who can see it": _SEEN,
        "How it is deleted": _DELETED.format(after=after),
        "Who runs this installation": _RUN_BY.format(page=named),
    }
    return "\n\n".join(f"## {title}\n\n{text}" for title, text in parts.items()) + "\n"
