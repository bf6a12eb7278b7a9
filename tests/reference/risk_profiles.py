"""Kinds of case on profiles, answered by public dpcore calls. Keyword arguments are the case's inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpcore import profiles


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
    return _epsilon(profiles.DrawnGrid(p, q, ratio))


def _profile(profile: str, domain: str = "(0,1]x(0,1]", hint: str | None = None) -> float:
    if domain.replace(" ", "") != "(0,1]x(0,1]":
        raise ValueError(f"domain must be '(0,1]x(0,1]'; got {domain!r}")
    return _epsilon(profiles.ExpressionProfile(str(profile)))


def _product_profile(cap_of_x: str, x: str = "p*q on (0,1)") -> float:
    if not str(x).startswith("p*q"):
        raise ValueError(f"x must be 'p*q on (0,1)'; got {x!r}")
    return _epsilon(profiles.ExpressionProfile(str(cap_of_x), kind="posterior"))


ANSWERS: dict[str, Callable[..., Any]] = {
    "eps_at_prior": _at_prior,
    "eps_at_prior_general": _at_prior,
    "eps_at_prior_cap": _at_prior_cap,
    "eps_box": lambda **inputs: _epsilon(_box(**inputs)),
    "eps_boxes": _boxes,
    "eps_constant": lambda r: _epsilon(profiles.Constant(_number(r))),
    "eps_constant_fixed_q1": lambda r: _epsilon(profiles.Constant(_number(r), value_prior=1.0)),
    "eps_difference": lambda b: _epsilon(profiles.LargestIncrease(_number(b))),
    "eps_difference_membership": lambda b: _epsilon(profiles.LargestIncrease(_number(b), value_prior=1.0)),
    "eps_drawn": _drawn,
    "eps_drawn_grid": _drawn_grid,
    "eps_fixed_p": lambda p, a, r: _epsilon(profiles.CapOrRatio(_number(a), _number(r), membership_prior=_number(p))),
    "eps_fixed_q": lambda q, a, r: _epsilon(profiles.CapOrRatio(_number(a), _number(r), value_prior=_number(q))),
    "eps_point_profile": lambda r: _epsilon(profiles.Box(_number(r), (0.5, 0.5), (1.0, 1.0))),
    "eps_product_profile": _product_profile,
    "eps_profile": _profile,
    "eps_two_dim": lambda a, r: _epsilon(profiles.CapOrRatio(_number(a), _number(r))),
}
