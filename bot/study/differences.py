"""Where coders differ, and how far they agree, as text for the researchers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from bot.decisions.answers import Answer
from bot.store.study import Listed
from bot.study.terminal import printable
from reports.agreement import Agreement, cohens_kappa


@dataclass(frozen=True)
class Difference:
    """An issue on which opinions differ; `maintainers` are their standing categories, `resolved` what was agreed on."""

    issue: Listed
    said: Mapping[str, Answer]
    maintainers: tuple[str, ...] = ()
    resolved: Answer | None = None


def differences(
    issues: Sequence[Listed],
    said: Mapping[int, Mapping[str, Answer]],
    maintainers: Mapping[int, tuple[str, ...]],
    resolved: Mapping[int, Answer],
) -> list[Difference]:
    """Return the issues that were coded and on which coders, or coders and maintainers, differ, in the list's order."""
    found = []
    for issue in issues:
        coded = said.get(issue.issue_id, {})
        others = maintainers.get(issue.issue_id, ())
        if coded and len({answer.code for answer in coded.values()} | set(others)) > 1:
            found.append(Difference(issue, coded, others, resolved.get(issue.issue_id)))
    return found


def agreements(said: Mapping[int, Mapping[str, Answer]]) -> dict[tuple[str, str], Agreement]:
    """Return for each two coders how far they agree on the issues that both coded; a new code counts as what it is."""
    coders = sorted({coder for by_coder in said.values() for coder in by_coder})
    return {
        (first, second): cohens_kappa(
            [(each[first].code, each[second].code) for each in said.values() if first in each and second in each]
        )
        for first, second in combinations(coders, 2)
    }


def differences_facts(
    found: Sequence[Difference], alike: Mapping[tuple[str, str], Agreement]
) -> dict[str, list[dict[str, Any]]]:
    """Return all differences, resolved ones too, and how far each two coders agree, for a script."""
    rows = [
        {
            "issue": one.issue.name,
            "title": one.issue.title,
            "said": {coder: asdict(answer) for coder, answer in sorted(one.said.items())},
            "maintainers": list(one.maintainers),
            "resolved": None if one.resolved is None else asdict(one.resolved),
        }
        for one in found
    ]
    return {"differences": rows, "agreement": [{"coders": list(two), **asdict(each)} for two, each in alike.items()]}


def differences_text(found: Sequence[Difference]) -> str:
    """Return what is still open, each with what everybody said, and how many are resolved."""
    open_ones = [one for one in found if one.resolved is None]
    lines = []
    for one in open_ones:
        lines.append(printable(f"{one.issue.name}  {' '.join(one.issue.title.split())[:100]}"))
        for coder, answer in sorted(one.said.items()):
            second = f", second {answer.category2}" if answer.category2 else ""
            kind = f" ({answer.none_kind})" if answer.none_kind else ""
            note = f"  # {answer.note}" if answer.note else ""
            lines.append(printable(f"  {coder}: {answer.code}{kind}{second}{note}"))
        if one.maintainers:
            lines.append(f"  maintainers: {', '.join(one.maintainers)}")
    lines.append(f"{len(open_ones)} to resolve, {len(found) - len(open_ones)} resolved.")
    if open_ones:
        lines.append(f'Resolve one: rootcause study resolve {open_ones[0].issue.name} CATEGORY --note "why"')
    return "\n".join(lines)


def agreement_text(found: Mapping[tuple[str, str], Agreement]) -> str:
    """Return a line for each two coders; without two coders, a line that says so."""
    if not found:
        return "Agreement: fewer than two coders have coded anything."
    return "\n".join(_line(first, second, agreement) for (first, second), agreement in found.items())


def _line(first: str, second: str, agreement: Agreement) -> str:
    if agreement.observed is None:
        return f"{first} and {second}: no issue was coded by both."
    kappa = "not defined, both used one category" if agreement.kappa is None else f"{agreement.kappa:.2f}"
    return f"{first} and {second}: {agreement.n} issues, {agreement.observed:.0%} alike, Cohen's kappa {kappa}"
