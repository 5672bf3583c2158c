"""The report as `report.json`: the shape of the schema, numbers at 12 significant digits, the same bytes each time."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from typing import Any

from reports.model import Anova, FunnelStep, Report
from reports.vocabulary import GROUPS

_DIGITS = 12
_INTERNAL = frozenset({"direction"})


def report_json(report: Report) -> str:
    """Return the report as ASCII JSON text that ends with a newline.

    A table that the input does not suffice for is null, and `coverage.not_available` says why.
    """
    tables = report.tables
    own = report.funnel.this_repository
    funnel: dict[str, Any] = {group: _step(report.funnel.groups[group]) for group in GROUPS}
    funnel["this_repository"] = None if own is None else _step(own)
    content = {
        "period": report.period.name,
        "window_months": report.period.window_months,
        "seed": report.seed,
        "funnel": funnel,
        "tables": {
            "categories": _rows(tables.categories),
            "categories_without_dominant": _rows(tables.without_dominant),
            "categories_estimated": _rows(tables.estimated),
            "difficulty": _rows(tables.difficulty),
            "information": _rows(tables.information),
            "community": _rows(tables.community) or None,
            "roles": _rows(tables.roles) or None,
            "bug_types": _rows(tables.bug_types) or None,
            "languages": _rows(tables.languages) or None,
            "mpl_vs_spl": _rows(tables.mpl_vs_spl) or None,
            "this_repository": {"partner": report.partner, "rows": _rows(report.own)} if report.own else None,
            "repositories": _rows(report.repositories),
            "trend": _rows(report.trend),
        },
        "agreement": _plain(report.agreement),
        "coverage": _coverage(report),
    }
    return json.dumps(_rounded(content), indent=2, allow_nan=False) + "\n"


def _step(step: FunnelStep) -> dict[str, Any]:
    return {**_plain(step), "excluded": dict(step.excluded)}


def _rows(rows: Sequence[object]) -> list[dict[str, Any]]:
    return [_plain(row) for row in rows]


def _plain(value: Any) -> dict[str, Any]:
    """Return a dataclass as a dictionary in field order; analyses of variance have the study's capital F."""
    result: dict[str, Any] = {}
    for field in fields(value):
        part = getattr(value, field.name)
        if isinstance(part, Anova):
            result[field.name] = {"F": part.f, "p": part.p}
        elif field.name not in _INTERNAL:
            result[field.name] = _value(part)
    return result


def _value(part: Any) -> Any:
    if is_dataclass(part) and not isinstance(part, type):
        return asdict(part)
    if isinstance(part, Mapping):
        return {key: _value(value) for key, value in part.items()}
    return part


def _coverage(report: Report) -> dict[str, Any]:
    covered, checks = report.coverage, report.sensitivity
    return {
        "groups": {group: asdict(covered.groups[group]) for group in GROUPS},
        "month": _step(covered.month),
        "window": _step(covered.window),
        "proposed_unconfirmed": covered.proposed_unconfirmed,
        "sampled": covered.sampled,
        "sampled_unanswered": covered.sampled_unanswered,
        "heuristic_left_out": covered.heuristic_left_out,
        "difficulty_of": "bugs with a landed fix" if covered.facts_alone else "decided, system-related issues",
        "dominant": report.tables.dominant,
        "reference": None if report.study is None else report.study.source,
        "sensitivity": {
            "followers": None if checks.followers is None else _plain(checks.followers),
            "with_proposals": _rows(checks.proposals) or None,
        },
        "notes": list(report.notes),
        "not_available": dict(covered.not_available),
    }


def _rounded(value: Any) -> Any:
    """Round every float so that the last bits of a different processor do not change the bytes."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
