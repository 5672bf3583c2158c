"""Rows in, tables, tests and Markdown out: the monthly report, knowing neither GitHub nor a database."""

from reports.build import build_report, write_report
from reports.commands import build_from_files
from reports.errors import ReportInputError
from reports.model import Report
from reports.package import read_records
from reports.render import Composed, compose, render, title
from reports.rows import Decision, Participant, Record, Repository, Rows
from reports.serialise import report_json

__all__ = [
    "Composed",
    "Decision",
    "Participant",
    "Record",
    "Report",
    "ReportInputError",
    "Repository",
    "Rows",
    "build_from_files",
    "build_report",
    "compose",
    "read_records",
    "render",
    "report_json",
    "title",
    "write_report",
]
