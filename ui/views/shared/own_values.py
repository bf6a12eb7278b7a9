"""Values of a reader's own as they are typed, pasted or read from a file: one number on each line."""

from __future__ import annotations

from riskline.case.fields import parse_number, shown

LARGEST_FILE = 1_000_000


def read_values(content: bytes, *, most: int, largest: float) -> list[float]:
    r"""The values of a text with one on each line; a first line that is no number is a head.

    Parameters
    ----------
    content : the text, in UTF-8
    most : how many values there may be
    largest : how far from 0 a value may be

    Raises
    ------
    ValueError
        ``a file of values must be at most 1,000,000 bytes; got ...``, ``line 3 must be one number, with a decimal
        point; got 'x'``, ``must have 2 to 20,000 values; got 1``.

    Examples
    --------
    >>> read_values(b"lead\n12.5\n8\n", most=20_000, largest=1e9)
    [12.5, 8.0]
    """
    if len(content) > LARGEST_FILE:
        raise ValueError(f"a file of values must be at most {LARGEST_FILE:,} bytes; got {len(content):,}")
    lines = [line.strip().strip('"') for line in content.decode("utf-8-sig").splitlines()]
    values = []
    for number, line in enumerate(lines, start=1):
        try:
            value = _value(line, largest)
        except ValueError:
            if number == 1:
                continue
            raise ValueError(f"line {number} must be one number, with a decimal point; got {shown(line)!r}") from None
        if value is not None:
            values.append(value)
    if not 2 <= len(values) <= most:
        raise ValueError(f"must have 2 to {most:,} values; got {len(values):,}")
    return values


def _value(line: str, largest: float) -> float | None:
    if not line:
        return None
    if not line.replace(".", "").replace("-", "").replace("+", "").replace("e", "").replace("E", "").isdigit():
        raise ValueError(line)
    value = parse_number(line)
    if abs(value) > largest:
        raise ValueError(line)
    return value
