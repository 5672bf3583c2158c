"""Further texts of a report: whole sections, marked; only what is longer than a text loses rows, and says how many."""

import pytest

from reports.markdown import details, table
from reports.overflow import pack, part_marker, shortened

MARKER = "<!-- rootcause:report repository=1 period=2026-11 -->"


def made_table(rows: int) -> str:
    return table(("Name", "Number"), [(f"row {number}", str(number)) for number in range(rows)])


def test_a_part_has_the_reports_marker_and_its_number() -> None:
    assert part_marker(MARKER, 2) == "<!-- rootcause:report repository=1 period=2026-11 part=2 -->"
    assert MARKER not in part_marker(MARKER, 2)


def test_sections_keep_their_order_and_stay_whole() -> None:
    sections = [f"## Section {number}\n\n{'x' * 200}" for number in range(7)]
    texts = pack(sections, "Continued", MARKER, 700)
    assert all(len(text) <= 700 for text in texts)
    assert [text.count("## Section") for text in texts] == [2, 2, 2, 1]
    assert [line for text in texts for line in text.splitlines() if line.startswith("## ")] == [
        f"## Section {number}" for number in range(7)
    ]
    assert pack([], "Continued", MARKER, 700) == ()
    assert pack(["one"], "Continued", None, 700) == ("*Continued, part 1*\n\none\n",)


@pytest.mark.parametrize("budget", [300, 500, 1_000])
def test_a_giant_table_loses_its_last_rows_and_says_how_many(budget: int) -> None:
    section = details("Giant", f"Before.\n\n{made_table(200)}\n\nAfter.")
    short = shortened(section, budget)
    kept = sum(line.startswith("| row") for line in short.splitlines())
    assert len(short) <= budget
    assert 0 < kept < 200
    assert f"| row {kept - 1} |" in short
    assert f"*{200 - kept} rows left out for length; see `report.json`.*" in short
    assert short.startswith("<details>\n<summary>Giant</summary>")
    assert short.endswith("After.\n\n</details>")


def test_of_two_tables_the_larger_gives_first() -> None:
    section = f"{made_table(10)}\n\nBetween.\n\n{made_table(100)}"
    short = shortened(section, 700)
    assert short.startswith(f"{made_table(10)}\n\nBetween.")
    assert short.count("left out for length") == 1
    tiny = shortened(section, 250)
    assert tiny.count("left out for length") == 2
    assert len(tiny) <= 250


def test_what_fits_or_has_no_table_stays() -> None:
    assert shortened(made_table(5), 1_000) == made_table(5)
    assert shortened("words " * 100, 10) == "words " * 100
