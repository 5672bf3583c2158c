"""The people of an issue, in numbers: nobody is named, and nobody's own figures are shown."""

from __future__ import annotations

from datetime import UTC

from bot.show.lines import Line, Section, moment
from bot.store.whole import Whole

_ROLES = {
    "author": "authors",
    "commenter": "commenters",
    "fix_author": "fix_authors",
    "reviewer": "reviewers",
}


def people(whole: Whole) -> Section:
    """Tell how many took part as what, and what is known of their accounts together."""
    record, found = whole.record, whole.people
    year = record.closed_at.astimezone(UTC).year
    unread = "no profile was read" if found.everyone else "nobody with an account took part"
    when = f"{found.read} of {found.everyone} profiles"
    if found.last_read_at is not None:
        when += f", last read {moment(found.last_read_at)}"
    roles = [f"{count} {name}" for name, count in sorted(found.profile_roles.items())]
    members = f"mean over members of their public contributions in {year}"
    unknown = _no_contributions(whole)
    lines = (
        *(
            Line(name, found.of_role.get(role, 0), "people with an account, bots left out")
            for role, name in _ROLES.items()
        ),
        Line("account_years", found.account_years, f"median at the closing; {when}" if found.read else unread),
        Line(
            "followers",
            found.followers,
            f"median of rounded counts; {when}" if found.followers is not None else unread,
        ),
        Line(
            "profile_roles",
            roles if found.read else None,
            f"by the profiles' own words; {when}" if found.read else unread,
        ),
        Line(
            "member_contributions",
            record.member_contributions,
            f"{members}, everywhere" if record.member_contributions is not None else unknown,
        ),
        Line(
            "member_contributions_here",
            found.in_repository,
            f"{members}, in this repository" if found.in_repository is not None else unknown,
        ),
        Line(
            "fix_author_contributions",
            record.fix_author_contributions,
            f"public contributions in {year}, everywhere"
            if record.fix_author_contributions is not None
            else _no_author(whole),
        ),
    )
    return Section("people", lines)


def _no_contributions(whole: Whole) -> str:
    return "contributions were not read" if whole.people.members else "no member took part"


def _no_author(whole: Whole) -> str:
    if whole.fix is None:
        return "there is no fix"
    if whole.people.of_role.get("fix_author", 0) == 0:
        return "the fix's author has no account, or is a bot"
    return "contributions were not read"
