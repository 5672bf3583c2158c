"""The Prometheus metrics that processes count; `bot.store.counted` adds them up over all processes.

Their labels have few values, and none of them names a repository or a person.
"""

from __future__ import annotations

from prometheus_client import Counter, Histogram
from prometheus_client.metrics import MetricWrapperBase

DELIVERIES = Counter(
    "rootcause_deliveries", "Webhook deliveries by what became of them at the door", ["event", "outcome"]
)
PROCESSED = Counter(
    "rootcause_deliveries_processed", "Stored deliveries by how their processing ended", ["event", "outcome"]
)
LATENCY = Histogram(
    "rootcause_delivery_latency_seconds",
    "From a delivery's arrival until it was done, the time that closings are given to settle included",
    ["event"],
    buckets=(0.5, 1, 2.5, 5, 10, 25, 30, 40, 60, 120, 300, 900, 3600),
)
JOBS = Histogram(
    "rootcause_job_duration_seconds",
    "How long jobs ran, by their task and how they ended: succeeded, retried, failed",
    ["task", "outcome"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
)
JOB_LATENCY = Histogram(
    "rootcause_job_latency_seconds",
    "From when a job, or its next attempt, was due until that ended: the wait for its turn, and its run",
    ["task"],
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600),
)
MISSED = Counter(
    "rootcause_missed_deliveries",
    "Deliveries and closings that never arrived, by what became of them: asked, refused, given_up, closing_found",
    ["outcome"],
)
PROPOSALS = Counter("rootcause_proposals", "Predictions made", ["outcome"])
DECISIONS = Counter("rootcause_decisions", "Decisions by where they were made", ["via"])
AGREEMENT = Counter(
    "rootcause_proposals_decided",
    "Decisions about issues with a proposal: confirmed where it names the category that was proposed, else corrected",
    ["outcome"],
)
REQUESTS = Counter(
    "rootcause_github_requests",
    "Requests to GitHub by its limit's name and what was answered: 2xx, 3xx, 4xx, 5xx, or none",
    ["resource", "status"],
)
POINTS = Counter(
    "rootcause_github_points", "Points that requests took of GitHub's hourly limits, by its formula", ["resource"]
)
WRITES = Counter("rootcause_github_writes", "Writes to GitHub by kind and outcome", ["kind", "outcome"])
PRUNED = Counter("rootcause_rows_pruned", "Rows deleted since they were old enough, by their kind", ["kind"])
REPORTS = Counter("rootcause_reports", "Reports posted")
CUT = Counter("rootcause_requests_cut", "Requests and connections cut off or put off at the door, by why", ["reason"])
LIMITS = Counter(
    "rootcause_github_limits", "Limits of GitHub by what came of them: kept before one, or refused by one", ["outcome"]
)

COUNTED = tuple(one for one in tuple(vars().values()) if isinstance(one, MetricWrapperBase))
"""All of the above."""
