"""When two nicknames are the same."""

from __future__ import annotations

import unicodedata

BLANK = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180F, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x180E),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Letters and marks that draw nothing: joiners, fillers, selectors of variations, Braille's empty cell."""


def folded(name: str) -> str:
    r"""What nicknames that are the same have in common: neither case nor width of letters, nor what draws nothing.

    Letters of two alphabets that look alike stay two: a Cyrillic а is no a.

    Examples
    --------
    >>> folded("A\u034fda\u2800") == folded("ＡＤＡ") == "ada"
    True
    >>> folded("\u0430da") == folded("ada")
    False
    """
    wide = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(letter for letter in wide if letter not in BLANK).split())
