"""The drawing of the house is true: its arrows are imports, and its table names every room and all that each uses."""

from __future__ import annotations

import re

from tests.support.rooms import ROOT, uses

DOCUMENT = (ROOT / "bot" / "docs" / "architecture.md").read_text()


def test_each_arrow_of_the_drawing_is_an_import() -> None:
    (drawing,) = re.findall(r"^```text\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    there = uses()
    arrows = re.findall(r"\[(\w+)\] --> (?=\[(\w+)\])", drawing)
    assert len(arrows) > 5
    assert [(one, other) for one, other in arrows if other not in there[one]] == []
    assert set(re.findall(r"\[(\w+)\]", drawing)) <= there.keys()


def test_the_table_names_every_room_and_what_it_uses() -> None:
    found = re.search(r"<!-- rooms -->\n(.*?)<!-- /rooms -->", DOCUMENT, re.DOTALL)
    assert found is not None
    rows = re.findall(r"^\| `(\w+)` \| (\S.*) \| ?(.*) \|$", found[1], re.MULTILINE)
    said = {room: what for room, what, _ in rows}
    drawn = {f"| `{room}` | {what} | {used} |" for room, what, used in rows}
    true = {_row(room, said.get(room, "what it holds"), used) for room, used in uses().items()}
    assert drawn == true, "bot/docs/architecture.md, table of rooms:\n" + "\n".join(
        [*(f"write:  {row}" for row in sorted(true - drawn)), *(f"delete: {row}" for row in sorted(drawn - true))]
    )


def _row(room: str, what: str, used: set[str]) -> str:
    return f"| `{room}` | {what} | {', '.join(f'`{one}`' for one in sorted(used))} |"
