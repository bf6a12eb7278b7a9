"""What people of a room type: one line without control characters, within its length."""

from __future__ import annotations

from riskline.case.fields import shown

MOST_GROUPS = 6
LONGEST_NAME = 40


def read_line(text: str, longest: int = LONGEST_NAME) -> str:
    r"""One line of printable characters, at most so many; empty where nothing was typed.

    Raises
    ------
    ValueError
        ``must be at most 40 characters; got 55``.

    Examples
    --------
    >>> read_line("  Ada  of the\ncensus ")
    'Ada of the census'
    """
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    if len(line) > longest:
        raise ValueError(f"must be at most {longest} characters; got {len(line)}")
    return line


def read_groups(text: str) -> tuple[str, ...]:
    """The groups of a room between semicolons, commas or lines: at most six, told apart whatever their capitals.

    Examples
    --------
    >>> read_groups("agency; advocates; data users")
    ('agency', 'advocates', 'data users')
    """
    names = [read_line(name) for name in text.replace(",", ";").replace("\n", ";").split(";")]
    groups = tuple(name for name in names if name)
    if len(groups) > MOST_GROUPS:
        raise ValueError(f"must be at most {MOST_GROUPS} groups; got {len(groups)}")
    if len({name.casefold() for name in groups}) < len(groups):
        raise ValueError(f"must have different names; got {shown(text)!r}")
    return groups


def write_groups(groups: tuple[str, ...]) -> str:
    """The groups as they are typed.

    Examples
    --------
    >>> write_groups(("agency", "advocates"))
    'agency; advocates'
    """
    return "; ".join(groups)
