"""Kinds of case on beliefs over time, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpcore.first_passage import passing_chances
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss
from tests.reference.choices import one_of

MECHANISMS: dict[str, Callable[..., Any]] = {
    "geometric": Geometric,
    "laplace": Laplace,
    "gaussian": Gaussian,
    "discrete_gaussian": DiscreteGaussian,
    "randomised_response": RandomizedResponse,
    "randomized_response": RandomizedResponse,
}


def _source(row: Mapping[str, Any]) -> tuple[Any, int]:
    """A row of a case's plan: a mechanism with its parameters, or a guarantee."""
    times = row.get("times", 1)
    if "guarantee" in row:
        budget = row["guarantee"]
        if "rho" in budget:
            return ZeroConcentratedDP(**budget), times
        return (ApproximateDP if "delta" in budget else PureDP)(**budget), times
    parameters = {name: value for name, value in row.items() if name not in ("mechanism", "times")}
    return one_of("mechanism", row["mechanism"], MECHANISMS)(**parameters), times


def ever_passed(
    plan: Sequence[Mapping[str, Any]], rounds: int, shift: float, side: Any = "present", direction: Any = "rise"
) -> float:
    """The chance that log odds were beyond a shift after some round."""
    loss = PrivacyLoss(tuple(_source(row) for row in plan))
    return float(passing_chances(loss, shift=shift, rounds=rounds, side=side, direction=direction).some[-1])


ANSWERS: dict[str, Callable[..., Any]] = {"ever_passed": ever_passed}
