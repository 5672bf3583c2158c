"""Figures as they are written: every kind, both variants, the same bytes each time, and names that mean harm."""

import hashlib
import re
import struct
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from reports.errors import ReportInputError
from reports.figures import FigureFile, draw_figures, write_figures
from reports.figures.boxes import draw_boxes
from reports.figures.choose import plans
from reports.figures.draw import draw
from reports.figures.plans import BarPlan, BoxPanel, BoxPlan, BoxRow, Heading
from reports.figures.theme import THEMES, Theme
from reports.model import Report
from reports.model_fixes import FixCell
from tests.reports.drawn_reports import Numbers, drawn_report, empty_report
from tests.reports.test_report_markdown import HOSTILE

NAMES = (("org/one", "ml"), ("org/two", "traditional"))
SVG = "{http://www.w3.org/2000/svg}"

ALL = [
    "root-causes",
    "root-causes-without-dominant",
    "root-causes-of-the-study",
    "effects",
    "open-days-by-root-cause",
    "issue-comments-by-root-cause",
    "issue-participants-by-root-cause",
    "fix-comments-by-root-cause",
    "changed-lines-by-root-cause",
    "description-words-by-root-cause",
    "open-days-by-repository",
    "issue-comments-by-repository",
    "issue-participants-by-repository",
    "community",
    "roles",
    "changed-lines-by-languages",
    "open-days-by-languages",
    "trend",
]

ANOTHER_PROCESS = """
import hashlib
from reports.figures.choose import plans
from reports.figures.draw import draw
from tests.reports.drawn_reports import Numbers, drawn_report
for plan in plans(drawn_report(Numbers(), (("org/one", "ml"), ("org/two", "traditional")))):
    if plan.heading.name == "effects":
        for one in draw(plan):
            print(hashlib.sha256(one.svg + one.png).hexdigest())
"""


def one_of(report: Report, name: str) -> tuple[FigureFile, ...]:
    return draw(next(plan for plan in plans(report) if plan.heading.name == name))


@cache
def drawn() -> tuple[FigureFile, ...]:
    """Draw one figure of each kind."""
    report = drawn_report(Numbers(), NAMES)
    kinds = ("root-causes", "effects", "changed-lines-by-languages", "community", "trend")
    return tuple(one for name in kinds for one in one_of(report, name))


def test_a_full_report_has_every_figure_and_each_has_two_variants() -> None:
    assert [plan.heading.name for plan in plans(drawn_report(Numbers(), NAMES))] == ALL
    alone = replace(empty_report(), study=drawn_report(Numbers()).study)
    assert [(one.name, one.variant) for one in draw_figures(alone)] == [
        ("root-causes-of-the-study", "light"),
        ("root-causes-of-the-study", "dark"),
    ]


def test_the_files_are_well_formed_and_say_what_is_seen() -> None:
    for one in drawn():
        root = ElementTree.fromstring(one.svg)  # noqa: S314
        assert root.tag == f"{SVG}svg"
        assert root.attrib["width"] == "540pt"
        assert root.attrib["role"] == "img"
        assert root.findtext(f"{SVG}title") == one.alt
        assert not list(root.iter(f"{SVG}text"))
        assert one.png.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", one.png[16:24])
        assert width == 1080
        assert 300 < height < 3000


def test_nothing_of_the_day_or_the_software_is_in_the_files() -> None:
    for one in drawn():
        assert not re.search(rb"matplotlib|<dc:date>|20\d\d-\d\d-\d\dT", one.svg + one.png, re.IGNORECASE)


def test_the_same_report_gives_the_same_bytes_here_and_in_another_process() -> None:
    again = one_of(drawn_report(Numbers(), NAMES), "effects")
    assert again == tuple(one for one in drawn() if one.name == "effects")
    command = [sys.executable, "-c", ANOTHER_PROCESS]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert done.stdout.split() == [hashlib.sha256(one.svg + one.png).hexdigest() for one in again]


def test_a_file_is_named_by_its_bytes(tmp_path: Path) -> None:
    report = replace(empty_report(), trend=drawn_report(Numbers()).trend)
    written = write_figures(report, tmp_path / "figures")
    assert [one.name for one in written] == ["trend", "trend"]
    for one in written:
        for name, content in ((one.svg_name, one.svg), (one.png_name, one.png)):
            assert re.fullmatch(rf"trend-{one.variant}-{hashlib.sha256(content).hexdigest()[:12]}\.(svg|png)", name)
            assert (tmp_path / "figures" / name).read_bytes() == content
    assert len(list((tmp_path / "figures").iterdir())) == 4


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ReportInputError, match="file cannot be written"):
        write_figures(empty_report(), tmp_path / "file")


