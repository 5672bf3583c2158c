"""A condition on many values at once: as one list, since a statement takes at most 65,535 parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, any_, cast
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import col


def among(column: Any, values: Iterable[int | str]) -> ColumnElement[bool]:
    """Say whether a column's value is one of any number of values."""
    return col(column) == any_(cast(list(values), ARRAY(column.type)))
