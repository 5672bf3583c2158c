"""The pages: an issue as a person would see it, safe to show, and forms to act as somebody."""

from __future__ import annotations

import json
import re
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.markdown.render import LONGEST, keep_harmless, render, tick
from bot.sandbox.sandbox import Sandbox
from bot.sandbox.state import Role

BODY = """<!-- rootcause:inbox -->
Intro with a [link](https://example.com) and <script>alert(1)</script>.

- [ ] #12 memory
- [x] #13 deadlock

| category | n |
|---|--:|
| memory | 3 |

<details><summary>Why</summary>

because *reasons*

</details>
"""


@pytest.fixture
async def browser(sandbox: Sandbox) -> AsyncIterator[aiohttp.ClientSession]:
    """A person's browser at the running local GitHub."""
    sandbox.open_issue("acme/frame", "stranger", "It <leaks>", BODY, ("bug",))
    jar = aiohttp.CookieJar(unsafe=True)
    async with sandbox.running() as base_url, aiohttp.ClientSession(base_url, cookie_jar=jar) as session:
        yield session


async def read(browser: aiohttp.ClientSession, path: str) -> str:
    """Open a page."""
    async with browser.get(path) as response:
        assert response.status == 200
        assert "script" not in response.headers["content-security-policy"]
        return await response.text()


async def post(browser: aiohttp.ClientSession, path: str, **form: str) -> int:
    """Send a form and return the status."""
    async with browser.post(path, data=form, allow_redirects=False) as response:
        return response.status


async def test_home_and_lists_lead_to_the_issue(browser: aiohttp.ClientSession) -> None:
    assert 'href="/web/acme/frame"' in await read(browser, "/")
    listed = await read(browser, "/web/acme/frame")
    assert 'href="/web/acme/frame/issues/1">It &lt;leaks&gt;</a>' in listed
    assert "No issues here." in await read(browser, "/web/acme/frame?state=closed")


async def test_an_issue_is_shown_with_its_thread(sandbox: Sandbox, browser: aiohttp.ClientSession) -> None:
    comment = sandbox.comment("acme/frame", 1, "tess", "I see it **too**.")
    sandbox.react("acme/frame", 1, "walt", "eyes", comment.id)
    sandbox.close("acme/frame", 1, "ada", "not_planned")
    page = await read(browser, "/web/acme/frame/issues/1")
    for shown in (
        "<td>memory</td>", "<details><summary>Why</summary>", "<em>reasons</em>", "☐", "☑", "it <strong>too</strong>",
        f'id="issuecomment-{comment.id}"', "👀 1", "ada closed this as not planned", "&lt;script&gt;",
    ):  # fmt: skip
        assert shown in page
    assert "rootcause:inbox" not in page
    assert "<script" not in page


async def test_a_comment_that_was_edited_shows_its_earlier_versions_the_newest_first(
    sandbox: Sandbox, browser: aiohttp.ClientSession
) -> None:
    comment = sandbox.comment("acme/frame", 1, "tess", "The *first*.")
    assert "Earlier versions" not in await read(browser, "/web/acme/frame/issues/1")
    for body in ("The <second>.", "The last."):
        sandbox.edit_comment(comment.id, "tess", body)
    page = await read(browser, "/web/acme/frame/issues/1")
    assert "<summary>Earlier versions</summary>" in page
    assert 0 < page.index("<pre>The &lt;second&gt;.</pre>") < page.index("<pre>The *first*.</pre>")
    assert page.count("The last.") == 1


