"""Definitions of the measured fields of a record."""

from typing import Final

from reports.definitions.model import FIRST, OURS, SECOND, Definition

_NO_FIX = "without a fix that can be read"
_NO_FILES = "without a fix, and where its files are not known"
_FACTS = "in facts from git histories"
_LOST = "where the first version is lost, and in facts from git histories"

MEASURE_FIELDS: Final = (
    Definition(
        "open_days",
        "days, fractional",
        "From `created_at` to `closed_at`; the time between a closing and a reopening counts.",
        "while the issue is open, and where the closing lies before the opening",
        f"{FIRST}, Table 4",
    ),
    Definition("issue_comments", "count", "Comments on the issue by people.", _FACTS, f"{FIRST}, Table 4"),
    Definition(
        "fix_comments",
        "count",
        "On the fixing pull request, by people: comments of the conversation, review comments, and reviews with text"
        " of their own. Of a fixing commit: 0 where it has no comment.",
        f"{_NO_FIX}, and for a commit with comments, which GitHub counts with those of bots",
        f"{FIRST}, Table 4",
    ),
    Definition(
        "issue_participants",
        "people",
        "The author of the issue and those who commented on it, each once.",
        _FACTS,
        f"{FIRST}, Table 4",
    ),
    Definition(
        "fix_participants",
        "people",
        "The author of the fix and those who commented on it or reviewed it, each once; a review without text counts.",
        "where `fix_comments` is null",
        f"{FIRST}, Table 4",
    ),
    Definition(
        "changed_lines",
        "count",
        "Added and deleted lines by the pull request's, or the commit's, own totals; never summed from the list of "
        "files, which GitHub may cut. In facts from git histories, whose lists are whole: the sum.",
        _NO_FIX,
        f"{FIRST}, Table 4",
    ),
    Definition(
        "changed_files",
        "count",
        "Changed files by the pull request's own total; of a commit the number of its files, of which GitHub lists "
        "3,000.",
        _NO_FIX,
        f"{FIRST}, Table 4",
    ),
    Definition(
        "comments_until_reproduced",
        "count",
        "How many comments it took until somebody reproduced the issue. By the `reproduced` command or by a member's"
        " words: the position, from 1, of the comment that says so. By a label: the comments written before it was "
        "put on.",
        "where nothing says that it was reproduced, and where the command says that it never was",
        f"{FIRST}, Table 5",
    ),
    Definition(
        "comments_until_reproduced_source",
        "word",
        "`command` (a person said it), else `label` (an event put on a label that says so), else `heuristic` "
        "(guessed from members' comments). A heuristic value is shown, and never enters a test or a table.",
        "where nothing says whether it was reproduced",
        OURS,
    ),
    Definition(
        "description_words",
        "count",
        "Words of prose in the first version of the description, edits looked up. Not counted: fenced, indented and "
        "`<pre>` code, HTML comments, addresses, emoji, and what a template left unfilled: headings with nothing "
        "below them, keys without a value, unticked boxes, `_No response_`, the lines of well-known templates. In "
        "the body of an issue form its questions and boxes do not count either. Han and kana count by character.",
        _LOST,
        f"{FIRST}, Table 5",
    ),
    Definition(
        "attached_files",
        "count",
        "Different files attached to that version, outside of code: images and videos (Markdown or raw HTML), "
        "uploads by GitHub's attachment addresses, bare ones too, gists, and archives. Badges, and archives of a "
        "repository's own source or releases, do not count.",
        _LOST,
        f"{FIRST}, Table 5",
    ),
    Definition(
        "code_lines",
        "count",
        "Lines that are not blank in the code blocks of that version: fenced, indented, and `<pre>`.",
        _LOST,
        f"{FIRST}, Table 5",
    ),
    Definition(
        "issue_form",
        "true or false",
        "Whether that version has the shape that GitHub gives to the answers of an issue form: it begins with a "
        "heading of rank 3 and has another one or an unanswered question.",
        _LOST,
        "Section 9 of the first study recommends forms",
    ),
    Definition(
        "members",
        "people",
        "Members among `issue_participants`: whoever wrote with the standing of a member at least once.",
        _FACTS,
        f"{FIRST}, Table 6",
    ),
    Definition(
        "participation_percent",
        "0 to 100",
        "100 x `members` / `issue_participants`.",
        "where nobody took part, as in an issue of a bot alone",
        f"{FIRST}, Table 6",
    ),
    Definition("non_members", "people", "`issue_participants` less `members`.", _FACTS, f"{FIRST}, Table 6"),
    Definition(
        "member_contributions",
        "count",
        "The mean, as a whole number, of what the members who took part contributed everywhere in the calendar year "
        "(UTC) of the closing: commits, issues, pull requests and reviews in public repositories, by GitHub's own "
        "count.",
        "where no member took part, and where nothing is known of those who did; never 0 for that",
        f"{FIRST}, Table 6",
    ),
    Definition(
        "fix_author_contributions",
        "count",
        "The same of the fix's author, member or not.",
        "without a fix, for a bot, and where nothing is known of its author",
        f"{FIRST}, Table 6",
    ),
    Definition("fix_kind", "word", "`pull_request` or `commit`.", _NO_FIX, OURS),
    Definition(
        "fix_link",
        "word",
        "How the fix was found; the words are explained below. `private`: there is one, which cannot be read.",
        "where nothing was found",
        OURS,
    ),
    Definition(
        "fix_merged_at",
        "time",
        "When the fix landed on the default branch.",
        "without a fix, and where it did not land",
        OURS,
    ),
    Definition(
        "languages",
        "names",
        "Programming languages of the fix's source files, test files left out, sorted. Empty: no such file.",
        _NO_FILES,
        SECOND,
    ),
    Definition("languages_with_tests", "names", "The same, test files counted.", _NO_FILES, SECOND),
    Definition(
        "mpl",
        "true or false",
        "Whether the fix is multi-language: `languages` names two or more.",
        "where it names none, and where the list of files is cut and shows one language only",
        SECOND,
    ),
    Definition(
        "mpl_with_tests",
        "true or false",
        "The same by `languages_with_tests`; what tables use unless they say otherwise.",
        "likewise",
        SECOND,
    ),
    Definition(
        "change_entropy",
        "0 to 1",
        "How evenly the change is spread over its source files, test files left out: -sum(p_i log2 p_i) / "
        "log2(files), p_i the share of file i in their changed lines, files the number of those with changed lines; "
        "0 for one file.",
        "without a fix, without changed lines in source files, and where the list of files is cut",
        SECOND,
    ),
    Definition("change_entropy_with_tests", "0 to 1", "The same, test files counted.", "likewise", SECOND),
)
"""In the order of the file."""
