"""Two coders apart, at the terminal and by CSV; what differs, what is agreed on, and what the record becomes."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from bot.clock import SystemClock
from bot.decisions.answers import Answer
from bot.decisions.coders import coder_id
from bot.features.questions import choose_questions
from bot.store.decisions import add_decision, settle_record, undo_last
from bot.store.records import delete_record
from bot.store.study import answers
from bot.store.tables import Decision, EvidenceText, Proposal, Record, Repository, StudyNote
from tests.study.conftest import CLOSED, Study

ORDER = [1006, 1001, 2003]
"""The list that seed 1 draws of three issues, in its order."""


@pytest.fixture
def drawn(study: Study) -> Study:
    assert study("sample", "--size", "3", "--seed", "1").code == 0
    return study


async def decisions(session: AsyncSession) -> list[Decision]:
    return list((await session.execute(select(Decision).order_by(col(Decision.id)))).scalars())


def said(study: Study) -> dict[int, dict[str, Answer]]:
    return study.look(answers)


def test_a_coder_sees_the_text_and_nothing_else_and_each_answer_is_kept(drawn: Study) -> None:
    async def guess(session: AsyncSession) -> None:
        session.add(
            Proposal(
                issue_id=1006, model="m", category="data-race", probability=0.9, second="conversion",
                second_probability=0.05, system_related=0.9, proposed=True, created_at=CLOSED,
            )
        )  # fmt: skip

    drawn.look(guess)
    first = drawn("code", "--coder", "Ann", typed="memory-leak # steady growth\nnonsense\nskip\n")
    assert first.code == 0
    shown = first.out
    assert "[1 of 3] acme/frame#6\nMemory grows in loader 6\n\nIt grows by 40 MB an epoch.[31m" in shown
    assert "\x1b" not in shown
    assert "--- comment 1 by a member\n=cmd() is what I ran" in shown
    assert "--- fixed by Free the cache (+12 -4)\n  src/loader.py" in shown
    assert "No category is called 'nonsense'" in shown
    assert "1 answers saved; 1 of 3 issues are coded by ann." in shown
    second = drawn("code", "--coder", "bob", typed="quit\n").out
    assert "0 of 3 are coded" in second
    for hidden in ("memory-leak", "data-race", "ann"):
        assert hidden not in second.partition("[1 of 3]")[2]
    (decision,) = drawn.look(decisions)
    assert (decision.issue_id, decision.via, decision.source) == (1006, "study", "study:ann:1006")
    assert (decision.blind, decision.person_id) == (True, coder_id("ann"))
    record = drawn.record(1006)
    assert (record.state, record.category, record.category_source) == ("corrected", "memory-leak", "study")
    assert record.selection == "random"
    assert record.selection_probability == pytest.approx(1 / 3)


def test_coding_goes_on_where_it_was_left_and_an_own_answer_can_be_changed(drawn: Study) -> None:
    drawn("code", "--coder", "ann", typed="io\nback\nleak\nrace\n")  # the first is shown again and answered anew
    assert said(drawn) == {1006: {"ann": Answer("memory-leak")}, 1001: {"ann": Answer("data-race")}}
    assert [(one.source, one.undone_at is None) for one in drawn.look(decisions)] == [
        ("study:ann:1006", False),
        ("study:ann:1006:2", True),
        ("study:ann:1001", True),
    ]
    later = drawn("code", "--coder", "ANN", typed="none question\n").out
    assert "2 of 3 are coded" in later
    assert "[3 of 3] Acme/UI#3" in later
    assert "3 of 3 issues are coded by ann" in later
    assert drawn.record(2003).none_kind == "question"


def test_the_categories_and_the_whole_text_are_shown_on_request(drawn: Study) -> None:
    shown = drawn("code", "--coder", "ann", typed="?\nall\nquit\n").out
    assert "  slow-synchronization    " in shown
    assert shown.count("Memory grows in loader 6") == 2


def test_a_text_that_is_gone_is_passed_over(drawn: Study) -> None:
    async def forget(session: AsyncSession) -> None:
        await session.delete(await session.get_one(EvidenceText, 1006))

    drawn.look(forget)
    shown = drawn("code", "--coder", "ann", typed="leak\n").out
    assert "The text of acme/frame#6 is not kept any more" in shown
    assert list(said(drawn)) == [1001]


def test_a_disagreement_is_listed_measured_and_resolved(drawn: Study) -> None:
    drawn("code", "--coder", "ann", typed="leak\nrace\nnone docs\n")
    drawn("code", "--coder", "bob", typed="ru # a plateau\nrace\nnone question\n")
    assert drawn.record(1006).state == "disputed"
    assert drawn.record(1006).category is None
    assert drawn.record(1001).category == "data-race"
    assert drawn.record(2003).category == "none"  # the kinds of none may differ
    listed = drawn("disagreements").out
    assert "acme/frame#6  Memory grows in loader 6\n  ann: memory-leak\n  bob: resource-usage  # a plateau\n" in listed
    assert "1 to resolve, 0 resolved." in listed
    # 2 of 3 alike; by chance (1/3 race + 1/3 none) squared parts: 2/9; (6/9 - 2/9) / (7/9)
    assert "ann and bob: 3 issues, 67% alike, Cohen's kappa 0.57" in listed
    resolved = drawn("resolve", "ACME/frame#6", "memory", "leak", "--note", "it never levels off")
    assert (resolved.code, resolved.out) == (0, "acme/frame#6 is resolved as memory-leak.\n")
    record = drawn.record(1006)
    assert (record.category, record.category_source) == ("memory-leak", "study")
    assert "0 to resolve, 1 resolved." in drawn("disagreements").out
    after = drawn.json("disagreements")
    (one,) = after["differences"]
    assert (one["issue"], one["said"]["bob"]["note"], one["resolved"]["category"]) == (
        "acme/frame#6", "a plateau", "memory-leak",
    )  # fmt: skip
    (alike,) = after["agreement"]
    assert (alike["coders"], alike["n"], round(alike["kappa"], 2)) == (["ann", "bob"], 3, 0.57)  # what was said stays
    assert len(drawn.look(decisions)) == 6


def test_an_answer_stays_once_another_coder_has_answered(drawn: Study, tmp_path: Path) -> None:
    drawn("code", "--coder", "ann", typed="leak\nquit\n")
    drawn("code", "--coder", "bob", typed="ru\nquit\n")
    sheet = tmp_path / "ann.csv"
    sheet.write_text("issue_id,category,note\n1006,resource-usage,on second thoughts\n1001,io,\n")
    result = drawn("code", "import", "--coder", "ann", str(sheet))
    assert result.code == 2
    assert "row 2: acme/frame#6 has been coded by somebody else too, so your answer memory-leak stays." in result.err
    assert result.out == "1 answers saved; 2 of 3 issues are coded by ann.\n"
    assert said(drawn)[1006]["ann"] == Answer("memory-leak")


def test_new_codes_are_drafts_and_never_a_category(drawn: Study) -> None:
    drawn("code", "--coder", "ann", typed="new numeric drift # NaN\nquit\n")
    assert drawn.look(decisions) == []
    assert (drawn.record(1006).state, drawn.record(1006).selection) == ("collected", None)
    drawn("code", "--coder", "bob", typed="leak\nquit\n")
    assert (drawn.record(1006).state, drawn.record(1006).category) == ("disputed", None)
    assert "ann: new:numeric-drift  # NaN" in drawn("disagreements").out
    refused = drawn("resolve", "acme/frame#6", "new numeric-drift", "--note", "x")
    assert "not with a new code" in refused.err
    resolved = drawn.json("resolve", "acme/frame#6", "leak", "--note", "covered by rule 1")
    assert resolved == {"issue": "acme/frame#6", "category": "memory-leak"}
    assert drawn.record(1006).category == "memory-leak"


def test_a_draft_may_become_a_category_and_back(drawn: Study, tmp_path: Path) -> None:
    sheet = tmp_path / "ann.csv"
    for line, expected in (
        ("1006,,drift", Answer(None, draft="drift")),
        ("1006,io,", Answer("io-slowdown")),
        ("1006,,drift", Answer(None, draft="drift")),
    ):
        sheet.write_text(f"issue_id,category,new_code\n{line}\n")
        assert drawn("code", "import", "--coder", "ann", str(sheet)).code == 0
        assert said(drawn) == {1006: {"ann": expected}}
    assert drawn.record(1006).category is None
    assert [one.undone_at is None for one in drawn.look(decisions)] == [False]


def test_a_sheet_goes_out_and_comes_back(drawn: Study, tmp_path: Path) -> None:
    drawn("code", "--coder", "ann", typed="leak # sure\nquit\n")
    out = tmp_path / "bob.csv"
    assert drawn("code", "export", "--coder", "bob", "--out", str(out)).out == "3 issues written.\n"
    text = out.read_text("utf-8-sig")
    rows = list(csv.DictReader(text.splitlines(keepends=True)))
    assert [int(row["issue_id"]) for row in rows] == ORDER
    assert all(row["category"] == "" for row in rows)
    assert "memory-leak" not in text
    rows[0] |= {"category": "RU", "second": "leak", "note": "swap"}
    rows[2] |= {"category": "none", "none_kind": "misuse"}
    with out.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    taken = drawn("code", "import", "--coder", "bob", str(out))
    assert (taken.code, taken.out) == (0, "2 answers saved; 2 of 3 issues are coded by bob.\n")
    assert said(drawn)[1006]["bob"] == Answer("resource-usage", "memory-leak", note="swap")
    again = drawn.json("code", "import", "--coder", "bob", str(out))
    assert again == {"coder": "bob", "saved": 0, "coded": 2, "drawn": 3, "mistakes": []}
    own = drawn.json("code", "export", "--coder", "bob", "--out", str(out))
    assert own == {"written": 3, "without_text": 0, "file": str(out)}
    (first, *_) = csv.DictReader(out.read_text("utf-8-sig").splitlines(keepends=True))
    assert (first["category"], first["second"], first["note"]) == ("resource-usage", "memory-leak", "swap")


def test_a_sheets_mistakes_are_named_and_the_rest_is_kept(drawn: Study, tmp_path: Path) -> None:
    sheet = tmp_path / "ann.csv"
    sheet.write_text("issue_id,category\n1006,laek\n1002,io\n1001,race\n")
    result = drawn("code", "import", "--coder", "ann", str(sheet))
    assert result.code == 2
    assert result.err.splitlines()[0].startswith("row 2: No category is called 'laek'.")
    assert result.err.splitlines()[1] == "row 3: issue_id 1002 is not in the drawn list."
    assert said(drawn) == {1001: {"ann": Answer("data-race")}}
    sheet.write_bytes("issue_id,category\n1006,café".encode("latin-1"))
    assert "save it as CSV UTF-8" in drawn("code", "import", "--coder", "ann", str(sheet)).err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["code"], "Say who codes"),
        (["code", "--coder", "a:b"], "A coder's name"),
        (["code", "import", "--coder", "ann", "/nowhere.csv"], "/nowhere.csv: No such file"),
        (["resolve", "12", "leak", "--note", "x"], "write it as owner/name#12"),
        (["resolve", "acme/frame#5", "leak", "--note", "x"], "not in the drawn list"),
        (["resolve", "acme/frame#6", "leak", "--note", "x"], "Nobody disagrees about acme/frame#6"),
        (["resolve", "acme/frame#6", "leak", "--note", " "], "Say why"),
    ],
)
def test_mistakes_are_answered_in_words(drawn: Study, words: list[str], sentence: str) -> None:
    result = drawn(*words)
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err


@pytest.mark.parametrize("words", [["code", "--coder", "ann"], ["disagreements"]])
def test_without_a_list_the_way_to_one_is_told(study: Study, words: list[str]) -> None:
    result = study(*words)
    assert result.code == 2
    assert "rootcause study sample" in result.err


async def decide(session: AsyncSession, issue_id: int, category: str) -> None:
    facts: dict[str, Any] = {"repository_id": issue_id // 1000, "person_id": 77, "via": "comment"}
    source = f"comment:{category}:{issue_id}"
    decided_at = SystemClock().now()
    await add_decision(
        session, Decision(issue_id=issue_id, category=category, source=source, decided_at=decided_at, **facts)
    )
    await settle_record(session, await session.get_one(Record, issue_id))


def test_a_maintainer_is_another_opinion_and_undoes_only_what_was_said_on_github(drawn: Study) -> None:
    drawn("code", "--coder", "ann", typed="leak\nquit\n")
    drawn.look(lambda session: decide(session, 1006, "conversion"))
    assert drawn.record(1006).state == "disputed"
    assert "  ann: memory-leak\n  maintainers: conversion\n" in drawn("disagreements").out
    drawn("resolve", "acme/frame#6", "conversion", "--note", "the maintainer knows the code")
    assert drawn.record(1006).category == "conversion"
    drawn.look(lambda session: decide(session, 1006, "io-slowdown"))  # said after the resolution
    assert drawn.record(1006).state == "disputed"

    async def undo(session: AsyncSession) -> list[bool]:
        return [await undo_last(session, 1006, CLOSED) for _ in range(3)]

    assert drawn.look(undo) == [True, True, False]
    assert said(drawn)[1006]["ann"] == Answer("memory-leak")


def test_what_was_drawn_and_coded_stays_in_the_random_sample(drawn: Study) -> None:
    drawn("code", "--coder", "ann", typed="leak\nquit\n")

    async def choose(session: AsyncSession) -> None:
        for number in range(1, 21):  # more closings of the same week than an inbox asks about
            facts: dict[str, Any] = {"created_at": CLOSED, "closed_at": CLOSED, "gathered_at": CLOSED}
            session.add(
                Record(
                    issue_id=3000 + number, repository_id=1, number=100 + number, title="t", eligible_bug=True, **facts
                )
            )
        for issue_id in [1006, *range(3001, 3021)]:
            session.add(
                Proposal(
                    issue_id=issue_id, model="m", category="data-race", probability=0.9, second="conversion",
                    second_probability=0.05, system_related=0.9, proposed=True, created_at=CLOSED,
                )
            )  # fmt: skip
        await session.flush()
        await choose_questions(session, await session.get_one(Repository, 1), CLOSED)

    drawn.look(choose)
    assert drawn.record(1006).selection == "random"
    assert drawn.record(1006).selection_probability == pytest.approx(1 / 3)  # of the draw, not of the week


def test_an_issue_that_is_deleted_takes_its_coding_along(drawn: Study) -> None:
    drawn("code", "--coder", "ann", typed="leak # why\nquit\n")

    async def remove(session: AsyncSession) -> list[StudyNote]:
        await delete_record(session, 1, 6, 1006)
        return list((await session.execute(select(StudyNote))).scalars())

    assert drawn.look(remove) == []
    assert drawn("code", "--coder", "ann", typed="quit\n").out.startswith("0 of 2 are coded.")
