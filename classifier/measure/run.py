"""One evaluation: every protocol that the given files allow, as plain figures."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.blocks import FIX_FILES
from classifier.examples import Example
from classifier.measure.held_out import (
    Deciding,
    fit_and_predict,
    joined,
    leave_repository_out,
    part_of,
    with_lexicon_alone,
    without,
)
from classifier.measure.inputs import Dated, blind_pairs, join_labels, read_coded, read_reports
from classifier.measure.nlbse import Report, official
from classifier.measure.outcomes import (
    LEAST_GROUPS,
    Figure,
    Outcome,
    accuracy,
    confusions,
    kappa,
    macro_f1,
    per_class,
    risk_coverage,
    summary,
    top3,
)
from classifier.parameters import Parameters
from classifier.splits import grouped_folds
from classifier.taxonomy import NONE
from classifier.training import Rows, read_rows, train

PARTS = (300, 600, 900, 1_200)
"""Sizes of the corpus at which the learning curve is measured, beside the whole of it."""
FALSE_ALARM_LABELS = ("feature", "question")
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files given; None where one is not.

    `labels` and `dev` label threads whose text is in `real`, the first file first.
    """

    coded: Path | None = None
    real: tuple[Path, ...] = ()
    labels: Path | None = None
    dev: Path | None = None
    nlbse: tuple[Path, Path] | None = None
    records: Path | None = None


def evaluate(examples: Sequence[Example], inputs: Inputs) -> Figure:
    """Measure training on `examples` (the corpus) by every protocol that the files allow; raises InputError.

    Real text comes first. Models are fitted anew without the repository they are tested on; only the model's name,
    threshold and prior are those of the fit on all rows.
    """
    corpus = read_rows(examples)
    model = train(corpus, "evaluated")
    deciding = Deciding(model.threshold, model.category.shares[NONE])
    figures: Figure = {"corpus": _corpus(examples, model)}
    tests: dict[str, list[Dated]] = {}
    if inputs.real and inputs.labels:
        tests["real_author"] = join_labels(inputs.real, inputs.labels)
    if inputs.real and inputs.dev:
        tests["real_development"] = join_labels(inputs.real, inputs.dev)
    if inputs.coded:
        tests["paraphrases"] = read_coded(inputs.coded)
    read = {name: read_rows([dated.example for dated in test]) for name, test in tests.items()}
    for name, rows in read.items():
        figures[name] = _leave_out(corpus, rows, deciding)
    if "paraphrases" in tests:
        figures["temporal"] = _temporal(corpus, tests["paraphrases"], read["paraphrases"], deciding)
    figures["learning_curve"] = _curve(corpus, read, deciding)
    figures["fix"] = _fix(corpus, deciding)
    if inputs.nlbse:
        reports = read_reports(inputs.nlbse[1])
        figures["false_alarms"] = _false_alarms(corpus, reports, deciding)
        figures["nlbse24"] = official(read_reports(inputs.nlbse[0]), reports)
    pairs = blind_pairs(inputs.records) if inputs.records else []
    figures["blind"] = {"n": len(pairs), "kappa": kappa(pairs)}
    return figures


def _corpus(examples: Sequence[Example], model: Parameters) -> Figure:
    return {
        "rows": len(examples),
        "categories": dict(model.category.examples),
        "bug_types": dict(model.bug_type.examples) if model.bug_type else {},
        "groups": dict(sorted(Counter(example.group for example in examples).items())),
        "with_fix": sum(example.issue.fix is not None for example in examples),
        "features": model.vocabulary.size,
        "threshold": model.threshold,
        "none_share": model.category.shares[NONE],
        "training_hash": model.training_hash,
    }


def _detailed(outcomes: Sequence[Outcome]) -> Figure:
    return {
        "summary": summary(outcomes),
        "per_class": per_class(outcomes),
        "confusions": confusions(outcomes),
        "risk_coverage": risk_coverage(outcomes),
    }


