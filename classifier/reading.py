"""An issue read once: its fields, their tokens, and what the lexicon found in them."""

from bisect import bisect_right
from collections.abc import Mapping
from typing import NamedTuple

from classifier.contract import FixText, IssueText
from classifier.lexicon import Findings, Lexicon
from classifier.text import Fields, split_fields
from classifier.tokens import Tokens, tokenize


class Reading(NamedTuple):
    """What every model starts from. `tokens` by field, with `opening` and `closing` beside the fields weighed."""

    fields: Fields
    tokens: Mapping[str, Tokens]
    findings: Findings
    fix: FixText | None


def read_issue(issue: IssueText, lexicon: Lexicon) -> Reading:
    """Split, tokenize and search an issue; the only time that its text is walked through."""
    fields = split_fields(issue)
    tokens = {name: tokenize(text) for name, text in fields.named()}
    findings = lexicon.match(tokens)
    walked = {text: tokens[name] for name, text in fields.named()}
    closing = walked.get(fields.closing) or tokenize(fields.closing)
    extra = {"opening": _beginning(tokens["prose"], len(fields.opening)), "closing": closing}
    return Reading(fields, {**tokens, **extra}, findings, issue.fix)


def _beginning(tokens: Tokens, length: int) -> Tokens:
    """Give the tokens of a text's first `length` characters."""
    number = bisect_right(tokens.ends, length)
    return Tokens(tokens.text, tokens.words[:number], tokens.starts[:number], tokens.ends[:number])
