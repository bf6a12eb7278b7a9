"""What an attacker comes to believe: the law of the posterior after releases, for every prior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from dpcore import _checks
from dpcore._calls import call_hint, go_together
from dpcore._checks import FloatArray
from dpcore.privacy_loss.loss import SIDES, Bracket, PrivacyLoss, Side

CERTAIN_RHO = 1500.0
"""The rho from which on, twice the log odds before added, noise leaves a doubt below e^-375 on average."""


@call_hint
@dataclass(frozen=True, eq=False)
class ExactPosterior:
    """The law of a strong attacker's belief after releases, seen raw, at full sensitivity.

    The promise is about one secret that every release tells of, by one step of full sensitivity, to an observer of all
    raw outputs. The posterior is expit(logit prior + Z), Z the privacy loss, so one law of Z answers for every prior.
    Every method asks for the side: the target is in the data (``"present"``), is not (``"absent"``), or is so with the
    prior's probability (``"prior_predictive"``).

    Exact where the loss is (`PrivacyLoss.certainty`); elsewhere `cdf` and `quantile` are estimates and the
    ``..._bracket`` methods give rigorous ends. An attacker who sees less than the raw output may exceed a level more
    often: `every_view`.
    Source: thesis, Theorem 27; ours, exact composition of the privacy loss; checked by enumeration and quadrature

    Parameters
    ----------
    loss : PrivacyLoss; privacy loss of the releases
    prior : array_like; belief before the releases, in [0, 1]; scalar or array, broadcast with what is asked

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> once = ExactPosterior.of(Geometric(epsilon=1.0), prior=0.5)
    >>> round(once.mean(), 3), round(once.quantile(0.99), 3)  # the bound is expit(1)
    (0.607, 0.731)
    """

    loss: PrivacyLoss
    prior: ArrayLike

    def __post_init__(self) -> None:
        _checks.kind_of("loss", self.loss, PrivacyLoss, "a privacy loss such as PrivacyLoss.of(Gaussian(rho=0.1))")
        prior = _checks.probability("prior", self.prior)
        object.__setattr__(self, "prior", _checks.scalar_or_array(prior, self.prior))

    @classmethod
    def of(cls, mechanism: Any, *, prior: ArrayLike, releases: int = 1) -> ExactPosterior:
        """The belief after equal releases of one mechanism, from 1 to a million of them."""
        return cls(PrivacyLoss.of(mechanism, _checks.count("releases", releases, 1, 1_000_000)), prior)

    def _shift(self, posterior: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The loss that leads to a posterior, which may lie within 1e-12 of an atom; posterior and prior broadcast."""
        reached = _checks.probability("posterior", posterior)
        go_together(posterior=reached, prior=self.prior)
        t, p = np.broadcast_arrays(reached, np.asarray(self.prior, dtype=float))
        with np.errstate(invalid="ignore"):
            z = np.where((p > 0) & (p < 1), logit(t) - logit(np.where((p > 0) & (p < 1), p, 0.5)), 0.0)
        margin = 1e-12 * np.clip(np.abs(z), 1.0, 1e3) if self.loss.rho == 0.0 else 0.0
        return z + margin, t, p

    def _one_prior(self) -> float:
        return _checks.number("prior", self.prior, 0.0, 1.0)

    def _over_both(self, side: Side, present: Any, absent: Any) -> Any:
        """What holds on one side, or on both weighted by the prior."""
        if side == "prior_predictive":
            p = np.asarray(self.prior, dtype=float)
            return p * present() + (1 - p) * absent()
        return present() if _checks.choice("side", side, SIDES) == "present" else absent()

    def cdf(self, posterior: ArrayLike, *, side: Side = "present") -> Any:
        """Probability that the attacker ends with a belief of at most `posterior`, in [0, 1]; scalar or array."""
        z, t, p = self._shift(posterior)
        found = self._over_both(
            side,
            lambda: np.asarray(self.loss.loss_cdf(z, side="present")),
            lambda: np.asarray(self.loss.loss_cdf(z, side="absent")),
        )
        return _checks.scalar_or_array(
            np.where((p > 0) & (p < 1), found, (t >= p).astype(float)), posterior, self.prior
        )

    def tail(self, posterior: ArrayLike, *, side: Side = "present") -> Any:
        """Probability that the attacker ends with a belief above `posterior`; small ones keep their digits."""
        z, t, p = self._shift(posterior)
        found = self._over_both(
            side,
            lambda: np.asarray(self.loss.loss_tail(z, side="present")),
            lambda: np.asarray(self.loss.loss_tail(z, side="absent")),
        )
        return _checks.scalar_or_array(np.where((p > 0) & (p < 1), found, (p > t).astype(float)), posterior, self.prior)

    def cdf_bracket(self, posterior: float, *, side: Side = "present") -> Bracket:
        """Probabilities between which the cdf lies; equal when it is exact."""
        self._one_prior()
        z, t, p = self._shift(_checks.number("posterior", posterior, 0.0, 1.0))
        if not 0.0 < float(p) < 1.0:
            return Bracket(float(t >= p), float(t >= p))
        ends = self._over_both(
            side,
            lambda: np.array(self.loss.loss_cdf_bracket(z, side="present")),
            lambda: np.array(self.loss.loss_cdf_bracket(z, side="absent")),
        )
        return Bracket(float(ends[0]), float(ends[1]))

    def quantile(self, level: ArrayLike, *, side: Side = "present") -> Any:
        """The belief that the posterior does not exceed with probability `level`, on one of the two sides."""
        go_together(level=level, prior=self.prior)
        found = self._believed(np.asarray(self.loss.loss_quantile(level, side=side)))
        return _checks.scalar_or_array(found, level, self.prior)

    def quantile_bracket(self, level: float, *, side: Side = "present") -> Bracket:
        """Beliefs between which the quantile lies; equal when it is exact."""
        self._one_prior()
        low, high = self.loss.loss_quantile_bracket(_checks.number("level", level, 0.0, 1.0), side=side)
        return Bracket(float(self._believed(low)), float(self._believed(high)))

    def mean(self, *, side: Side = "present") -> Any:
        """The attacker's expected belief; over both sides, weighted by the prior, it is the prior itself.

        Exact for named mechanisms. For a guarantee a bound for any mechanism: no mean is larger when the target is in
        the data, none smaller when not (the mean is convex in the likelihood ratio).
        """
        prior = np.asarray(self.prior, dtype=float)
        _checks.choice("side", side, SIDES)
        found = np.array([self._mean(float(p), side) for p in prior.ravel()]).reshape(prior.shape)
        return _checks.scalar_or_array(found, self.prior)

    def _mean(self, prior: float, side: Side) -> float:
        if prior in (0.0, 1.0):
            return prior
        log_odds = float(logit(prior))
        if side == "prior_predictive":
            return prior * self._mean(prior, "present") + (1 - prior) * self._mean(prior, "absent")
        if self.loss.rho > CERTAIN_RHO + 2 * abs(log_odds):  # expit(-x) <= e^(-x/2)/2, and E[e^(-Z/2)] <= e^(-rho/4)
            return 1.0 if side == "present" else 0.0
        return min(self.loss.expectation(lambda z: expit(log_odds + z), side=side), 1.0)

    def every_view(self, delta_prime: ArrayLike) -> Any:
        """Largest belief of an attacker with any view of the output, except with probability delta' in (0, 1].

        expit(logit prior + `PrivacyLoss.every_view_epsilon`): a bound, tight over all views of the worst-case pair's
        output.
        """
        go_together(delta_prime=delta_prime, prior=self.prior)
        found = self._believed(np.asarray(self.loss.every_view_epsilon(delta_prime)))
        return _checks.scalar_or_array(found, delta_prime, self.prior)

    def _believed(self, loss: FloatArray) -> FloatArray:
        """expit(logit prior + loss); a prior of 0 or 1 is kept whatever the loss."""
        prior = np.asarray(self.prior, dtype=float)
        inner = (prior > 0) & (prior < 1)
        return np.where(inner, expit(logit(np.where(inner, prior, 0.5)) + loss), prior)
