"""What people's public profiles say of them: their role by their own words, and coarse figures of their accounts.

The role comes from two texts alone, the bio and the company line, in English; a profile in any other language, or
without one of the words below, is `unknown`. The rules, after the groups of the study (section 3.2: engineers, senior
engineers, researchers, and people who are both):

- *Engineer*: engineer, developer, dev, programmer, coder, software or systems architect, SWE, SRE, member of technical
  staff. Not where the word only says what something is for or about (developer tools, dev.to, engineering student).
- *Senior engineer*: an engineer's word with senior, sr, staff, principal, lead, distinguished, chief or head up to
  three words before it; or a title of its own: tech lead, CTO, engineering manager, director, head or VP of
  engineering, software architect.
- *Researcher*: researcher, scientist, professor, lecturer, postdoc, PhD or doctoral student or candidate, and research
  with a title or as what one does (research fellow, doing research on). A degree or a workplace alone is no role.
- *Both*: words of an engineer, senior or not, and of a researcher; "research engineer" is both by itself.
- What somebody was, wants to be or is not does not count: from former, formerly, previously, retired, aspiring, future,
  not a ... to the end of that clause, and ex- before the very word.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal

ProfileRole = Literal["engineer", "senior engineer", "researcher", "both", "unknown"]

_LONGEST = 500
"""Characters that are read of a text; GitHub takes 160 of a bio."""

_PHD = re.compile(r"\bph\.?\s?d\b\.?", re.IGNORECASE)
_SHORTENED = re.compile(r"\b(sr|prof)\.\s?", re.IGNORECASE)
_NO_WORDS = re.compile(r"https?://\S+|\S+@\S+\.\S+|(?<!\w)[@#/][\w/-]+|\b[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)
_CLAUSE = re.compile(r"[.;|,()•·–—!?&+\n\r]|\s[-/]\s|\bbut\b|\bnow\b|\bcurrently\b")
_NOT_NOW = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|prev|past|retired|aspiring|wannabe|future|used to be|was an?|not an?)\b.*"
    r"|\bex[- ](?:\w+ )?(?:engineer|developer|dev|programmer|researcher|scientist|professor)s?\b"
)

_TITLE = r"(?:engineer|developer|dev|programmer|coder|swe|sre)s?\b"
_ABOUT = (
    r"(?! (?:tools?|tooling|experience|relations|advocate|advocacy|evangelist|productivity|community|platform|"
    r"student|docs|documentation|environments?))"
)
_TITLES_OF_THEIR_OWN = r"\bmember of technical staff\b|\bmts\b|\bdevops\b"
_ENGINEER = re.compile(rf"\b{_TITLE}{_ABOUT}|{_TITLES_OF_THEIR_OWN}")
_SENIORITY = r"\b(?:senior|sr|staff|principal|lead|distinguished|chief|head)"
_SENIOR = re.compile(
    rf"{_SENIORITY} (?:(?!(?:and|or|of|at|for)\b)[\w#/-]+ ){{0,3}}?{_TITLE}{_ABOUT}"
    r"|\b(?:tech(?:nical)?|engineering|development|dev) lead(?:er)?\b|\bteam lead(?:er)?\b|\bcto\b"
    r"|\bchief technology officer\b|\bengineering (?:manager|director)\b|\bhead of engineering\b"
    r"|\b(?:director|vp|vice president) of engineering\b|\bvp engineering\b"
    r"|\b(?:software|systems?|solutions?|cloud) architect\b"
)
_RESEARCHER = re.compile(
    r"\bresearchers?\b|\bscientists?\b|\bprof(?:essor)?\b|\blecturer\b|\bpost ?-?doc(?:toral)?\b"
    r"|\b(?:phd|doctoral) (?:student|candidate|fellow|researcher)\b"
    r"|\bresearch (?:software |ml |ai |data )?(?:engineer|scientist|fellow|associate|assistant|lead|director|staff)s?\b"
    r"|\b(?:doing|do|does|conduct(?:ing)?) (?:\w+ )?research\b|\bresearch(?:ing)? (?:on|in|into)\b|\bresearching\b"
)


def role_of(bio: str | None, company: str | None) -> ProfileRole:
    """Return the role that a profile names, by the rules of this module."""
    texts = [_plain(text[:_LONGEST]) for text in (bio, company) if text]
    clauses = [_NOT_NOW.sub(" ", clause.strip()) for text in texts for clause in _CLAUSE.split(text)]
    said = "\n".join(clauses)
    senior = _SENIOR.search(said) is not None
    engineer = senior or _ENGINEER.search(said) is not None
    if _RESEARCHER.search(said) is not None:
        return "both" if engineer else "researcher"
    if engineer:
        return "senior engineer" if senior else "engineer"
    return "unknown"


def whole_years(since: datetime, until: datetime) -> int | None:
    """Return the full years from one moment to a later one; None where it is earlier, which no account's age is."""
    if until < since:
        return None
    birthday = (since.month, since.day, since.timetz()) <= (until.month, until.day, until.timetz())
    return until.year - since.year - (0 if birthday else 1)


def two_digits(count: int) -> int:
    """Round a count to two significant digits, halves to even, so that it names nobody: 1,234 becomes 1,200."""
    return round(count, 2 - len(str(count))) if count > 99 else count


def _plain(text: str) -> str:
    """Lower a text, drop the dots of shortened words and take out addresses, handles, tags and domain names."""
    without = _NO_WORDS.sub(" ", _SHORTENED.sub(r"\1 ", _PHD.sub("phd", text)))
    return re.sub(r"[^\S\n\r]+", " ", without.lower())