def _leave_out(corpus: Rows, test: Rows, deciding: Deciding) -> Figure:
    """Test the corpus and, where enough repositories have labels, those of the others, without it and beside it."""
    found: Figure = {
        **_detailed(leave_repository_out(corpus, test, deciding)),
        "lexicon_alone": summary(with_lexicon_alone(test)),
    }
    if len({example.group for example in test.examples}) >= LEAST_GROUPS:
        found["without_corpus"] = summary(leave_repository_out(test, test, deciding))
        found["with_both"] = summary(leave_repository_out(joined(corpus, test), test, deciding))
    return found


def _temporal(corpus: Rows, dated: Sequence[Dated], test: Rows, deciding: Deciding) -> Figure | None:
    """Learn from the corpus's own rows and the earlier half of the dated issues, and predict the later half.

    Rows that re-write an issue have no date and are left out. None where too few issues are dated.
    """
    known = sorted((one.created, at) for at, one in enumerate(dated) if one.created)
    middle = len(known) // 2
    own = [at for at, example in enumerate(corpus.examples) if "/" not in example.group]
    if not middle or not own:
        return None
    earlier, later = test.only([at for _, at in known[:middle]]), test.only([at for _, at in known[middle:]])
    seen = corpus.only(own)
    both = joined(seen, earlier)
    return {
        "until": known[middle][0],
        "learned_from": len(both.examples),
        **_detailed(fit_and_predict(both, later, deciding)),
        "without_corpus": summary(fit_and_predict(earlier, later, deciding)),
        "lexicon_alone": summary(with_lexicon_alone(later)),
    }


def _curve(corpus: Rows, tests: dict[str, Rows], deciding: Deciding) -> list[Figure]:
    sizes = [size for size in PARTS if size < len(corpus.examples)]
    curve: list[Figure] = []
    for size in [*sizes, len(corpus.examples)]:
        part = part_of(corpus, size)
        row: Figure = {"rows": size}
        for name, test in tests.items():
            outcomes = leave_repository_out(part, test, deciding, FOLDS)
            row[name] = {"accuracy": accuracy(outcomes), "macro_f1": macro_f1(outcomes), "top3": top3(outcomes)}
        curve.append(row)
    return curve


def _fix(corpus: Rows, deciding: Deciding) -> Figure:
    """Predict the corpus's rows with a fix by grouped folds: with the fix, without its files, without all of it."""
    folds = grouped_folds([example.group for example in corpus.examples], FOLDS)
    result: Figure = {}
    for name, blocks in (("with_fix", ()), ("without_files", (FIX_FILES,)), ("without_fix", (FIX_FILES, "fix"))):
        rows = without(corpus, *blocks)
        outcomes: list[Outcome] = []
        for fold in sorted(set(folds)):
            seen = [at for at, own in enumerate(folds) if own != fold]
            held = [at for at, own in enumerate(folds) if own == fold and corpus.examples[at].issue.fix]
            if seen and held:
                outcomes += fit_and_predict(rows.only(seen), rows.only(held), deciding)
        if outcomes:
            result[name] = {"n": len(outcomes), "accuracy": accuracy(outcomes), "macro_f1": macro_f1(outcomes)}
    return result


def _false_alarms(corpus: Rows, reports: Sequence[Report], deciding: Deciding) -> Figure:
    """Share of feature and question issues that would be proposed a cause; nothing of their repository was learned."""
    asked = [one for one in reports if one.label in FALSE_ALARM_LABELS]
    test = read_rows([Example(one.issue, NONE, one.repository) for one in asked])
    outcomes = leave_repository_out(corpus, test, deciding)
    alone = with_lexicon_alone(test)
    return {
        "n": len(outcomes),
        "share": sum(one.proposed for one in outcomes) / len(outcomes),
        "lexicon_alone": sum(one.proposed for one in alone) / len(alone),
    }