def test_nothing_to_show_gives_no_figure() -> None:
    assert draw_figures(empty_report()) == ()


@pytest.mark.parametrize("sizes", [(60, 0), (0, 60), (1, 1)], ids=["no traditional", "no ml", "one each"])
def test_an_empty_group_leaves_its_place_free(sizes: tuple[int, int]) -> None:
    report = drawn_report(Numbers(*sizes), NAMES)
    names = [plan.heading.name for plan in plans(report)]
    assert ("effects" in names) == all(sizes)
    light, dark = one_of(report, "open-days-by-root-cause")
    assert light.svg != dark.svg


def test_names_that_mean_harm_break_nothing() -> None:
    names = ["$x^{2$", "\\frac{", "😀" * 256, "שלום/עולם", "日本語/テスト", "\x00\x1b\u202e\ud800", "", "W" * 300]
    report = drawn_report(Numbers(), tuple((name, "ml") for name in (*HOSTILE, *names)))
    for one in one_of(report, "open-days-by-repository"):
        root = ElementTree.fromstring(one.svg)  # noqa: S314
        assert root.findtext(f"{SVG}title") == one.alt
        assert len(one.alt) < 500
        assert not re.search("[\x00-\x1f\u200b\u202e\ud800]", one.alt)


def test_boxes_stand_where_the_tables_numbers_say() -> None:
    from matplotlib.collections import PolyCollection

    cells = (FixCell(9, 20.0, 10.0, 30.0, 1), FixCell(4, 35.0, 30.0, 40.0, 1))
    panel = BoxPanel("Days", False, tuple(BoxRow("row", ((0, cell),)) for cell in cells))
    drawn = draw_boxes(BoxPlan(Heading("n", "Title", "note", "alt", ("ML",)), (panel,)), THEMES["light"])
    coloured = [one for one in drawn.figure.artists if isinstance(one, PolyCollection)]
    first, second = (np.asarray(path.vertices, dtype=float)[:, 0] for path in coloured[-1].get_paths())
    assert first.max() == pytest.approx(second.min())
    assert first.max() - first.min() == pytest.approx(2 * (second.max() - second.min()))


def test_the_plans_hold_the_tables_own_cells() -> None:
    report = drawn_report(Numbers(), NAMES)
    found = {plan.heading.name: plan for plan in plans(report)}
    days = found["open-days-by-root-cause"]
    assert isinstance(days, BoxPlan)
    rows = [row for row in report.tables.difficulty if row.indicator == "open_days"]
    assert [row.boxes for row in days.panels[0].rows] == [((0, row.ml), (1, row.traditional)) for row in rows]
    shares = found["root-causes"]
    assert isinstance(shares, BarPlan)
    counted = [row for row in report.tables.categories if row.ml.n or row.traditional.n]
    assert [(row.bars[0].share, row.bars[1].ci) for row in shares.rows] == [
        (row.ml.share, row.traditional.ci) for row in counted
    ]


def test_one_repository_alone_is_no_comparison() -> None:
    found = [plan.heading.name for plan in plans(drawn_report(Numbers(), NAMES[:1]))]
    assert [name for name in ALL if name not in found] == [name for name in ALL if name.endswith("-by-repository")]


def test_only_so_many_repositories_are_drawn_and_the_note_says_so() -> None:
    report = drawn_report(Numbers(), tuple((f"org/r{number}", "ml") for number in range(45)))
    plan = next(plan for plan in plans(report) if plan.heading.name == "open-days-by-repository")
    assert isinstance(plan, BoxPlan)
    assert len(plan.panels[0].rows) == 30
    assert "The 30 with the most issues of 45." in plan.heading.note


def test_the_dark_drawing_has_no_colour_of_the_light_one() -> None:
    light = set(colours(THEMES["light"]))
    for one in drawn():
        used = set(re.findall(r"#[0-9a-f]{6}\b", one.svg.decode()))
        assert bool(used & light) == (one.variant == "light")


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_text_and_series_stand_out_from_the_page(theme: Theme) -> None:
    """WCAG 2.2: 4.5 to 1 for text (1.4.3), 3 to 1 for what a figure is read by (1.4.11)."""
    for ground in (theme.ground, theme.band):
        assert min(contrast(colour, ground) for colour in (theme.text, theme.muted)) >= 4.5
        assert min(contrast(one.colour, ground) for one in theme.series) >= 3
    assert len({one.marker for one in theme.series}) == len({one.hatch for one in theme.series}) == 3
    assert all(first.dash != second.dash for first, second in pairwise(theme.series))


def colours(theme: Theme) -> tuple[str, ...]:
    own = (theme.ground, theme.band, theme.grid, theme.text, theme.muted)
    return (*own, *(colour for one in theme.series for colour in (one.colour, one.face)))


def contrast(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