async def test_a_person_acts_as_somebody(sandbox: Sandbox, browser: aiohttp.ClientSession) -> None:
    sandbox.world.deliveries.clear()
    issue = "/web/acme/frame/issues/1"
    assert await post(browser, "/web/act-as", login="tess", back=issue) == 303
    assert "Comment as tess" in await read(browser, issue)
    assert await post(browser, f"{issue}/comment", body="/rootcause memory-leak", then="close") == 303
    (comment,) = sandbox.comments("acme/frame", 1)
    assert (sandbox.world.accounts[comment.author_id or 0].login, comment.body) == ("tess", "/rootcause memory-leak")
    assert sandbox.issue("acme/frame", 1).closed_at is not None
    assert [(row.event, row.action) for row in sandbox.deliveries] == [
        ("issue_comment", "created"),
        ("issues", "closed"),
    ]
    assert await post(browser, f"{issue}/tick", line="3", ticked="1") == 403, "ticking needs write permission"
    assert await post(browser, "/web/act-as", login="walt") == 303
    assert await post(browser, f"{issue}/tick", line="3", ticked="1") == 303
    assert await post(browser, f"{issue}/tick", line="0", ticked="1") == 400
    assert "- [x] #12 memory" in (sandbox.issue("acme/frame", 1).body or "")
    edited = json.loads(sandbox.deliveries[-1].payload)
    assert (edited["action"], edited["changes"]["body"]["from"], edited["sender"]["login"]) == ("edited", BODY, "walt")
    assert await post(browser, f"{issue}/comment", body="", then="reopen") == 303
    assert sandbox.issue("acme/frame", 1).closed_at is None


async def test_a_stranger_may_comment_but_not_close(sandbox: Sandbox, browser: aiohttp.ClientSession) -> None:
    issue = "/web/acme/frame/issues/1"
    await post(browser, "/web/act-as", login="passer-by")
    assert await post(browser, f"{issue}/comment", body="x", then="close") == 403
    assert sandbox.comments("acme/frame", 1) == []
    assert await post(browser, f"{issue}/comment", body="x") == 303


async def test_who_may_not_act_reads_who_may_and_finds_back(browser: aiohttp.ClientSession) -> None:
    issue = "/web/acme/frame/issues/1"
    await post(browser, "/web/act-as", login="passer-by")
    async with browser.post(f"{issue}/tick", data={"line": "3", "ticked": "1"}) as response:
        assert (response.status, response.content_type) == (403, "text/html")
        page = await response.text()
    assert "passer-by may not tick boxes here: only people with write permission and its author may" in page
    assert f'<a href="{issue}">Back</a>' in page
    assert f'name="back" value="{issue}"' in page, "where one comes after acting as somebody else"


async def test_the_mightiest_can_be_acted_as_first(sandbox: Sandbox, browser: aiohttp.ClientSession) -> None:
    roles: dict[str, Role] = {"zoe": "write", "Abe": "write", "max": "maintain"}
    for login, role in roles.items():
        sandbox.add_user(login)
        sandbox.grant("acme/frame", login, role)
    offered = re.findall(r'<option value="([^"]+)"', await read(browser, "/web/acme/frame"))
    assert offered.index("max") < offered.index("Abe") < offered.index("zoe") < offered.index("tess")
    assert offered[-1] == "passer-by"
    offered = re.findall(r'<option value="([^"]+)"', await read(browser, "/web"))
    assert offered == [*sorted(offered[:-1], key=str.casefold), "passer-by"]


async def test_another_site_cannot_send_a_form(sandbox: Sandbox, browser: aiohttp.ClientSession) -> None:
    headers = {"origin": "https://evil.example"}
    path = "/web/acme/frame/issues/1/comment"
    async with browser.post(path, data={"body": "x"}, headers=headers) as response:
        assert response.status == 403
    assert sandbox.comments("acme/frame", 1) == []


async def test_what_is_not_there_is_404(browser: aiohttp.ClientSession) -> None:
    for path in ("/web/acme/nothing", "/web/acme/frame/issues/9", "/web/acme/frame/issues/999999999"):
        async with browser.get(path) as response:
            assert response.status == 404


