"""Why rows of a table carry no p: the rows gathered under each reason."""

from collections.abc import Sequence

from reports.markdown import details

_PREFIX = "too small: "


def untested(rows: Sequence[tuple[str, str | None]]) -> str:
    """Return why rows, each of (name, reason), were not tested, or nothing if every row was.

    Where no row was tested and all share a fault, that fault is one visible line; else a collapsed list by reason.
    """
    by_reason: dict[str, list[str]] = {}
    for name, reason in rows:
        if reason is not None:
            by_reason.setdefault(reason, []).append(name)
    count = sum(map(len, by_reason.values()))
    if not count:
        return ""
    shared = _shared(list(by_reason)) if count == len(rows) else ""
    if shared:
        return f"*Not tested, too small: {shared}.*"
    lines = [f"- {'; '.join(names)}: {reason}." for reason, names in by_reason.items()]
    return details(f"Rows not tested: {count} of {len(rows)}, and why", "\n".join(lines))


def _shared(reasons: Sequence[str]) -> str:
    """Return the faults that all reasons name."""
    faults = [reason.removeprefix(_PREFIX).split("; ") for reason in reasons]
    return "; ".join(fault for fault in faults[0] if all(fault in others for others in faults))
