"""A repository's own settings, `.github/rootcause.yml`: what may stand in it, and how it is read. Knows no GitHub."""

from bot.config.configuration import DEFAULTS, Configuration
from bot.config.mistakes import BadConfiguration, Mistake
from bot.config.reading import read

FILE = ".github/rootcause.yml"
"""Where the file stands in a repository, and in an owner's repository `.github`."""

__all__ = ["DEFAULTS", "FILE", "BadConfiguration", "Configuration", "Mistake", "read"]
