"""What was judged of an issue: its eligibility, what the model proposes, and what people decided."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.show.lines import Line, Section, in_words, moment, said_by
from bot.store.refusals import REFUSED
from bot.store.whole import Told, Whole
from bot.texts.terminal import harmless

_BOTH = "against both verdicts"
_SYSTEM = "against eligible_system alone"
_TOO_FEW = re.compile(r"fewer_than_(\d+)_comments")
_REASONS = {
    "not_closed": "it is not closed",
    "pull_request": "it is a pull request",
    "own_issue": "the App itself wrote it",
    "excluded_label": "it has a label that the repository excludes",
    "excluded_author": "the repository excludes its author",
    "question": "it is a question, by its labels, type or template",
    "enhancement": "it asks for an enhancement, by its labels, type or template",
    "duplicate": "it is a duplicate",
    "not_planned": "it was closed as not planned",
    "closed_inactive": "it was closed for inactivity",
    "no_fix": "no fix was found",
    "fix_not_landed": "its fix did not land, or was reverted",
    "fix_unreadable": "what closed it may not be read",
    "too_little_text": "title and description have too few words",
}
_STATES = {
    "collected": "recorded; the model was not sure enough to propose anything, and nobody decided",
    "proposed": "the model proposes a category; nobody decided",
    "confirmed": "people decided as the model says",
    "corrected": "people decided otherwise than the model says",
    "rejected": "people decided that it is not system-related, or took the label of the guess off",
    "disputed": "people disagree, so it has no category",
}
_UNDECIDED = {"disputed": "people disagree", "rejected": "nobody said what it is instead"}
_CATEGORY_SOURCES = {
    "decision": "a maintainer's decision on GitHub",
    "label": "a label: ours, or one of the repository's own that is mapped to it",
    "study": "coded by researchers",
}
_SELECTIONS = {
    "random": "drawn at random: enters shares",
    "targeted": "asked about because the answer is useful to the model: enters no share",
    "volunteered": "decided without being asked: enters no share",
    "imported": "part of an imported sample: enters shares",
}
_VIA = {
    "comment": "by a comment",
    "tick": "by a tick in the inbox",
    "label": "by a label",
    "study": "as a coder of the study",
    "import": "by an import",
}


def eligibility(whole: Whole) -> Section:
    """Tell both verdicts and every reason against them."""
    record = whole.record
    lines = [
        Line("eligible_system", record.eligible_system, "the first study's criteria (section 3.2)"),
        Line("eligible_bug", record.eligible_bug, "the second study's: a bug with a landed fix"),
        *(Line("exclusion", name, _against(name), reason(name), listed=True) for name in record.exclusions),
    ]
    return Section("eligibility", tuple(lines))


def reason(exclusion: str) -> str:
    """Say a reason for exclusion in words; an unknown one as it is stored."""
    few = _TOO_FEW.fullmatch(exclusion)
    if few is not None:
        return f"people wrote fewer than {few[1]} comments"
    return _REASONS.get(exclusion, harmless(exclusion))


def _against(exclusion: str) -> str:
    return _SYSTEM if exclusion == "too_little_text" or _TOO_FEW.fullmatch(exclusion) else _BOTH


def proposal(whole: Whole) -> Section:
    """Tell what the model says; it decides nothing."""
    found = whole.proposal
    if found is None:
        return Section("proposal", (Line("proposal_category", None, "no model has read it"),))
    source = f"model {found.model}, {moment(found.created_at)}; enters no table"
    proposed = "sure enough to ask about" if found.proposed else harmless(found.reason or "no reason was stored")
    lines = (
        Line("proposal_category", found.category, source),
        Line("proposal_probability", found.probability, "the model's own, at the share of system-related issues met"),
        Line("second", found.second, f"with probability {in_words(found.second_probability)}"),
        Line("system_related", found.system_related, "probability of being system-related at all"),
        Line("proposed", found.proposed, proposed),
        Line("words", [*found.words], "what weighed most", ", ".join(map(harmless, found.words)) or "none"),
        Line("proposal_model", found.model, "the version that said so"),
    )
    return Section("proposal", lines)


def decision(whole: Whole) -> Section:
    """Tell what counts, how the issue was chosen, and each decision there ever was."""
    return Section("decision", (*_settled(whole), *_chosen(whole), *map(_told, whole.told), *_resolved(whole)))


def _settled(whole: Whole) -> Iterator[Line]:
    record = whole.record
    undecided = _UNDECIDED.get(record.state, "nobody has decided")
    source = _CATEGORY_SOURCES.get(record.category_source or "", "")
    yield Line("state", record.state, _STATES.get(record.state, ""))
    yield Line("category", record.category, source if record.category else undecided)
    if record.category is not None:
        yield Line("category2", record.category2, source if record.category2 else "no second choice was named")
    if record.category == "none":
        yield Line("none_kind", record.none_kind, source if record.none_kind else "nobody said what it is instead")
    yield Line("decided_at", record.decided_at, "the newest decision that stands" if record.decided_at else undecided)
    yield Line("bug_type", record.bug_type, "a decision" if record.bug_type else "nobody has said")
    for one in whole.stated:
        if one.kind == "type":
            yield Line("type", one.bug_type, said_by(one), listed=True)
        elif one.kind == REFUSED:
            yield Line("refused", "the proposal's label was taken off", said_by(one), listed=True)


def _chosen(whole: Whole) -> Iterator[Line]:
    record = whole.record
    unasked = "read from the history: never asked about" if record.backfilled else "not asked about"
    yield Line(
        "selection",
        record.selection,
        _SELECTIONS.get(record.selection, "") if record.selection else unasked,
        None if record.selection else "none",
    )
    if record.selection_probability is not None:
        yield Line("selection_probability", record.selection_probability, "of being drawn")
    if record.selection is not None:
        yield Line("blind", record.blind, "whether the proposal was hidden until the decision")
    if record.asked_at is not None:
        yield Line("asked_at", record.asked_at, "in the repository's inbox")


def _told(one: Told) -> Line:
    what = " ".join(filter(None, (one.category, one.category2, one.none_kind)))
    if one.draft:
        what = f"new code: {what}"
    how = [_VIA.get(one.via, one.via), moment(one.decided_at), f"person {one.coder}"]
    how += ["without seeing the proposal"] if one.blind else []
    how += [f"taken back {moment(one.undone_at)}"] if one.undone_at is not None else []
    return Line("decision", what, ", ".join(how), harmless(what), listed=True)


def _resolved(whole: Whole) -> Iterator[Line]:
    found = whole.resolution
    if found is not None:
        what = " ".join(filter(None, (found.category, found.category2, found.none_kind)))
        when = moment(found.resolved_at)
        yield Line("resolution", what, f"agreed on by the coders {when}: {harmless(found.note)}", harmless(what))
