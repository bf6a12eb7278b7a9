"""Layers of a mechanism: a question names the one that it needs, and refuses a mechanism of another.

A *profile* is a curve of epsilon and delta and nothing else (`Curve`). A *loss* is the law of the privacy loss of one
step. A *law given the count* is what is published given the true count (`dpcore.methods.DisclosureControl`), which may
give certainty away. *Additive noise* (`dpcore.mechanisms.additive`) has a law and a loss. Nobody outside this package
asks which noise it is: what a mechanism cannot answer, it refuses with a code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal, Self, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore._checks import FloatArray, Number
from dpcore.errors import Code, Refused
from dpcore.guarantees import Guarantee, Relation
from dpcore.mechanisms._evidence import Evidence
from dpcore.mechanisms.losses import Lattice, LossParts

BudgetKind = Literal["epsilon", "rho"]
"""What the budget of a mechanism is: the epsilon of pure DP, or the rho of zero-concentrated DP."""


class Mechanism(ABC):
    """What is asked of every mechanism; one that has no answer refuses with a code.

    The promise is for one step of the mechanism: its own class says what that is.

    Examples
    --------
    >>> from dpcore.mechanisms import Gaussian, Laplace, RandomizedResponse
    >>> [kind.label for kind in (Laplace, Gaussian, RandomizedResponse)]
    ['Laplace noise', 'Gaussian noise', 'randomised response']
    """

    tests_at_steps: ClassVar[bool] = False
    """Whether each whole number is the threshold of a best test."""
    name: ClassVar[str]
    """By which links, files and arguments know it."""
    label: ClassVar[str]
    """As a sentence names it."""
    short: ClassVar[str]
    """As a list of noises names it."""
    spellings: ClassVar[tuple[str, ...]] = ()
    """Usual names of it besides."""
    letter: ClassVar[str] = ""
    """One letter for it in a link; without one its name stands there."""
    is_local: ClassVar[bool] = False
    """Whether its secret is what one person answered, and no record of a table."""
    budget_kind: ClassVar[BudgetKind] = "epsilon"
    """What its budget is."""

    @property
    def budget(self) -> float:
        """Its epsilon or rho, as `budget_kind` says."""
        return float(getattr(self, self.budget_kind))

    @property
    def guarantee(self) -> Guarantee | None:
        """The guarantee of one release in its native definition; None where it has no budget."""
        return None

    @classmethod
    def choices(cls) -> tuple[str, ...]:
        """What a reader chooses of it besides its budget, by the names of its parameters."""
        return ()

    @classmethod
    def symbol(cls) -> str:
        """The letter of its budget: ε or ρ."""
        return "ε" if cls.budget_kind == "epsilon" else "ρ"

    @classmethod
    def with_budget(cls, budget: float, **choices: Any) -> Self:
        """The mechanism of this kind with a budget."""
        return cls(**{cls.budget_kind: budget}, **choices)

    def loss_parts(self) -> LossParts:
        """The privacy loss of one release."""
        raise self._unanswered("have one privacy loss, whatever the data")

    def as_one(self, releases: int) -> Mechanism | None:
        """One release that tells as much as so many independent ones; None where none is known."""
        return self if releases == 1 else None

    def far_lattice(self) -> Lattice:
        """The finite loss on its lattice, as far out as floats go."""
        finite = self.loss_parts().finite
        if not isinstance(finite, Lattice):
            raise self._unanswered("have a loss on a lattice")
        return finite

    def limit_loss_parts(self, releases: int, *, smooth: bool = False) -> LossParts | None:
        """The limit of the loss of one of so many releases, where its own parts are too fine; its slack is of all."""
        return None

    def evidence(self, budgets: ArrayLike | None = None, *, known: ArrayLike | None = None) -> Evidence:
        """What one count tells of a person in it beside those known, at its own budget or at each of these."""
        raise self._unanswered("add noise to a count")

    def simulate_counts(
        self, counted: int, *, size: int, seed: int | np.random.Generator, known: ArrayLike = 0
    ) -> NDArray[Any]:
        """Seeded releases about a person who is counted so often, 1 or 0, beside those known; not for release.

        The known are one number for all releases, or one for each.
        """
        raise self._unanswered("add noise to a count")

    def release_lines(self) -> tuple[str, ...]:
        """Lines of Python that release a true number with OpenDP."""
        raise self._unanswered("be one that OpenDP releases")

    def _unanswered(self, rule: str) -> Refused:
        return Refused("mechanism", rule, self, Code.UNSUPPORTED)


class Curve(Mechanism):
    """A mechanism of which nothing is known but a curve of epsilon and delta, of both directions of one step.

    The promise is for one step, whichever the curve is about. It adds up and has a trade-off, both as bounds; it has no
    tails and no law of what is published.

    Examples
    --------
    >>> from dpcore.guarantees import gaussian_delta, gaussian_epsilon
    >>> from dpcore.privacy_loss import PrivacyLoss
    >>> class Read(Curve):
    ...     name = label = "read from a paper"
    ...
    ...     def delta_at(self, epsilon):
    ...         return gaussian_delta(epsilon=epsilon, rho=0.05)
    >>> round(PrivacyLoss.of(Read(), 10).epsilon_at(1e-6), 2), round(gaussian_epsilon(rho=0.5, delta=1e-6), 2)
    (4.89, 4.89)
    """

    relation: ClassVar[Relation | None] = None
    """The one change that its curve is about, where no reader chooses it."""
    is_estimate: ClassVar[bool] = False
    """Whether its curve comes from draws, so that it limits nothing."""

    @abstractmethod
    def delta_at(self, epsilon: ArrayLike) -> Any:
        """Smallest delta known at each epsilon of at least 0: falling, and convex in e^epsilon."""

    @property
    def last_epsilon(self) -> float | None:
        """Epsilon from which on delta falls no more, where that is known."""
        return None

    @property
    def corners(self) -> FloatArray | None:
        """The epsilons at which the curve turns, from 0 on, where it is straight in e^epsilon between them."""
        return None

    def loss_parts(self) -> LossParts:
        """A loss on a lattice whose curve is nowhere below this one."""

        def deltas(epsilon: FloatArray) -> FloatArray:
            return np.asarray(self.delta_at(epsilon), dtype=np.float64)

        if self.corners is not None:
            return LossParts.of_corners(self.corners, deltas(self.corners))
        return LossParts.of_curve(deltas, self.last_epsilon)


class BracketedCurve(Curve):
    """A curve between two that are computed: the upper one is what it promises.

    The promise is for one step, as its own class says.

    Examples
    --------
    >>> from dpcore.mechanisms import SubsampledGaussian
    >>> SubsampledGaussian(noise_multiplier=1.0, rate=1.0).delta_at(0.0).__round__(4)  # 2 Phi(1/2) - 1
    0.3829
    """

    @abstractmethod
    def delta_bounds(self, epsilon: ArrayLike) -> tuple[Any, Any]:
        """Two numbers between which the smallest delta at each epsilon of at least 0 lies."""

    @overload
    def delta_at(self, epsilon: Number) -> float: ...
    @overload
    def delta_at(self, epsilon: ArrayLike) -> FloatArray: ...
    def delta_at(self, epsilon: ArrayLike) -> Any:
        """Smallest delta known at each epsilon of at least 0: an upper bound."""
        return self.delta_bounds(epsilon)[1]


class CountLaw(Mechanism):
    """A law of what is published given the true count: all that an attacker who knows the method goes by.

    It makes no promise by itself: each law says what it gives away.

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> from dpcore.methods import RandomRounding
    >>> noise, rounded = Geometric(epsilon=1.0), RandomRounding(base=3)
    >>> [float(np.exp(law.log_law([6, 9], count=7)).round(3)[0]) for law in (noise, rounded)]
    [0.17, 0.667]
    """

    @abstractmethod
    def log_law(self, published: ArrayLike, *, count: float) -> FloatArray:
        """Log probability, or log density, of published numbers given the true count."""
