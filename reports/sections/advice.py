"""What the numbers suggest for the repository that the report is for."""

from reports.model import Report
from reports.recommendations import MIN_OWN, recommendations


def advice(report: Report) -> str:
    """Print the recommendations, or that there is no ground for any."""
    if report.repository is None:
        return ""
    found = recommendations(report)
    if not found:
        return (
            "## What this suggests here\n\nNothing this time: none of this repository's figures stands far from its "
            f"group's, or fewer than {MIN_OWN} issues are known."
        )
    return "## What this suggests here\n\n" + "\n".join(f"- {one.text}" for one in found)
