"""How long a refit takes: `python -m tests.benchmarks.training`; seconds of one core for 1,000 and 10,000 labels.

Rows are those of the bundled corpus, drawn with replacement and each with a tenth of its words left out, so that no two
are the same text. Reading the texts, choosing threshold and prior, and both axes are part of the time.
"""

import random
import resource
import time
from dataclasses import replace

from classifier.examples import Example, read_corpus
from classifier.training import read_rows, train

SIZES = (1_000, 10_000)
LIMITS = {1_000: 4.0, 10_000: 45.0}
"""Seconds that issue 4 allows."""
LEFT_OUT = 0.1


def drawn(size: int) -> list[Example]:
    chance = random.Random(size)  # noqa: S311 - a sample, no secret
    corpus = read_corpus()

    def thinned(text: str) -> str:
        lines = (line.split(" ") for line in text.split("\n"))
        return "\n".join(" ".join(word for word in line if chance.random() > LEFT_OUT) for line in lines)

    rows = []
    for example in chance.choices(corpus, k=size):
        issue = replace(example.issue, title=thinned(example.issue.title), body=thinned(example.issue.body))
        rows.append(replace(example, issue=issue, group=f"{example.group}/{chance.randrange(20)}"))
    return rows


def main() -> None:
    for size in SIZES:
        examples = drawn(size)
        wall, processor = time.perf_counter(), time.process_time()
        rows = read_rows(examples)
        read = time.process_time() - processor
        model = train(rows, "benchmark")
        processor = time.process_time() - processor
        wall = time.perf_counter() - wall
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(  # noqa: T201 - the figures are the point
            f"{size:,} labels: {processor:.1f} s of one core (reading {read:.1f}), {wall:.1f} s by the clock, "
            f"{LIMITS[size]:.0f} s allowed; {model.vocabulary.size:,} features; at most {memory:.0f} MB"
        )


if __name__ == "__main__":
    main()
