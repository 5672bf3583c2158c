"""What must not feed features: robots, quoted mail, signatures, tables of versions, forms that nobody filled in."""

import pytest

from classifier import CommentText, IssueText
from classifier.templates import ends_mail, is_robots_comment, is_version_line
from classifier.text import MOST_LOG_LINES, split_fields


@pytest.mark.parametrize(
    "line",
    [
        "numpy==1.21.0",
        "numpy 1.21.0 py38_0 conda-forge",
        "| numpy | 1.21.0 |",
        "[pip3] numpy==1.19.2",
        "- pillow: 8.0.1",
        "cudatoolkit             10.2.89              hfd86e86_1",
    ],
)
def test_a_package_with_its_version_is_no_prose(line: str) -> None:
    assert is_version_line(line)


@pytest.mark.parametrize(
    "line", ["Slower since 2.4.1", "It was 12 ms in 2.3 and is 31 ms in 2.4", "see issue 12", "1.2.3", "x" * 300]
)
def test_a_sentence_with_a_version_is_prose(line: str) -> None:
    assert not is_version_line(line)


@pytest.mark.parametrize(
    ("body", "robot"),
    [
        ("This issue has been automatically marked as stale because it has no recent activity.", True),
        ("Are you satisfied with the resolution of your issue?", True),
        ("Closing, fixed by the change of yesterday.", False),
        ("The cache is stale: entries are never released.", False),
    ],
)
def test_robots_are_known_by_what_they_say(body: str, robot: bool) -> None:
    assert is_robots_comment(body) is robot
    fields = split_fields(IssueText("t", "b", (CommentText(body),)))
    assert (fields.comments == "") is robot


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        ("On Mon, Jan 4, 2018 at 3:00 PM, Somebody wrote:", True),
        ("Reply to this email directly or view it on GitHub", True),
        ("-- ", True),
        ("Sent from my phone", True),
        ("On Linux it hangs as well", False),
        ("--flag is ignored", False),
    ],
)
def test_a_mail_ends_where_its_quotation_begins(line: str, ends: bool) -> None:
    assert ends_mail(line) is ends
    fields = split_fields(IssueText("t", "b", (CommentText(f"before\n{line}\nafter"),)))
    assert ("after" in fields.comments) is not ends
    assert "before" in fields.comments


def test_an_unfilled_form_says_nothing() -> None:
    form = "### Describe the bug\n\nA clear and concise description of what the bug is.\n\n### Logs\n\n_No response_\n"
    fields = split_fields(IssueText("t", form))
    assert fields.prose.strip() == ""


def test_of_a_long_log_the_beginning_and_the_end_are_kept_once() -> None:
    log = "```\n" + "\n".join(f"error number {at // 2}" for at in range(1_000)) + "\n```"
    lines = split_fields(IssueText("t", log)).code.split("\n")
    assert len(lines) == MOST_LOG_LINES
    assert (lines[0], lines[-1]) == ("error number 0", "error number 499")


def test_the_first_paragraph_and_the_last_words_are_known() -> None:
    comments = tuple(CommentText(text) for text in ("one", "two", "three"))
    fields = split_fields(IssueText("t", "First.\nStill first.\n\nSecond.", comments))
    assert (fields.opening, fields.closing) == ("First.\nStill first.", "two\nthree")
    told = (*comments, CommentText("cause", member=True), CommentText("thanks", member=False))
    assert split_fields(IssueText("t", "b", told)).closing == "cause"
