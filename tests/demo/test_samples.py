"""The sample issues: enough of each kind, of the right shape, no sentence twice, always in the reference's month."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from bot.demo.samples import PARADIGMS, load_samples
from classifier import CATEGORIES

MIDDLE = datetime(2025, 3, 15, 12, 30, tzinfo=UTC)

FRAMEWORKS = {
    "ml": {
        "tensorflow/tensorflow",
        "torch/torch7",
        "facebookarchive/caffe2",
        "pytorch/pytorch",
        "Theano/Theano",
        "opencv/opencv",
        "keras-team/keras",
        "chainer/chainer",
        "microsoft/CNTK",
        "apache/mxnet",
    },
    "traditional": {
        "facebook/react",
        "etcd-io/etcd",
        "flutter/flutter",
        "rancher/rancher",
        "ipython/ipython",
        "babel/babel",
        "aws/aws-cli",
        "harness/drone",
        "osquery/osquery",
        "grafana/grafana",
    },
}

FIELDS: dict[str, type | tuple[type, ...]] = {
    "repository": str,
    "number": int,
    "title": str,
    "body": str,
    "author": str,
    "labels": list,
    "created_at": str,
    "closed_at": str,
    "comments": list,
    "fix": (dict, type(None)),
    "sample": bool,
    "category": str,
    "category2": (str, type(None)),
    "none_kind": (str, type(None)),
    "state_reason": str,
}
KINDS = {"functional", "question", "feature", "docs", "misuse"}
HANDLE = re.compile(r"sample-(user|maintainer)-\d+|sample-stale\[bot\]")


@pytest.fixture(scope="module")
def samples() -> list[dict[str, Any]]:
    return load_samples(MIDDLE)


def moment(text: str) -> datetime:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text), text
    return datetime.fromisoformat(text)


def texts(issue: dict[str, Any]) -> list[str]:
    return [issue["title"], issue["body"], *(comment["body"] for comment in issue["comments"])]


def sentences(text: str) -> set[str]:
    """Return the sentences of at least six words, without case and punctuation."""
    words = (re.findall(r"\w+", part.lower()) for part in re.split(r"[.!?]+(?:\s|$)|\n+", text))
    return {" ".join(part) for part in words if len(part) >= 6}


def test_all_twenty_frameworks_have_enough(samples: list[dict[str, Any]]) -> None:
    counts = Counter(issue["repository"] for issue in samples)
    assert set(PARADIGMS) == set(FRAMEWORKS)
    assert set(counts) == FRAMEWORKS["ml"] | FRAMEWORKS["traditional"]
    assert len(samples) >= 240
    assert min(counts.values()) >= 12


def test_every_category_is_there_in_both_paradigms(samples: list[dict[str, Any]]) -> None:
    counts = Counter(issue["category"] for issue in samples)
    assert set(counts) == set(CATEGORIES)
    assert min(counts.values()) >= 4
    for repositories in FRAMEWORKS.values():
        group = [issue["category"] for issue in samples if issue["repository"] in repositories]
        assert set(group) == set(CATEGORIES)
        assert 0.20 <= group.count("none") / len(group) <= 0.25
    assert {issue["none_kind"] for issue in samples} == {None, *KINDS}


def test_the_shape_of_every_line(samples: list[dict[str, Any]]) -> None:
    for issue in samples:
        assert set(issue) == set(FIELDS)
        for name, kind in FIELDS.items():
            assert isinstance(issue[name], kind), (issue["title"], name)
        assert issue["sample"] is True
        assert issue["category2"] is None or issue["category2"] in set(CATEGORIES) - {issue["category"]}
        assert (issue["none_kind"] in KINDS) is (issue["category"] == "none")
        assert issue["state_reason"] in {"completed", "not_planned"}
        assert 40 <= len(issue["body"].split()) <= 200, issue["title"]
        assert 1 <= len(issue["comments"]) <= 7, issue["title"]
        assert HANDLE.fullmatch(issue["author"])
        for comment in issue["comments"]:
            assert set(comment) - {"member"} == {"author", "created_at", "body"}
            assert comment["body"].strip()
            assert HANDLE.fullmatch(comment["author"])
            assert comment.get("member", False) is comment["author"].startswith("sample-maintainer-")


def test_the_shape_of_every_fix(samples: list[dict[str, Any]]) -> None:
    for issue in samples:
        fix = issue["fix"]
        if fix is None:
            continue
        assert set(fix) == {"kind", "number", "sha", "merged_at", "files"}
        assert re.fullmatch(r"[0-9a-f]{40}", fix["sha"])
        assert {"pull_request": int, "commit": type(None)}[fix["kind"]] is type(fix["number"])
        assert moment(fix["merged_at"]) <= moment(issue["closed_at"])
        assert 1 <= len(fix["files"]) <= 8
        for file in fix["files"]:
            assert set(file) == {"path", "status", "additions", "deletions"}
            assert file["status"] in {"added", "modified", "removed"}
            assert file["additions"] >= 0
            assert file["deletions"] >= 0
        assert sum(file["additions"] + file["deletions"] for file in fix["files"]) > 0


def test_numbers_are_unique_in_their_repository(samples: list[dict[str, Any]]) -> None:
    taken = [(issue["repository"], issue["number"]) for issue in samples]
    taken += [(issue["repository"], issue["fix"]["number"]) for issue in samples if issue["fix"]]
    numbers = [pair for pair in taken if pair[1] is not None]
    assert len(numbers) == len(set(numbers))
    assert min(number for _, number in numbers) >= 1000


def test_no_two_issues_share_a_sentence(samples: list[dict[str, Any]]) -> None:
    found: dict[str, set[int]] = defaultdict(set)
    for index, issue in enumerate(samples):
        for sentence in set().union(*map(sentences, texts(issue))):
            found[sentence].add(index)
    assert [sentence for sentence, issues in found.items() if len(issues) > 1] == []


def test_the_funnel_has_something_to_show(samples: list[dict[str, Any]]) -> None:
    def humans(issue: dict[str, Any]) -> int:
        return sum(not comment["author"].endswith("[bot]") for comment in issue["comments"])

    total = len(samples)
    assert 0.05 <= sum(issue["fix"] is None for issue in samples) / total <= 0.12
    assert 0.02 <= sum(issue["state_reason"] == "not_planned" for issue in samples) / total <= 0.06
    assert 0.80 <= sum(humans(issue) >= 3 for issue in samples) / total <= 0.90
    assert any(comment["author"].endswith("[bot]") for issue in samples for comment in issue["comments"])


@pytest.mark.parametrize(
    "reference",
    [
        datetime(2025, 7, 1, 0, 10, tzinfo=UTC),
        MIDDLE,
        datetime(2025, 10, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(2024, 2, 29, 18, 0, tzinfo=UTC),
        datetime(2025, 6, 1, 1, 0, tzinfo=timezone(timedelta(hours=5))),
    ],
)
def test_all_closings_lie_in_the_month_and_before_the_reference(reference: datetime) -> None:
    month = reference.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    for issue in load_samples(reference):
        closed, created = moment(issue["closed_at"]), moment(issue["created_at"])
        assert month <= closed < reference
        assert created < closed
        times = [created, *(moment(comment["created_at"]) for comment in issue["comments"]), closed]
        assert all(earlier <= later for earlier, later in itertools.pairwise(times)), issue["title"]


def test_open_times_do_not_depend_on_the_reference(samples: list[dict[str, Any]]) -> None:
    early = load_samples(datetime(2025, 7, 1, 0, 10, tzinfo=UTC))
    for one, other in zip(samples, early, strict=True):
        assert one["number"] == other["number"]
        difference = (moment(one["closed_at"]) - moment(one["created_at"])) - (
            moment(other["closed_at"]) - moment(other["created_at"])
        )
        assert abs(difference) <= timedelta(seconds=1)


def test_the_same_reference_gives_the_same_samples(samples: list[dict[str, Any]]) -> None:
    elsewhere = MIDDLE.astimezone(timezone(timedelta(hours=-8)))
    assert load_samples(elsewhere) == samples


def test_a_reference_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        load_samples(datetime(2025, 3, 15))
