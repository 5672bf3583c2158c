"""The languages of real fixes beside the figures of the studies and of the data's own documents.

Run by hand: `python -m tests.benchmarks.languages`, with the shared data in `../shared/data`. It prints three tables:
shares of the published fixes, facts of all 20 frameworks beside their document, and multi-language (MPL) fixes against
single-language (SPL) ones.
"""

from __future__ import annotations

import sys

from bot.study.fix_facts import read_fix_facts
from bot.study.fix_shares import HEADINGS, cells, fix_shares, number_text, share_text, table_text
from tests.support.real_fixes import (
    DATA,
    FIX_FACTS,
    FIXES_WITH_FILES,
    ISSUES_WITH_FIX,
    described,
    mpl_against_spl,
    published_shares,
)


def main() -> None:
    """Print the tables whose files are there."""
    for name, table in ((FIXES_WITH_FILES, _published), (FIX_FACTS, _facts), (ISSUES_WITH_FIX, _against)):
        text = table() if (DATA / name).exists() else "not here"
        sys.stdout.write(f"{name}\n{text}\n\n")


def _published() -> str:
    shares = published_shares(DATA / FIXES_WITH_FILES)
    rows: list[tuple[str, ...]] = [("repository", "with tests", "without, as listed", "without, by our rule")]
    told = []
    for name, one in shares.items():
        rows.append((name, *map(share_text, (one.with_tests, one.without_by_list, one.without_by_rule))))
        told += [f"{name}#{number}: {', '.join(paths)}" for number, paths in one.unlisted]
    told.sort()
    return "\n".join([table_text(rows), "", "Fixes whose second language is a test's that the list misses:", *told])


def _facts() -> str:
    document = DATA / "fix-facts.md"
    theirs = described(document) if document.exists() else {}
    rows: list[tuple[str, ...]] = [(*HEADINGS[:-1], "theirs", "without tests", "days", "lines", "files", HEADINGS[-1])]
    for one in fix_shares(read_fix_facts(DATA / FIX_FACTS)):
        row, their = cells(one), theirs.get(one.name)
        beside: tuple[str, ...] = ("",) * 5
        if their is not None:
            shares = (share_text(their.with_tests), share_text(their.without_tests))
            beside = (*shares, *map(number_text, their.medians))
        rows.append((*row[:-1], *beside, row[-1]))
    return table_text(rows)


def _against() -> str:
    rows = [("repository", "MPL", "SPL", "measure", "MPL median", "SPL median", "p")]
    for name, one in mpl_against_spl(DATA / ISSUES_WITH_FIX).items():
        for measure, found in one.measures.items():
            medians = (f"{found.mpl:.2f}", f"{found.spl:.2f}")
            rows.append((name, str(one.mpl_fixes), str(one.spl_fixes), measure, *medians, f"{found.p:.2g}"))
    return table_text(rows)


if __name__ == "__main__":
    main()
