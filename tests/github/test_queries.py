"""The GraphQL texts: valid, and as cheap as promised."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    build_schema,
    parse,
    validate,
)

from bot.github import queries

SCHEMA = build_schema((Path(__file__).parents[2] / "bot" / "sandbox" / "schema.graphql").read_text())
NAMES = ("ISSUE_EVIDENCE", "ISSUE_PAGE", "PULL_REQUEST", "PULL_REQUEST_PAGE", "ISSUE_EDITS")
TEXTS = {name: getattr(queries, name) for name in NAMES}


def connections(text: str) -> Iterator[tuple[int, int]]:
    """Yield (times it is asked for, size of its page) of every connection, by GitHub's published formula."""
    document = parse(text)
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}

    def walk(selections: SelectionSetNode, parents: int) -> Iterator[tuple[int, int]]:
        for node in selections.selections:
            if isinstance(node, FragmentSpreadNode):
                yield from walk(fragments[node.name.value].selection_set, parents)
            elif isinstance(node, InlineFragmentNode):
                yield from walk(node.selection_set, parents)
            elif isinstance(node, FieldNode) and node.selection_set is not None:
                pages = [one.value for one in node.arguments if one.name.value in ("first", "last")]
                size = int(pages[0].value) if pages and isinstance(pages[0], IntValueNode) else None
                if size is not None:
                    yield parents, size
                yield from walk(node.selection_set, parents * (size or 1))

    operation = next(one for one in document.definitions if isinstance(one, OperationDefinitionNode))
    yield from walk(operation.selection_set, 1)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_a_query_is_valid(text: str) -> None:
    assert validate(SCHEMA, parse(text)) == []


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("ISSUE_EVIDENCE", 0.32),
        ("ISSUE_PAGE", 0.02),
        ("PULL_REQUEST", 1.2),
        ("PULL_REQUEST_PAGE", 1.2),
        ("ISSUE_EDITS", 0.02),
    ],
)
def test_a_query_costs_what_it_may(name: str, points: float) -> None:
    """Twenty issues to a page at 0.32 points each make 1,000 issues in 320 points; alone each query costs 1."""
    assert sum(times for times, _ in connections(TEXTS[name])) / 100 <= points
    assert sum(times * size for times, size in connections(TEXTS[name])) * 20 < 500_000
