"""The figures of an evaluation as Markdown: what `rootcause evaluate` prints and the model card holds."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from classifier.measure.card_words import MODELS, NAMES, ORIGINS, WANTED_CURVE


def written(figures: Mapping[str, Any]) -> str:
    """Write all figures as Markdown, real text first; parts that were not measured are left out."""
    parts: list[str] = []
    for name in ("real_author", "real_development", "paraphrases"):
        if name in figures:
            parts += [f"## {NAMES[name]}", ORIGINS[name], *_set(figures[name])]
    sections: tuple[tuple[str, Callable[[Any], list[str]]], ...] = (
        ("temporal", _temporal),
        ("false_alarms", _false_alarms),
        ("nlbse24", _nlbse),
        ("learning_curve", _curve),
        ("fix", _fix),
        ("blind", _blind),
        ("corpus", _corpus),
    )
    for name, write in sections:
        if figures.get(name):
            parts += write(figures[name])
    return "\n\n".join(parts) + "\n"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write a Markdown table; None is a dash, a fraction has three decimals."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _with_interval(summary: Mapping[str, Any], name: str) -> str:
    interval = summary[f"{name}_interval"]
    return _cell(summary[name]) + (f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")


def _summaries(rows: Mapping[str, Mapping[str, Any]]) -> str:
    figures = ("accuracy", "macro-F1", "top-3", "kappa", "calibration error", "proposed", "of these right")
    return table(
        ("model", "issues", *figures),
        [
            (
                name,
                one["n"],
                _with_interval(one, "accuracy"),
                _with_interval(one, "macro_f1"),
                _with_interval(one, "top3"),
                one["kappa"],
                one["calibration_error"],
                one["proposed"],
                one["proposed_right"],
            )
            for name, one in rows.items()
        ],
    )


def _set(figures: Mapping[str, Any]) -> list[str]:
    return [
        _summaries({name: figures[key] for key, name in MODELS.items() if key in figures}),
        *_details(figures),
    ]


def _details(figures: Mapping[str, Any]) -> list[str]:
    return [
        table(
            ("category", "issues", "guessed", "precision", "recall", "F1"),
            [
                tuple(row[name] for name in ("category", "n", "guessed", "precision", "recall", "f1"))
                for row in figures["per_class"]
            ],
        ),
        "Commonest confusions: "
        + "; ".join(f"{row['true']} taken for {row['guessed']} {row['n']}" for row in figures["confusions"])
        + ".",
        table(
            ("precision wanted", "threshold", "coverage"),
            [(row["precision"], row["threshold"], row["coverage"]) for row in figures["risk_coverage"]],
        ),
    ]


def _temporal(figures: Mapping[str, Any]) -> list[str]:
    return [
        "## Paraphrases, by time",
        (
            f"Learned from the corpus's own rows and the paraphrases of issues opened before {figures['until']} "
            f"({figures['learned_from']} rows together), asked about the later ones."
        ),
        _summaries(
            {
                "trained": figures["summary"],
                "without the corpus": figures["without_corpus"],
                "lexicon alone": figures["lexicon_alone"],
            }
        ),
        *_details(figures),
    ]


def _false_alarms(figures: Mapping[str, Any]) -> list[str]:
    return [
        "## False alarms",
        (
            f"Of {figures['n']} feature requests and questions (NLBSE'24, test split, five repositories of which "
            f"nothing was learned) a cause would be proposed for {figures['share']:.1%}; by the lexicon alone for "
            f"{figures['lexicon_alone']:.1%}."
        ),
    ]


def _nlbse(figures: Mapping[str, Any]) -> list[str]:
    published = ", ".join(f"{name} {value:.3f}" for name, value in figures["published"].items())
    return [
        "## The public benchmark of the text engine (NLBSE'24)",
        (
            f"Official protocol: five models, macro-F1 averaged over repositories **{figures['macro_f1']:.3f}**. "
            f"Published: {published}. The configuration ({figures['configuration']}) was chosen by cross-validation on "
            "the train split; the test split was scored once."
        ),
        table(("repository", "macro-F1"), [(name, value) for name, value in sorted(figures["by_repository"].items())]),
        table(("cross-validated on train", "macro-F1"), list(figures["cross_validated"].items())),
    ]


def _curve(figures: Sequence[Mapping[str, Any]]) -> list[str]:
    names = [name for name in WANTED_CURVE if name in figures[0]]
    if not names:
        return []
    head = ["rows of the corpus", *(f"{WANTED_CURVE[name]}: accuracy / macro-F1 / top-3" for name in names)]
    rows = [
        [
            row["rows"],
            *(" / ".join(_cell(row[name][key]) for key in ("accuracy", "macro_f1", "top3")) for name in names),
        ]
        for row in figures
    ]
    return [
        "## Learning curve",
        "Parts are drawn by a hash of the text, each part within the next; frameworks are left out in five groups.",
        table(head, rows),
    ]


def _fix(figures: Mapping[str, Any]) -> list[str]:
    return [
        "## What the fix adds",
        "Rows of the corpus that have a fix, predicted from other files and frameworks of the corpus.",
        table(
            ("evidence", "issues", "accuracy", "macro-F1"),
            [(name.replace("_", " "), one["n"], one["accuracy"], one["macro_f1"]) for name, one in figures.items()],
        ),
    ]


def _blind(figures: Mapping[str, Any]) -> list[str]:
    if not figures["n"]:
        return ["## Agreement on blind issues", "Not measured: no issue was decided without seeing the proposal yet."]
    return [
        "## Agreement on blind issues",
        (
            f"{figures['n']} issues decided without seeing the proposal; Cohen's kappa of proposal and decision "
            f"{_cell(figures['kappa'])}."
        ),
    ]


def _corpus(figures: Mapping[str, Any]) -> list[str]:
    return [
        "## What it learned from",
        (
            f"{figures['rows']} rows, {figures['with_fix']} of them with a fix; {figures['features']} features; "
            f"threshold {figures['threshold']:.3f}; prior of none {figures['none_share']:.3f}; training hash "
            f"`{figures['training_hash']}`."
        ),
        table(("category", "rows"), list(figures["categories"].items())),
        table(("bug type", "rows"), list(figures["bug_types"].items())),
    ]
