import dataclasses
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifier import CATEGORIES, CommentText, FixText, IssueText, Prediction
from classifier.decide import THRESHOLD, decide, with_prior
from classifier.lexicon import load_lexicon
from classifier.lexicon_model import LexiconModel, load_lexicon_model, probabilities_from

TEXTS = st.text(max_size=200) | st.lists(
    st.sampled_from(
        ["memory", "leak", "grows", "slow", "after", "1.2.3", "crash", "```", "<!--", "-->", "race", "how to", "/a/b/c"]
    ),
    max_size=40,
).map(" ".join)


def predict(title: str, body: str = "", *comments: str) -> Prediction:
    return load_lexicon_model().predict(
        IssueText(title, body, tuple(CommentText(text, member=True) for text in comments))
    )


@settings(deadline=None)
@given(
    issue=st.builds(
        IssueText,
        TEXTS,
        TEXTS,
        st.lists(st.builds(CommentText, TEXTS, st.none() | st.booleans()), max_size=3).map(tuple),
        st.none() | st.builds(FixText, st.none() | TEXTS),
    ),
    prior=st.floats(0.001, 0.999),
)
def test_any_issue_gets_a_whole_prediction(issue: IssueText, prior: float) -> None:
    prediction = load_lexicon_model().predict(issue, prior)
    assert tuple(prediction.probabilities) == CATEGORIES
    assert math.isclose(sum(prediction.probabilities.values()), 1)
    ranked = sorted(prediction.probabilities.values(), reverse=True)
    assert [probability for _, probability in prediction.top] == ranked[:3]
    assert prediction.top[0] == (prediction.category, prediction.probability)
    assert 0 <= prediction.system_related <= 1
    assert prediction.proposed == (prediction.reason is None)
    assert not (prediction.proposed and prediction.category == "none")
    text = " ".join(" ".join((issue.title, issue.body, *(one.body for one in issue.comments))).split())
    fix = " ".join((issue.fix.title or "").split()) if issue.fix else ""
    assert all(
        words in text or words in fix or words.replace(" ", "") in text.replace(" ", "") for words in prediction.words
    )
    assert load_lexicon_model().predict(issue, prior) == prediction


def test_the_words_that_weighed_are_those_of_the_text() -> None:
    prediction = predict("Memory Leak in parser", "RSS grows with each file and nothing is released.")
    assert prediction.words[0] == "Memory Leak"
    assert prediction.category == "memory-leak"


def test_a_text_without_a_word_of_ours_is_left_alone_with_a_reason() -> None:
    prediction = predict("Lorem", "ipsum dolor")
    assert not prediction.proposed
    assert prediction.reason == "no word of the text points to a cause"


def test_an_undecided_text_says_what_was_missing() -> None:
    prediction = predict("Memory", "The memory of the service is high, sometimes it is killed.")
    assert not prediction.proposed
    assert prediction.reason is not None
    assert "%" in prediction.reason


def test_another_prior_is_bayes_rule() -> None:
    moved = with_prior({"memory-leak": 0.8, "none": 0.2}, none_share=0.2, prior=0.2)
    assert moved["memory-leak"] == pytest.approx(0.8 * 0.25 / (0.8 * 0.25 + 0.2 * 4))
    same = with_prior({"memory-leak": 0.7, "none": 0.3}, none_share=0.2, prior=0.8)
    assert same["none"] == pytest.approx(0.3)


def test_the_threshold_is_where_a_proposal_begins_to_pay() -> None:
    assert pytest.approx((1 - THRESHOLD) * 1.75) == THRESHOLD
    for certain, proposed in ((THRESHOLD + 0.01, True), (THRESHOLD - 0.01, False)):
        probabilities = {"memory-leak": certain, "none": 1 - certain}
        decision = decide(probabilities, none_share=0.5, prior=0.5, found=True, cut=False)
        assert decision.proposed is proposed


def test_equal_scores_give_equal_probabilities_and_large_ones_do_not_overflow() -> None:
    assert set(probabilities_from(dict.fromkeys(CATEGORIES, 3.0), 1.6).values()) == {1 / 16}
    assert probabilities_from({key: 1e6 if key == "none" else -1e6 for key in CATEGORIES}, 1.6)["none"] == 1


def test_a_model_of_another_lexicon_is_refused() -> None:
    with pytest.raises(ValueError, match="does not go with"):
        LexiconModel(
            load_lexicon(), 'version = "9"\ntemperature = 1.0\nnone_bias = 0.0\nnone_share = 0.2\n[background]\n'
        )


def test_the_loaded_model_is_shared_and_says_that_it_is_v0() -> None:
    assert load_lexicon_model() is load_lexicon_model()
    assert load_lexicon_model().version == "lexicon-v0.1"


def test_a_prediction_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        predict("x").category = "none"  # type: ignore[misc] # the point of the test
