"""Whole descriptions in the manner of the frameworks' own reports, counted by hand."""

from __future__ import annotations

import pytest

from bot.evidence.text import measure_description

FORM_OF_A_LIBRARY = """### 🐛 Describe the bug

Calling `backward()` twice frees the graph, then the process dies 😱:

```python
import frame
x = frame.ones(3)
x.sum().backward()

x.sum().backward()  # dies
```

The same happens on the CPU.

### Error logs

<details>
<summary>Traceback</summary>

```
Segmentation fault (core dumped)
```

</details>

### Minified repro

_No response_

### Versions

```text
Collecting environment information...
frame version: 2.1.0

OS: Ubuntu 22.04
```

cc @ann @bob
"""
# "Calling ... dies" 10, the emoji is no word; "The same ... CPU" 6, "Traceback" 1, "cc @ann @bob" 3; the form's own
# words do not count. Code: 4 + 1 + 3 lines that are not blank.

OLD_TEMPLATE = """Please make sure that this is a bug. As per our policy, we only address code/doc bugs here.

**System information**
- Have I written custom code (as opposed to using a stock example script): Yes
- OS Platform and Distribution: Linux Ubuntu 16.04
- Mobile device if the issue happens on mobile device:
- Python version:
- GPU model and memory: GTX 1080, 8 GB

You can collect some of this information using our script.

**Describe the current behavior**
Training stops after 10 steps.

**Describe the expected behavior**

**Code to reproduce the issue**
Provide a reproducible test case that is the bare minimum necessary to generate the problem.

    python train.py --steps 20

**Other info / logs**
Include any logs or source code that would be helpful to diagnose the problem.
See https://gist.github.com/ann/0a1b2c and [events.zip](https://github.com/acme/frame/files/77/events.zip)
"""
# "System information" 2; the keys with a value: 13 + 1, 4 + 3, 4 + 4; "You can ... script." 10;
# "Describe the current behavior" 4 + 5; "Code to reproduce the issue" 5 stands over code; "Other info / logs" 3,
# "See and" 2.

BOXES_AND_PICTURES = """### System Information

OpenCV version: 4.8.0
Compiler: GCC 12

### Detailed description

The corner is drawn one pixel too far to the left.

<img src="https://github.com/acme/vision/assets/1/aa-bb" width="300"/> <IMG SRC='https://i.example.org/b.png'>

![expected](https://user-images.githubusercontent.com/1/c.png "as drawn")

### Steps to reproduce

~~~~cpp
// ```
line(image, a, b);
// ```
~~~~

### Issue submission checklist

- [X] I report the issue, it's not a question
- [x] I checked the problem with documentation and FAQ
- [ ] There is reproducer code
"""
# 3 + 3 of the system, 11 of the description. Both raw images and the Markdown one; the inner fences are content.

RIGHT_TO_LEFT = """### مشكلة

\u200fالبرنامج يتعطل عند البدء مع `GPU`\u200f

### קוד

```
הרצה
```

### Files

https://github.com/user-attachments/files/5/log.txt
"""
# Five words in Arabic and the name in code; the code is one line; a bare address is a file and no word.

FENCE_IN_A_FENCE_IN_A_LIST = """1. Run this:

   ````sh
   cat <<X
   ```
   not the end
   ```
   X
   ````

2. Then that, with
   two lines

   ```sh
   run
"""
# "Run this" 2 over code, "Then that, with two lines" 5. Code: 5 lines, and the fence that is never closed: 1.

THREADS_OF_QUOTES = """> On Tuesday ann wrote:
>> It works here

:warning: It does **not** work\u00a0here, see #12 and acme/frame@0a1b2c3 :disappointed:.

![](data:image/png;base64,AAAA) ![ci](https://github.com/acme/frame/actions/workflows/ci.yml/badge.svg)
<sub>sent from <a href="https://example.org">a phone</a></sub>
"""
# Quotes count: 4 and 3. "It does not work here, see #12 and acme/frame@0a1b2c3" 9, "sent from a phone" 4.


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize(
    ("body", "words", "files", "code"),
    [
        pytest.param(FORM_OF_A_LIBRARY, 20, 0, 8, id="a form with details, traces and an unanswered question"),
        pytest.param(OLD_TEMPLATE, 60, 2, 1, id="an old template, half filled"),
        pytest.param(BOXES_AND_PICTURES, 17, 3, 3, id="a form with boxes, raw images and fences in a fence"),
        pytest.param(RIGHT_TO_LEFT, 6, 1, 1, id="right to left"),
        pytest.param(FENCE_IN_A_FENCE_IN_A_LIST, 7, 0, 6, id="fences in lists"),
        pytest.param(THREADS_OF_QUOTES, 20, 0, 0, id="quotes, shortcodes and badges"),
    ],
)
def test_a_described_bug(body: str, words: int, files: int, code: int, line_end: str) -> None:
    found = measure_description(body.replace("\n", line_end))

    assert (found.description_words, found.attached_files, found.code_lines) == (words, files, code)
