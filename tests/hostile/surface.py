"""A surface: what hostile input meets, as one function of bytes, with what both engines begin from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st


@dataclass(frozen=True)
class Surface:
    """One place where input comes in that nobody vouches for.

    `target` takes one case and raises on a defect only: what a person's mistake raises is expected, and every other
    exception, or an invariant that does not hold, is a crash. `seeds` and `words` are what atheris mutates and puts in,
    `longest` the bytes of a case that it makes; `made` is how hypothesis makes cases.
    """

    target: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...]
    made: st.SearchStrategy[bytes]
    longest: int = 8_192


def text_of(data: bytes) -> str:
    """Return bytes as a text; what is no UTF-8 becomes the half characters that JSON can bring."""
    return data.decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """Return the bytes that `text_of` reads as this text, as far as there are any."""
    return text.encode("utf-8", "surrogatepass")


def forms(*strategies: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Put the number of a form, one byte, before what each strategy makes."""
    return st.one_of([st.tuples(st.just(bytes([form])), one).map(b"".join) for form, one in enumerate(strategies)])


def repeated(pieces: list[str], longest: int) -> st.SearchStrategy[str]:
    """Make texts of one to four pieces over and over: mostly short, now and then as long as may be."""
    lengths = st.one_of(st.integers(0, 2_000), st.integers(0, 2_000), st.integers(0, 2_000), st.just(longest))
    piece = st.lists(st.sampled_from(pieces), min_size=1, max_size=4).map("".join)
    return st.tuples(piece, lengths).map(lambda made: (made[0] * (made[1] // len(made[0]) + 1))[: made[1]])
