"""What every field of the package means, from which the documentation, the package's README and pages are made."""

from reports.definitions.model import Definition
from reports.definitions.page import DEFINITIONS, definitions_markdown

__all__ = ["DEFINITIONS", "Definition", "definitions_markdown"]
