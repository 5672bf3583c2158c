"""Words, code and files of descriptions, counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evidence.attachments import attached_file, attached_image
from bot.evidence.markdown import LONGEST_BODY
from bot.evidence.text import measure_description
from bot.evidence.words import count_words
from tests.evidence.hostile_bodies import hostile

FORM = """### What happened?

The trainer hangs after the first epoch.

### Version

2.1

### Relevant log output

```shell
step 1
step 2

step 3
```

### Anything else?

_No response_

### Code of conduct

- [X] I agree to follow the code of conduct
- [ ] I would like to help
"""

TEMPLATE = """<!-- Thanks for taking the time!
Fill in everything. -->
**Describe the bug**
<!-- one sentence -->

## Environment
- OS: Linux
- **Compiler version**:
- Python version (3.x):

## To reproduce
Steps to reproduce the behavior:
1. Go to '...'
2. Run the script
3. See error

**Expected behavior**
A clear and concise description of what you expected to happen.

**Screenshots**
If applicable, add screenshots to help explain your problem.

## Additional context
"""

NESTED = """Before

````markdown
outer
```python
inner = 1
```

last
````

after
"""

HTML = """<p align="center">See <b>this</b> picture</p>

<img width="400" alt="graph of memory" src="https://user-images.githubusercontent.com/1/2-3.png">
<a href="https://github.com/acme/frame/files/11/log.txt">log.txt</a>

<details><summary>Trace</summary>

<pre><code>line one

line two
</code></pre>

</details>

