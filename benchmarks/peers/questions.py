"""What is asked, what is right, and how each library is asked: by the call that its own documents name for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import dp_accounting
import opendp.prelude as dp
import prv_accountant
from autodp import mechanism_zoo, transformer_zoo
from autodp.calibrator_zoo import eps_delta_calibrator
from dp_accounting.pld import privacy_loss_distribution
from dp_accounting.pld.common import DifferentialPrivacyParameters
from mpmath import mpf, sqrt
from prv_accountant import privacy_random_variables
from riskcal import analysis

from benchmarks.peers import truths
from dpcore.guarantees import ZeroConcentratedDP, gaussian_epsilon, gaussian_rho
from dpcore.mechanisms import DiscreteGaussian, Gaussian, Laplace, RandomizedResponse
from dpcore.privacy_loss import PrivacyLoss
from dpcore.tradeoff import trade_off

dp.enable_features("contrib", "honest-but-curious")
DELTA = 1e-6
MILLIONTH = mpf(10) ** -6
TOOLS = MappingProxyType(
    {
        "dpcore": "",
        "dp-accounting": "dp-accounting",
        "prv-accountant": "prv-accountant",
        "riskcal": "riskcal",
        "OpenDP": "opendp",
        "autodp": "autodp",
    }
)
"""Each library's name, and the name under which it is installed; our own is in this folder."""


@dataclass(frozen=True)
class Question:
    """One number that is wanted, and who can be asked.

    Parameters
    ----------
    key, words : str
        Its name, and the question.
    truth : callable
        The right answer, without dpcore and without a library that is asked.
    safe_above : bool
        Whether a number above the truth keeps the promise: true of ε, δ, noise and an attacker's success.
    ways : mapping
        For each library its call: what is written down, and what is called.
    """

    key: str
    words: str
    truth: Callable[[], Any]
    safe_above: bool
    ways: Mapping[str, tuple[str, Callable[[], Any]]]


def _prv(variable: Any, count: int) -> float:
    """The upper end of the bracket that prv-accountant gives, at an error of ε of a hundredth."""
    accountant = prv_accountant.PRVAccountant(
        prvs=[variable], max_self_compositions=[count], eps_error=0.01, delta_error=1e-10
    )
    return accountant.compute_epsilon(DELTA, [count])[2]


COUNTS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
AMOUNTS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)


def _opendp_gaussian(scale: float, count: int) -> float:
    composed = dp.c.make_composition([dp.m.make_gaussian(*COUNTS, scale=scale)] * count)
    return dp.c.make_zCDP_to_approxDP(composed).map(1).epsilon(DELTA)


def _opendp_scale() -> float:
    def release(scale: float) -> Any:
        return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*AMOUNTS, scale=scale)), DELTA)

    return dp.binary_search_param(release, d_in=1.0, d_out=(1.0, DELTA))


def _opendp_response() -> float:
    one = dp.m.make_randomized_response_bool(prob=1 / (1 + math.exp(-0.1)))
    composed = dp.c.make_composition([dp.c.make_pureDP_to_zCDP(one)] * 100)
    return dp.c.make_zCDP_to_approxDP(composed).map(1).epsilon(DELTA)


def _autodp(mechanism: Any, count: int) -> float:
    return transformer_zoo.Composition()([mechanism], [count]).get_approxDP(DELTA)


def _autodp_concentrated(rho: float) -> Any:
    mechanism = mechanism_zoo.Mechanism()
    mechanism.propagate_updates(lambda order: rho * order, "RDP")
    return mechanism


