"""Disclosure risk and privacy budgets, exactly: the numerical library under Riskline. It needs NumPy and SciPy only.

`import dpcore` is enough: a module is read when it is first named, as `dpcore.semantics` is here. A few names with
which most questions begin stand in front, `from dpcore import CapOrRatio, Geometric`; every other one is imported from
the module that names its idea, `from dpcore.composition import ReleasePlan`.

Examples
--------
>>> import dpcore
>>> agency = dpcore.CapOrRatio(cap=0.25, ratio=3, value_prior=1.0)
>>> agency.implied_epsilon().recommended
1.29
>>> dpcore.count_error(dpcore.Geometric(epsilon=1.29)).half_width
2
>>> round(dpcore.semantics.posterior_upper(prior=0.1, epsilon=1.29), 4)
0.2876
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpcore import (
        accuracy,
        acs_like,
        adjustment,
        attacks,
        audit,
        census,
        chains,
        composition,
        deployments,
        discrete_certificate,
        errors,
        filters,
        first_passage,
        guarantees,
        inference,
        mechanisms,
        methods,
        populations,
        privacy_loss,
        profile_certificate,
        profiles,
        promise,
        public_information,
        publication,
        randomized_response,
        relatives,
        rounding,
        schema,
        scope,
        semantics,
        sources,
        studies,
        totals,
        tradeoff,
        trial,
        worst_change,
    )
    from dpcore.accuracy import count_error
    from dpcore.errors import Refused
    from dpcore.mechanisms import DiscreteGaussian, Gaussian, Geometric, Laplace, RandomizedResponse
    from dpcore.profiles import CapOrRatio, DrawnLine, budget
    from dpcore.promise import Promise
    from dpcore.semantics import belief_bounds, posterior_upper

__version__ = "0.4.0"

__all__ = [
    "CapOrRatio",
    "DiscreteGaussian",
    "DrawnLine",
    "Gaussian",
    "Geometric",
    "Laplace",
    "Promise",
    "RandomizedResponse",
    "Refused",
    "accuracy",
    "acs_like",
    "adjustment",
    "attacks",
    "audit",
    "belief_bounds",
    "budget",
    "census",
    "chains",
    "composition",
    "count_error",
    "deployments",
    "discrete_certificate",
    "errors",
    "filters",
    "first_passage",
    "guarantees",
    "inference",
    "mechanisms",
    "methods",
    "populations",
    "posterior_upper",
    "privacy_loss",
    "profile_certificate",
    "profiles",
    "promise",
    "public_information",
    "publication",
    "randomized_response",
    "relatives",
    "rounding",
    "schema",
    "scope",
    "semantics",
    "sources",
    "studies",
    "totals",
    "tradeoff",
    "trial",
    "worst_change",
]

_HOMES = {
    "CapOrRatio": "profiles",
    "DiscreteGaussian": "mechanisms",
    "DrawnLine": "profiles",
    "Gaussian": "mechanisms",
    "Geometric": "mechanisms",
    "Laplace": "mechanisms",
    "Promise": "promise",
    "RandomizedResponse": "mechanisms",
    "Refused": "errors",
    "belief_bounds": "semantics",
    "budget": "profiles",
    "count_error": "accuracy",
    "posterior_upper": "semantics",
}
"""The module in which a name in front lives."""


if not TYPE_CHECKING:  # type checkers know the names above, and that there are no others

    def __getattr__(name):
        """A module or a name in front, read when it is first asked for."""
        from importlib import import_module

        if name in _HOMES:
            value = getattr(import_module(f"dpcore.{_HOMES[name]}"), name)
            globals()[name] = value
            return value
        if name in __all__:
            return import_module(f"dpcore.{name}")
        raise AttributeError(
            f"dpcore has no {name!r} in front; dir(dpcore) lists its modules, and help() of a module its names",
            name=name,
            obj=sys.modules[__name__],
        )


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
