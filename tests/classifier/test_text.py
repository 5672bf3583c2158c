import time

import pytest

from classifier.contract import CommentText, FixText, IssueText
from classifier.text import LONGEST_THREAD, split_fields
from classifier.tokens import NUMBER, PATH, STOP, VERSION, tokenize

BODY = """### What happened

The worker stops after an hour.
<!-- Please tell us
which version you use -->
* Python version: 3.8
- [x] I have searched the list

> quoted by the reporter

```python
run(steps=10)
raise MemoryError("failed to allocate 3 GB")
```
2020-01-02 10:11:12 INFO all is fine
2020-01-02 10:11:13 ERROR connection reset
<b>Steps</b> follow
"""


def test_markdown_falls_into_fields() -> None:
    fields = split_fields(IssueText("A title", BODY))
    assert fields.title == "A title"
    assert "What happened" in fields.headings
    assert "The worker stops after an hour." in fields.prose
    assert "quoted by the reporter" in fields.prose
    assert "<b>" not in fields.prose
    for hidden in ("which version", "3.8", "searched"):
        assert hidden not in " ".join(text for _, text in fields.named())
    assert "failed to allocate" in fields.code
    assert "connection reset" in fields.code
    assert "all is fine" not in fields.code
    assert "run(steps" not in fields.code
    assert not fields.cut


def test_members_comments_stand_apart_and_quotes_in_comments_do_not_count_twice() -> None:
    comments = (CommentText("> The worker stops\nme too"), CommentText("We never free it.", member=True))
    fields = split_fields(IssueText("t", "b", comments))
    assert (fields.comments, fields.member_comments) == ("me too", "We never free it.")


def test_the_fixs_title_is_a_field() -> None:
    assert split_fields(IssueText("t", "b", fix=FixText("Free the buffer"))).fix == "Free the buffer"


def test_a_comment_mark_inside_a_fence_is_text() -> None:
    fields = split_fields(IssueText("t", "```\nerror <!-- kept\n```\nafter"))
    assert "error <!-- kept" in fields.code
    assert fields.prose == "after"


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    fields = split_fields(IssueText("t", "before\n~~~~\n~~~\nfatal error"))
    assert (fields.prose, fields.code) == ("before", "fatal error")


def test_a_long_thread_is_cut_at_its_old_comments() -> None:
    comments = tuple(CommentText(f"{number} " + "word " * 2_000) for number in range(12))
    fields = split_fields(IssueText("title", "body", comments))
    assert fields.cut
    assert "11 word" in fields.comments
    assert "\n2 word" not in fields.comments
    assert sum(len(text) for _, text in fields.named()) <= LONGEST_THREAD


@pytest.mark.parametrize("size", [LONGEST_THREAD + 1, 1_000_000])
def test_a_long_title_or_body_is_cut(size: int) -> None:
    assert split_fields(IssueText("t" * size, "b")).cut
    assert split_fields(IssueText("t", "b" * size)).cut


def test_tokens_are_folded_and_masked() -> None:
    text = (
        "OutOfMemoryError in v1.2.3rc1 (see https://example.org/a/b), /usr/lib/x.so; can’t 0xdeadbeef12 CUDA_ERROR 137"
    )
    assert tokenize(text).words == [
        *("out", "of", "memory", "error", "in", VERSION, "see", PATH, STOP, "can't"),
        *("0", "xdeadbeef12", "cuda", "error", "137"),
    ]


def test_a_find_gives_the_words_as_they_are_written() -> None:
    tokens = tokenize("It Leaks\nMuch")
    assert tokens.words == ["it", "leaks", STOP, "much"]
    assert tokens.found(0, 1) == "It Leaks"
    assert NUMBER not in tokens.words


HOSTILE = [
    "a",
    "a/",
    "/",
    "\\",
    "<",
    "<!--",
    "-->",
    "`",
    "```\n",
    ">",
    "#",
    "1.",
    "1",
    "0x",
    "**",
    "_",
    "\n",
    " ",
    "A",
    "aA",
]
HOSTILE += [
    "http://",
    "a-",
    "ab1",
    "é",
    "\u0301",
    "\ud800",
    "\x00",
    "[",
    "- [ ] ",
    "a:",
    "from a.",
    "at a(",
    "1:",
    "leak ",
    "memory ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    from classifier import load_classifier

    text = unit * (70_000 // len(unit))
    started = time.process_time()
    prediction = load_classifier().predict(IssueText(text, text, (CommentText(text),)))
    assert time.process_time() - started < 2.0
    assert prediction.cut
    assert len(prediction.probabilities) == 16
