"""What a configuration changes, and how an owner's defaults and a repository's own file make one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.config import DEFAULTS, Configuration
from bot.config.effects import Circumstances, Standing, settled
from bot.config.merging import merged
from bot.config.rules import eligibility_rules
from bot.evidence.eligibility import EligibilityRules, judge
from bot.evidence.model import Actor, Span
from tests.evidence.made_evidence import OPENED, at, evidence

SINCE = datetime(2026, 11, 1, tzinfo=UTC)
NOW = SINCE + timedelta(days=20)
OVER = SINCE + timedelta(days=7)
NEW = Standing("observe", OVER, None, None, "group")
HERE = Circumstances(
    fork=False, in_comparison=False, known_paradigm=None, known_domain=None, has_file=True, since=SINCE, now=NOW,
    observe_days=7.0,
)  # fmt: skip


def of(**given: Any) -> Configuration:
    return Configuration.of(given)


@pytest.mark.parametrize(
    ("standing", "before", "after", "here", "expected"),
    [
        pytest.param(NEW, of(), of(), HERE, NEW, id="nothing said, nothing changed"),
        pytest.param(
            NEW, of(), of(paradigm="ml", domain="Vision", share="named"), HERE,
            replace(NEW, paradigm="ml", domain="Vision", share="named"), id="what the framework is",
        ),
        pytest.param(
            replace(NEW, paradigm="ml", domain="Vision"), of(paradigm="ml", domain="Vision"), of(), HERE, NEW,
            id="what is not said any more",
        ),
        pytest.param(
            replace(NEW, paradigm="ml"), of(), of(), HERE, replace(NEW, paradigm="ml"), id="what the operator said"
        ),
        pytest.param(
            replace(NEW, paradigm="traditional"), of(paradigm="traditional"), of(),
            replace(HERE, known_paradigm="ml"), replace(NEW, paradigm="ml"), id="what the study says",
        ),
        pytest.param(
            replace(NEW, paradigm="ml"), of(), of(paradigm="traditional", share="off"),
            replace(HERE, in_comparison=True), replace(NEW, paradigm="ml", share="off"), id="in the comparison",
        ),
        pytest.param(NEW, of(), of(mode="active"), HERE, replace(NEW, state="active", observe_until=None), id="active"),
        pytest.param(
            replace(NEW, state="active", observe_until=None), of(), of(mode="observe"), HERE,
            replace(NEW, observe_until=None), id="observe",
        ),
        pytest.param(replace(NEW, observe_until=None), of(mode="observe"), of(), HERE, NEW, id="no mode any more"),
        pytest.param(
            replace(NEW, state="removed"), of(), of(mode="active"), HERE, replace(NEW, state="removed"), id="removed"
        ),
        pytest.param(
            replace(NEW, state="silent"), of(), of(), HERE,
            replace(NEW, observe_until=NOW + timedelta(days=7), woke=True), id="woken by its file",
        ),
        pytest.param(
            replace(NEW, state="silent"), of(), of(mode="active"), HERE,
            replace(NEW, state="active", observe_until=None, woke=True), id="woken at once",
        ),
        pytest.param(
            replace(NEW, state="silent"), of(), of(mode="active"), replace(HERE, has_file=False),
            replace(NEW, state="silent"), id="an owner's defaults wake nobody",
        ),
        pytest.param(
            replace(NEW, state="silent"), of(), of(mode="active"), replace(HERE, fork=True),
            replace(NEW, state="silent"), id="a fork",
        ),
        pytest.param(
            replace(NEW, woke=True), of(), of(), replace(HERE, has_file=False),
            replace(NEW, state="silent", observe_until=None), id="silenced again",
        ),
    ],
)  # fmt: skip
def test_what_a_configuration_changes(
    standing: Standing, before: Configuration, after: Configuration, here: Circumstances, expected: Standing
) -> None:
    found = settled(standing, before, after, here)
    assert found == expected
    assert settled(found, after, after, here) == found, "once more changes nothing"


@pytest.mark.parametrize(
    ("default", "own", "expected"),
    [
        ({}, {"mode": "active"}, {"mode": "active"}),
        ({"mode": "observe", "share": "off"}, {"mode": "active"}, {"mode": "active", "share": "off"}),
        ({"report": {"day": 3, "pin": True}}, {"report": {"day": 9}}, {"report": {"day": 9, "pin": True}}),
        ({"exclude": {"labels": ["a", "b"]}}, {"exclude": {"labels": []}}, {"exclude": {"labels": []}}),
        (
            {"labels": {"map": {"Leak": "memory-leak", "x": "none"}}},
            {"labels": {"map": {"leak": "none"}}},
            {"labels": {"map": {"x": "none", "leak": "none"}}},
        ),
    ],
)
def test_the_repositorys_own_word_counts_key_by_key(
    default: dict[str, Any], own: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert merged(default, own) == expected


def parts(labels: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return documents of a few keys, with some of these labels."""
    reports = [{"style": "central", "repository": "acme/reports"}, {"day": 2}, {"style": "issue"}]
    mapped = st.dictionaries(st.sampled_from(labels), st.just("none"))
    optional: dict[str, st.SearchStrategy[Any]] = {
        "mode": st.sampled_from(["active", "observe"]),
        "report": st.sampled_from(reports),
        "labels": st.fixed_dictionaries({"map": mapped}),
    }
    return st.fixed_dictionaries({}, optional=optional)


