"""Short issues in our own words, several for every category and every kind of none."""

import pytest

from classifier import CATEGORIES, CommentText, IssueText, load_classifier
from classifier.taxonomy import NONE_KINDS

EXAMPLES: dict[str, list[tuple[str, str, str]]] = {
    "api-mismatch": [
        ("module 'tools' has no attribute 'load_all'", "The tutorial calls load_all, which was removed in 3.0.", ""),
        ("Plugin fails: got an unexpected keyword argument 'axis'", "The caller is from 1.9, the plugin from 2.1.", ""),
        ("ImportError: cannot import name Router", "The name was renamed to Dispatcher in the newer version.", ""),
    ],
    "compilation-error": [
        ("Build fails on Fedora with undefined reference to crc_init", "The linker stops at the last step.", ""),
        ("Cannot compile master with the new compiler", "error: 'span' was not declared in this scope", ""),
        ("CMake error when building from source", "", "A target is missing in the CMake file."),
    ],
    "configuration-error": [
        ("Setting in the config file is ignored", "The value of log_dir in settings.yaml has no effect.", ""),
        ("Cannot open shared object file libblas.so", "LD_LIBRARY_PATH was not set for the service.", ""),
        ("Configuration error: wrong default path", "", "The environment variable HOME was not read."),
    ],
    "connection-error": [
        ("Connection refused by the broker", "The client cannot connect, each try ends in ECONNREFUSED.", ""),
        ("TLS handshake fails behind the company proxy", "certificate verify failed", ""),
        ("Requests time out: connection reset by peer", "Downloads stop after a minute.", ""),
    ],
    "data-race": [
        (
            "Data race in the scheduler",
            "ThreadSanitizer reports two threads that write the counter without a lock.",
            "",
        ),
        ("fatal error: concurrent map writes", "Two goroutines share the cache.", ""),
        ("Decoder is not thread safe", "", "Fixed by a mutex around the shared table: a race condition."),
    ],
    "execution-error": [
        ("Segmentation fault when the last window closes", "The process dies, a core dump is attached.", ""),
        ("Server panics: nil pointer dereference", "The whole daemon goes down.", ""),
        ("Kernel crashes with an access violation", "It happens at start.", ""),
    ],
    "hardware-mismatch": [
        ("Illegal instruction on an old processor", "The CPU has no AVX.", ""),
        (
            "Package does not start on Raspberry Pi",
            "It is built for another ARM architecture: armv6 against armv7.",
            "",
        ),
        ("No kernel image for this GPU", "Its compute capability is not supported by the binary.", ""),
    ],
    "memory-allocation": [
        ("std::bad_alloc on small images", "Failed to allocate 34 GB, although most memory is free.", ""),
        ("CUDA out of memory at the first batch", "It tried to allocate 9 GiB at once.", ""),
        ("cannot allocate memory for the index", "malloc fails with a size beyond reason.", ""),
    ],
    "io-slowdown": [
        ("Reading many small files is very slow", "The disk is the bottleneck, the processor is idle.", ""),
        ("Slow loading of the dataset from network storage", "Half an hour to read 10 GB.", ""),
        ("Writes slow: fsync after each record", "Throughput is bound by disk I/O.", ""),
    ],
    "memory-leak": [
        ("Memory leak in the image cache", "Usage grows with every request.", ""),
        ("Memory keeps growing while idle", "From 100 MB to 4 GB over time; it is never released.", ""),
        ("Handles of closed tabs are leaked", "Detached nodes are not garbage collected.", ""),
    ],
    "conversion": [
        ("UnicodeDecodeError when a name has an umlaut", "The ascii codec can't decode the byte.", ""),
        ("Conversion to ONNX fails for int64 inputs", "The converter casts them to float32.", ""),
        ("cannot unmarshal number into a field of type string", "The JSON has a float.", ""),
    ],
    "multi-threading": [
        ("Deadlock at shutdown", "Two threads wait forever for each other's lock.", ""),
        ("Data loader hangs with four workers", "The processes are stuck after fork.", ""),
        ("Pool blocks forever when a task raises", "Lock contention, no progress.", ""),
    ],
    "performance-regression": [
        ("Rendering 3 times slower after upgrading to 4.2.0", "It was fast in 4.1.0.", ""),
        ("Performance regression in 2.7.1", "Requests took 20 ms in 2.6.0 and take 90 ms now.", ""),
        ("Parser much slower than in the previous version", "A bisect points at the new cache.", ""),
    ],
    "slow-synchronization": [
        ("Training on 4 GPUs is slower than on one", "Most time goes into all-reduce.", ""),
        ("Replication lag: followers fall behind the leader", "Heartbeats arrive late.", ""),
        ("Distributed training does not scale", "Workers wait for the parameter server.", ""),
    ],
    "resource-usage": [
        ("High CPU usage when nothing happens", "One core is at 100 % all day.", ""),
        ("Too many open files after an hour", "The limit of file descriptors is reached.", ""),
        ("Uses too much memory for a small project", "12 GB of RAM, the machine begins swapping.", ""),
    ],
}
NONE: dict[str, list[tuple[str, str, str]]] = {
    "functional": [
        ("Wrong result for negative numbers", "The sum should be -3, the output is 3.", ""),
        ("Tooltip shows an incorrect value", "Hovering over a bar displays the one before.", ""),
        ("Regression: accuracy is NaN since 1.4.0", "The loss is wrong after the update.", ""),
    ],
    "question": [
        ("How do I load two files at once?", "I would like to know if it is possible.", ""),
        ("What is the difference between run and start?", "Can someone explain?", ""),
        ("Question about the order of callbacks", "Any idea how this is meant?", ""),
    ],
    "feature": [
        ("Feature request: dark colours", "It would be nice to have them.", ""),
        ("Please add support for reading archives", "It would be useful for us.", ""),
        ("Add an option to convert to PDF", "Proposal: allow users to choose.", ""),
    ],
    "docs": [
        ("Documentation of the filter is outdated", "The docs still describe the old page.", ""),
        ("Typo in the README", "A broken link in the tutorial, too.", ""),
        ("Missing docstring of merge", "The function is not documented.", ""),
    ],
    "misuse": [
        ("Sort gives the list in reverse", "", "This is expected, it works as designed. Not a bug."),
        ("Memory leak in results", "The console keeps them.", "Not a leak: this is intentional, expected behavior."),
        ("Callback called twice", "", "You need to register it once in your code; user error, closing."),
    ],
}


