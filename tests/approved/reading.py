"""How much is said, and how hard it is to read: words, sentences, syllables, and the words that we do not use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

import pyphen
from proselint.checks import __register__ as CHECKS
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

from ui.words.catalogue import SHARED

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = (*sorted(ROOT.glob("ui/text/*/en")), ROOT / "riskline" / "case" / "text" / "en")
REPLACED = {
    r"\bcomes? to think\b": "believe",
    r"\bseldomer\b": "less often",
    r"\bfor who\b": "for someone who",
    r"\bupright line\b": "vertical line",
    r"\bstretched alike\b": "widened by the same factor",
    r"\bstands below\b": "below",
    r"\bnobody more\b": "no one else",
    r"\bthe wall\b": "the projector view",
    r"\bsquare to scan\b": "QR code",
    r"\ball the same\b": "anyway",
    r"\btake answers again\b": "reopen answers",
    r"\bis told\b": "is shown",
    r"\b1 with [\w{}]+ zeros\b": "practically never",
    r"\bwrongly accused\b": "falsely accused",
    r"\bon some day up to then\b": "at some point before then",
    r"\bpolicem[ae]n\b": "police officers",
    r"\bas good as certain(ty)?\b": "nearly certain",
    r"; ours\b|\bsource: ours\b": "our derivation",
    r"\bfor ever\b": "permanently",
    r"\bledgers?\b": "plan",
    r"\blens(es)?\b": "view",
    r"\brulers?\b": "scale",
    r"\bspared\b": "kept",
}
"""What a native editor replaces, and by what."""
SAID_ON_PURPOSE = (
    "'draw the line' is a cliché",
    "'in the long run' is a cliché",
    "there's a lexical illusion in 'million million' - a phrase is repeated.",
    "there's a lexical illusion in 'million million million' - a phrase is repeated.",
)
"""What proselint takes for a figure of speech or a slip and is meant as it stands."""
SPACING = "typography.symbols.sentence_spacing"
"""The check of what layout decides."""
WORD = re.compile(r"[^\W_]+(?:[’'.,-][^\W_]+)*")
NAMING = re.compile(
    r"^\*\*[^*]+\*\*: |\([^)]*\)|\b(19|20)\d\d\b(?!,)"
    r"|(?<= with )\d+(?= records)|(?<= household of )\d+|(?<= over )\d+(?= days)"
)
NUMBER = re.compile(r"\*{0,2}[-−+±]? ?\d[\d,.]*(?:\*{0,2} (?:in|of|out of) \d[\d,.]*| ?%)?")
EXCEPTION = re.compile(r",? (?:but for|except)\b.*?(?=[.;:]|$)")
SENTENCE_END = re.compile(r"(?<=[.!?:])\**\s+(?=[^a-z])")


@cache
def _hyphens() -> pyphen.Pyphen:
    return pyphen.Pyphen(lang="en_GB")


def in_plain(passage: str) -> str:
    """A passage of the catalogue as prose: a word for each placeholder, those of a side kept, no marks.

    >>> in_plain("{up:at most **…**} in {rows} {rows:row|rows}")
    'at most 2 in 3 rows'
    """
    passage = re.sub(r"\{\w+:[^{}|]*\|([^{}|]*)\}", r"\1", passage)
    passage = re.sub(r"\{\w+:([^{}]*)\}", r"\1", passage)
    numbers = count(2)  # no two alike: a repeated word is a fault
    return re.sub(r"\{[^{}]*\}|…", lambda _: str(next(numbers)), passage).replace("*", "")


def words_of(text: str) -> list[str]:
    """The words of a text; a number is one.

    >>> words_of("At most 25 in 100, or 1,000.")
    ['At', 'most', '25', 'in', '100', 'or', '1,000']
    """
    return WORD.findall(text)


def sentences_of(text: str) -> list[str]:
    """The sentences of a text.

    >>> sentences_of("**At most 25 in 100.** Somebody knows. ε = 1.29 is enough.")
    ['**At most 25 in 100.', 'Somebody knows.', 'ε = 1.29 is enough.']
    """
    return [part.strip() for part in SENTENCE_END.split(text) if words_of(part)]


def passages_in(file: Path) -> Iterator[tuple[str, str]]:
    """Names and words of what a file of the catalogue holds: passages under a heading, or a label in each line."""
    name, lines = "", list[str]()
    for line in [*file.read_text(encoding="utf-8").splitlines(), "## "]:
        if file.stem in SHARED:
            if line.startswith("- "):
                key, _, words = line[2:].partition(": ")
                yield key, words
        elif line.startswith("## "):
            if name:
                yield name, "\n".join(lines).strip()
            name, lines = line[3:].strip(), []
        else:
            lines.append(line)


def said_by(folder: Path, *but: str) -> list[str]:
    """What a folder of the catalogue says, as prose, but for some of its files."""
    files = sorted(file for file in folder.glob("*.md") if file.stem not in but)
    return [in_plain(words) for file in files for _, words in passages_in(file)]


def syllables_of(word: str) -> int:
    """How many syllables a word has: places to hyphenate and one, or groups of vowels but a silent e, if they are more.

    >>> [syllables_of(word) for word in ("one", "table", "privacy", "25")]
    [1, 2, 3, 1]
    """
    spoken = re.sub(r"(?<![aeiouyl])e$|(?<=[^td])ed$", "", word.lower())
    return max(len(_hyphens().positions(word)) + 1, len(re.findall("[aeiouy]+", spoken)))


@dataclass(frozen=True)
class Reading:
    """Words of a page in the plain voice, words a sentence, and Flesch's reading ease."""

    words: int
    sentence: float
    ease: float


def reading_of(folder: Path) -> Reading:
    """How much a folder of the catalogue says to a reader of the plain voice, and how easily it reads.

    Labels count as words and are no sentences; what is said of input that cannot be read is counted nowhere. Ease is
    Flesch (1948): 206.835 - 1.015 words a sentence - 84.6 syllables a word; 60 to 70 is plain English.
    """
    passages = said_by(folder, "technical", *SHARED)
    words = [word for passage in passages for word in words_of(passage)]
    sentences = [sentence for passage in passages for sentence in sentences_of(passage)]
    counted = sum(map(len, map(words_of, said_by(folder, "technical", "refusals"))))
    if not words:
        return Reading(counted, 0.0, 0.0)
    length = len(words) / len(sentences)
    syllables = sum(map(syllables_of, words)) / len(words)
    return Reading(counted, length, 206.835 - 1.015 * length - 84.6 * syllables)


def complaints(text: str) -> list[str]:
    """What proselint and our own list say of a text."""
    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(CHECKS)
    results = [result.check_result for result in LintFile("prose", text).lint()] if text.strip() else []
    found = [result.message for result in results if result.check_path != SPACING]
    ours = [
        f"{match[0]!r} is {better!r}"
        for pattern, better in REPLACED.items()
        for match in re.finditer(pattern, text, re.IGNORECASE)
    ]
    return [complaint for complaint in (*found, *ours) if complaint.lower() not in SAID_ON_PURPOSE]
