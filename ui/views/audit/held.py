"""What *Test a claim* holds against a claim: invented draws, a reader's file, or right guesses as they are typed.

A file that was uploaded is read in memory: it is not written, logged or linked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpcore._checks import FloatArray
from dpcore.audit.guesses import LARGEST_COINS, LARGEST_GUESSES
from dpcore.errors import Code, Refused
from dpcore.mechanisms import Geometric, Laplace
from riskline.answers import CaseBudget
from riskline.answers.audit import FEWEST, MOST_UNEVEN, Claim, Draws, InOrder, claim_of, pure_within
from riskline.case.declaration import count, custom, number, option
from riskline.case.fields import listed_numbers, number_text, parse_number, shown, thousands_reading, written_number
from riskline.case.promise import PromiseChoice
from riskline.case.sheet import printable
from riskline.case.value import Case
from ui.link.page_table import fields_of
from ui.link.sheet_file import Cells, read_sheet_csv
from ui.views.shared.strip import tried
from ui.words.catalogue import label

word = partial(label, "audit")
LARGEST_UPLOAD, MOST_ROWS, MOST_FILES = 5_000_000, 200_000, 2
HEADS = ("world", "output", "right", "chance")
"""What a file may name: draws by world and output, or guesses by right and, where coins were not fair, chance."""
WORLDS = {"0": 0.0, "absent": 0.0, "1": 1.0, "present": 1.0}
ANSWERS = {"0": 0.0, "no": 0.0, "1": 1.0, "yes": 1.0}
Held = Draws | InOrder


def read_chances(text: str) -> tuple[float, ...]:
    """Chances of the sides that were guessed, as a link or a person writes them.

    >>> read_chances("0.5_0.9"), read_chances("0.5; 0.25"), read_chances("")
    ((0.5, 0.9), (0.5, 0.25), ())
    """
    found = tuple(listed_numbers(text.replace("_", " ")))
    if len(found) > MOST_UNEVEN:
        raise Refused("chances", f"be at most {MOST_UNEVEN:,}", len(found), Code.TOO_LARGE)
    for place, one in enumerate(found, 1):
        if not 0.0 < one < 1.0:
            raise Refused(f"chance {place}", "lie in (0, 1)", one, Code.OUT_OF_RANGE)
    return found


def write_chances(chances: Sequence[float]) -> str:
    """The chances as a link holds them.

    >>> write_chances((0.5, 0.9))
    '0.5_0.9'
    """
    return "_".join(map(number_text, chances))


@dataclass(frozen=True, kw_only=True)
class AuditInputs(PromiseChoice):
    """What a reader chose on this page."""

    evidence: str = option("example", "file", "guesses")
    mechanism: str = option("scale", "sensitivity", "rounding", "sound")
    draws: int = count(2_000, low=FEWEST, high=20_000)
    seed: int = count(1, low=0, high=1_000_000)
    right: int = count(73, low=0, high=LARGEST_GUESSES)
    guesses: int = count(100, low=1, high=LARGEST_GUESSES)
    coins: int | None = count(None, low=1, high=LARGEST_COINS)
    chances: tuple[float, ...] = custom((), read=read_chances, write=write_chances)
    guarantee: str = option("pure", "approximate", "zero_concentrated", "gaussian")
    epsilon: float = number(1.0, low=0.01, high=20)
    delta: float = number(1e-6, low=0, high=1, open_high=True)
    rho: float = number(0.5, low=0.001, high=20)
    level: float = number(0.95, low=0.5, high=0.9999, format="percent")
    order: str = option("together", "one_by_one")
    supposed: float = number(2.0, low=0.01, high=20)
    power: float = number(0.8, low=0.05, high=0.99, format="percent")

    @property
    def by_rho(self) -> bool:
        """Whether a rho is claimed, and no epsilon."""
        return self.guarantee not in ("pure", "approximate")

    @property
    def claim(self) -> Claim:
        """The guarantee that is claimed."""
        return claim_of(self.guarantee, epsilon=self.epsilon, delta=self.delta, rho=self.rho)

    def trial(self, case: Case) -> CaseBudget | None:
        """The budget that is claimed; None where it is the case's."""
        return tried(self.rho, "rho", case) if self.by_rho else tried(self.epsilon, "epsilon", case)


FIELDS = fields_of("audit", AuditInputs)


# ---- the example -----------------------------------------------------------------------------------------------------

