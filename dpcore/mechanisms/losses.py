"""The privacy loss of one release as its mechanism hands it out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore._checks import FloatArray

IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LossAtoms:
    """The law of a privacy loss on a lattice: the value offset + step * index has probability exp(log_mass).

    The loss is that of one step at the full sensitivity: a promise takes as many as lie between its worlds.

    Parameters
    ----------
    offset, step : float; the lattice, in log-odds units; step above 0
    first : int; index of the first atom; indices rise by one
    log_mass : array; log probability of each atom with the person present
    omitted : float, optional; bound on the probability outside the atoms (zero for finite laws)

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> atoms = Geometric(epsilon=1.0).privacy_loss_atoms()
    >>> atoms.values, atoms.mass.round(4)
    (array([-1.,  1.]), array([0.2689, 0.7311]))
    """

    offset: float
    step: float
    first: int
    log_mass: FloatArray
    omitted: float = 0.0

    @property
    def index(self) -> IntArray:
        """The lattice index of each atom."""
        return np.arange(self.first, self.first + self.log_mass.size, dtype=np.int64)

    @property
    def values(self) -> FloatArray:
        """The privacy loss at each atom, rising."""
        return self.offset + self.step * self.index.astype(np.float64)

    @property
    def mass(self) -> FloatArray:
        """The probability of each atom with the person present."""
        with np.errstate(under="ignore"):
            return np.exp(self.log_mass)

    @property
    def mass_absent(self) -> FloatArray:
        """The probability of the same atoms with the person absent: mass times e^-value."""
        with np.errstate(under="ignore"):
            return np.exp(self.log_mass - self.values)
