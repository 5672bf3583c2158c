"""The languages of thousands of real fixes, against the figures of two studies; needs the shared data."""

from __future__ import annotations

import pytest

from bot.study.fix_facts import read_fix_facts
from bot.study.fix_shares import fix_shares
from tests.support.real_fixes import (
    ALIKE,
    DIFFERENT,
    FIX_FACTS,
    FIXES_WITH_FILES,
    ISSUES_WITH_FIX,
    described,
    mpl_against_spl,
    needed,
    published_shares,
)

CODEBOOK = {"apache/mxnet": (41, 13), "pytorch/pytorch": (41, 15), "tensorflow/tensorflow": (11, 1)}
"""Percent of multi-language fixes with and without test files, as the codebook has them."""

UNLISTED = {"apache/mxnet": 8, "pytorch/pytorch": 10, "tensorflow/tensorflow": 1}


def test_shares_of_published_fixes() -> None:
    """Without tests we are lower by what the published list of tests misses, and by nothing else."""
    shares = published_shares(needed(FIXES_WITH_FILES))

    for repository, (with_tests, without) in CODEBOOK.items():
        found = shares[repository]
        assert found.with_tests.percent == pytest.approx(with_tests, abs=2)
        assert found.without_by_list.percent == pytest.approx(without, abs=2)
        assert found.without_by_list.of == found.without_by_rule.of
        missed = found.without_by_list.multi_language - found.without_by_rule.multi_language
        assert missed == len(found.unlisted) == UNLISTED[repository]


def test_multi_language_fixes_are_larger_and_take_no_longer() -> None:
    found = mpl_against_spl(needed(ISSUES_WITH_FIX))

    assert set(found) == {"apache/mxnet", "tensorflow/tensorflow", "opencv/opencv"}
    for compared in found.values():
        for measure in DIFFERENT:
            one = compared.measures[measure]
            assert one.mpl > one.spl
            assert one.p < 0.05
        for measure in ALIKE:
            assert compared.measures[measure].p > 0.05


def test_facts_of_all_frameworks_beside_their_document() -> None:
    facts = needed(FIX_FACTS)
    theirs = described(needed("fix-facts.md"))

    ours = {one.name: one for one in fix_shares(read_fix_facts(facts))}

    assert len(theirs) == 20
    for name, one in theirs.items():
        found = ours[name]
        assert found.medians == pytest.approx(one.medians, abs=0.51)
        for share, their_share in ((found.with_tests, one.with_tests), (found.without_tests, one.without_tests)):
            assert share.percent == pytest.approx(their_share.percent, abs=2)