Done <!-- <img src="https://example.org/hidden.png"> -->
"""


@pytest.mark.parametrize(
    ("body", "words", "files", "code"),
    [
        pytest.param("", 0, 0, 0, id="empty"),
        pytest.param("It crashes, always - even with C++ 17!", 7, 0, 0, id="prose"),
        # 7 words of the answer, the version; boxes, labels and the unanswered question are the form's.
        pytest.param(FORM, 8, 0, 3, id="issue form"),
        # "Environment", "OS: Linux"; "To reproduce", "Run the script". All else nobody filled in.
        pytest.param(TEMPLATE, 8, 0, 0, id="unfilled template"),
        pytest.param("**Logs**\nInclude any logs or source code that would be helpful", 0, 0, 0, id="another template"),
        # "Bug" and two words, "Logs" over code; "Screens" has nothing below it.
        pytest.param("**Bug**\nIt hangs\n**Logs**\n```\nx\n```\n**Screens**\n", 4, 0, 1, id="bold lines as headings"),
        # The inner fence is content of the outer one: outer, ```python, inner = 1, ```, last.
        pytest.param(NESTED, 2, 0, 5, id="nested fences"),
        # See this picture, log.txt, Trace, Done: raw HTML has no links to drop.
        pytest.param(HTML, 6, 2, 2, id="raw HTML"),
        pytest.param("One\r\n\r\n```\r\nx\r\n\r\ny\r\n```\r\n\r\n- OS:\r\n- two\r\n", 2, 0, 2, id="CRLF"),
        pytest.param("Broken 😱🔥 again :tada: 👩‍💻", 2, 0, 0, id="emoji"),
        pytest.param("\u200fالبرنامج يتعطل عند البدء\u200f", 4, 0, 0, id="right to left"),
        pytest.param("程序崩溃 on GPU", 6, 0, 0, id="script without blanks"),
        pytest.param("Text\n\n    indented = code\n\n    more\n", 1, 0, 2, id="indented code"),
        pytest.param("Use `a b` here", 4, 0, 0, id="inline code is prose"),
        pytest.param("```\nnever closed\n\nstill code", 0, 0, 2, id="unclosed fence"),
        pytest.param("Seen <!-- never\n\nclosed", 3, 0, 0, id="an unclosed comment in a line is shown, so it is text"),
        pytest.param("Seen\n\n<!-- never\n\nclosed", 1, 0, 0, id="an unclosed comment of its own hides the rest"),
        pytest.param("> quoted words\n\nmine", 3, 0, 0, id="quote"),
        pytest.param("| a | b |\n|---|---|\n| c d | 1 |", 5, 0, 0, id="table"),
        pytest.param("- first\n  - second thing\n\n    ```\n    x\n    ```\n", 3, 0, 1, id="code in a list"),
        pytest.param("- Log:\n\n```\nx\n```\n", 1, 0, 1, id="a key answered by code"),
        pytest.param("Steps:\n- one\n- two\n", 3, 0, 0, id="a key answered by a list"),
        pytest.param("I get this:\n\n# Next\n\nword", 2, 0, 0, id="a key answered by nothing"),
        pytest.param("OS:\nPython: 3.11\n", 2, 0, 0, id="keys in lines"),
        pytest.param("# A title\n\nword", 3, 0, 0, id="a heading over text counts"),
        pytest.param("# A title\n\n## Below\n", 0, 0, 0, id="headings over nothing"),
        pytest.param("**Shot**\n\n![x](https://i.imgur.com/a.png)", 1, 1, 0, id="a heading over a picture"),
        pytest.param("- [ ] open task\n- [x] done task\n", 2, 0, 0, id="boxes"),
        pytest.param("see https://example.org/a_b and <https://example.org>", 2, 0, 0, id="addresses are no words"),
        pytest.param("[the docs](https://example.org/docs) say", 3, 0, 0, id="words of a link"),
    ],
)
def test_a_description(body: str, words: int, files: int, code: int) -> None:
    found = measure_description(body)

    assert (found.description_words, found.attached_files, found.code_lines) == (words, files, code)


@pytest.mark.parametrize(
    ("body", "files"),
    [
        (
            "![a](https://user-images.githubusercontent.com/1/a.png) ![a](https://user-images.githubusercontent.com/1/a.png)",
            1,
        ),
        ("![a](https://cloud.githubusercontent.com/assets/1/2/a.jpg)", 1),
        ("![Uploading image.png…]()", 0),
        ("![local](./a.png)", 0),
        ("![build](https://img.shields.io/x.svg) ![ci](https://example.org/badge.svg)", 0),
        ("[log.txt](https://github.com/acme/frame/files/123/log.txt)", 1),
        ("https://github.com/user-attachments/assets/0a1b-2c3d", 1),
        ("https://github.com/user-attachments/files/1/trace.json.", 1),
        ("https://github.com/acme/frame/assets/1/0a1b", 1),
        ("https://github.com/acme/frame/issues/3 https://github.com/acme/frame/blob/main/a.zip", 0),
        ("see https://gist.github.com/ann/0a1b2c", 1),
        ("https://gist.github.com/ann/0a1b2c#file-a and https://gist.github.com/ann/0a1b2c", 1),
        ("[model](https://example.org/model.tar.gz)", 1),
        ("https://github.com/acme/frame/archive/v1.zip https://github.com/acme/frame/releases/download/v1/a.zip", 0),
        ("`https://gist.github.com/ann/1`\n\n```\nhttps://gist.github.com/ann/2\n```", 0),
        ("<!-- ![a](https://i.imgur.com/a.png) -->", 0),
        ("[the log][1]\n\n[1]: https://gist.github.com/ann/3", 1),
        ("[![small](https://i.imgur.com/s.png)](https://i.imgur.com/large.zip)", 2),
        ("<video src='https://github.com/user-attachments/assets/9'></video>", 1),
        ("text <img src=https://i.imgur.com/a.png> more", 1),
    ],
)
def test_attached_files(body: str, files: int) -> None:
    assert measure_description(body).attached_files == files


@pytest.mark.parametrize(
    "address", ["", "http://", "https://[::1", "ftp://a/b.zip", "https://gist.github.com/", "javascript:x"]
)
def test_addresses_that_lead_nowhere(address: str) -> None:
    assert attached_file(address) is None
    assert attached_image(address) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [("don't stop", 2), ("a/b -- c", 2), ("…", 0), ("1 2.5 3%", 3), (":+1: ok", 1), ("한국어 단어", 2)],
)
def test_words(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text(st.characters(exclude_categories=[]), max_size=300))
def test_no_text_breaks_it(body: str) -> None:
    found = measure_description(body)

    assert min(found.description_words, found.attached_files, found.code_lines) >= 0


@given(st.text("[]()!<>`*_~#-:|>\n\t ahx/\"'=&\\", max_size=400))
def test_no_markup_breaks_it(body: str) -> None:
    measure_description(body)


@pytest.mark.parametrize(("_name", "body"), hostile(6_000).items())
def test_a_hostile_body_ends(_name: str, body: str) -> None:
    """How long each takes in full length is printed by `python -m tests.evidence.hostile_bodies`."""
    found = measure_description(body)

    assert found.description_words <= LONGEST_BODY


def test_what_is_past_the_longest_body_is_not_read() -> None:
    assert measure_description("a " * LONGEST_BODY).description_words == LONGEST_BODY // 2


@pytest.mark.parametrize(
    ("body", "is_form"),
    [
        ("### What happened?\n\nIt broke.\n\n### Version\n\n1.2", True),
        ("### What happened?\n\n_No response_", True),
        ("### My own heading\n\nIt broke.", False),
        ("It broke.\n\n### Version\n\n1.2\n\n### System\n\nmac", False),
        ("## What happened\n\nIt broke.\n\n## Version\n\n1.2", False),
        ("", False),
    ],
)
def test_an_issue_form_is_recognised_by_its_shape(body: str, is_form: bool) -> None:
    assert measure_description(body).issue_form is is_form
