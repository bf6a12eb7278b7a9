"""Kinds of case on profiles, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcore import profiles
from dpcore._checks import count
from dpcore.mechanisms import Geometric


def _number(value: Any) -> Any:
    """A case writes infinities and NaN as text."""
    return float(value) if value in ("inf", "-inf", "nan") else value


def _at_prior(p: Any, q: Any, ratio_bound: Any, value_ratio_exponent: Any = 2.0) -> float:
    return profiles.largest_epsilon(
        membership_prior=_number(p),
        value_prior=_number(q),
        ratio_bound=_number(ratio_bound),
        value_exponent=_number(value_ratio_exponent),
    )


def _at_prior_cap(p: Any, q: Any, posterior_cap: Any) -> float:
    return profiles.largest_epsilon(
        membership_prior=_number(p), value_prior=_number(q), posterior_cap=_number(posterior_cap)
    )


def _epsilon(profile: profiles.RiskProfile) -> float:
    return profile.implied_epsilon().epsilon


def _box(r: Any, p0: Any, p1: Any, q0: Any, q1: Any) -> profiles.Box:
    return profiles.Box(_number(r), (_number(p0), _number(p1)), (_number(q0), _number(q1)))


def _boxes(boxes: Any, columns: Any = ("r", "p0", "p1", "q0", "q1"), outside: str = "no requirement") -> float:
    if outside != "no requirement":
        raise ValueError(f"outside must be 'no requirement'; got {outside!r}")
    return _epsilon(profiles.Boxes(tuple(_box(**dict(zip(columns, box, strict=True))) for box in boxes)))


def _drawn(
    nodes: Any,
    kind: str = "ratio",
    interpolation: str = "linear",
    axis: str = "p",
    fixed: Any = 1.0,
    outside_nodes: str = "no requirement",
) -> float:
    own_kind = {"cap": "posterior", "ratio": "ratio", "difference": "increase"}.get(kind, kind)
    linear = "ratio" if own_kind == "ratio" else "posterior"
    line = profiles.DrawnLine(
        [[_number(value) for value in node] for node in nodes],
        kind=own_kind,
        interpolation={"linear": linear, "loglog": "log-log"}.get(interpolation, interpolation),
        along={"p": "membership", "q": "value"}.get(axis, axis),
        held=_number(fixed),
        outside=outside_nodes,
    )
    return _epsilon(line)


def _drawn_grid(p: Any, q: Any, ratio: Any, interpolation: str = "bilinear", outside: str = "no requirement") -> float:
    if interpolation != "bilinear":
        raise ValueError(f"interpolation must be 'bilinear'; got {interpolation!r}")
    if outside != "no requirement":
        raise ValueError(f"outside must be 'no requirement'; got {outside!r}")
    return _epsilon(profiles.DrawnGrid(membership_priors=p, value_priors=q, ratios=ratio))


def _profile(profile: str, domain: str = "(0,1]x(0,1]", hint: str | None = None) -> float:
    if domain.replace(" ", "") != "(0,1]x(0,1]":
        raise ValueError(f"domain must be '(0,1]x(0,1]'; got {domain!r}")
    return _epsilon(profiles.ExpressionProfile(str(profile)))


def _product_profile(cap_of_x: str, x: str = "p*q on (0,1)") -> float:
    if not str(x).startswith("p*q"):
        raise ValueError(f"x must be 'p*q on (0,1)'; got {x!r}")
    return _epsilon(profiles.ExpressionProfile(str(cap_of_x), kind="posterior"))


def _lee_clifton(
    population: Any = None,
    statistic: str = "mean",
    cap: Any = None,
    delta_t: Any = None,
    delta_v: Any = None,
    n: Any = None,
    a: Any = None,
) -> Any:
    posterior_cap = _number(cap if cap is not None else a)
    if population is not None:
        found = profiles.lee_clifton(population=population, statistic=statistic, posterior_cap=posterior_cap)
        return {"delta_t": found.statistic_range, "delta_v": found.statistic_spread, "eps": found.epsilon}
    return profiles.lee_clifton_epsilon(
        statistic_range=_number(delta_t),
        statistic_spread=_number(delta_v),
        population_size=n,
        posterior_cap=posterior_cap,
    )


def _grid_answer(profile: str, grid: Any) -> dict[str, float]:
    text, _, held = str(profile).partition(" at ")
    place = {"q=1": {"value_prior": 1.0}, "p=1": {"membership_prior": 1.0}, "": {}}
    if held.replace(" ", "") not in place:
        raise ValueError(f"profile must be held at 'q=1' or 'p=1'; got {profile!r}")
    line = profiles.ExpressionProfile(text, **place[held.replace(" ", "")])
    return {"grid_eps": profiles.epsilon_on_grid(line, steps=round(1 / _number(grid))), "true_eps": _epsilon(line)}


def _figure_3_2_bar(a: Any, r: Any, births: Any, target_per_1000: Any, deviations: Any) -> dict[str, Any]:
    count("target", round(_number(target_per_1000) * births / 1000))
    epsilon = _epsilon(profiles.CapOrRatio(_number(a), _number(r), value_prior=1.0))
    noise = Geometric(epsilon=epsilon)
    above = [round(_number(deviation) * births / 1000) for deviation in deviations]
    return {"eps": epsilon, "rmse": noise.std, "switch": [float(noise.cdf(-k)) for k in above]}


ANSWERS: dict[str, Callable[..., Any]] = {
    "eps_at_prior": _at_prior,
    "eps_at_prior_general": _at_prior,
    "eps_at_prior_cap": _at_prior_cap,
    "eps_box": lambda **inputs: _epsilon(_box(**inputs)),
    "eps_boxes": _boxes,
    "eps_constant": lambda r: _epsilon(profiles.Constant(_number(r), value_prior="any")),
    "eps_constant_fixed_q1": lambda r: _epsilon(profiles.Constant(_number(r), value_prior=1.0)),
    "eps_difference": lambda b: _epsilon(profiles.LargestIncrease(_number(b), value_prior="any")),
    "eps_difference_membership": lambda b: _epsilon(profiles.LargestIncrease(_number(b), value_prior=1.0)),
    "eps_drawn": _drawn,
    "eps_drawn_grid": _drawn_grid,
    "eps_fixed_p": lambda p, a, r: _epsilon(profiles.CapOrRatio(_number(a), _number(r), membership_prior=_number(p))),
    "eps_fixed_q": lambda q, a, r: _epsilon(profiles.CapOrRatio(_number(a), _number(r), value_prior=_number(q))),
    "eps_lee_clifton_ours": lambda n, a: profiles.epsilon_for_absent_person(
        population_size=n, posterior_cap=_number(a)
    ),
    "figure_3_2_bar": _figure_3_2_bar,
    "grid_answer_is_too_large": _grid_answer,
    "lee_clifton": _lee_clifton,
    "eps_point_profile": lambda r: _epsilon(profiles.Box(_number(r), (0.5, 0.5), (1.0, 1.0))),
    "eps_product_profile": _product_profile,
    "eps_profile": _profile,
    "eps_two_dim": lambda a, r: _epsilon(profiles.CapOrRatio(_number(a), _number(r), value_prior="any")),
}
