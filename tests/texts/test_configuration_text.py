"""The issue about a broken configuration, against its golden files."""

from __future__ import annotations

import pytest

from bot.config import BadConfiguration, Mistake, read
from bot.texts.configuration import Broken, configuration_marker, render_broken, render_mended
from tests.support.golden import is_golden


def mistakes(content: str) -> tuple[Mistake, ...]:
    with pytest.raises(BadConfiguration) as caught:
        read(content.encode())
    return caught.value.mistakes


HOSTILE = 'mod: 1\n"@all `x` <!-- -->": 1\ndomain: [1]\nmode: "](https://evil.example) #1"\n'
CASES = {
    "configuration_broken.md": render_broken(Broken(77, mistakes(HOSTILE), holds_earlier=True)),
    "configuration_many_mistakes.md": render_broken(
        Broken(77, mistakes("".join(f"zz{number}q: 1\n" for number in range(23))), holds_earlier=False)
    ),
    "configuration_mended.md": render_mended(77),
}


@pytest.mark.parametrize("name", CASES)
def test_the_words_are_those_of_the_golden_file(name: str) -> None:
    is_golden(CASES[name], name)
    assert CASES[name].startswith(configuration_marker(77) + "\n\n")
