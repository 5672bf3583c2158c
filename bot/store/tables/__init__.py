"""The tables, keyed by GitHub's numeric ids; names are attributes, updated from every payload.

Moments are stored with their time zone (UTC), enumerations as text.
"""

from bot.store.tables.backfills import Backfill, ReadBudget
from bot.store.tables.configurations import ConfigurationFile
from bot.store.tables.deliveries import Command, Delivery, Written
from bot.store.tables.figures import Figure, FigureUse
from bot.store.tables.imported import Imported
from bot.store.tables.judgements import Decision, EvidenceText, LaterComments, ModelVersion, Proposal, Report
from bot.store.tables.people import Contribution, Person, Secret
from bot.store.tables.places import Installation, Repository
from bot.store.tables.records import Fix, FixFile, Participation, Record, Span
from bot.store.tables.statements import AwaitedLink, Statement
from bot.store.tables.study import StudyIssue, StudyNote, StudyResolution

__all__ = [
    "AwaitedLink",
    "Backfill",
    "Command",
    "ConfigurationFile",
    "Contribution",
    "Decision",
    "Delivery",
    "EvidenceText",
    "Figure",
    "FigureUse",
    "Fix",
    "FixFile",
    "Imported",
    "Installation",
    "LaterComments",
    "ModelVersion",
    "Participation",
    "Person",
    "Proposal",
    "ReadBudget",
    "Record",
    "Report",
    "Repository",
    "Secret",
    "Span",
    "Statement",
    "StudyIssue",
    "StudyNote",
    "StudyResolution",
    "Written",
]
