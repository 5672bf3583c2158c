"""The bundled corpus: shape, spread, sentences of its own, and nobody's address in it."""

import ipaddress
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from classifier.examples import CORPUS, read_corpus
from classifier.taxonomy import BUG_TYPES, CATEGORIES, NONE, NONE_KINDS
from classifier.templates import is_log_line

ALLOWED: dict[str, set[str | None]] = {
    "paradigm": {"ml", "traditional"},
    "software": {"framework", "library", "database", "tool", "service", "mobile", "cloud", "runtime", "desktop"},
    "register": {"plain", "terse", "rambling", "form", "log", "nonnative"},
    "category": {*CATEGORIES},
    "category2": {*CATEGORIES, None},
    "none_kind": {*NONE_KINDS, None},
    "bug_type": {*(known.key for known in BUG_TYPES), None},
}
KEYS = [
    *("id", "origin", "paradigm", "software", "register", "title", "body", "comments", "fix"),
    *("category", "category2", "none_kind", "bug_type"),
]
FILES = {path.name: path.read_text(encoding="utf-8").splitlines() for path in sorted(CORPUS.glob("*.jsonl"))}
ROWS: list[dict[str, Any]] = [json.loads(line) for lines in FILES.values() for line in lines]


def texts(row: dict[str, Any]) -> list[str]:
    """Return everything of a row that is Markdown."""
    fix = [row["fix"]["title"]] if row["fix"] else []
    return [row["title"], row["body"], *(comment["body"] for comment in row["comments"]), *fix]


def is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def test_every_row_has_the_keys_in_order_and_allowed_values() -> None:
    for row in ROWS:
        name = row["id"]
        assert list(row) == KEYS, name
        assert all(row[key] in allowed for key, allowed in ALLOWED.items()), name
        assert row["title"].strip(), name
        assert isinstance(row["body"], str), name
        assert (row["none_kind"] is not None) == (row["category"] == NONE), name
        assert row["category2"] != row["category"], name
        for comment in row["comments"]:
            assert list(comment) == ["body", "member"], name
            assert comment["body"].strip(), name
            assert isinstance(comment["member"], bool), name
        if row["fix"] is not None:
            assert list(row["fix"]) == ["title", "additions", "deletions", "files"], name
            assert row["fix"]["title"].strip(), name
            for counted in (row["fix"], *row["fix"]["files"]):
                assert is_count(counted["additions"]), name
                assert is_count(counted["deletions"]), name
            for file in row["fix"]["files"]:
                assert list(file) == ["path", "additions", "deletions"], name
                assert file["path"].strip(), name


def test_every_row_is_learned_from_and_has_an_id_and_a_text_of_its_own() -> None:
    assert len(read_corpus()) == len(ROWS)
    assert not [name for row in ROWS if (name := row["id"]) != name.strip() or not name]
    for once in ([row["id"] for row in ROWS], [row["title"] for row in ROWS], [row["body"] for row in ROWS]):
        assert [value for value, number in Counter(once).items() if value and number > 1] == []


def test_an_origin_is_our_own_or_a_repository() -> None:
    origins = {row["origin"] for row in ROWS} - {"own"}
    assert origins
    assert [origin for origin in origins if not re.fullmatch(r"[A-Za-z0-9-]{1,39}/[\w.-]{1,100}", origin)] == []
    for name, lines in FILES.items():
        assert {json.loads(line)["origin"] == "own" for line in lines} == {name.startswith("own")}, name


def test_there_are_enough_rows_of_every_category_and_of_every_kind_of_writing() -> None:
    categories = Counter(row["category"] for row in ROWS)
    assert [key for key in CATEGORIES if categories[key] < 25] == []
    assert categories[NONE] >= 150
    assert len(ROWS) >= 600
    for key in ("paradigm", "software", "register", "none_kind", "bug_type"):
        assert {row[key] for row in ROWS} >= ALLOWED[key] - {None}, key
    causes_by_paradigm = {(row["category"], row["paradigm"]) for row in ROWS}
    assert len(causes_by_paradigm) == 2 * len(CATEGORIES), "every category in both paradigms"


FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"\s*(?:#{1,6}\s.*|\*\*[^*]+\*\*:?\s*)")
BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s")


def sentences(markdown: str) -> Iterator[str]:
    """Yield the prose sentences of at least four words, in lower case and without punctuation.

    Left out are fences, lines that are indented by four or a tab, headings (also bold lines, as forms print them),
    lines of tables, and lines that the classifier itself takes for a log's. A blank line or a list's mark ends one.
    """
    paragraphs = [""]
    for line in FENCE.sub("\n\n", markdown).split("\n"):
        left_out = line.startswith(("    ", "\t")) or HEADING.fullmatch(line) or line.lstrip().startswith("|")
        if left_out or not line.strip() or is_log_line(line):
            paragraphs.append("")
            continue
        if BULLET.match(line):
            paragraphs.append("")
        paragraphs[-1] += line + " "
    for paragraph in paragraphs:
        for sentence in re.split(r"(?<=[.!?])[\"')*_]*\s+", paragraph):
            words = re.findall(r"[\w']+", sentence.casefold())
            if len(words) >= 4:
                yield " ".join(words)


MIXED = """### What did you see here
It dies. It dies after
one hour!

```
it is a log line
```
    it is indented by four
**Which version do you use**
- [x] I have read it
* It is the *second*.
2024-01-02 10:00:00 it is down now
| a | b | c | d |
~~~
it never ends at all"""


def test_the_rule_of_what_a_sentence_is() -> None:
    assert list(sentences(MIXED)) == ["it dies after one hour", "x i have read it", "it is the second"]


def test_rows_share_hardly_any_sentence() -> None:
    own = [{sentence for text in texts(row) for sentence in sentences(text)} for row in ROWS]
    rows_with = Counter(sentence for found in own for sentence in found)
    sharing = [row["id"] for row, found in zip(ROWS, own, strict=True) if any(rows_with[one] > 1 for one in found)]
    assert len(rows_with) > 5 * len(ROWS), "the rule leaves most of the prose to be compared"
    assert len(sharing) <= 0.05 * len(ROWS), sharing


EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b")
ADDRESS = re.compile(r"\bhttps?://(\[[0-9a-f:]*\]|[^\s/<>\"'`)\]\\:?#]*)", re.IGNORECASE)
NOBODYS = {"example", "test", "invalid", "localhost", "lab"}
"""Last labels that lead to nobody: those that RFC 2606 reserves, and one that the root zone does not have."""


def leads_somewhere(host: str) -> bool:
    """Say whether a host may be a real one: not reserved, not private, not shortened by dots, not a single word."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_global
    except ValueError:
        pass
    if "." not in host or ".." in host or not host.strip("."):
        return False
    labels = host.casefold().split(".")
    return labels[-1] not in NOBODYS and labels[-2:] not in (["example", one] for one in ("com", "org", "net"))


def test_which_hosts_are_real() -> None:
    nobodys = ["localhost", "db7", "10.2.0.11", "[fd00::1]", "a.corp.example", "www.example.org", "docs...", "", "..."]
    assert [host for host in nobodys if leads_somewhere(host)] == []
    assert all(leads_somewhere(host) for host in ("github.com", "8.8.8.8", "example.com.io", "[2606:4700::1]"))


def test_no_persons_address_and_no_real_host_is_in_a_row() -> None:
    for row in ROWS:
        for text in (*texts(row), *(file["path"] for file in (row["fix"] or {"files": ()})["files"])):
            assert EMAIL.findall(text) == [], row["id"]
            assert [host for host in ADDRESS.findall(text) if leads_somewhere(host)] == [], row["id"]
