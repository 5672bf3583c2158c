"""A repository's own settings, `.github/rootcause.yml`: what may stand in it, and how it is read. Knows no GitHub."""

from bot.config.configuration import DEFAULTS, Configuration
from bot.config.mistakes import BadConfiguration, Mistake
from bot.config.reading import read

FILE = ".github/rootcause.yml"
"""Where the file stands in a repository, and in an owner's repository `.github`."""

OTHER_NAME = ".github/rootcause.yaml"
"""Where it is looked for as well, so that nobody who ends it otherwise is ignored in silence."""

OWNERS_REPOSITORY = ".github"
"""The repository of an owner in which the defaults for all of them stand."""

__all__ = [
    "DEFAULTS",
    "FILE",
    "OTHER_NAME",
    "OWNERS_REPOSITORY",
    "BadConfiguration",
    "Configuration",
    "Mistake",
    "read",
]
