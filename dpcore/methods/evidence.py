"""Evidence of one person in a count that a method publishes: the two laws beside the known people, as attacks ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore._checks import FloatArray
from dpcore._properties import cached_property
from dpcore.errors import Code, Refused
from dpcore.mechanisms._evidence import Evidence, weighed
from dpcore.mechanisms._evidence import TwoWorlds as Answers
from dpcore.methods.worlds import HIDDEN, TOUCHES, TwoWorlds


@dataclass(frozen=True, eq=False)
class LawEvidence(Evidence):
    """Evidence in one published number, whatever its law: it need not rise with the number, and may be certainty."""

    worlds: TwoWorlds
    known: int
    named = "a method of disclosure control"

    @cached_property
    def _places(self) -> dict[float, int]:
        """Where each gap is among the values."""
        if HIDDEN in self.worlds.values:
            raise Refused("mechanism", "publish a number here", HIDDEN, Code.UNSUPPORTED)
        return {float(value) - self.known: place for place, value in enumerate(self.worlds.values)}  # type: ignore[arg-type]

    def _at(self, gap: FloatArray, each: FloatArray, otherwise: float) -> FloatArray:
        padded = np.append(each, otherwise)
        places = [self._places.get(value, -1) for value in np.ravel(gap).tolist()]
        return np.asarray(padded[places].reshape(np.shape(gap)))

    def check(self, gap: FloatArray) -> None:
        """Refuse a gap that is published in neither world."""
        for value in np.ravel(gap).tolist():
            if value not in self._places:
                raise Refused(
                    "noisy_count", "be one that can be published here", int(value + self.known), Code.INFEASIBLE
                )

    def loss(self, gap: FloatArray) -> FloatArray:
        """How far a gap moves the log odds."""
        self.check(gap)
        return self._at(gap, self.worlds.evidence, np.nan)

    def log_release(self, gap: FloatArray, counted: int) -> FloatArray:
        """Log probability of a gap on a side."""
        return self._at(gap, self._log(counted), -np.inf)

    def _log(self, counted: int) -> FloatArray:
        return self.worlds.log_present if counted else self.worlds.log_absent

    def gaps(self, counted: int) -> FloatArray:
        """Every gap that is possible on a side, rising."""
        possible = np.isfinite(self._log(counted))
        return np.array(sorted(gap for gap, place in self._places.items() if possible[place]))

    def losses(self, counted: int) -> tuple[FloatArray, FloatArray]:
        """Every loss of a side, rising, and its probability."""
        loss, mass = super().losses(counted)
        order = np.argsort(loss, kind="stable")
        return loss[order], mass[order]

    def atoms(self, counted: int) -> tuple[FloatArray, FloatArray]:
        """Every loss and its probability."""
        return self.losses(counted)

    def average(self, odds: FloatArray, counted: int) -> FloatArray:
        """Average belief over all releases of a side."""
        loss, mass = self.losses(counted)
        return weighed(mass, expit(np.asarray(odds)[..., None] + loss))

    def decides_counted(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability that the call is 'counted'."""
        loss, mass = self.losses(counted)
        return weighed(mass, (np.asarray(odds)[..., None] + loss > TOUCHES).astype(np.float64))

    def right(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of a right call; a tie is decided against the person being counted."""
        called = self.decides_counted(odds, counted)
        return called if counted else 1.0 - called

    def tie(self, odds: FloatArray, counted: int) -> FloatArray:
        """Probability of log odds of exactly zero."""
        loss, mass = self.losses(counted)
        return weighed(mass, (np.abs(np.asarray(odds)[..., None] + loss) <= TOUCHES).astype(np.float64))

    def loss_quantile(self, share: float, counted: int) -> FloatArray:
        """The evidence that a share of all releases does not exceed."""
        loss, mass = self.losses(counted)
        place = int(np.searchsorted(np.cumsum(mass), share * (1 - TOUCHES)))
        return np.asarray(loss[min(place, loss.size - 1)])

    # ---- what only noise that is added has

    def log_law(self, noise: FloatArray) -> FloatArray:
        """Refused: what is published is no count with noise of one law."""
        self._refuse("one law of its noise, whatever the count")

    def threshold(self, odds: FloatArray) -> FloatArray:
        """Refused: the evidence need not rise with the count."""
        self._refuse("evidence that rises with the count")

    def at_least(self, noise: FloatArray) -> FloatArray:
        """Refused, as `log_law` is."""
        self._refuse("one law of its noise, whatever the count")

    def two_cells(self) -> Answers:
        """Refused: the other cell has a count of its own."""
        self._refuse("one law of its noise, whatever the count")

    def log_transform(self, s: NDArray[Any]) -> NDArray[Any]:
        """Refused: of certainty there is none."""
        self._refuse("a loss that is never infinite")

    def _refuse(self, rule: str) -> NoReturn:
        raise Refused("mechanism", f"have {rule}", self.named, Code.UNSUPPORTED)
