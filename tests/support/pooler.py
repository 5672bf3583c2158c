"""A pooler in transaction mode: each transaction of a connection goes to the other one of two server connections."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import make_url

_ENCRYPTION = (80877103, 80877104)
"""Requests for TLS and GSSAPI, which a client makes before it starts."""

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def pooler(database_url: str, version: str | None = None) -> AsyncIterator[str]:
    """Yield the address of a pooler before a server on a socket; `version` is what it calls the server's."""
    url = make_url(database_url)
    socket = f"{url.query['host']}/.s.PGSQL.{url.query['port']}"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        servers: list[Ends] = []
        try:
            servers = await _start((reader, writer), socket, version)
            while True:
                for server in servers:
                    if not await _transaction((reader, writer), server):
                        return
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            for _, ending in [*servers, (reader, writer)]:
                ending.close()

    async with await asyncio.start_server(serve, "127.0.0.1") as listening:
        port = listening.sockets[0].getsockname()[1]
        bare = url.difference_update_query(["host", "port"])
        yield bare.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)


async def _start(client: Ends, socket: str, version: str | None) -> list[Ends]:
    """Let a client in by what it said of itself to both servers; it sees what the first one answered."""
    reader, writer = client
    while True:
        said = await reader.readexactly(4)
        said += await reader.readexactly(struct.unpack("!I", said)[0] - 4)
        if struct.unpack_from("!I", said, 4)[0] not in _ENCRYPTION:
            break
        writer.write(b"N")
    servers = [await asyncio.open_unix_connection(socket) for _ in range(2)]
    for place, (answers, asks) in enumerate(servers):
        asks.write(said)
        kind = b""
        while kind != b"Z":
            kind, body = await _message(answers)
            if version is not None and body.startswith(b"server_version\0"):
                body = b"server_version\0" + version.encode() + b"\0"
            if place == 0:
                writer.write(kind + struct.pack("!I", len(body) + 4) + body)
    return servers


async def _transaction(client: Ends, server: Ends) -> bool:
    """Hand a transaction to a server; False where the client says goodbye instead."""
    status = b""
    while status != b"I":
        kind = b""
        while kind not in (b"Q", b"S"):
            kind, body = await _message(client[0])
            if kind == b"X":
                return False
            server[1].write(kind + struct.pack("!I", len(body) + 4) + body)
        while kind != b"Z":
            kind, status = await _message(server[0])
            client[1].write(kind + struct.pack("!I", len(status) + 4) + status)
    return True


async def _message(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    kind, length = struct.unpack("!cI", await reader.readexactly(5))
    return kind, await reader.readexactly(length - 4)
