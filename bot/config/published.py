"""The JSON Schema of the file, for editors, and what a key takes in words: both from the same definition."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from bot.config.configuration import Configuration
from bot.config.tree import Path

_Schema = dict[str, Any]


@cache
def published_schema() -> _Schema:
    """Return the schema as JSON Schema, draft 2020-12; it is not to be changed."""
    schema = _tidy(Configuration.model_json_schema())
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Rootcause configuration", **schema}


def keys_at(path: Path) -> tuple[str, ...]:
    """Return the keys that may stand in the group at a path, in the order of the definition."""
    return tuple(_at(path).get("properties", {}))


@cache
def all_keys() -> Mapping[str, str]:
    """Return every key with the group it stands in, the top being an empty name; of several groups the first."""
    found: dict[str, str] = {}
    for group in ("", *keys_at(())):
        for key in keys_at((group,) if group else ()):
            found.setdefault(key, group)
    return found


def choices_at(path: Path) -> tuple[str, ...]:
    """Return the words that the value at a path may be one of, none where it is no choice."""
    schema = _at(path)
    options = [schema, *schema.get("anyOf", ())]
    return tuple(
        word for one in options for word in (*one.get("enum", ()), *([one["const"]] if "const" in one else ()))
    )


def takes(path: Path) -> str:
    """Say in words what may stand at a path."""
    return _words(_at(path))


def _words(schema: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_words(one) for one in reversed(schema["anyOf"]))
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        *others, last = (f"`{word}`" for word in schema["enum"])
        return f"{', '.join(others)} or {last}"
    kind = schema["type"]
    if kind in {"integer", "number"}:
        noun = "a whole number" if kind == "integer" else "a number"
        return f"{noun} from {schema['minimum']} to {schema['maximum']}"
    if kind == "array":
        return f"a list of at most {schema['maxItems']} entries, each {_words(schema['items'])}"
    if kind == "object":
        keys = tuple(schema.get("properties", ()))
        return f"a group of keys ({', '.join(keys)})" if keys else "a group of keys, each with a value"
    if kind == "boolean":
        return "`true` or `false`"
    limit = f" of at most {schema['maxLength']} characters" if "maxLength" in schema else ""
    example = f", such as `{schema['examples'][0]}`" if "examples" in schema else ""
    return f"a text{limit}{example}"


def _at(path: Path) -> _Schema:
    root = published_schema()
    schema = root
    for step in path:
        if isinstance(step, int):
            schema = schema["items"]
        else:
            schema = schema["properties"][step] if "properties" in schema else schema["additionalProperties"]
        if "$ref" in schema:
            schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def _tidy(schema: Any) -> Any:
    """Leave out the titles that were made from names, and defaults that only mean that nothing was said."""
    if isinstance(schema, list):
        return [_tidy(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: {key: _tidy(one) for key, one in value.items()} if name in {"properties", "$defs"} else _tidy(value)
        for name, value in schema.items()
        if name not in {"title", "default"} or (name == "default" and not isinstance(value, dict | None))
    }
