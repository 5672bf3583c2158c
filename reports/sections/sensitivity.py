"""The sentences on how far the results hang on single people and on unconfirmed proposals."""

from reports.model import CategoryRow, Report
from reports.model_checks import ProposalsCheck
from reports.numbers import counted, percent, probability
from reports.sections.cells import effect
from reports.vocabulary import CATEGORY_PHRASES, OVERALL


def followers(report: Report) -> str:
    """Say what is left of the comparison of followers without people who have very many of them."""
    check = report.sensitivity.followers
    if check is None:
        return ""
    left_out = check.ml_left_out + check.traditional_left_out
    if not left_out:
        return f"Sensitivity: nobody here has more than {check.above:,} followers, so no such outlier moves that row."
    people = "person" if left_out == 1 else "people"
    sentence = (
        f"Sensitivity: {left_out:,} {people} (ML {check.ml_left_out:,}, traditional {check.traditional_left_out:,}) "
        f"with more than {check.above:,} followers are counted above; without them "
    )
    if check.p is None:
        return f"{sentence}too few are left for a test."
    row = next(one for one in report.tables.community if (one.category, one.indicator) == (OVERALL, "followers"))
    return (
        f"{sentence}Cliff's δ of followers is {effect(check.cliffs_delta, check.cliffs_delta_ci)}, "
        f"p {probability(check.p)}; with them {effect(row.cliffs_delta, row.cliffs_delta_ci)}, "
        f"p {probability(row.p) if row.p is not None else 'not tested'}."
    )


def proposals(report: Report) -> str:
    """Say how the shares move if the model's guesses about undecided issues are counted too, where any is tested."""
    checks, rows = report.sensitivity.proposals, report.tables.categories
    if not checks or not any(row.testable for row in rows):
        return ""
    more = sum(part.total for part in (checks[0].ml, checks[0].traditional))
    more -= rows[0].ml.total + rows[0].traditional.total
    moved, check, row = max(
        ((_moved(check, row), check, row) for check, row in zip(checks, rows, strict=True)), key=lambda one: one[0]
    )
    intro = f"Sensitivity: with the model's guesses, sure or not, about {counted(more, 'undecided issue')} counted "
    if not moved:
        return f"{intro}like decisions no share moves."
    return (
        f"{intro}like decisions the share of {CATEGORY_PHRASES[check.category]} moves most: "
        f"ML {percent(row.ml.share)} to {percent(check.ml.share)} %, traditional {percent(row.traditional.share)} to "
        f"{percent(check.traditional.share)} %. Nothing is tested on it."
    )


def _moved(check: ProposalsCheck, row: CategoryRow) -> float:
    pairs = ((check.ml.share, row.ml.share), (check.traditional.share, row.traditional.share))
    return max(abs((with_them or 0.0) - (without or 0.0)) for with_them, without in pairs)
