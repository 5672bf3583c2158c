"""Roles by people's own words, and coarse figures of accounts."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from bot.evidence.profile import role_of, two_digits, whole_years

ENGINEERS = [
    "Software engineer",
    "I'm a full-stack developer from Lisbon.",
    "web dev | cat person",
    "Programmer. Coffee. Bikes.",
    "SRE @ somewhere",
    "Backend Developers' developer",
    "DevOps",
    "Member of Technical Staff",
    "Mechanical engineer turned data engineer",
    "ex-Google. Software Engineer at Acme",
    "Ex-researcher, now developer",
    "Developer of developer tools",
    "PhD in physics, software engineer",
    "Software engineer at Microsoft Research",
    "Graduate student and open source developer",
    "ENGINEER \U0001f680\r\nhttps://example.org",
]
SENIORS = [
    "Senior Software Engineer at Acme",
    "Sr. Engineer",
    "Staff engineer, distributed systems",
    "Principal Machine Learning Engineer",
    "Lead developer of something",
    "Senior Staff ML Engineer",
    "Tech Lead",
    "CTO at a start-up",
    "Engineering manager",
    "VP of Engineering",
    "Director of Engineering at @acme",
    "Software architect",
    "Distinguished Engineer",
    "Head of engineering",
    "Engineering Lead @ Acme",
]
RESEARCHERS = [
    "Researcher",
    "Research Scientist at FAIR",
    "AI researcher and father of two",
    "PhD student at MIT",
    "Ph.D. candidate in NLP",
    "Ph.D student",
    "Postdoc",
    "post-doctoral fellow",
    "Assistant Professor of Computer Science",
    "Prof. at ETH",
    "Doing research on compilers",
    "Data scientist",
    "Former engineer, now researcher",
    "Principal Scientist",
    "Researching privacy",
]
BOTH = [
    "Research engineer",
    "Research Software Engineer",
    "Senior Research Engineer",
    "Engineer and scientist",
    "PhD student; part-time web developer",
    "Software engineer. AI researcher.",
]
UNKNOWN = [
    None,
    "",
    "   ",
    "I like trains",
    "Former software engineer",
    "Formerly principal engineer at Acme",
    "Retired programmer",
    "Aspiring developer",
    "I am not a developer",
    "ex-engineer",
    "Computer science student",
    "Software engineering student",
    "Developer advocate",
    "Building dev tools",
    "https://engineer.dev",
    "someone.dev",
    "blog at dev.to/me",
    "@engineer",
    "#researcher",
    "write to developer@example.org",
    "/dev/null",
    "PhD in physics",
    "Cambridge University",
    "Microsoft Research",
    "Acme Engineering",
    "lead singer",
    "Staff writer",
    "\u0440\u0430\u0437\u0440\u0430\u0431\u043e\u0442\u0447\u0438\u043a",
]


@pytest.mark.parametrize(
    ("bio", "role"),
    [
        *((text, "engineer") for text in ENGINEERS),
        *((text, "senior engineer") for text in SENIORS),
        *((text, "researcher") for text in RESEARCHERS),
        *((text, "both") for text in BOTH),
        *((text, "unknown") for text in UNKNOWN),
    ],
)
def test_a_role_is_what_the_profile_says(bio: str | None, role: str) -> None:
    assert role_of(bio, None) == role


@pytest.mark.parametrize(
    ("bio", "company", "role"),
    [
        ("I like trains", "Independent researcher", "researcher"),
        ("Software engineer", "PhD student at @mit", "both"),
        (None, "Senior Engineer @ Acme", "senior engineer"),
        ("Senior", "engineer", "engineer"),
        (None, "@google", "unknown"),
        ("Developer", "Google Research", "engineer"),
    ],
)
def test_the_company_line_counts_as_well(bio: str | None, company: str | None, role: str) -> None:
    assert role_of(bio, company) == role


@pytest.mark.parametrize("piece", ["senior a ", "ex-", "a.b", "research ", "former ", "lead and ", "@a/", "ph. d "])
def test_a_hostile_profile_costs_little(piece: str) -> None:
    started = time.perf_counter()
    role_of(piece * (65_536 // len(piece)), piece)
    assert time.perf_counter() - started < 2


@pytest.mark.parametrize(
    ("since", "until", "years"),
    [
        ((2015, 3, 10), (2026, 3, 9), 10),
        ((2015, 3, 10), (2026, 3, 10), 11),
        ((2016, 2, 29), (2017, 2, 28), 0),
        ((2016, 2, 29), (2017, 3, 1), 1),
        ((2026, 1, 1), (2026, 1, 1), 0),
        ((2026, 1, 2), (2026, 1, 1), None),
    ],
)
def test_an_account_is_so_many_whole_years_old(
    since: tuple[int, int, int], until: tuple[int, int, int], years: int | None
) -> None:
    assert whole_years(datetime(*since, tzinfo=UTC), datetime(*until, tzinfo=UTC)) == years


@pytest.mark.parametrize(
    ("count", "coarse"),
    [(0, 0), (7, 7), (99, 99), (100, 100), (104, 100), (996, 1000), (1234, 1200), (48_512, 49_000)],
)
def test_followers_keep_two_digits(count: int, coarse: int) -> None:
    assert two_digits(count) == coarse
