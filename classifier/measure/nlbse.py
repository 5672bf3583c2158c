"""The public benchmark of the text engine: NLBSE'24 issue reports by its official protocol.

Five models, one for each repository, learn three classes (bug, feature, question) from 300 issues and are scored on 300
others; the figure is the macro-F1 averaged over the repositories. The configuration is chosen by cross-validation on
the training split; the test split is scored once, with the winner.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from classifier.blocks import LEXICON, Blocks
from classifier.contract import IssueText
from classifier.fitting import MANY, ROUGH, Labelled, fit_head
from classifier.measure.outcomes import Figure
from classifier.training import read_blocks
from classifier.vectors import Vectorizer, learn_vocabulary

CLASSES = ("bug", "feature", "question")
PUBLISHED = {"SetFit": 0.827, "RoBERTa": 0.792, "fastText": 0.718}
"""Macro-F1 that the benchmark itself gives (nlbse2024/issue-report-classification); for SetFit it gives .824, too."""
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Report:
    """One labelled issue report of the benchmark."""

    repository: str
    issue: IssueText
    label: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is chosen: how much the lexicon's features count beside the words, and which linear model."""

    lexicon: float
    machine: bool

    @property
    def name(self) -> str:
        """The configuration in words."""
        model = "linear support vector machine" if self.machine else "logistic regression"
        return f"{model}, lexicon features x {self.lexicon:g}"


CONFIGURATIONS = tuple(Configuration(lexicon, machine) for lexicon in (0.0, 0.5, 1.0) for machine in (False, True))


@dataclass(frozen=True, slots=True)
class _Read:
    report: Report
    blocks: Blocks


def official(train: Sequence[Report], test: Sequence[Report]) -> Figure:
    """Choose on `train`, score `test` once; gives the score, the configuration and what was cross-validated."""
    learned, asked = _read(train), _read(test)
    tried = {one: _cross_validated(learned, one) for one in CONFIGURATIONS}
    chosen = max(CONFIGURATIONS, key=lambda one: tried[one])
    scores = {
        repository: _score(own, [one for one in asked if one.report.repository == repository], chosen)
        for repository, own in _by_repository(learned).items()
    }
    return {
        "macro_f1": sum(scores.values()) / len(scores),
        "by_repository": scores,
        "configuration": chosen.name,
        "cross_validated": {one.name: value for one, value in tried.items()},
        "published": PUBLISHED,
    }


def _read(reports: Sequence[Report]) -> list[_Read]:
    return [
        _Read(report, blocks)
        for report, blocks in zip(reports, read_blocks([one.issue for one in reports]), strict=True)
    ]


def _by_repository(reports: Sequence[_Read]) -> dict[str, list[_Read]]:
    groups: dict[str, list[_Read]] = {}
    for one in reports:
        groups.setdefault(one.report.repository, []).append(one)
    return groups


def _cross_validated(reports: Sequence[_Read], configuration: Configuration) -> float:
    """Mean over repositories of the macro-F1 over all folds; row k is in fold k modulo 5 within its class."""
    scores = []
    for own in _by_repository(reports).values():
        ranked = sorted(own, key=lambda one: one.report.label)
        guesses: list[str] = []
        true: list[str] = []
        for fold in range(FOLDS):
            held = ranked[fold::FOLDS]
            seen = [one for at, one in enumerate(ranked) if at % FOLDS != fold]
            guesses += _guesses(seen, held, configuration)
            true += [one.report.label for one in held]
        scores.append(three_class_f1(true, guesses))
    return sum(scores) / len(scores)


def _score(train: Sequence[_Read], test: Sequence[_Read], configuration: Configuration) -> float:
    return three_class_f1([one.report.label for one in test], _guesses(train, test, configuration))


def _guesses(train: Sequence[_Read], test: Sequence[_Read], configuration: Configuration) -> list[str]:
    blocks = [_scaled(one.blocks, configuration.lexicon) for one in train]
    vocabulary = learn_vocabulary(blocks)
    vectorizer = Vectorizer(vocabulary)
    rows = Labelled(
        [vectorizer.vector(one) for one in blocks],
        [one.report.label for one in train],
        [1.0] * len(train),
        [str(at) for at in range(len(train))],
    )
    head = fit_head(rows, vocabulary.size, CLASSES, ROUGH, 0 if configuration.machine else MANY)
    guesses = []
    for one in test:
        given = head.probabilities(vectorizer.vector(_scaled(one.blocks, configuration.lexicon)))
        guesses.append(max(CLASSES, key=lambda label: given.get(label, 0.0)))
    return guesses


def _scaled(blocks: Blocks, factor: float) -> Blocks:
    lexicon = {name: factor * value for name, value in blocks.counts[LEXICON].items()}
    return Blocks({**blocks.counts, LEXICON: lexicon}, blocks.places)


def three_class_f1(true: Sequence[str], guesses: Sequence[str]) -> float:
    """Macro-F1 over the benchmark's three classes."""
    values = []
    for label in CLASSES:
        hits = sum(one == label == other for one, other in zip(true, guesses, strict=True))
        values.append(2 * hits / max(list(true).count(label) + list(guesses).count(label), 1))
    return sum(values) / len(values)
