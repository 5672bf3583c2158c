"""A line to the database that can be cut: a port of our own, led on to the server's socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

_AT_ONCE = 64 * 1024


class Wire:
    """What comes in at `port` goes to the server at `socket` and back, while it is `open`."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self.open = True
        self.cuts = 0

    @property
    def port(self) -> int:
        """The port to connect to."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def cut(self) -> None:
        """Break off every connection, without a word."""
        self.cuts += len(self._writers) // 2
        for writer in self._writers:
            writer.transport.abort()

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._lead, "127.0.0.1", 0)

    async def stop(self) -> None:
        """Break off everything and listen no more."""
        assert self._server is not None
        self._server.close()
        self.cut()
        await self._server.wait_closed()

    async def _lead(self, near_reader: asyncio.StreamReader, near_writer: asyncio.StreamWriter) -> None:
        if not self.open:
            near_writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_unix_connection(str(self._socket))
        except OSError:
            near_writer.transport.abort()
            return
        ends = {near_writer, far_writer}
        self._writers |= ends
        with suppress(OSError):
            await asyncio.gather(self._copy(near_reader, far_writer), self._copy(far_reader, near_writer))
        self._writers -= ends
        for writer in ends:
            writer.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while part := await reader.read(_AT_ONCE):
            writer.write(part)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def wired(socket: Path) -> AsyncIterator[Wire]:
    """Lead a port to the server's socket for as long as the context lasts."""
    wire = Wire(socket)
    await wire.start()
    try:
        yield wire
    finally:
        await wire.stop()
