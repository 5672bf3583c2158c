"""The study's frameworks, whatever they are called today."""

from __future__ import annotations

import pytest

from bot.frameworks import FRAMEWORKS, known_framework, present_name


def test_there_are_ten_of_each_kind() -> None:
    kinds = [framework.paradigm for framework in FRAMEWORKS]
    assert (kinds.count("ml"), kinds.count("traditional")) == (10, 10)


@pytest.mark.parametrize(
    ("name", "repository_id", "expected"),
    [
        ("keras-team/keras", None, "keras-team/keras"),
        ("fchollet/Keras", 7, "keras-team/keras"),
        ("apache/incubator-mxnet", None, "apache/mxnet"),
        ("coreos/etcd", None, "etcd-io/etcd"),
        ("somebody/renamed-it", 65_600_975, "pytorch/pytorch"),
        ("somebody/fork", 1, None),
    ],
)
def test_a_framework_is_known_by_id_and_by_every_name(
    name: str, repository_id: int | None, expected: str | None
) -> None:
    found = known_framework(name, repository_id)
    assert (found.repository if found else None) == expected


def test_an_older_name_leads_to_where_a_framework_lives_now() -> None:
    given = ("FChollet/keras", "coreos/etcd", "pytorch/PyTorch", "somebody/else")
    assert [present_name(name) for name in given] == [
        "keras-team/keras", "etcd-io/etcd", "pytorch/pytorch", "somebody/else"
    ]  # fmt: skip
