"""The Prometheus metrics that every process of Rootcause exposes."""

from __future__ import annotations

from prometheus_client import Counter

DELIVERIES = Counter(
    "rootcause_deliveries", "Webhook deliveries by what became of them at the door", ["event", "outcome"]
)
PROCESSED = Counter(
    "rootcause_deliveries_processed", "Stored deliveries by how their processing ended", ["event", "outcome"]
)
PROPOSALS = Counter("rootcause_proposals", "Predictions made", ["outcome"])
DECISIONS = Counter("rootcause_decisions", "Decisions by where they were made", ["via"])
WRITES = Counter("rootcause_github_writes", "Writes to GitHub by kind and outcome", ["kind", "outcome"])
REPORTS = Counter("rootcause_reports", "Reports posted")
