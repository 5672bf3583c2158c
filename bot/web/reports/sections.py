"""The sections of a report's page in their order, each with its words, figures and tables."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from bot.web.markdown import markdown
from bot.web.reports import fix_tables, group_tables, own_tables, study_tables
from bot.web.reports.view import Drawing, Section, Table
from reports.figures.plans import Heading
from reports.model import Report
from reports.sections import advice, codebook, head, measures, method, sensitivity
from reports.sections import own as own_words
from reports.vocabulary import CATEGORY_PHRASES

_FIGURES = {
    "categories": ("root-causes", "root-causes-without-dominant"),
    "reference": ("root-causes-of-the-study",),
    "difficulty": ("effects",),
    "people": ("community", "roles"),
    "trend": ("trend",),
}
_ENDINGS = {"-by-root-cause": "difficulty", "-by-repository": "repositories", "-by-languages": "mpl"}
_EXCEPTIONS = {"description-words-by-root-cause": "information"}


def sections(report: Report, headings: tuple[Heading, ...]) -> tuple[Section, ...]:
    """Return the page's sections; each of the figures that `headings` names stands in one of them."""
    drawings: dict[str, list[Drawing]] = {}
    for one in headings:
        drawings.setdefault(_home(one.name), []).append(Drawing(one.name, one.alt))
    return tuple(_with_drawings(one, tuple(drawings.get(one.key, ()))) for one in _sections(report, drawings))


def _home(figure: str) -> str:
    """Return the key of the section that a figure stands in."""
    if figure in _EXCEPTIONS:
        return _EXCEPTIONS[figure]
    for key, names in _FIGURES.items():
        if figure in names:
            return key
    return next((key for ending, key in _ENDINGS.items() if figure.endswith(ending)), "figures")


def _with_drawings(section: Section, drawings: tuple[Drawing, ...]) -> Section:
    return Section(section.key, section.title, section.words, drawings, section.tables, section.folded, section.missing)


def _sections(report: Report, drawings: dict[str, list[Drawing]]) -> Iterator[Section]:
    tables = report.tables
    yield Section("coverage", "What this rests on", (markdown(head.coverage_line(report)), _notes(report)))
    yield Section("finding", "What was found", (markdown(head.finding(report)),))
    if report.repository is not None:
        own = _there(own_tables.root_causes(report), own_tables.own_measures(report))
        missing = None if own else "No issue of this repository has a decided root cause in this window."
        words = own_words.this_repository(report).partition("\n\n| ")[0]
        yield Section("own", "This repository", (markdown(words),), tables=own, missing=missing)
        yield Section("advice", "What this suggests here", (markdown(advice.advice(report)),))
    yield _categories(report)
    yield Section(
        "difficulty",
        "Difficulty",
        words=_said(f"{measures.difficulty_of(report)}.") if report.coverage.facts_alone else (),
        tables=(group_tables.measures("difficulty", "How hard the issues were", tables.difficulty),),
        folded=_there(group_tables.measures_by_category("difficulty", "Difficulty by root cause", tables.difficulty)),
    )
    yield Section(
        "information",
        "Information",
        tables=(group_tables.measures("information", "What the reports of these issues contain", tables.information),),
        folded=_there(
            group_tables.measures_by_category("information", "Information by root cause", tables.information)
        ),
    )
    yield _people(report)
    yield from _fixes(report)
    yield _optional(report, "agreement", "Agreement", own_tables.agreement(report), "agreement.people")
    yield _optional(report, "repositories", "Repositories", own_tables.repositories(report))
    yield _optional(report, "trend", "Month by month", own_tables.trend(report))
    yield from _reference(report)
    if "figures" in drawings:
        yield Section("figures", "More figures")
    yield Section(
        "method",
        "How the numbers came about",
        tables=_there(own_tables.funnel(report), own_tables.exclusions(report.coverage.window)),
        folded=(group_tables.replication(report),),
        words=(
            markdown(method.method(report)),
            markdown(codebook.codebook(report)),
            markdown(method.last_line(report)),
        ),
    )


def _there(*tables: Table | None) -> tuple[Table, ...]:
    return tuple(one for one in tables if one is not None)


def _said(sentence: str) -> tuple[Markup, ...]:
    return (markdown(sentence),) if sentence else ()


def _notes(report: Report) -> Markup:
    return markdown(head.notes(report))


def _categories(report: Report) -> Section:
    tables, dominant = report.tables, report.tables.dominant
    caption = "Issues by root cause: decided, in a random or an imported sample"
    folded = []
    if dominant is not None:
        without = f"Root causes without {CATEGORY_PHRASES[dominant]}, the most frequent"
        folded.append(group_tables.categories("categories_without_dominant", without, tables.without_dominant))
    return Section(
        "categories",
        "Root causes",
        words=_said(sensitivity.proposals(report)),
        tables=(group_tables.categories("categories", caption, tables.categories),),
        folded=(*folded, *_there(group_tables.estimated(report))),
    )


def _people(report: Report) -> Section:
    rows = report.tables.community
    if not any(row.ml.n or row.traditional.n for row in rows):
        return Section("people", "People", missing=_reason(report, "community"))
    intro = "Members have write access and show it, so they are undercounted. Years and followers are as of today."
    words = (markdown(intro), *_said(sensitivity.followers(report)))
    table = group_tables.measures("community", "Who took part in these issues", rows)
    return Section("people", "People", words, tables=(table,), folded=_there(group_tables.roles(report)))


def _fixes(report: Report) -> Iterator[Section]:
    found = fix_tables.mpl(report)
    title = "Multi-language against single-language fixes"
    if found is None:
        yield Section("mpl", title, missing=_reason(report, "mpl_vs_spl"))
    else:
        yield Section("mpl", title, tables=found[:1], folded=_there(found[1]))
    yield _optional(report, "languages", "Languages of fixes", fix_tables.languages(report), "languages")
    yield _optional(report, "bug_types", "Bug types", fix_tables.bug_types(report), "bug_types")


def _optional(report: Report, key: str, title: str, table: Table | None, reason: str | None = None) -> Section:
    if table is None:
        return Section(key, title, missing=_reason(report, reason or key))
    return Section(key, title, tables=(table,))


def _reason(report: Report, table: str) -> str:
    reasons = dict(report.coverage.not_available)
    return f"Nothing to show: {reasons[table]}." if table in reasons else "Nothing to show in this window."


def _reference(report: Report) -> Iterator[Section]:
    study = report.study
    if study is None:
        return
    intro = (
        "Until enough repositories are live, the figures that the first study "
        "([arXiv 2005.06091](https://arxiv.org/abs/2005.06091)) published stand beside ours. They describe; nothing is "
        "tested against them.\n\n" + "\n".join(f"- {note}" for note in study.notes)
    )
    yield Section(
        "reference",
        "The first study as a reference",
        (markdown(intro),),
        tables=(study_tables.shares(report, study),),
        folded=(study_tables.medians(report, study),),
    )