@settings(max_examples=50, deadline=None)
@given(parts("abc"), parts("aBd"))
def test_two_good_files_make_one(default: dict[str, Any], own: dict[str, Any]) -> None:
    found = Configuration.of(merged(default, own))
    assert merged(found.document(), own) == found.document()
    assert Configuration.of(merged({}, own)) == Configuration.of(own)


# --- which issues count ---


def test_the_defaults_are_the_studys_rules() -> None:
    assert eligibility_rules(DEFAULTS) == EligibilityRules()
    assert eligibility_rules(DEFAULTS, 4711) == EligibilityRules(own_user_id=4711)


@pytest.mark.parametrize(
    ("said", "changes", "reasons"),
    [
        ({"eligibility": {"min_comments": 9}}, {}, ("fewer_than_9_comments",)),
        ({"eligibility": {"min_comments": 0}}, {"comments": ()}, ()),
        ({"eligibility": {"min_words": 999}}, {}, ("too_little_text",)),
        ({"eligibility": {"question_labels": ["Ask me"]}}, {"labels": ("ask-me",)}, ("question",)),
        ({"eligibility": {"question_labels": ["質問"]}}, {"labels": ("質問",)}, ("question",)),
        ({"eligibility": {"question_labels": ["質問"]}}, {"labels": ("バグ", "🐛")}, ()),
        ({"eligibility": {"question_types": ["Ask"]}}, {"issue_type": "ask"}, ("question",)),
        ({"eligibility": {"enhancement_labels": ["Idea"]}}, {"labels": ("idea",)}, ("enhancement",)),
        ({"eligibility": {"enhancement_types": ["Idea"]}}, {"issue_type": "Idea"}, ("enhancement",)),
        ({"eligibility": {"duplicate_labels": ["dup"]}}, {"labels": ("Dup",)}, ("duplicate",)),
        (
            {"eligibility": {"inactive_labels": ["waited too long"]}},
            {"labels": ("Waited too long",), "fix": None, "fix_link": None},
            ("closed_inactive", "no_fix"),
        ),
        (
            {"eligibility": {"inactive_bots": ["sweeper"]}},
            {"spans": (Span(OPENED, at(3), Actor("bot", 9, "Sweeper[bot]")),), "fix": None, "fix_link": None},
            ("closed_inactive", "no_fix"),
        ),
        ({"eligibility": {"bots": ["bob", "ann"]}}, {}, ("fewer_than_3_comments",)),
        ({"exclude": {"labels": ["Flaky"]}}, {"labels": ("flaky",)}, ("excluded_label",)),
        ({"exclude": {"authors": ["Eve"]}}, {"author": Actor("human", 6, "eve")}, ("excluded_author",)),
    ],
)
def test_every_rule_that_may_be_set(said: dict[str, Any], changes: dict[str, Any], reasons: tuple[str, ...]) -> None:
    assert judge(evidence(**changes), eligibility_rules(Configuration.of(said))).exclusions == reasons
