"""The operator's guide stays true: its settings are those there are, and what it quotes is really said."""

from __future__ import annotations

import re
from typing import Any

import pytest
from prometheus_client import REGISTRY
from pydantic_core import PydanticUndefined

import bot.metrics
from bot.settings import Settings
from bot.setup.settings_file import NAME
from bot.store.standing import GAUGES
from tests.support.said import ROOT, is_said, troubles

GUIDE = (ROOT / "bot" / "docs" / "operating.md").read_text()
_QUOTED = re.compile(r"`([^`]+)`")
_METRIC = re.compile(r'(rootcause_[a-z_]+)?((?:\{[a-z]+="[a-z0-9_]+"(?:,[a-z]+="[a-z0-9_]+")*\})?)')
_LABEL = re.compile(r'([a-z]+)="([a-z0-9_]+)"')


def table(name: str) -> list[list[str]]:
    """Return the rows of one of the guide's marked tables, without its head."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", GUIDE, re.DOTALL)
    assert found is not None
    rows = [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in found[1].splitlines()]
    return rows[2:]


def default_of(name: str) -> str:
    """Return a setting's default as the guide writes it, nothing where there is none."""
    value: Any = Settings.model_fields[name].default
    if value in (None, (), frozenset(), PydanticUndefined):
        return ""
    plain = str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)
    return f"`{plain}`"


def test_the_settings_are_those_that_there_are_with_their_defaults() -> None:
    found = re.search(r"<!-- settings -->\n(.*?)<!-- /settings -->", GUIDE, re.DOTALL)
    assert found is not None
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| ?(`[^`]*`)? \| \S", found[1], re.MULTILINE))
    own = {"database_url": "DATABASE_URL", "database_url_file": "DATABASE_URL_FILE", "port": "PORT"}
    there = {own.get(name, f"ROOTCAUSE_{name.upper()}"): default_of(name) for name in Settings.model_fields}
    assert rows == there, "bot/docs/operating.md, table of settings:\n" + "\n".join(
        [
            *(f"write:  | `{name}` | {default} | what it means |" for name, default in there.items() - rows.items()),
            *(f"delete: the row of `{name}`" for name in rows.keys() - there.keys()),
        ]
    )


def test_the_file_of_settings_has_its_name_wherever_it_is_meant() -> None:
    assert set(re.findall(r"\bsettings\.\w+", GUIDE)) == {NAME}
    for place in (
        "are written to",
        "Settings come from the environment, or from",
        "folder of the embedded database, of",
    ):
        assert re.search(rf"{place}\s`{re.escape(NAME)}`", GUIDE), place


def metrics() -> set[str]:
    """Return the names of all metrics as a scrape shows them."""
    counted = {
        sample.name for metric in REGISTRY.collect() for sample in metric.samples
    } | {f"{metric.name}_total" for metric in REGISTRY.collect() if metric.type == "counter"}  # fmt: skip
    counted |= {metric.name for metric in REGISTRY.collect() if metric.type == "histogram"}
    return counted | set(GAUGES) | {"rootcause_database_up", "rootcause_circuit_breaker_total"}


ROWS = table("failures")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_failure_has_a_sign_and_a_cure_and_its_signs_are_real(row: list[str]) -> None:
    what, seen, cure = row
    assert what
    assert cure
    for quoted in _QUOTED.findall(seen):
        metric = _METRIC.fullmatch(quoted)
        if metric is None:
            assert quoted.startswith("/") or is_said(quoted), f"nothing says {quoted!r}"
            continue
        assert metric[1] is None or metric[1] in metrics(), quoted
        for _, value in _LABEL.findall(metric[2]):
            assert is_said(value), quoted


def test_whatever_is_logged_as_a_warning_is_in_the_guide() -> None:
    texts = [quoted for row in ROWS for quoted in _QUOTED.findall(row[1])]
    missing = {text: where for text, where in troubles().items() if not any(_same(text, quoted) for quoted in texts)}
    assert not missing, "bot/docs/operating.md, table of failures, lacks:\n" + "\n".join(
        f"| what happens | `{text}` | what to do |  ({where})" for text, where in missing.items()
    )


def _same(logged: str, quoted: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in logged.split("…"))
    return re.fullmatch(pattern, quoted) is not None


def test_every_metric_that_the_guide_names_is_there() -> None:
    named = set(re.findall(r"\brootcause_[a-z_]+", GUIDE)) - {"rootcause_restored"}
    assert named <= metrics()
    assert bot.metrics.DELIVERIES
