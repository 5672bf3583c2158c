"""The change that fixed an issue: how it was found, what it changed, and in which languages."""

from __future__ import annotations

from collections.abc import Iterator

from bot.evidence.languages import is_test, language_of
from bot.show.lines import Line, Section, in_words, moment, said_by
from bot.store.whole import Whole
from bot.texts.terminal import harmless

_MOST_FILES = 10

_FOUND = {
    "manual": "named by the command `fix`",
    "closer_pr": "found by the closing event (closer_pr)",
    "closer_commit": "found by the closing event (closer_commit)",
    "linked_pr": "found among the pull requests that GitHub lists as closing it (linked_pr)",
    "commit_keyword": "found by a keyword in a commit or a pull request (commit_keyword)",
}
_NONE = "no fix was found"
_PRIVATE = "something that may not be read closed it (private)"
_CUT = "the list of changed files was cut by GitHub"


def fix(whole: Whole) -> Section:
    """Tell what fixed the issue, or why nothing is known of that."""
    return Section("fix", (_found(whole), *_said(whole), *_sizes(whole), *_languages(whole), *_files(whole)))


def _missing(whole: Whole) -> str:
    return _PRIVATE if whole.record.fix_link == "private" else _NONE


def _found(whole: Whole) -> Line:
    record, found = whole.record, whole.fix
    if found is None:
        return Line("fix", None, _missing(whole))
    where = "" if found.repository in (None, whole.repository.full_name) else found.repository
    if found.kind == "pull_request":
        name = f"pull request {where}#{found.number}"
    else:
        name = f"commit {where}{'@' if where else ''}{(found.sha or '')[:10]}"
    how = _FOUND.get(record.fix_link or found.link, record.fix_link or found.link)
    if not found.landed:
        return Line("fix", name, f"{how}, not landed on a default branch, or reverted before the last closing")
    when = f" {moment(found.merged_at)}" if found.merged_at else ""
    return Line("fix", name, f"{how}, landed{when}")


def _said(whole: Whole) -> Iterator[Line]:
    for one in whole.stated:
        if one.kind == "fix" and one.change is not None:
            yield Line("named_fix", one.change, said_by(one), listed=True)
    if whole.next_look is not None:
        yield Line("next_look", whole.next_look, "no fix that landed is known: looked for again then")


def _sizes(whole: Whole) -> Iterator[Line]:
    record, found = whole.record, whole.fix
    is_commit = found is not None and found.kind == "commit"
    talk = (
        "the commit has none, by GitHub's own count"
        if is_commit
        else "conversation, review comments and reviews with text, up to the last closing, bots left out"
    )
    talked = "GitHub counts comments on a commit without telling people from bots" if is_commit else _missing(whole)
    totals = ""
    if found is not None and found.additions is not None and found.deletions is not None:
        totals = f"+{found.additions:,} -{found.deletions:,}, GitHub's own totals"
    untold = "GitHub told no totals" if found is not None else _missing(whole)
    yield Line("fix_comments", record.fix_comments, talk if record.fix_comments is not None else talked)
    people = "its author" if is_commit else "author, commenters and reviewers, bots left out"
    yield Line("fix_participants", record.fix_participants, people if record.fix_participants is not None else talked)
    yield Line("changed_lines", record.changed_lines, totals if record.changed_lines is not None else untold)
    files = "GitHub's own total" if record.changed_files is not None else untold
    yield Line("changed_files", record.changed_files, files)


def _languages(whole: Whole) -> Iterator[Line]:
    record = whole.record
    for tests, ending in (("tests left out", ""), ("tests counted", "_with_tests")):
        names: list[str] | None = getattr(record, f"languages{ending}")
        source = (
            f"{tests}; source by their names: {_sources(whole, with_tests=bool(ending))} of {len(whole.files)} files"
        )
        unread = _missing(whole) if whole.fix is None else "its files were not listed"
        yield Line(f"languages{ending}", names, source if names is not None else unread)
        mpl: bool | None = getattr(record, f"mpl{ending}")
        why = unread if names is None else _CUT if names else "no source file was changed"
        yield Line(f"mpl{ending}", mpl, f"more than one language, {tests}" if mpl is not None else why)
        entropy: float | None = getattr(record, f"change_entropy{ending}")
        cut = whole.fix is not None and whole.fix.files_truncated
        lost = unread if names is None else _CUT if cut else "no line of a source file was changed"
        even = f"how evenly the lines are spread over source files, 0 to 1, {tests}"
        yield Line(f"change_entropy{ending}", entropy, even if entropy is not None else lost)


def _sources(whole: Whole, *, with_tests: bool) -> int:
    return sum(language_of(file.path) is not None and (with_tests or not is_test(file.path)) for file in whole.files)


def _files(whole: Whole) -> Iterator[Line]:
    for file in whole.files[:_MOST_FILES]:
        language = language_of(file.path) or "no source"
        kind = f"{language}, test" if is_test(file.path) else language
        shown = f"{harmless(file.path)} +{in_words(file.additions)} -{in_words(file.deletions)}"
        yield Line("file", file.path, kind, shown, listed=True)
    more = len(whole.files) - _MOST_FILES
    if more > 0:
        yield Line("more_files", more, "not shown here")
