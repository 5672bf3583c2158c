"""The tables, keyed by GitHub's numeric ids; names are attributes, updated from every payload.

Moments are stored with their time zone (UTC), enumerations as text.
"""

from bot.store.tables.backfills import Backfill, ReadBudget
from bot.store.tables.configurations import ConfigurationFile
from bot.store.tables.counted import Counted
from bot.store.tables.deliveries import CircuitBreaker, Command, Delivery, FailedJob, IssueWrites, Pulled, Written
from bot.store.tables.figures import Figure, FigureUse
from bot.store.tables.imported import Imported
from bot.store.tables.judgements import Decision, EvidenceText, LaterComments, ModelVersion, Proposal, Report
from bot.store.tables.limits import GitHubLimit
from bot.store.tables.missed import ClosingsSeen, DeliveriesLook, Redelivery
from bot.store.tables.people import Contribution, Person, Secret
from bot.store.tables.places import Installation, MovedIssue, Repository
from bot.store.tables.records import Fix, FixFile, Participation, Record, Span
from bot.store.tables.shown import Shown
from bot.store.tables.statements import AwaitedLink, LeftAlone, Statement
from bot.store.tables.study import StudyIssue, StudyNote, StudyResolution

__all__ = [
    "AwaitedLink",
    "Backfill",
    "CircuitBreaker",
    "ClosingsSeen",
    "Command",
    "ConfigurationFile",
    "Contribution",
    "Counted",
    "Decision",
    "DeliveriesLook",
    "Delivery",
    "EvidenceText",
    "FailedJob",
    "Figure",
    "FigureUse",
    "Fix",
    "FixFile",
    "GitHubLimit",
    "Imported",
    "Installation",
    "IssueWrites",
    "LaterComments",
    "LeftAlone",
    "ModelVersion",
    "MovedIssue",
    "Participation",
    "Person",
    "Proposal",
    "Pulled",
    "ReadBudget",
    "Record",
    "Redelivery",
    "Report",
    "Repository",
    "Secret",
    "Shown",
    "Span",
    "Statement",
    "StudyIssue",
    "StudyNote",
    "StudyResolution",
    "Written",
]
