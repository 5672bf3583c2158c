"""Turn one JSON object into a row dataclass, field by field, with a sentence for every wrong value."""

import types
from dataclasses import MISSING, Field, fields
from datetime import UTC, datetime
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from reports.errors import ReportInputError

Row = TypeVar("Row")

_PLANS: dict[type, tuple[dict[str, Any], tuple[str, ...]]] = {}
_LARGEST = 2**63 - 1


def read_row(row_type: type[Row], data: dict[str, Any]) -> Row:
    """Build a `row_type` from a decoded JSON object; fields it does not have go to its `unknown`.

    Raises ReportInputError naming the field; null and absent mean the field's default.
    """
    kinds, required = _plan(row_type)
    values: dict[str, Any] = {}
    for name, value in data.items():
        if value is not None and (kind := kinds.get(name)) is not None:
            # Texts and truths are most of a package, and what they are already is not looked at twice.
            as_it_is = value.__class__ is kind and (kind is str or kind is bool)
            values[name] = value if as_it_is else _convert(name, kind, value)
    for name in required:
        if name not in values:
            raise ReportInputError(f"the field {name!r} is missing")
    if not data.keys() <= kinds.keys():
        values["unknown"] = tuple(sorted((name, value) for name, value in data.items() if name not in kinds))
    return row_type(**values)


def _plan(row_type: type) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the type to read for each field, and the fields that must be there."""
    if row_type in _PLANS:
        return _PLANS[row_type]
    hints = get_type_hints(row_type)
    own: tuple[Field[Any], ...] = fields(row_type)
    kinds: dict[str, Any] = {}
    for one in own:
        if one.name == "unknown":
            continue
        hint = hints[one.name]
        optional = get_origin(hint) in (Union, types.UnionType)
        kind = next(arg for arg in get_args(hint) if arg is not type(None)) if optional else hint
        kinds[one.name] = get_origin(kind) or kind
    required = tuple(one.name for one in own if one.default is MISSING)
    return _PLANS.setdefault(row_type, (kinds, required))


def _convert(name: str, kind: Any, value: Any) -> Any:
    """Return a JSON value as `kind`: int and float (never negative), bool, str, datetime in UTC, or tuple of str."""
    if kind is bool and isinstance(value, bool):
        return value
    if kind in (int, float) and isinstance(value, int | float) and not isinstance(value, bool):
        return _number(name, kind, value)
    if kind is str and isinstance(value, str):
        return value
    if kind is datetime and isinstance(value, str):
        return _moment(name, value)
    if kind is tuple and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", tuple: "a list of texts"}
    raise ReportInputError(f"the field {name!r} must be {wanted.get(kind, 'a time in ISO 8601')}, not {value!r:.60}")


def _number(name: str, kind: type[int] | type[float], value: float) -> int | float:
    if not 0 <= value <= _LARGEST:
        raise ReportInputError(f"the field {name!r} must lie between 0 and {_LARGEST}, but is {value!r:.60}")
    if kind is int and value != int(value):
        raise ReportInputError(f"the field {name!r} must be a whole number, not {value!r}")
    return kind(value)


def _moment(name: str, value: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ReportInputError(f"the field {name!r} must be a time in ISO 8601, not {value!r:.60}") from None
