"""Every public function that measures or judges has its table of values worked out by hand, in the file named here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HERE = Path(__file__).parent
EVIDENCE = HERE.parents[1] / "bot" / "evidence"

TABLES = {
    "attachments.attached_file": "test_description_measures.py",
    "attachments.attached_image": "test_description_measures.py",
    "eligibility.judge": "test_eligibility.py",
    "eligibility.written_words": "test_eligibility.py",
    "indicators.measure": "test_indicators.py",
    "kinds.asks_for_enhancement": "test_kinds.py",
    "kinds.closed_for_inactivity": "test_eligibility.py",
    "kinds.has_label": "test_kinds.py",
    "kinds.is_duplicate": "test_kinds.py",
    "kinds.is_question": "test_kinds.py",
    "languages.change_entropy": "test_fix_languages.py",
    "languages.is_test": "test_fix_languages.py",
    "languages.language_of": "test_fix_languages.py",
    "languages.languages_of": "test_fix_languages.py",
    "markdown.read_blocks": "test_blocks.py",
    "participants.counted_comments": "test_participants.py",
    "participants.distinct": "test_participants.py",
    "participants.is_bot_login": "test_participants.py",
    "participants.is_member": "test_participants.py",
    "participants.is_person": "test_participants.py",
    "participants.roles": "test_participants.py",
    "participants.with_first_standing": "test_participants.py",
    "profile.role_of": "test_profile.py",
    "profile.two_digits": "test_profile.py",
    "profile.whole_years": "test_profile.py",
    "prose.issue_text": "test_prose_text.py",
    "prose.later_comments": "test_prose_text.py",
    "prose.pack": "test_prose_text.py",
    "prose.unpack": "test_prose_text.py",
    "reproduced.claims_reproduction": "test_reproduced.py",
    "reproduced.reproduced_by_heuristic": "test_reproduced.py",
    "reproduced.reproduced_by_label": "test_reproduced.py",
    "reproduced.says_reproduced": "test_reproduced.py",
    "similar.nearest": "../features/test_similar.py",
    "similar.words_of": "../features/test_similar.py",
    "text.measure_description": "test_description_measures.py",
    "words.addresses": "test_blocks.py",
    "words.count_words": "test_description_measures.py",
}


def test_no_measure_is_missing() -> None:
    public = {
        f"{path.stem}.{node.name}"
        for path in EVIDENCE.glob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }

    assert public == set(TABLES)


@pytest.mark.parametrize(("measure", "file"), TABLES.items())
def test_its_file_calls_it_in_a_test(measure: str, file: str) -> None:
    tree = ast.parse((HERE / file).read_text())
    called = {
        node.func.id
        for test in tree.body
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
        for node in ast.walk(test)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }

    assert measure.partition(".")[2] in called
