"""Why rows of a table carry no p: the rows gathered under each reason."""

from collections.abc import Sequence

from reports.markdown import details


def untested(rows: Sequence[tuple[str, str | None]]) -> str:
    """Return a collapsed list of (row's name, reason) grouped by reason, or nothing if every row was tested."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in rows:
        if reason is not None:
            by_reason.setdefault(reason, []).append(name)
    if not by_reason:
        return ""
    count = sum(map(len, by_reason.values()))
    names = {reason: "all rows" if len(group) == len(rows) else "; ".join(group) for reason, group in by_reason.items()}
    lines = [f"- {names[reason]}: {reason}." for reason in by_reason]
    return details(f"Rows not tested: {count} of {len(rows)}, and why", "\n".join(lines))