def test_references_lead_to_the_pages_of_this_machine() -> None:
    def find(name: str | None, number: int) -> str | None:
        return f"/web/{name or 'here/it'}/issues/{number}" if number < 100 else None

    shown = render(
        "See #12, a/b#3, #100, x#4, `#5`, [#6](https://example.com) and https://redirect.github.com/a/b/issues/7.\n\n"
        "> [!NOTE]\n> Mind this.",
        find=find,
    )
    assert [part.split('"')[0] for part in shown.split('href="')[1:]] == [
        "/web/here/it/issues/12", "/web/a/b/issues/3", "https://example.com", "/web/a/b/issues/7",
    ]  # fmt: skip
    assert "<strong>Note</strong>" in shown


def test_task_boxes_know_their_lines() -> None:
    text = "Intro\n\n- [ ] a\n  - [x] b\n\n```\n- [ ] code\n```\n1. [ ] c\n"
    assert [part[:7] for part in render(text, lambda line, ticked: f"@@{line}:{ticked:d}.").split("@@")[1:]] == [
        "2:0.a\n<",
        "3:1.b</",
        "8:0.c</",
    ]
    assert tick(text, 8, ticked=True).splitlines()[8] == "1. [x] c"
    assert tick(tick(text, 3, ticked=False), 3, ticked=True) == text
    with pytest.raises(ValueError, match="Line 1 has no box"):
        tick(text, 0, ticked=True)


@given(st.text(alphabet="<>/!-=\"' abdetilsmrypocnkv[](){}\n`*|#&;:", max_size=200))
def test_no_text_brings_a_tag_or_attribute_of_its_own(text: str) -> None:
    kept = keep_harmless(text)
    harmless = {"details", "summary", "sub", "sup", "kbd", "b", "i", "em", "strong", "p", "code", "br"}
    for part in kept.split("<")[1:]:
        name, _, _ = part.partition(">")
        assert name.strip("/ ").split(" ")[0].strip("/") in harmless, kept
        assert name.count(" ") == 0 or name.startswith(("details open", "br /")), kept


@pytest.mark.parametrize("piece", ["]http://]", "https://a.b/(", "![[\n"])
def test_a_hostile_text_takes_no_seconds(piece: str) -> None:
    began = time.process_time()
    render((piece * LONGEST)[:LONGEST])
    assert time.process_time() - began < 5, "measured: 0.9 s at most"


@given(st.text(max_size=300))
def test_every_text_can_be_shown(text: str) -> None:
    assert "<script" not in render(text).lower()


async def test_labels_are_put_on_and_taken_off_by_who_may(sandbox: Sandbox, browser: aiohttp.ClientSession) -> None:
    path = "/web/acme/frame/issues/1"
    sandbox.grant("acme/frame", "tess", "triage")
    sandbox.open_issue("acme/frame", "tess", "Another", labels=("root-cause/memory-leak",), emit=False)
    await post(browser, "/web/act-as", login="passer-by", back=path)
    assert await post(browser, f"{path}/label", label="root-cause/memory-leak") == 403
    await post(browser, "/web/act-as", login="tess", back=path)
    assert "<option>root-cause/memory-leak</option>" in await read(browser, path)
    assert await post(browser, f"{path}/label", label="none of them") == 400
    for labels in (["bug", "root-cause/memory-leak"], ["bug"]):
        assert await post(browser, f"{path}/label", label="root-cause/memory-leak") == 303
        assert sandbox.labels("acme/frame", 1) == labels
    events = [(one.action, json.loads(one.payload)) for one in sandbox.deliveries if one.event == "issues"]
    told = [(action, told["sender"]["login"], told["label"]["name"]) for action, told in events[-2:]]
    assert told == [
        ("labeled", "tess", "root-cause/memory-leak"),
        ("unlabeled", "tess", "root-cause/memory-leak"),
    ]
    sandbox.archive("acme/frame")
    assert "<option>root-cause/memory-leak</option>" not in await read(browser, path)
    assert await post(browser, f"{path}/label", label="bug") == 403
