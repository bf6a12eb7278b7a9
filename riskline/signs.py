"""The signs of an answer in words, for an encoding that cannot write them: `ε` as epsilon, `±` as +-."""

from __future__ import annotations

import codecs
import re
import unicodedata

IN_WORDS = "riskline.in_words"
"""The name under which a stream takes `in_words` for its errors."""
SIGNS = {
    "\N{MINUS SIGN}": "-",
    "\N{EN DASH}": "-",
    "\N{FRACTION SLASH}": "/",
    "±": "+-",
    "\N{MULTIPLICATION SIGN}": "x",
    "·": "*",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "→": "->",
    "√": "sqrt ",
    "∞": "infinity",
    "∈": "in",
    "\N{PRIME}": "'",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    "“": '"',
    "”": '"',
}
RAISED = {"<super>": "^", "<sub>": "_"}
GREEK = re.compile("GREEK (?P<size>SMALL|CAPITAL) LETTER (?P<letter>[A-Z]+)")


def in_words(error: UnicodeError) -> tuple[str, int]:
    """What stands for the signs that an encoding lacks, and where it goes on: a handler of errors, as of `codecs`.

    >>> "ε = 1.29, ± 2, ρ² ≥ 10⁻³, é".encode("ascii", IN_WORDS).decode()
    'epsilon = 1.29, +- 2, rho^2 >= 10^-3, e'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    said, before = "", ""
    for sign in error.object[error.start : error.end]:
        kind = unicodedata.decomposition(sign).partition(" ")[0]
        said += ("" if kind == before else RAISED.get(kind, "")) + _said(sign)
        before = kind
    return said, error.end


def _said(sign: str) -> str:
    """A sign in letters that every encoding has."""
    if sign in SIGNS or unicodedata.combining(sign):
        return SIGNS.get(sign, "")
    greek = GREEK.fullmatch(unicodedata.name(sign, ""))
    if greek:
        return greek["letter"].lower() if greek["size"] == "SMALL" else greek["letter"].capitalize()
    plain = "".join(SIGNS.get(part, part) for part in unicodedata.normalize("NFKD", sign))
    return plain.encode("ascii", "ignore").decode() or "?"


codecs.register_error(IN_WORDS, in_words)