QUESTIONS = (
    Question(
        "one_gaussian",
        "ε at δ = 10⁻⁶ of one count with Gaussian noise of standard deviation 1",
        lambda: truths.gaussian_epsilon(mpf(1), MILLIONTH),
        True,
        {
            "dpcore": ("gaussian_epsilon(rho=0.5, delta=1e-6)", lambda: gaussian_epsilon(rho=0.5, delta=DELTA)),
            "dp-accounting": (
                "get_epsilon_gaussian(1.0, 1e-6)",
                lambda: dp_accounting.get_epsilon_gaussian(1.0, DELTA),
            ),
            "prv-accountant": (
                "PRVAccountant([GaussianMechanism(1.0)], …), its upper end",
                lambda: _prv(privacy_random_variables.GaussianMechanism(noise_multiplier=1.0), 1),
            ),
            "OpenDP": ("make_zCDP_to_approxDP(make_gaussian(scale=1.0))", lambda: _opendp_gaussian(1.0, 1)),
            "autodp": (
                "ExactGaussianMechanism(1.0).get_approxDP(1e-6)",
                lambda: mechanism_zoo.ExactGaussianMechanism(1.0).get_approxDP(DELTA),
            ),
        },
    ),
    Question(
        "a_year_of_gaussians",
        "ε at δ = 10⁻⁶ of 365 counts of the same people with Gaussian noise of standard deviation 20",
        lambda: truths.gaussian_epsilon(sqrt(mpf(365)) / 20, MILLIONTH),
        True,
        {
            "dpcore": (
                "PrivacyLoss.of(Gaussian(rho=1/800), 365).epsilon_at(1e-6)",
                lambda: PrivacyLoss.of(Gaussian(rho=1 / 800), 365).epsilon_at(DELTA),
            ),
            "dp-accounting": (
                "from_gaussian_mechanism(20.0).self_compose(365)",
                lambda: (
                    privacy_loss_distribution.from_gaussian_mechanism(20.0)
                    .self_compose(365)
                    .get_epsilon_for_delta(DELTA)
                ),
            ),
            "prv-accountant": (
                "PRVAccountant([GaussianMechanism(20.0)], …), its upper end",
                lambda: _prv(privacy_random_variables.GaussianMechanism(noise_multiplier=20.0), 365),
            ),
            "OpenDP": ("make_composition([make_gaussian(scale=20.0)] * 365)", lambda: _opendp_gaussian(20.0, 365)),
            "autodp": (
                "ComposeGaussian()([ExactGaussianMechanism(20.0)], [365])",
                lambda: transformer_zoo.ComposeGaussian()(
                    [mechanism_zoo.ExactGaussianMechanism(20.0)], [365]
                ).get_approxDP(DELTA),
            ),
        },
    ),
    Question(
        "twelve_laplaces",
        "ε at δ = 10⁻⁶ of 12 counts of the same people with Laplace noise of scale 10",
        lambda: truths.laplace_epsilon(12, mpf(1) / 10, MILLIONTH),
        True,
        {
            "dpcore": (
                "PrivacyLoss.of(Laplace(epsilon=0.1), 12).epsilon_at(1e-6)",
                lambda: PrivacyLoss.of(Laplace(epsilon=0.1), 12).epsilon_at(DELTA),
            ),
            "dp-accounting": (
                "from_laplace_mechanism(10.0).self_compose(12)",
                lambda: (
                    privacy_loss_distribution.from_laplace_mechanism(10.0).self_compose(12).get_epsilon_for_delta(DELTA)
                ),
            ),
            "prv-accountant": (
                "PRVAccountant([LaplaceMechanism(0.1)], …), its upper end",
                lambda: _prv(privacy_random_variables.LaplaceMechanism(mu=0.1), 12),
            ),
            "OpenDP": (
                "make_composition([make_laplace(scale=10.0)] * 12), without the δ",
                lambda: dp.c.make_composition([dp.m.make_laplace(*COUNTS, scale=10.0)] * 12).map(1),
            ),
            "autodp": (
                "Composition()([LaplaceMechanism(10.0)], [12])",
                lambda: _autodp(mechanism_zoo.LaplaceMechanism(10.0), 12),
            ),
        },
    ),
    Question(
        "a_year_of_discrete_gaussians",
        "ε at δ = 10⁻⁶ of 52 counts of the same people with discrete Gaussian noise of variance 50",
        lambda: truths.discrete_gaussian_epsilon(52, 50.0, DELTA),
        True,
        {
            "dpcore": (
                "PrivacyLoss.of(DiscreteGaussian(rho=0.01), 52).epsilon_at(1e-6)",
                lambda: PrivacyLoss.of(DiscreteGaussian(rho=0.01), 52).epsilon_at(DELTA),
            ),
            "dp-accounting": (
                "from_discrete_gaussian_mechanism(sqrt(50)).self_compose(52)",
                lambda: (
                    privacy_loss_distribution.from_discrete_gaussian_mechanism(math.sqrt(50))
                    .self_compose(52)
                    .get_epsilon_for_delta(DELTA)
                ),
            ),
            "OpenDP": (
                "make_composition([make_gaussian(scale=sqrt(50))] * 52)",
                lambda: _opendp_gaussian(math.sqrt(50), 52),
            ),
            "autodp": (
                "Composition()([DiscreteGaussianMechanism(sqrt(50))], [52])",
                lambda: _autodp(mechanism_zoo.DiscreteGaussianMechanism(math.sqrt(50)), 52),
            ),
        },
    ),
    Question(
        "a_hundred_responses",
        "ε at δ = 10⁻⁶ of 100 randomised responses of ε = 0.1 by the same person",
        lambda: truths.response_epsilon(100, mpf(1) / 10, MILLIONTH),
        True,
        {
            "dpcore": (
                "PrivacyLoss.of(RandomizedResponse(epsilon=0.1), 100).epsilon_at(1e-6)",
                lambda: PrivacyLoss.of(RandomizedResponse(epsilon=0.1), 100).epsilon_at(DELTA),
            ),
            "dp-accounting": (
                "from_privacy_parameters((0.1, 0)).self_compose(100)",
                lambda: (
                    privacy_loss_distribution.from_privacy_parameters(DifferentialPrivacyParameters(0.1, 0.0))
                    .self_compose(100)
                    .get_epsilon_for_delta(DELTA)
                ),
            ),
            "prv-accountant": (
                "PRVAccountant([PureDPMechanism(0.1)], …), its upper end",
                lambda: _prv(privacy_random_variables.PureDPMechanism(0.1), 100),
            ),
            "OpenDP": (
                "make_composition([make_pureDP_to_zCDP(make_randomized_response_bool(…))] * 100)",
                _opendp_response,
            ),
            "autodp": (
                "Composition()([RandresponseMechanism(p)], [100])",
                lambda: _autodp(mechanism_zoo.RandresponseMechanism(1 / (1 + math.exp(-0.1))), 100),
            ),
        },
    ),
    Question(
        "noise_for_a_promise",
        "Least standard deviation of Gaussian noise with which one count is (ε = 1, δ = 10⁻⁶)-DP",
        lambda: truths.gaussian_scale(mpf(1), MILLIONTH),
        True,
        {
            "dpcore": (
                "Gaussian(rho=gaussian_rho(epsilon=1.0, delta=1e-6)).std",
                lambda: Gaussian(rho=gaussian_rho(epsilon=1.0, delta=DELTA)).std,
            ),
            "dp-accounting": (
                "get_sigma_gaussian(1.0, 1e-6)",
                lambda: dp_accounting.get_sigma_gaussian(1.0, DELTA),
            ),
            "OpenDP": ("binary_search_param(…, d_out=(1.0, 1e-6))", _opendp_scale),
            "autodp": (
                "eps_delta_calibrator()(ExactGaussianMechanism, 1.0, 1e-6, …)",
                lambda: eps_delta_calibrator()(
                    mechanism_zoo.ExactGaussianMechanism, 1.0, DELTA, [0.01, 100], name="noise"
                ).params["sigma"],
            ),
        },
    ),
    Question(
        "an_attackers_advantage",
        "By how much the right alarms of a best attacker exceed the false ones, after 365 counts with Gaussian noise "
        "of standard deviation 20",
        lambda: truths.gaussian_advantage(sqrt(mpf(365)) / 20),
        True,
        {
            "dpcore": (
                "PrivacyLoss.of(Gaussian(rho=1/800), 365).delta_at(0.0)",
                lambda: PrivacyLoss.of(Gaussian(rho=1 / 800), 365).delta_at(0.0),
            ),
            "dp-accounting": (
                "from_gaussian_mechanism(20.0).self_compose(365).get_delta_for_epsilon(0.0)",
                lambda: (
                    privacy_loss_distribution.from_gaussian_mechanism(20.0).self_compose(365).get_delta_for_epsilon(0.0)
                ),
            ),
            "riskcal": (
                "get_advantage_from_gdp(sqrt(365)/20)",
                lambda: analysis.get_advantage_from_gdp(math.sqrt(365) / 20),
            ),
            "autodp": (
                "ExactGaussianMechanism(20/sqrt(365)).get_approx_delta(0.0)",
                lambda: mechanism_zoo.ExactGaussianMechanism(20 / math.sqrt(365)).get_approx_delta(0.0),
            ),
        },
    ),
    Question(
        "missed_by_any_attacker",
        "Least share of the people present that an attacker with 5 in 100 false alarms overlooks, whatever release "
        "keeps to ρ = 0.1",
        lambda: truths.concentrated_missed(0.1, 0.05),
        False,
        {
            "dpcore": (
                "trade_off(ZeroConcentratedDP(rho=0.1)).missed(0.05)",
                lambda: trade_off(ZeroConcentratedDP(rho=0.1)).missed(0.05),
            ),
            "riskcal": (
                "get_beta_from_zcdp(rho=0.1, alpha=0.05)",
                lambda: analysis.get_beta_from_zcdp(rho=0.1, alpha=0.05),
            ),
            "autodp": (
                "Mechanism with the Rényi curve 0.1·order; get_fDP(0.05)",
                lambda: _autodp_concentrated(0.1).get_fDP(0.05),
            ),
        },
    ),
)
