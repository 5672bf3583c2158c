"""Processes of Rootcause that can be killed, and a platform that starts each of them again whenever it has ended."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.subprocesses import ROOT

SECONDS = 120.0
"""For anything to happen on a machine that does much else."""

_AGAIN_SECONDS = 0.3


@dataclass
class Fleet:
    """The processes by name, `web` or `worker-1` say; those in `wanted` are started again when they end."""

    folder: Path
    wanted: dict[str, Mapping[str, str]] = field(default_factory=dict)
    kills: Counter[str] = field(default_factory=Counter)
    ended_by_themselves: Counter[str] = field(default_factory=Counter)
    _processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str, environment: Mapping[str, str]) -> None:
        """Start a process and keep it up; its log is appended to."""
        self.wanted[name] = environment
        with (self.folder / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.hurried", name.partition("-")[0]],
                cwd=ROOT, env=environment, stdout=log, stderr=log,
            )  # fmt: skip

    def kill(self, name: str) -> bool:
        """Kill a process as the kernel would, without a chance to tidy up; say whether it lived."""
        process = self._processes[name]
        if process.poll() is not None:
            return False
        process.kill()
        process.wait()
        self.kills[name.partition("-")[0]] += 1
        return True

    def freeze(self, name: str) -> None:
        """Stop a process where it is (SIGSTOP)."""
        self._processes[name].send_signal(signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        """Let it go on."""
        self._processes[name].send_signal(signal.SIGCONT)

    async def stop(self, name: str) -> tuple[int, float]:
        """Ask a process to end, as a platform does before it puts another in its place; return its code and seconds."""
        del self.wanted[name]
        process = self._processes.pop(name)
        started = time.monotonic()
        process.terminate()
        code = await asyncio.to_thread(process.wait, SECONDS)
        return code, time.monotonic() - started

    def log(self, name: str = "*") -> str:
        """Return what a process, or all of them, said."""
        return "".join(path.read_text() for path in sorted(self.folder.glob(f"{name}.log")))

    @asynccontextmanager
    async def kept_up(self) -> AsyncIterator[None]:
        """Start whatever has ended again, as long as the context lasts; none is left at its end."""
        keeping = asyncio.create_task(self._keep_up())
        try:
            yield
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping
            for process in self._processes.values():
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGCONT)
                process.kill()
                process.wait()

    async def _keep_up(self) -> None:
        killed = -signal.SIGKILL
        while True:
            await asyncio.sleep(_AGAIN_SECONDS)
            for name, environment in list(self.wanted.items()):
                code = self._processes[name].poll()
                if code is not None:
                    if code != killed:
                        self.ended_by_themselves[f"{name.partition('-')[0]} with code {code}"] += 1
                    self.start(name, environment)
