"""The codebook's decision rules: how facts found together move weight between categories."""

from collections.abc import Mapping

from classifier.lexicon import Findings
from classifier.taxonomy import NONE

SLIGHT = 1.0
"""What a fact moves at the least: half a clear pattern in the body."""
KNOWN_CAUSE = 4.0
"""Score from which a cause counts as known: a strong pattern in the body and a fact that supports it."""


def _joint(signals: Mapping[str, float], *names: str) -> float:
    """Strength, from 0 to 2, of facts that hold together: that of the weakest (2 title, 1 body, less in comments)."""
    return min(signals[name] for name in names)


def none_score(kinds: Mapping[str, float]) -> float:
    """Give the score of none: that of its best kind, since an issue is of one kind."""
    return max(kinds.values())


def _memory(scores: dict[str, float], signals: Mapping[str, float]) -> None:
    """Rule 1: growth is a leak, an explicit failed allocation is an allocation, level use is resource usage."""
    growing = _joint(signals, "memory", "growth")
    scores["memory-leak"] += growing
    scores["memory-allocation"] += max(signals["failed_allocation"] - growing, -SLIGHT)
    scores["resource-usage"] += max(_joint(signals, "memory", "killed") - growing, -SLIGHT)


def _speed(scores: dict[str, float], signals: Mapping[str, float]) -> None:
    """Rules 2, 3, 4, 11 and 13: before and after, devices, storage, settings; worse results are none."""
    regression = "performance-regression"
    if signals["slow"]:
        scores[regression] += 2 * _joint(signals, "slow", "before_after") - SLIGHT
        scores["slow-synchronization"] += _joint(signals, "slow", "many_devices")
        scores["io-slowdown"] += _joint(signals, "slow", "storage")
        for mechanism in ("configuration-error", "api-mismatch"):
            scores[mechanism] += _joint(signals, "slow", f"{mechanism.split('-')[0]}_mechanism")
    else:
        for key in (regression, "io-slowdown", "slow-synchronization"):
            scores[key] -= 2 * SLIGHT
        scores[NONE] += _joint(signals, "before_after", "wrong_result")
    if signals["cpu_or_disk"] >= signals["slow"]:
        scores["resource-usage"] += _joint(signals, "cpu_or_disk", "before_after")


def _threads(scores: dict[str, float], signals: Mapping[str, float]) -> None:
    """Rule 9: shared memory with a crash or wrong values is a race, a hang or waiting is threading."""
    scores["multi-threading"] += signals["hang"]
    crashing = _joint(signals, "shared", "native_fault")
    scores["data-race"] += 2 * crashing
    scores["execution-error"] -= 2 * crashing
    if signals["hang"] > signals["native_fault"]:
        scores["data-race"] -= SLIGHT


def _builds(scores: dict[str, float], signals: Mapping[str, float]) -> None:
    """Rule 7: a failing build is compilation unless only one architecture fails."""
    architecture = _joint(signals, "building", "architecture")
    scores["hardware-mismatch"] += 2 * architecture
    scores["compilation-error"] += signals["building"] - architecture
    scores["configuration-error"] -= signals["building"] / 2


def _crashes(scores: dict[str, float], signals: Mapping[str, float]) -> None:
    """Rule 8: a known cause beats the crash; an exception returned to the caller is none."""
    execution = "execution-error"
    scores[execution] += signals["native_fault"]
    if signals["native_fault"] < SLIGHT <= signals["caller_exception"]:
        scores[NONE] += SLIGHT
        scores[execution] -= 2 * SLIGHT
    known = max(value for key, value in scores.items() if key not in (execution, NONE))
    scores[execution] -= 2 * SLIGHT if known >= KNOWN_CAUSE else 0.0


def _requests(scores: dict[str, float], signals: Mapping[str, float]) -> None:
    """Rules 1, 6 and 12: wishes, questions, and threads that end in "intended" are none."""
    scores[NONE] += signals["request"] + signals["question"] / 2 + 3 * signals["intended"]
    scores["conversion"] -= signals["question"] / 2
    scores["memory-leak"] -= 3 * signals["intended"]


def _connections(scores: dict[str, float], signals: Mapping[str, float]) -> None:
    """Rule 10: a failed connection stays one unless a setting is shown wrong."""
    scores["configuration-error"] += 2 * signals["setting_shown_wrong"]
    scores["connection-error"] -= signals["setting_shown_wrong"]


def apply_rules(findings: Findings) -> dict[str, float]:
    """Turn findings into one score for each of the 16 categories, by the codebook's rules."""
    scores = {**findings.scores, NONE: none_score(findings.kinds)}
    for rule in (_memory, _speed, _threads, _builds, _connections, _requests, _crashes):
        rule(scores, findings.signals)
    return scores
