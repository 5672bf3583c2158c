"""The rules behind the fields: who counts, how a fix is found, why an issue is left out, what language a file is in."""

from typing import Final

COUNTING: Final = (
    (
        "`null` means *not known*, never 0. A value that does not exist, such as the comments on a fix that nobody "
        "made, is not known either. Times are UTC in ISO 8601."
    ),
    (
        "*Facts from git histories* are records of fixes that were read from git alone (`rootcause study facts`). Git "
        "knows nothing of comments, people, texts and labels, so these fields are null there."
    ),
    (
        "**Humans only.** Bots never count: accounts of GitHub's type Bot, logins that end in `[bot]`, and logins "
        "that are configured. A deleted account counts as one unknown person each time it appears, since nothing "
        "tells two of them apart."
    ),
    (
        "**The counting window** ends with the closing that ended the last span of being open. Comments, reviews, "
        "labels, edits and reverts after that moment do not count, so that a record made at once and one made years "
        "later agree. A comment written at that very moment counts."
    ),
    (
        "**A member** is whoever GitHub showed as OWNER, MEMBER or COLLABORATOR (`author_association`) beside what "
        "they wrote, in live and backfilled records alike. People who keep their membership of an organisation "
        "private are shown as something else, so **members are undercounted**. Permissions decide who may give "
        "commands, and never who is measured as a member."
    ),
    (
        "**People** are read in batches and again after a month at the earliest. Contributions are kept by person, "
        "repository and calendar year, in this repository (commits on its default branch and pull requests opened) "
        "and everywhere. Reports and pages show aggregates only; the package holds the coarse lines of "
        "`participants.jsonl`."
    ),
)

FIX_LINKS: Final = {
    "manual": "a person named the change with the `fix` command",
    "closer_pr": "GitHub says that this pull request closed the issue (`ClosedEvent.closer` of the last closing)",
    "closer_commit": "GitHub says that a commit closed it; where the commit stands for a pull request, that is the fix",
    "linked_pr": "a linked pull request landed (`closedByPullRequestsReferences`, closed ones included)",
    "commit_keyword": "a commit says that it closes the issue, by a keyword or by the trailers of merge bots",
    "private": "something closed it, or is linked to it, that cannot be read, and nothing else was found",
}
"""Words of `fix_link`, in the order in which a fix is looked for."""

FIX_RULES: Final = (
    "The first of these that finds a change decides. A cross-reference alone is no fix.",
    (
        "A fix *landed* when it was merged into the default branch of its repository and not reverted before the "
        "last closing. Pull requests that were closed without a merge count when their commit landed, as PyTorch's "
        "merge bot and mirrored repositories do it. Closers in other repositories are followed; one that cannot be "
        "read gives `private`, which never means that there was no patch. A link that appears late is looked for "
        "again."
    ),
    "Of several linked pull requests the one that landed last before the closing is taken, else the first after it.",
)

EXCLUSIONS: Final = {
    "not_closed": "the issue is open",
    "pull_request": "it is a pull request",
    "own_issue": "Rootcause wrote it: an inbox or a report",
    "excluded_label": "it has a label that the repository leaves out",
    "excluded_author": "it is by somebody whose issues the repository leaves out",
    "question": "a question, by label, issue type, or the mark of a template on its title or first line",
    "enhancement": "a request for a feature or an enhancement, by the same signs",
    "duplicate": "a duplicate, by GitHub's reason or a label",
    "not_planned": "closed as not planned",
    "closed_inactive": (
        "closed because nobody went on with it (a stale bot's words, or a label), and without a landed fix"
    ),
    "no_fix": "no fix was found",
    "fix_not_landed": "the fix did not land, or was reverted before the last closing",
    "fix_unreadable": "the fix cannot be read (`fix_link` is `private`)",
    "fewer_than_3_comments": "fewer comments by people than the repository asks for (3, which the word names)",
    "too_little_text": "fewer than 8 words in title and description together, code counted, template headings not",
}
"""Reasons in `exclusions`, in their order."""

ONLY_SYSTEM: Final = ("fewer_than_3_comments", "too_little_text")
"""Those that concern `eligible_system` alone."""

LANGUAGE_DECISIONS: Final = (
    (("a.c", "a.cc", "a.cpp", "a.hpp"), "C/C++", "C and C++ are one language, as in the second study"),
    (("a.h", "a.inc"), "C/C++", "in the frameworks studied they are its includes"),
    (("a.cu", "a.cuh", "a.cl"), "C/C++", "its dialects for accelerators: CUDA, OpenCL, and likewise HIP and Metal"),
    (("a.pyx", "a.pxd", "a.pxi"), "Cython", "a language of its own beside Python and C/C++"),
    (("a.m", "a.mm"), "Objective-C", "MATLAB below a folder `matlab` or `octave`"),
    (("a.dart",), "Dart", "without it most fixes of Flutter have no language"),
    (("a.js", "a.jsx"), "JavaScript", "TypeScript is another language, as Java, Kotlin, Scala and Groovy are four"),
    (("a.ipynb",), None, "notebooks: their lines are stored output"),
    (("a.proto", "a.thrift", "a.fbs", "a.pbtxt"), None, "protocol and interface files describe data"),
    (("CMakeLists.txt", "a.cmake"), None, "CMake builds"),
    (("BUILD", "BUILD.bazel", "a.bzl"), None, "Bazel builds"),
    (("Makefile", "a.gradle", "a.sh", "a.bat"), None, "they build and configure here"),
    (("setup.py", "webpack.config.js", ".eslintrc.js"), None, "in a source language, but they only build or configure"),
    (("docs/conf.py",), None, "everything below a folder of documentation"),
)
"""Names of files, the language that such files count as (None: never counted), and why."""

LANGUAGE_RULES: Final = (
    (
        "A file's language is that of its extension, by a table of our own (`bot/evidence/extensions.py`) that is "
        "compared with a public one, Pygments', in the tests. Only source files count; a fix without any is neither "
        "multi- nor single-language, and shares are of the fixes that have one."
    ),
    (
        "A file is a *test* by the words of its folders and its name (`test`, `tests`, `testing`, `unittest`, "
        "`testdata`, `e2e` and the like, whole words also in `kernel_tests` and `TestLoader`; `latest` is none), "
        "below a folder of fixtures or mocks, or by being named as a specification. What helps to test counts as a "
        "test, shipped or not (`torch/testing`, `test_utils.py`); benchmarks and examples do not. Whether tests "
        'count decides the share of multi-language fixes, so both are stored and printed, and "tests counted" is the'
        " default."
    ),
)

SAMPLE_SIZE: Final = (
    "The first study's equation 1 is n = n0 / (1 + n0 / N) with n0 = z^2 p (1 - p) / e^2. With its 95 % "
    "confidence and a margin of 10 % n0 is 96.04, which n never passes: **no population N gives the 121 issues**"
    " that it states for its ML frameworks. `rootcause study sample-size` computes n."
)