def test_there_are_examples_for_every_category_and_kind() -> None:
    assert (*EXAMPLES, "none") == CATEGORIES
    assert tuple(NONE) == NONE_KINDS


@pytest.mark.parametrize(
    ("category", "title", "body", "comment"),
    [(key, *row) for key, rows in EXAMPLES.items() for row in rows]
    + [("none", *row) for rows in NONE.values() for row in rows],
)
def test_an_example_is_understood(category: str, title: str, body: str, comment: str) -> None:
    comments = (CommentText(comment, member=True),) if comment else ()
    prediction = load_classifier().predict(IssueText(title, body, comments))
    assert prediction.category == category, prediction.top


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("1: growth makes a leak of a failed allocation", "memory-allocation", "memory-leak"),
        ("7: one architecture makes hardware of a failing build", "compilation-error", "hardware-mismatch"),
        ("9: a detector makes a race of a crash", "execution-error", "data-race"),
    ],
)
def test_a_fact_moves_the_choice_as_the_codebook_says(rule: str, before: str, after: str) -> None:
    texts = {
        "memory-allocation": ("Out of memory", "It failed to allocate 2 GB."),
        "memory-leak": (
            "Out of memory, memory grows over time",
            "It failed to allocate 2 GB; usage increases, a leak.",
        ),
        "compilation-error": ("Build fails", "The compiler stops at neon.c."),
        "hardware-mismatch": ("Build fails on arm64 only", "On aarch64 the compiler stops at neon.c."),
        "execution-error": ("Crash in the pool", "A segmentation fault."),
        "data-race": ("Crash in the pool", "A segmentation fault. A data race: two threads write without a lock."),
    }
    model = load_classifier()
    assert [model.predict(IssueText(*texts[key])).category for key in (before, after)] == [before, after], rule
