"""Classifier v0: the lexicon's scores turned into probabilities. Nothing is trained word by word."""

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from classifier.contract import DEFAULT_PRIOR, Classifier, IssueText, Prediction
from classifier.decide import THRESHOLD, check_prior, decide
from classifier.lexicon import Find, Findings, Lexicon, load_lexicon
from classifier.rules import apply_rules
from classifier.taxonomy import CATEGORIES, NONE, SYSTEM_CATEGORIES
from classifier.text import split_fields

SHOWN_WORDS = 5
LONGEST_SHOWN = 80
"""Characters of one find that are shown as words that weighed."""
_SHORT_TEXT = 30
"""Tokens below which the background hardly counts; the unit in which `background` was fitted."""


def probabilities_from(scores: Mapping[str, float], temperature: float) -> dict[str, float]:
    """Softmax of scores over a temperature > 0; the 16 probabilities sum to 1."""
    highest = max(scores.values())
    powers = {key: math.exp((scores[key] - highest) / temperature) for key in CATEGORIES}
    total = sum(powers.values())
    return {key: power / total for key, power in powers.items()}


class LexiconParameters(NamedTuple):
    """The fitted numbers of `lexicon_model.toml`; `unit` is the length, in tokens, in which `background` was fitted."""

    version: str
    temperature: float
    none_bias: float
    none_share: float
    background: Mapping[str, float]
    unit: int = _SHORT_TEXT


def adjusted_scores(findings: Findings, parameters: LexiconParameters) -> dict[str, float]:
    """Give the 16 scores after the decision rules, less what the issue's length alone brings."""
    length = math.log1p(findings.length / parameters.unit)
    scores = {key: score - parameters.background[key] * length for key, score in apply_rules(findings).items()}
    scores[NONE] += parameters.none_bias
    return scores


@cache
def load_parameters() -> LexiconParameters:
    """Read the parameters that are shipped beside this module; the same object for every caller."""
    return read_parameters(Path(__file__).with_name("lexicon_model.toml").read_text(encoding="utf-8"))


def read_parameters(source: str) -> LexiconParameters:
    """Read the text of a parameter file (see `lexicon_model.toml`)."""
    return LexiconParameters(**tomllib.loads(source))


class LexiconModel:
    """The classifier that works before anything was learned, and the fallback afterwards."""

    def __init__(self, lexicon: Lexicon, parameters: str) -> None:
        """Take the lexicon and the text of a parameter file (see `lexicon_model.toml`)."""
        self._parameters = read_parameters(parameters)
        self._lexicon = lexicon
        self._version = f"lexicon-v{lexicon.version}"
        if self._parameters.version != lexicon.version:
            raise ValueError(f"lexicon {lexicon.version} does not go with parameters {self._parameters.version}")

    @property
    def version(self) -> str:
        """Name and number of the model, stored with every prediction."""
        return self._version

    def predict(self, issue: IssueText, prior: float = DEFAULT_PRIOR, *, threshold: float | None = None) -> Prediction:
        """Predict one issue's cause; raises ValueError for a prior outside (0, 1)."""
        check_prior(prior)
        fields = split_fields(issue)
        findings = self._lexicon.find(fields)
        probabilities = probabilities_from(adjusted_scores(findings, self._parameters), self._parameters.temperature)
        ranked = sorted(CATEGORIES, key=lambda key: (-probabilities[key], CATEGORIES.index(key)))
        found = any(key in findings.evidence for key in SYSTEM_CATEGORIES)
        decision = decide(
            probabilities,
            self._parameters.none_share,
            prior,
            found=found,
            cut=fields.cut,
            threshold=THRESHOLD if threshold is None else threshold,
        )
        return Prediction(
            category=ranked[0],
            probability=probabilities[ranked[0]],
            top=tuple((key, probabilities[key]) for key in ranked[:3]),
            probabilities=probabilities,
            system_related=decision.system_related,
            proposed=decision.proposed,
            reason=decision.reason,
            words=found_words(findings, ranked[0]),
            model=self.version,
            cut=fields.cut,
        )


def found_words(findings: Findings, category: str) -> tuple[str, ...]:
    """Give the words that spoke most for a category, as they stand in the text, each once."""
    subject = max(findings.kinds, key=lambda kind: findings.kinds[kind]) if category == NONE else category
    speaking: tuple[Find, ...] = tuple(find for find in findings.evidence.get(subject, ()) if find.weight > 0)
    distinct = {find.words.casefold(): find.words for find in reversed(speaking)}
    shown = [words for words in reversed(distinct.values()) if len(words) <= LONGEST_SHOWN]
    return tuple(shown[:SHOWN_WORDS])


@cache
def load_lexicon_model() -> Classifier:
    """Load the lexicon model that is shipped; the same object for every caller, usable from several threads."""
    parameters = Path(__file__).with_name("lexicon_model.toml").read_text(encoding="utf-8")
    return LexiconModel(load_lexicon(), parameters)
