"""The worker: procrastinate's own, watched, and started again whenever the database was away."""

from __future__ import annotations

import asyncio
from typing import Any

import structlog
from procrastinate import RetryDecision, worker
from procrastinate.job_context import JobContext, JobResult
from procrastinate.jobs import Job, Status
from procrastinate.middleware import AsyncCallNext
from sqlalchemy.exc import DBAPIError

import bot.jobs  # noqa: F401  # what a worker finds in the queue
from bot.github.holding import holding
from bot.log_context import job_bound
from bot.metrics import JOB_LATENCY, JOBS
from bot.queue import DATABASE_AWAY, app
from bot.reasons import kept, name_of, reason_of
from bot.services import Services
from bot.store.holding import PostgresHold
from bot.store.jobs import note_failure, seconds_since_due

log = structlog.get_logger(__name__)

_GRACE_SECONDS = 6.0
"""For jobs to end by themselves; platforms kill a process about 10 s after they asked it to stop."""

_POLL_SECONDS = 1.0
_WHY = "why"
_AGAIN_SECONDS = 2.0


async def work(services: Services) -> None:
    """Run jobs until cancelled; raises where the database is away when the worker starts or ends."""
    while True:
        watched = Worker(
            app,
            concurrency=services.settings.worker_concurrency,
            fetch_job_polling_interval=_POLL_SECONDS,
            shutdown_graceful_timeout=_GRACE_SECONDS,
            delete_jobs="successful",
            additional_context={"services": services},
            install_signal_handlers=False,
            update_heartbeat_interval=services.settings.heartbeat_seconds,
            stalled_worker_timeout=services.settings.stalled_after_seconds,
            worker_middleware=[_remember_why],
        )
        await watched.run()  # type: ignore[no-untyped-call]  # procrastinate leaves it unannotated
        log.warning("the worker ended by itself and is started again")
        await services.clock.sleep(_AGAIN_SECONDS)


class Worker(worker.Worker):
    """Stops itself where it would go on half alive, so that another one starts and the sweep takes up what is left."""

    async def _monitor_side_tasks(self, side_tasks: list[asyncio.Task[Any]]) -> None:
        # The original ends its watch when the first of them returns, and the deferrer, with nothing to do here, does so
        # at once: a heartbeat or a listener that the database broke off would go unnoticed.
        await super()._monitor_side_tasks([task for task in side_tasks if task.get_name() != "deferrer"])

    async def _process_job(self, context: JobContext) -> None:
        with job_bound(context.job):
            try:
                with holding(_hold_of(context)):
                    await super()._process_job(context)
            except DATABASE_AWAY:
                # The job still counts as running by this worker, and would hold its lock as long as the worker lives.
                log.warning("the end of a job could not be noted", lock=context.job.lock)
                self.stop()  # type: ignore[no-untyped-call]  # procrastinate leaves it unannotated

    async def _persist_job_status(
        self,
        job: Job,
        status: Status,
        retry_decision: RetryDecision | None,
        context: JobContext,
        job_result: JobResult | None,
    ) -> None:
        if job_result is not None and job_result.end_timestamp is not None:
            outcome = "retried" if retry_decision is not None else status.value
            JOBS.labels(task=job.task_name, outcome=outcome).observe(
                job_result.end_timestamp - job_result.start_timestamp
            )
        # The original asks for the job alone, and would end it under the hands of the worker that has it now.
        if await _hold_of(context).is_ours():
            await self._tell_latency(job, context)
            if status is Status.FAILED and retry_decision is None:
                await self._keep_why(job, context)
            await super()._persist_job_status(job, status, retry_decision, context, job_result)
        else:
            log.warning("a job was taken up by another worker meanwhile", lock=job.lock)

    async def _tell_latency(self, job: Job, context: JobContext) -> None:
        """Tell the metrics how long the job took since it was due, if that can be had: it must come to its end."""
        services: Services = context.additional_context["services"]
        try:
            async with services.database.sessions() as session:
                seconds = await seconds_since_due(session, job.id)
        except DATABASE_AWAY:
            raise
        except DBAPIError as error:
            log.warning("how long a job took could not be told", error=name_of(error))
            return
        if seconds is not None:
            JOB_LATENCY.labels(task=job.task_name).observe(seconds)

    async def _keep_why(self, job: Job, context: JobContext) -> None:
        """Keep why a job fails for good, as far as that can be: without it the job must still come to its end."""
        # A job of a task that is not there never comes to the middleware.
        unknown = None if job.task_name in self.app.tasks else kept(f"this version has no task {job.task_name}")
        why = context.additional_context.get(_WHY, unknown)
        if job.id is None or why is None:
            return
        services: Services = context.additional_context["services"]
        try:
            async with services.database.sessions.begin() as session:
                await note_failure(session, job.id, why)
        except DATABASE_AWAY:
            raise
        except DBAPIError as error:
            log.warning("why a job failed could not be kept", error=name_of(error))


async def _remember_why(call_next: AsyncCallNext, context: JobContext, _: worker.Worker) -> Any:
    """Keep what a job's error was beside the job, which the queue itself only logs."""
    try:
        return await call_next()
    except Exception as error:  # nothing is caught for good: the queue logs it, and decides on another try
        context.additional_context[_WHY] = reason_of(error)
        raise


def _hold_of(context: JobContext) -> PostgresHold:
    services: Services = context.additional_context["services"]
    return PostgresHold(services.database.sessions, context.job, services.settings.stalled_after_seconds)
