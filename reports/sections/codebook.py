"""Every difference between our codebook and the first study's Table 1, so that shares are compared with open eyes."""

from typing import Final

from reports.markdown import details, table
from reports.vocabulary import CATEGORY_TITLES

_ROWS: Final = {
    "api-mismatch": ("API Mismatch", "errors count beside lost speed; so do mixed versions of libraries"),
    "compilation-error": ("Compilation Error", "linking and packaging count beside compiling"),
    "configuration-error": (
        "Configuration Error",
        "what a setting is has been spelled out: file, flag, environment, path, installed library",
    ),
    "connection-error": ("Connection Error", "refused and timed-out connections count beside unexpected ones"),
    "data-race": ("Data Race", "the access must be without synchronisation"),
    "execution-error": ("Execution Error", "same words, narrowed by rule 8"),
    "hardware-mismatch": ("Hardware-Architecture Mismatch", "crashes count beside lost speed and failed builds"),
    "memory-allocation": (
        "Memory Allocation",
        (
            "the allocation must be wrong or refused, and failures count beside lost speed; the study's text and Table "
            '3 say "Incorrect Memory Allocation"'
        ),
    ),
    "io-slowdown": ("I/O Slowdown", "same"),
    "memory-leak": ("Memory Leak", "same words, settled by rule 1"),
    "conversion": (
        "Model Conversion",
        (
            'data and types are named beside models (Table 3 says "Model/Data Conversion"), and failures count beside '
            "lost speed"
        ),
    ),
    "multi-threading": ("Multi-Threading Error", "hangs and deadlocks count beside lost speed"),
    "performance-regression": ("Performance Regression", "same words, settled by rules 2 to 4"),
    "slow-synchronization": (
        "Slow Synchronization",
        "what the components are has been spelled out: devices, nodes, replicas",
    ),
    "resource-usage": (
        "Unexpected Resource Usage",
        "same words, settled by rules 1 and 4; the study's Table 3 has no such row",
    ),
}
"""Category: the name in the study's Table 1, and how our definition differs."""

_RULES: Final = (
    (
        "Memory: growth under constant input is a leak; a refused or wrong allocation is allocation; high, level use "
        "and asking for more than the device has is resource usage."
    ),
    (
        "Slower than before needs a version before; without one the mechanism named in the thread decides, and that "
        "which the fix changed wins."
    ),
    "A regression of results or accuracy is no performance regression.",
    "After an upgrade, more memory, processor or disk is resource usage; more time is performance regression.",
    (
        "A changed interface or mixed versions is API mismatch, a fault in reading or applying a setting "
        "configuration, also when the remedy is code; a remedy on the user's side alone leaves the tables for want of "
        "a patch."
    ),
    "A wrong cast, encoding or failed converter is conversion; how to convert, and wishes for formats, are `none`.",
    (
        "A failing compiler or build tool is compilation; not found at run time, configuration; on one architecture "
        "only, hardware."
    ),
    (
        "A known cause beats the symptom: execution only where nothing more specific fits, and only for native faults "
        "or a long-running host that dies."
    ),
    (
        "A shared object seen without a lock is a race; waiting inside one machine is threading; between machines or "
        "devices, synchronisation."
    ),
    "A failed connection is connection unless a setting is shown to be wrong.",
    "Storage named as the cause is I/O, also when something else is the symptom.",
    "A wish for a message, documentation or an option is `none`, unless a real resource problem lies beneath.",
    "Slow without a cause found is coded by its symptom, with low confidence.",
)
"""The codebook's rules 1 to 13 in short: what Table 1 leaves open."""


def codebook(_: object) -> str:
    """Print the names and definitions beside the study's, what was added, and the rules."""
    body = table(
        ("Here", "In the study's Table 1", "Our definition"),
        [[CATEGORY_TITLES[key], name, difference] for key, (name, difference) in _ROWS.items()],
        text_columns=3,
    )
    added = (
        "Added: `none` for everything that is not system-related (a functional bug, question, wish, documentation or "
        "misuse), which the study left out beforehand; a second category for issues that two causes fit; keys instead "
        "of the study's short forms. Resource usage has a row here. Nothing was removed. Two people code apart, and "
        "what they disagree on is shown and settled."
    )
    rules = "\n".join(f"{number}. {rule}" for number, rule in enumerate(_RULES, start=1))
    intro = "Table 1 defines each root cause in one line. Where it differs from our codebook, or leaves a choice open:"
    return details(
        "Our root causes against those of the first study",
        f"{intro}\n\n{body}\n\n{added}\n\nRules for what Table 1 leaves open:\n\n{rules}",
    )
