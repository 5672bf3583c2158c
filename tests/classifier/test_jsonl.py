import io
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifier import CATEGORIES
from classifier.jsonl import BadLine, classify_lines, run_classify

LEAK = {
    "id": 7,
    "title": "Memory leak in the loader",
    "body": "RSS climbs by 40 MB with every pass, until the process is OOM killed. Valgrind: definitely lost.",
}


def classified(*rows: object, prior: float | None = None) -> list[dict[str, object]]:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    return [json.loads(line) for line in run_classify(io.StringIO(text), prior).splitlines()]


def test_a_line_in_gives_a_line_out_with_every_field_of_the_contract() -> None:
    (answer,) = classified(LEAK)
    assert list(answer) == [
        *("id", "category", "probability", "system_related", "top", "probabilities"),
        *("proposed", "reason", "words", "model"),
    ]
    assert answer["id"] == 7
    assert answer["category"] == "memory-leak"
    assert answer["proposed"] is True
    assert answer["reason"] is None
    assert isinstance(answer["probabilities"], dict)
    assert tuple(answer["probabilities"]) == CATEGORIES
    assert math.isclose(sum(answer["probabilities"].values()), 1)
    assert isinstance(answer["top"], list)
    assert len(answer["top"]) == 3
    assert answer["top"][0] == {"category": "memory-leak", "probability": answer["probability"]}
    assert str(answer["model"]).startswith("corpus-v1-")


def test_order_ids_and_optional_fields() -> None:
    full = {
        "id": "x",
        "title": "t",
        "body": None,
        "comments": ["a", {"body": "b", "member": True}, {"body": None, "member": None, "extra": 1}],
        "fix": {"title": "Free it", "additions": 1, "deletions": 0, "files": [{"path": "a.c", "additions": 1}]},
        "labels": ["ignored"],
    }
    ids = [None, 1, 1.5, True, "ünï", 0, -3]
    answers = classified(full, {"title": "", "body": ""}, *({**LEAK, "id": one} for one in ids))
    assert [answer["id"] for answer in answers] == ["x", None, *ids]


def test_a_fixs_title_is_read() -> None:
    plain = {"title": "Worker problem", "body": "It stops."}
    without, with_fix = classified(plain, {**plain, "fix": {"title": "Fix memory leak in worker"}})
    leak = [answer["probabilities"]["memory-leak"] for answer in (without, with_fix)]  # type: ignore[index] # plain JSON
    assert leak[1] > 2 * leak[0]


def test_the_prior_moves_only_what_false_alarms_are_read_from() -> None:
    rare, common = classified(LEAK, prior=0.01)[0], classified(LEAK, prior=0.9)[0]
    assert rare["probabilities"] == common["probabilities"]
    assert float(str(rare["system_related"])) < float(str(common["system_related"]))
    assert rare["proposed"] is False
    assert rare["reason"]
    assert common["proposed"] is True


@pytest.mark.parametrize("prior", [0.0, 1.0, -1.0, 2.0, math.nan, math.inf])
def test_a_prior_outside_its_range_is_refused(prior: float) -> None:
    with pytest.raises(ValueError, match="prior"):
        classified(LEAK, prior=prior)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "blank"),
        ("   ", "blank"),
        ("{", "not JSON"),
        ("not json", "not JSON"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"title": "t"}', "body is missing"),
        ('{"body": "b"}', "title is missing"),
        ('{"title": null, "body": "b"}', "title must be a string"),
        ('{"title": "t", "body": 3}', "body must be a string"),
        ('{"title": "t", "body": "b", "comments": "c"}', "comments must be a list"),
        ('{"title": "t", "body": "b", "comments": [1]}', r"comments\[0\]"),
        ('{"title": "t", "body": "b", "comments": [{"member": true}]}', r"comments\[0\]"),
        ('{"title": "t", "body": "b", "comments": [{"body": "c", "member": "yes"}]}', "member"),
        ('{"title": "t", "body": "b", "fix": []}', "fix must be an object"),
        ('{"title": "t", "body": "b", "fix": {"title": 1}}', "fix.title"),
        ('{"title": "t", "body": "b", "fix": {"additions": -1}}', "fix.additions"),
        ('{"title": "t", "body": "b", "fix": {"additions": true}}', "fix.additions"),
        ('{"title": "t", "body": "b", "fix": {"files": [{}]}}', r"fix.files\[0\]"),
        ('{"title": "t", "body": "b", "id": {}}', "id must be"),
        ('{"title": "t", "body": "b", "id": 1e999}', "id must be"),
        ('{"title": "t", "body": "b", "id": NaN}', "NaN is not JSON"),
        ('{"title": "t", "body": "b", "id": -Infinity}', "Infinity is not JSON"),
        ('{"title": "t", "body": "b", "id": ' + "9" * 5_000 + "}", "too many digits"),
        ('{"title": "t", "body": "b", "x": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested too deeply"),
        ('{"title": "t\udcff", "body": "b"}', "not valid UTF-8"),
    ],
)
def test_a_bad_line_stops_everything_with_its_number_and_reason(line: str, reason: str) -> None:
    text = json.dumps(LEAK) + "\n" + line + "\n" + json.dumps(LEAK)
    with pytest.raises(BadLine, match=reason) as raised:
        run_classify(io.StringIO(text))
    assert raised.value.number == 2


def test_marks_line_ends_and_trailing_blank_lines_are_understood() -> None:
    text = (
        "\ufeff" + json.dumps(LEAK) + "\r\n" + json.dumps({**LEAK, "title": "a\u2028b"}, ensure_ascii=False) + "\n\n \n"
    )
    assert len(run_classify(io.StringIO(text)).splitlines()) == 2
    assert run_classify(io.StringIO("")) == ""
    assert run_classify(io.StringIO("\n\n")) == ""


def test_escaped_half_characters_and_a_huge_line_pass() -> None:
    (answer,) = classified({"id": "\ud800", "title": "leak \udfff", "body": "\ud800 memory leak " * 100_000})
    assert answer["id"] == "\ud800"


def test_a_cut_thread_is_said() -> None:
    notes: list[str] = []
    long = {"title": "A question", "body": "How does it work? " * 10_000}
    (line,) = classify_lines([json.dumps(long)], note=notes.append)
    assert notes == ["line 1: only 60,000 characters of the thread were read"]
    assert "60,000" in json.loads(line)["reason"]


def outcome(line: str) -> str:
    """Give the category of a line, or its number where it is refused."""
    try:
        (answer,) = classify_lines([line])
    except BadLine as bad:
        return f"bad line {bad.number}"
    return str(json.loads(answer)["category"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
FIELDS = dict.fromkeys(("id", "comments", "fix"), JSON) | {"title": st.text() | JSON, "body": st.text() | JSON}


@settings(deadline=None)
@given(row=st.fixed_dictionaries({}, optional=FIELDS))
def test_any_json_is_classified_or_refused_as_a_bad_line(row: dict[str, object]) -> None:
    assert outcome(json.dumps(row)) in {*CATEGORIES, "bad line 1"}


@given(line=st.text())
def test_any_line_is_classified_or_refused(line: str) -> None:
    assert outcome(line) in {*CATEGORIES, "bad line 1"}
