"""Documents that a JSON Schema of ours allows, as hypothesis makes them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st


def documents(root: dict[str, Any], schema: dict[str, Any] | None = None) -> st.SearchStrategy[Any]:
    """Make what a schema allows, as JSON; `schema` is the part of it that is meant, the whole by default."""
    schema = root if schema is None else schema
    schema = root["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    if "anyOf" in schema:
        return st.one_of([documents(root, one) for one in schema["anyOf"]])
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    match schema["type"]:
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema["minimum"], schema["maximum"])
        case "number":
            return st.floats(schema["minimum"], schema["maximum"])
        case "array":
            return st.lists(documents(root, schema["items"]), max_size=3)
        case "object" if "properties" in schema:
            keys = {key: documents(root, one) for key, one in schema["properties"].items()}
            return st.fixed_dictionaries({}, optional=keys).filter(lambda one: _has_its_place(schema, one))
        case "object":
            return st.dictionaries(
                st.from_regex(r"[a-z: ]{1,9}[a-z]", fullmatch=True), documents(root, schema["additionalProperties"])
            )
    if "pattern" in schema:
        return st.from_regex(
            schema["pattern"], fullmatch=True, alphabet=st.characters(codec="ascii", categories=("L", "N", "P"))
        ).filter(lambda text: len(text) <= schema.get("maxLength", 300))
    return st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=schema["maxLength"])


def _has_its_place(schema: dict[str, Any], value: dict[str, Any]) -> bool:
    return "if" not in schema or value.get("style") != "central" or "repository" in value
