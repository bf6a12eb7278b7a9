"""Text that is not ours as Markdown shows it letter by letter: no emphasis, picture, link, formula, colour or icon."""

from __future__ import annotations

import html
import re

MARKS = re.compile(r"[\\`*_{}\[\]<>#$~|:&]|^[-+](?=\s)|(?<=^[0-9])[.)](?=\s)")
APART = ":small[]"
"""Nothing, set small: Streamlit draws it as an empty element. Markdown finds addresses, icons and arrows by their
letters after it has taken escapes away, so these are kept apart; a character that shows nothing would be copied too."""
FOUND_LATER = re.compile(r":(?=\S)|www(?=\.)|(?<=\S)(?=@)|(?<=[<>~=-])(?=\\?[<>~=-])", re.IGNORECASE)

LEADING_AWAY = re.compile(r"(?<=\])(?=[(\[])|(?<=:)(?=//)|(?<=www)(?=\.)|(?<=\S)(?=@)", re.IGNORECASE)


def escape_markdown(text: str) -> str:
    r"""Markdown that shows this text as it stands, on one line.

    >>> escape_markdown("**bold** [a](b)")
    '\\*\\*bold\\*\\* \\[a\\](b)'
    >>> escape_markdown("https://host").replace(APART, " ")
    'https\\: //host'
    """
    whole = text.encode("utf-8", "replace").decode()  # a lone surrogate cannot be sent
    escaped = MARKS.sub(r"\\\g<0>", " ".join(whole.split()))
    return FOUND_LATER.sub(lambda found: found.group() + APART, escaped)


def without_addresses(passage: str) -> str:
    r"""Markdown of ours in which typed words may stand, with its formulas: no picture or link can begin in it.

    >>> without_addresses("$x_1$ of ![a](http://host)").replace(APART, " ")
    '$x_1$ of ![a] (http: //host)'
    """
    return LEADING_AWAY.sub(APART, passage)


def with_bold(sentence: str) -> str:
    r"""Markdown of a sentence of ours in which ``**…**`` marks what is set bold; the rest stands letter by letter.

    >>> with_bold("**3** in [100]")
    '**3** in \\[100\\]'
    """
    return "".join(f"**{_keeping_edges(part)}**" if bold else _keeping_edges(part) for part, bold in parts_of(sentence))


def parts_of(sentence: str) -> list[tuple[str, bool]]:
    """The parts of a sentence, each with whether it is set bold; a mark without its partner is not ours.

    >>> parts_of("**3** in 100"), parts_of("2**3")
    ([('', False), ('3', True), (' in 100', False)], [('2**3', False)])
    """
    parts = sentence.split("**")
    return [(part, place % 2 == 1) for place, part in enumerate(parts)] if len(parts) % 2 else [(sentence, False)]


def bold_html(sentence: str) -> str:
    """HTML of a sentence in which ``**…**`` marks what is set bold; everything else is escaped."""
    told = [(html.escape(part, quote=False), bold) for part, bold in parts_of(sentence)]
    return "".join(f"<strong>{part}</strong>" if bold else part for part, bold in told)


def _keeping_edges(part: str) -> str:
    left, right = (" " if part[:1].isspace() else ""), (" " if part[-1:].isspace() else "")
    return left + escape_markdown(part) + right if part.strip() else " " * bool(part)


def without_marks(text: str) -> str:
    """A passage without its marks for bold, for alternative texts and captions."""
    return text.replace("**", "")


def unstarred(name: str) -> str:
    """A name whose own stars do not set anything bold."""
    return name.replace("*", "∗")


def shortened(text: str, most: int) -> str:
    """A name where there is little room: one of more than so many letters loses its middle; 0 leaves it whole.

    The end stays because it tells names apart that begin alike.

    >>> shortened("National Institute of Public Health", 18), shortened("Agency", 18)
    ('National In…Health', 'Agency')
    """
    if not most or len(text) <= most:
        return text
    end = (most - 1) * 2 // 5
    return f"{text[: most - 1 - end].rstrip()}…{text[len(text) - end :]}"
