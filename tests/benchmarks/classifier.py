"""How fast the shipped model loads and predicts real threads, and how much memory a predicting process needs.

Run `python -m tests.benchmarks.classifier`, with the shared data in `../shared/data`. Each load is that of a process of
its own. The threads are a sample of 1,000 closed issues, predicted one after the other in another process that is given
one at a time; its memory is the peak of its resident set, without what `getrusage` adds of the process that started it.
Times are by the clock, and by the processor where the machine does other things. How long a refit takes is measured by
`tests.benchmarks.refit`.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from classifier.measure.inputs import read_lines

THREADS = Path(__file__).parents[3] / "shared" / "data" / "closed-issues.jsonl.gz"
SAMPLE = 1_000
LOADS = 7

LOAD = """
import time
import numpy
begun, used = time.perf_counter(), time.process_time()
from classifier import load_classifier
model = load_classifier()
took, spent = time.perf_counter() - begun, time.process_time() - used
print(took, spent, model.version)
"""
PREDICT = """
import json, re, sys, time
from pathlib import Path
from classifier import load_classifier
from classifier.examples import issue_of
model = load_classifier()
for line in sys.stdin:
    issue = issue_of(json.loads(line))
    begun, used = time.perf_counter(), time.process_time()
    found = model.predict(issue)
    took, spent = time.perf_counter() - begun, time.process_time() - used
    if not found.category or found.proposed == bool(found.reason):
        raise SystemExit("a prediction is empty")
    print(took, spent, int(found.cut), int(found.proposed))
print(int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text()).group(1)) / 1024)
"""


def run(script: str, given: str = "") -> list[str]:
    """Run a script in a process of its own and return the lines that it printed."""
    command = [sys.executable, "-c", script]
    return subprocess.run(command, input=given, check=True, capture_output=True, text=True).stdout.splitlines()


def milliseconds(seconds: Sequence[float]) -> str:
    """Return the median and the 99th percentile in words."""
    return (
        f"median {1000 * statistics.median(seconds):.1f} ms, "
        f"p99 {1000 * statistics.quantiles(seconds, n=100)[98]:.1f} ms, longest {1000 * max(seconds):.1f} ms"
    )


def measure_loads() -> None:
    begun = time.perf_counter()
    loads = [run(LOAD)[-1].split() for _ in range(LOADS)]
    whole = (time.perf_counter() - begun) / LOADS
    clock, processor = (sorted(1000 * float(load[column]) for load in loads) for column in (0, 1))
    sys.stdout.write(
        f"{loads[0][2]} loads in {statistics.median(clock):.0f} ms ({clock[0]:.0f} to {clock[-1]:.0f}; "
        f"{statistics.median(processor):.0f} ms of processor), numpy imported before; "
        f"a process that starts, loads and ends takes {whole:.2f} s\n"
    )


def measure_predictions() -> None:
    if not THREADS.exists():
        sys.stdout.write(f"{THREADS.name} is not at hand: it is kept beside the repository and not part of it\n")
        return
    rows = random.Random(11).sample(read_lines(THREADS), SAMPLE)  # noqa: S311 - a sample, no secret
    *told, memory = run(PREDICT, "".join(json.dumps(row) + "\n" for row in rows))
    clock, processor, cut, proposed = zip(*([float(value) for value in line.split()] for line in told), strict=True)
    sys.stdout.write(
        f"{len(told):,} real threads by the clock: {milliseconds(clock)}\n"
        f"{len(told):,} real threads by the processor: {milliseconds(processor)}\n"
        f"{sum(cut):.0f} were cut, {sum(proposed):.0f} proposed, none was left empty\n"
        f"the predicting process held {float(memory):.0f} MB at most\n"
    )


def main() -> None:
    measure_loads()
    measure_predictions()


if __name__ == "__main__":
    main()
