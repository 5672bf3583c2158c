"""How long reports take and how much memory, by size, figures and files included.

Run: python -m tests.benchmarks.report_speed [REPOSITORIES RECORDS_EACH]
Without arguments: the study's size, then 10,000 and 100,000 records, each in a process of its own, and their ratio.
What Python compiles once is compiled before, by a process that is not shown.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import tests.support.compiled  # noqa: F401 - the processes started here keep what they compile
from reports import Decision, Participant, Rows, build_report, write_report
from tests.reports.synthetic import PERIOD, synthetic_rows

SIZES = ((20, 23), (20, 500), (20, 5000))


def full_rows(repositories: int, records: int) -> Rows:
    """Return rows in which every table has something to compute: languages, bug types, people, decisions."""
    random = np.random.default_rng(11)
    rows = synthetic_rows(repositories // 2, records)
    languages = (("Python",), ("C/C++",), ("C/C++", "Python"), ("Go",), ("C/C++", "CUDA", "Python"))
    types = ("algorithm-design", "deployment", "memory", "other")
    made = []
    people = []
    decisions = []
    for record in rows.records:
        mix = languages[int(random.integers(len(languages)))]
        made.append(
            replace(
                record,
                languages=mix[:1],
                languages_with_tests=mix,
                mpl=False,
                mpl_with_tests=len(mix) > 1,
                change_entropy_with_tests=float(random.random()),
                bug_type=types[int(random.integers(4))],
                members=1,
                non_members=2,
                participation_percent=33.3,
                member_contributions=int(random.integers(400)),
                fix_author_contributions=int(random.integers(400)),
                proposal_category=record.category if random.random() < 0.7 else "none",
                blind=bool(random.random() < 0.15),
            )
        )
        people += [
            Participant(
                person=f"{record.repository_id}-{person}",
                repository_id=record.repository_id,
                issue_id=record.issue_id,
                account_years=int(person) % 14,
                followers=int(person),
                profile_role="engineer" if person % 3 else "researcher",
            )
            for person in random.integers(0, 400, 3)
        ]
        decisions += [Decision(issue_id=record.issue_id, coder=one, category=record.category or "none") for one in "ab"]
    return replace(rows, records=tuple(made), participants=tuple(people), decisions=tuple(decisions))


def main() -> None:
    """Measure one size, or all of them in processes of their own."""
    if len(sys.argv) > 2:
        rows = full_rows(int(sys.argv[1]), int(sys.argv[2]))
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            write_report(build_report(rows, PERIOD), Path(folder))
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sys.stdout.write(f"{len(rows.records)} {seconds:.2f} {peak:.0f}\n")
        return
    _measure(*SIZES[0])
    found = []
    for repositories, records in SIZES:
        answer = _measure(repositories, records)
        found.append(float(answer[1]))
        sys.stdout.write(f"{int(answer[0]):,} records: {float(answer[1]):.1f} s, peak {answer[2]} MB\n")
    sys.stdout.write(f"ten times the records take {found[2] / found[1]:.1f} times as long\n")


def _measure(repositories: int, records: int) -> list[str]:
    """Return records, seconds and megabytes as a process of its own tells them."""
    command = [sys.executable, "-m", "tests.benchmarks.report_speed", str(repositories), str(records)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


if __name__ == "__main__":
    main()
