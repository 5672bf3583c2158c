"""When the classifier stays silent, what it says then, and what it shows for what it says."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from classifier import CATEGORIES, CommentText, IssueText
from classifier.decide import LEAST_EXAMPLES, THRESHOLD, decide, with_prior
from classifier.examples import read_corpus
from classifier.lexicon import load_lexicon
from classifier.lexicon_model import load_parameters
from classifier.loading import SHIPPED, open_model
from classifier.priors import STRENGTH, general_mix, repository_mix, with_mix
from classifier.text import LONGEST_THREAD, split_fields
from classifier.trained_model import TrainedModel

LEAK = IssueText(
    "Memory leak in the watcher",
    "Resident memory grows by 40 MB an hour and is never released, until the process is killed.",
    (CommentText("Every closed watch stays in the map: it leaks. We free it now.", member=True),),
)


@cache
def shipped() -> TrainedModel:
    return open_model(SHIPPED)


HALF = "likely if 50 % of issues are system-related"


@pytest.mark.parametrize(
    ("leak", "facts", "proposed", "reason"),
    [
        (0.9, {}, True, None),
        (0.9, {"found": False}, True, None),
        (0.5, {"found": False}, False, "no word of the text points to a cause"),
        (0.2, {}, False, "probably not system-related (80 %)"),
        (0.6, {}, False, f"not sure enough: memory-leak is 60 % {HALF}; a proposal needs 64 %"),
        (0.636, {}, False, f"not sure enough: memory-leak is 63.6 % {HALF}; a proposal needs 63.7 %"),
        (0.576, {}, False, f"not sure enough: memory-leak is 58 % {HALF}; a proposal needs 64 %"),
        (0.6, {"threshold": 0.6}, True, None),
        (0.9, {"threshold": 0.95}, False, f"not sure enough: memory-leak is 90 % {HALF}; a proposal needs 95 %"),
        (0.9, {"scarce": {"memory-leak": 7}}, False, "too few examples of memory-leak to propose it: 7, 8 are needed"),
        (0.9, {"scarce": {"data-race": 7}}, True, None),
        (
            0.2,
            {"cut": True},
            False,
            "probably not system-related (80 %); only 60,000 characters of the thread were read",
        ),
    ],
)
def test_each_silence_has_its_reason(
    leak: float, facts: Mapping[str, object], proposed: bool, reason: str | None
) -> None:
    given: dict[str, object] = {"found": True, "cut": False, **facts}
    decision = decide({"memory-leak": leak, "none": 1 - leak}, 0.5, 0.5, **given)  # type: ignore[arg-type] # a table
    assert (decision.proposed, decision.reason) == (proposed, reason)
    assert decision.system_related == pytest.approx(leak)


def test_the_order_of_the_causes_stays_whatever_the_prior() -> None:
    """A low prior silences; it never proposes the second cause in place of the first."""
    given = {"memory-leak": 0.5, "resource-usage": 0.3, "none": 0.2}
    moved = with_prior(given, none_share=0.2, prior=0.01)
    assert moved["memory-leak"] / moved["resource-usage"] == pytest.approx(0.5 / 0.3)
    low = decide(given, 0.2, 0.01, found=True, cut=False)
    assert low.reason == (
        "probably not system-related (99 %): memory-leak is 1 % likely if 1 % of issues are system-related; "
        "a proposal needs 64 %"
    )


def test_the_shipped_model_proposes_or_says_why_not() -> None:
    reasons = set()
    for example in read_corpus()[::24]:
        for prior in (0.02, 0.2, 0.8):
            found = shipped().predict(example.issue, prior)
            assert found.proposed == (found.reason is None)
            assert not (found.proposed and found.category == "none")
            reasons.add((found.reason or "proposed").partition(":")[0].partition(" (")[0])
    assert {"proposed", "probably not system-related", "not sure enough"} <= reasons


def with_examples(number: int) -> TrainedModel:
    """Return the shipped model as if it had learned leaks from so many examples."""
    parameters = shipped().parameters
    examples = {**parameters.category.examples, "memory-leak": number}
    scarce = replace(parameters, category=replace(parameters.category, examples=examples))
    return TrainedModel(scarce, load_lexicon(), load_parameters())


def test_a_class_with_too_few_examples_is_never_proposed() -> None:
    assert shipped().predict(LEAK).proposed
    assert with_examples(LEAST_EXAMPLES).predict(LEAK).proposed
    for prior in (0.2, 0.9999):
        silent = with_examples(LEAST_EXAMPLES - 1).predict(LEAK, prior, threshold=0.01)
        assert not silent.proposed
        assert silent.reason == "too few examples of memory-leak to propose it: 7, 8 are needed"
        assert silent.top == shipped().predict(LEAK).top, "it is still shown among the likeliest"


def test_another_threshold_stands_in_for_the_models_own() -> None:
    model = shipped()
    head = model.parameters.category
    given = model.predict(LEAK)
    assert model.parameters.threshold >= THRESHOLD, "never below what pays"
    moved = with_prior(given.probabilities, head.shares["none"], 0.2)["memory-leak"]
    assert model.predict(LEAK, threshold=moved - 1e-6).proposed
    strict = model.predict(LEAK, threshold=moved + 1e-6)
    assert not strict.proposed
    assert strict.reason is not None
    assert strict.reason.startswith("not sure enough: memory-leak is ")
    assert strict.probabilities == given.probabilities


def test_the_mix_of_a_repository_by_hand() -> None:
    general = general_mix({"memory-leak": 0.3, "data-race": 0.1, "none": 0.6}, prior=0.2)
    # .2 of all is system-related, three quarters of it leaks; causes that training did not meet get nothing.
    assert {key: share for key, share in general.items() if share} == pytest.approx(
        {"memory-leak": 0.15, "data-race": 0.05, "none": 0.8}
    )
    assert tuple(general) == CATEGORIES
    mix = repository_mix({"memory-leak": 6, "none": 4}, general, strength=10)
    # 10 decisions and 10 of the general mix: (6 + 1.5) / 20, .5 / 20 and (4 + 8) / 20.
    assert {key: share for key, share in mix.items() if share} == pytest.approx(
        {"memory-leak": 0.375, "data-race": 0.025, "none": 0.6}
    )
    assert repository_mix({}, general) == pytest.approx(general)
    half = repository_mix({"data-race": STRENGTH}, general)
    assert half["data-race"] == pytest.approx((0.05 + 1) / 2), "as many decisions as the strength count by half"


def test_probabilities_in_a_repository_by_hand() -> None:
    given = {"memory-leak": 0.5, "data-race": 0.25, "none": 0.25}
    shares = {"memory-leak": 0.25, "data-race": 0.25, "none": 0.5}
    mix = {"memory-leak": 0.125, "data-race": 0.375, "none": 0.5}
    # Twice the odds against .5, one and a half times those of the race: .25 : .375 : .25.
    moved = with_mix(given, shares, mix)
    assert moved == pytest.approx({"memory-leak": 0.25 / 0.875, "data-race": 0.375 / 0.875, "none": 0.25 / 0.875})
    assert with_mix(given, shares, shares) == pytest.approx(given)


@pytest.mark.parametrize(
    ("counts", "strength", "complaint"),
    [({"none": -1.0}, 40.0, "negative"), ({}, -1.0, "negative"), ({}, 0.0, "needs a strength")],
)
def test_an_impossible_mix_is_refused(counts: dict[str, float], strength: float, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        repository_mix(counts, dict.fromkeys(CATEGORIES, 1 / 16), strength)


@pytest.mark.parametrize("prior", [0.0, 1.0, -0.1, float("nan")])
def test_a_prior_that_is_no_share_is_refused(prior: float) -> None:
    with pytest.raises(ValueError, match="prior must lie between 0 and 1"):
        shipped().predict(LEAK, prior)
    with pytest.raises(ValueError, match="prior must lie between 0 and 1"):
        general_mix({"memory-leak": 0.5, "none": 0.5}, prior)


def test_the_words_of_an_explanation_are_words_of_the_issue() -> None:
    shown = 0
    for example in read_corpus()[::24]:
        issue = example.issue
        fix = (issue.fix.title or "") if issue.fix else ""
        written = " ".join((issue.title, issue.body, *(comment.body for comment in issue.comments), fix))
        found = shipped().explain(issue)
        assert [category for category, _ in found.reasons] == [category for category, _ in found.prediction.top]
        for _, why in found.reasons:
            weights = [weighed.weight for weighed in why.words]
            assert weights == sorted(weights, reverse=True)
            assert all(weight > 0 for weight in weights)
            for weighed in why.words:
                assert all(part in written for part in weighed.text.split()), (weighed.text, issue.title)
                shown += 1
        assert found.prediction.words == tuple(weighed.text for weighed in found.reasons[0][1].words)
        if issue.fix is None:
            assert not any(why.facts for _, why in found.reasons), "no fix, no facts of one"
    assert shown > 300


def test_a_clear_case_is_explained_by_its_own_words() -> None:
    prediction = shipped().predict(LEAK)
    assert prediction.category == "memory-leak"
    assert re.search(r"leak|grows|never released", " ".join(prediction.words), re.IGNORECASE)


def test_a_thread_that_is_cut_says_so() -> None:
    filling = tuple(CommentText("The weather was fine that day, we thought. " * 40) for _ in range(60))
    long = shipped().predict(IssueText("Something", "It is as it is.", filling))
    assert len(filling) * len(filling[0].body) > LONGEST_THREAD
    assert long.cut
    assert not long.proposed
    assert long.reason is not None
    assert long.reason.endswith("; only 60,000 characters of the thread were read")
    assert not shipped().predict(IssueText("Something", "It is as it is.", filling[:20])).cut


@pytest.mark.parametrize(
    ("body", "comments", "cut"),
    [(59_990, 0, False), (60_000, 0, True), (45_000, 14_990, False), (45_000, 15_000, True), (10, 59_990, True)],
)
def test_a_thread_is_cut_from_sixty_thousand_characters_on_whatever_part_is_long(
    body: int, comments: int, cut: bool
) -> None:
    long = IssueText("Something", ("word " * body)[:body], (CommentText(("word " * comments)[:comments]),))
    assert split_fields(long).cut is cut