GEOMETRIC: Mapping[str, tuple[float, int]] = {"scale": (2**0.5, 1), "sensitivity": (1.0, 3), "sound": (1.0, 1)}
"""How many times the claimed epsilon whole-number noise really has, and how far the person moves the count."""


def invented(inputs: AuditInputs) -> Draws:
    """Draws of a count of 0 without a person and of 1 with: as claimed, or with a fault.

    Drawn with a seed, so that everybody has the same.
    """
    shape, claimed = (2, inputs.draws), pure_within(inputs.claim)
    if inputs.mechanism == "rounding":
        noise = 2 * np.round(np.asarray(Laplace(epsilon=claimed).simulate_noise(shape, seed=inputs.seed)) / 2)
        return Draws(noise[0], noise[1] + 1)
    factor, moved = GEOMETRIC[inputs.mechanism]
    noise = np.asarray(Geometric(epsilon=factor * claimed).simulate_noise(shape, seed=inputs.seed))
    return Draws(noise[0], noise[1] + moved)


# ---- a file of one's own ---------------------------------------------------------------------------------------------


def read_upload(uploaded: Sequence[tuple[str, bytes]]) -> Held:
    """Draws or guesses of a file with headings, or draws of two files, the first by name without the person.

    Raises ValueError with the column, the row below the headings and the rule; of two files, with the name of the one.
    """
    if len(uploaded) > MOST_FILES:
        raise Refused("files", f"be at most {MOST_FILES}", len(uploaded), Code.TOO_LARGE)
    if len(uploaded) == 2:
        absent, present = (_outputs(name, content) for name, content in sorted(uploaded))
        return Draws(absent, present)
    [(_, content)] = uploaded
    rows = _rows(content)
    if any(row[HEADS.index("right")] for row in rows):
        right = _coded("right", rows, ANSWERS)
        _refuse_besides(rows, ("right", "chance"), "be in a file of its own, without right guesses")
        has_chances = any(row[HEADS.index("chance")] for row in rows)
        return InOrder(right, read_chances(write_chances(_numbers("chance", rows).tolist())) if has_chances else ())
    world, output = _coded("world", rows, WORLDS), _numbers("output", rows)
    return Draws(output[world == 0.0], output[world == 1.0])


def _rows(content: bytes) -> tuple[Cells, ...]:
    return read_sheet_csv(content, heads=HEADS, most_rows=MOST_ROWS, largest=LARGEST_UPLOAD)


def _outputs(name: str, content: bytes) -> FloatArray:
    """The outputs of one of two files; a refusal begins with the name of the file."""
    try:
        rows = _rows(content)
        _refuse_besides(rows, ("output",), "be left out of two files, each of one world")
        return _numbers("output", rows)
    except UnicodeDecodeError:
        raise
    except ValueError as refusal:
        raise ValueError(f"{shown(printable(name))!r}: {refusal}") from None


def _refuse_besides(rows: Sequence[Cells], heads: Sequence[str], rule: str) -> None:
    """Refuse what stands beside these columns, and would be left unread."""
    for place, head in enumerate(HEADS):
        found = next((row[place] for row in rows if row[place].strip()), "")
        if found and head not in heads:
            raise Refused(head, rule, found, Code.INCONSISTENT)


def _cells(head: str, rows: Sequence[Cells]) -> list[str]:
    place = HEADS.index(head)
    return [row[place].strip() for row in rows]


def _coded(head: str, rows: Sequence[Cells], codes: Mapping[str, float]) -> FloatArray:
    """A column of codes."""
    cells = _cells(head, rows)
    for row, cell in enumerate(cells, 1):
        if cell.lower() not in codes:
            raise Refused(head, f"be one of {', '.join(codes)}", cell, Code.UNKNOWN_CHOICE, at=f"row {row}")
    return np.array([codes[cell.lower()] for cell in cells])


def _numbers(head: str, rows: Sequence[Cells]) -> FloatArray:
    """A column of numbers; a comma is taken for a decimal one where it can be nothing else."""
    cells = _cells(head, rows)
    with suppress(ValueError):
        found = np.array([written_number(cell) for cell in cells])
        if np.isfinite(found).all():
            return found
    values = []
    for row, cell in enumerate(cells, 1):
        if thousands_reading(cell) is not None:
            rule = "be written without the comma, which could stand between thousands"
            raise Refused(head, rule, cell, Code.WRONG_FORM, at=f"row {row}")
        try:
            values.append(parse_number(cell))
        except ValueError:
            raise Refused(head, "be a number", cell, Code.NOT_A_NUMBER, at=f"row {row}") from None
    return np.array(values)
