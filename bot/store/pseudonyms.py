"""People under hashes: the same person has the same one everywhere in a database, and nobody outside can undo it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import blake2b

from sqlalchemy.ext.asyncio import AsyncSession

from bot.store.tables import Secret

_BYTES = 8


async def pseudonyms(session: AsyncSession) -> Callable[[int], str]:
    """Return what turns an account number into its hash (16 hexadecimal digits), by the database's own random key.

    Account numbers are public and few, so that a hash without a key could be undone by trying them all. The key is
    made with the database (migration 0003) and never exported. Each number is hashed once.
    """
    key = (await session.get_one(Secret, "person")).value
    return cache(lambda person_id: blake2b(str(person_id).encode(), key=key, digest_size=_BYTES).hexdigest())
