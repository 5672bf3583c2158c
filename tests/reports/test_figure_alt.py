"""What those read who see no figure, sentence by sentence."""

from reports.figures import alt
from reports.figures.plans import Bar, BarRow, BoxRow, Effect
from reports.model_fixes import FixCell
from reports.model_own import TrendPoint

SERIES = ("ML", "traditional")
NOTHING = FixCell(0, None, None, None, 0)


def cell(median: float, n: int = 10) -> FixCell:
    return FixCell(n, median, median / 2, median * 2, 1)


def test_boxes_name_the_first_row_and_the_widest_gap_among_rows_of_some_size() -> None:
    rows = [
        BoxRow("All issues", ((0, cell(11, 121)), (1, cell(8, 332)))),
        BoxRow("Memory leak", ((0, cell(10)), (1, cell(10)))),
        BoxRow("API mismatch", ((0, cell(47)), (1, cell(7.5)))),
        BoxRow("Conversion", ((0, cell(900, 1)), (1, cell(1)))),
    ]
    assert alt.boxes("Days", rows, SERIES) == (
        "Days: box plots in 4 rows, quartiles and medians without whiskers. All issues: median 11 in ML (n = 121) and "
        "median 8 in traditional (n = 332); of rows with 5 or more each, medians are furthest apart, by ratio, in "
        "API mismatch: median 47 in ML (n = 10) and median 7.5 in traditional (n = 10)."
    )


def test_boxes_of_an_empty_group_say_that_nothing_is_known() -> None:
    rows = [BoxRow("All issues", ((0, cell(11)), (1, NOTHING)))]
    assert alt.boxes("Days", rows, SERIES).endswith("median 11 in ML (n = 10) and nothing known in traditional.")


def test_repositories_say_where_the_medians_begin_and_end() -> None:
    rows = [BoxRow(name, ((0, cell(median)),)) for name, median in (("a/b", 3), ("c/d", 40), ("e/f", 7))]
    assert alt.repositories("Days", rows).endswith("in 3 repositories, quartiles and medians without whiskers. "
                                                   "The medians go from 3 (a/b) to 40 (c/d).")  # fmt: skip


def test_bars_name_the_largest_and_the_widest_gap() -> None:
    rows = [
        BarRow("Memory leak", (Bar(36, 121, 36 / 121, None), Bar(50, 362, 50 / 362, None))),
        BarRow("Configuration error", (Bar(2, 121, 2 / 121, None), Bar(148, 362, 148 / 362, None))),
    ]
    assert alt.bars("Shares", rows, SERIES) == (
        "Shares: bars with 95 % intervals. Largest are Memory leak in ML (29.8 %, 36 of 121) and Configuration error "
        "in traditional (40.9 %, 148 of 362); the widest gap is Configuration error, 1.7 % against 40.9 %."
    )


def test_effects_never_say_that_there_is_no_difference() -> None:
    found = [Effect("Days open", 0.2, (-0.1, 0.5), 0.3, True), Effect("Changed lines", -0.4, None, None, False)]
    text = alt.effects("Effects", found)
    assert "2 measures, 1 tested, no difference shown after correction" in text
    assert "The largest effect is changed lines (-0.40, positive means higher in ML)." in text
    sure = [Effect("Days open", 0.6, (0.3, 0.8), 0.01, True)]
    assert "1 tested, 1 with q below .05" in alt.effects("Effects", sure)


def test_the_trend_names_the_busiest_month() -> None:
    points = [TrendPoint("2026-10", 7, 3, 1, None, None), TrendPoint("2026-11", 12, 5, 2, 4.5, 3.0)]
    assert alt.trend("Trend", points) == (
        "Trend: 19 issues closed in 2 months, most in 2026-11 (12); the monthly median of days open is 4.5."
    )
