"""The shares of causes that a repository has shown move what is predicted there."""

from __future__ import annotations

import pytest

from bot.decisions.teaching import Tendency
from bot.learning.predicting import predict
from classifier import IssueText
from classifier.lexicon_model import load_lexicon_model
from classifier.loading import open_model
from tests.support.small_corpus import good_model, made_text


def test_the_lexicon_model_takes_the_share_of_system_related_issues() -> None:
    text, model = made_text("memory-leak", 3), load_lexicon_model()
    assert predict(model, text).system_related == pytest.approx(model.predict(text).system_related)
    # 40 decisions count as much as the general mix: half of .2 and half of 1.
    decided = predict(model, text, Tendency({"memory-leak": 40}))
    assert decided.system_related == pytest.approx(model.predict(text, prior=0.6).system_related)
    assert decided.probabilities == model.predict(text).probabilities


def test_a_threshold_counts_for_the_lexicon_model_too() -> None:
    text, model = made_text("memory-leak", 3), load_lexicon_model()
    plain = predict(model, text)
    assert plain.proposed
    silent = predict(model, text, Tendency(threshold=1.0))
    assert not silent.proposed
    assert silent.reason is not None
    assert silent.reason.endswith("if 20 % of issues are system-related; a proposal needs 100 %")
    assert silent.probabilities == plain.probabilities
    unsure = IssueText("Memory grows with every request", "After an hour 8 GB are in use.")
    assert not predict(model, unsure).proposed
    assert predict(model, unsure, Tendency(threshold=0.01)).proposed


def test_the_reason_names_the_share_that_the_repository_has_shown() -> None:
    found = predict(open_model(good_model()), made_text("memory-leak", 3), Tendency({"none": 40}, threshold=1.0))
    assert found.reason is not None
    assert "if 10 % of issues are system-related" in found.reason


def test_a_trained_model_takes_the_shares_of_the_causes_and_the_threshold() -> None:
    model = open_model(good_model())
    text = made_text("memory-leak", 3)
    plain = predict(model, text)
    assert plain.system_related == pytest.approx(model.predict(text).system_related)
    quiet = predict(model, text, Tendency({"none": 400}))
    related = predict(model, text, Tendency({"memory-leak": 400}))
    assert quiet.system_related < plain.system_related < related.system_related
    assert predict(model, text, Tendency({"memory-leak": 400}, threshold=0.01)).proposed
    assert not predict(model, text, Tendency(threshold=1.0)).proposed
