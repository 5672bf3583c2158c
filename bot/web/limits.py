"""How often one address may ask without a signature: a bucket of tokens for each, in bounded memory."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from aiohttp import web

log = structlog.get_logger(__name__)

BURST = 200
"""Requests at once: a report's page asks for about twenty, its figures included."""

PER_SECOND = 5.0
MOST_ADDRESSES = 10_000
_IPV6_NETWORK = 64
"""One subscriber has at least so many bits of an address to choose from."""


@dataclass
class _Bucket:
    tokens: float
    at: float


class RateLimit:
    """Counts requests by address; the addresses heard of last are known, at most `most` of them."""

    def __init__(
        self,
        burst: int = BURST,
        per_second: float = PER_SECOND,
        most: int = MOST_ADDRESSES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._burst = burst
        self._per_second = per_second
        self._most = most
        self._now = now
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    @property
    def known(self) -> int:
        """How many addresses are known."""
        return len(self._buckets)

    def wait(self, address: str) -> int:
        """Count one request; return 0 where it may be answered, else after how many whole seconds the next one may."""
        now = self._now()
        bucket = self._buckets.setdefault(address, _Bucket(self._burst, now))
        self._buckets.move_to_end(address)
        bucket.tokens = min(self._burst, bucket.tokens + (now - bucket.at) * self._per_second)
        bucket.at = now
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        if bucket.tokens < 1:
            return math.ceil((1 - bucket.tokens) / self._per_second)
        bucket.tokens -= 1
        return 0


class Addresses:
    """Says who asks: the peer, or, behind `proxies` that are our own, whom the outermost of them heard from.

    What stands in `X-Forwarded-For` before the entries of our own proxies was written by anybody, and is not read.
    """

    def __init__(self, proxies: int) -> None:
        self._proxies = proxies
        self._told = False

    def of(self, request: web.BaseRequest) -> str:
        """Return the asker's address, of IPv6 its network, since one asker has all of that."""
        peer = request.remote or ""
        forwarded = request.headers.getall("X-Forwarded-For", [])
        if not self._proxies:
            if forwarded and not self._told:
                self._told = True
                log.warning("requests come through a proxy and are counted as one asker: set ROOTCAUSE_TRUSTED_PROXIES")
            return _network(peer) or peer
        entries = ",".join(forwarded).split(",")
        entry = entries[-self._proxies] if len(entries) >= self._proxies else ""
        return _network(entry) or _network(peer) or peer


def _network(text: str) -> str | None:
    """Return what an address counts as, or None where the text, perhaps with a port, is no address."""
    host = text.strip().strip('"')
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, _IPV6_NETWORK), strict=False))
