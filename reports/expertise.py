"""Which knowledge each root cause asks for, in our words (the first study's section 9 names the idea)."""

from collections.abc import Mapping
from typing import Final

EXPERTISE: Final[Mapping[str, str]] = {
    "api-mismatch": "people who keep interfaces compatible: versioning, deprecation, tests against the versions in use",
    "compilation-error": "people who know compilers, linkers and packaging, and builds on every supported platform",
    "configuration-error": "people who know configuration and deployment: checked settings, safe defaults",
    "connection-error": "people who know networks: retries, time limits, proxies and TLS",
    "data-race": "people who know concurrency: locking, memory models, race detectors",
    "execution-error": "people who debug crashes of native code: core dumps, sanitizers, fuzzing",
    "hardware-mismatch": "people who know the processors and devices in use, and tests that run on them",
    "memory-allocation": "people who know memory management on host and device: allocators, fragmentation, limits",
    "io-slowdown": "people who know storage and file formats, and who profile input and output",
    "memory-leak": "people who know object lifetimes and heap profiling",
    "conversion": "people who know types, encodings and exchange formats of data and models",
    "multi-threading": "people who know thread pools, deadlocks and contention",
    "performance-regression": "people who measure speed: benchmarks that run on every change, and profiling",
    "slow-synchronization": "people who know distributed systems and the traffic between devices",
    "resource-usage": "people who plan capacity: limits of processor, memory, disk and handles, and what is asked for",
}
