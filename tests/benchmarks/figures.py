"""How long the figures of a full report take, how large they are, and how much memory drawing them needs.

Run: python -m tests.benchmarks.figures
"""

from __future__ import annotations

import resource
import time

from reports.figures import FigureFile
from reports.figures.choose import plans
from reports.figures.draw import draw
from reports.figures.plans import Plan
from tests.reports.drawn_reports import Numbers, drawn_report


def peak_megabytes() -> float:
    """Return the most memory that this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(plan: Plan) -> tuple[FigureFile, ...]:
    """Draw one figure and print the seconds it took."""
    clock = time.perf_counter()
    drawn = draw(plan)
    print(f"{time.perf_counter() - clock:6.2f} s  {plan.heading.name}")  # noqa: T201
    return drawn


def main() -> None:
    """Draw 20 named repositories' report figure by figure, then say what it took."""
    names = tuple((f"made-up/framework{number}", "ml" if number < 10 else "traditional") for number in range(20))
    report = drawn_report(Numbers(), names)
    before, clock, cpu = peak_megabytes(), time.perf_counter(), time.process_time()
    figures = [one for plan in plans(report) for one in timed(plan)]
    seconds, used = time.perf_counter() - clock, time.process_time() - cpu
    print(f"{len(figures)} variants: {seconds:.1f} s, {used:.1f} s of processor time, matplotlib's import included")  # noqa: T201
    for kind, sizes in (("SVG", [len(one.svg) for one in figures]), ("PNG", [len(one.png) for one in figures])):
        print(f"{kind}: {sum(sizes) / 1e6:.1f} MB, the largest {max(sizes) / 1e3:.0f} kB")  # noqa: T201
    print(f"memory: {before:.0f} MB before, {peak_megabytes():.0f} MB at most")  # noqa: T201


if __name__ == "__main__":
    main()
