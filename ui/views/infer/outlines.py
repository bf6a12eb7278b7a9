"""Regions of highest density of mean and spread: their heights by adding up, their outlines closed at every edge.

Bounded data have a mean and a standard deviation in a half-disc. The grid's lines run along its edge, so that no cell
is cut by it: the density is added up where it is, and an outline that reaches the edge follows it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import RectBivariateSpline

from dpcore.inference import ConjugatePrior, Posterior

FloatArray = NDArray[np.float64]
Outlines = tuple[FloatArray, ...]
NODES = (64, 44)  # where the density is computed, mean by spread; between them its logarithm is interpolated
CELLS = (192, 132)
BEYOND = 0.001  # share of what a region leaves out that the grid leaves out at each end of an axis
INSET = 0.1  # of a step: nodes keep so far off the edges, where the density may be nought or without limit
FAINTEST = -60.0  # log of a density relative to the highest at which it is no longer told apart from nought
CORNERS = ((0, 0), (0, 1), (1, 1), (1, 0))


@dataclass(frozen=True, eq=False)
class DensityGrid:
    """A density of mean and spread over cells that tile what is possible, relative to the highest, and their mass.

    Rows go up in spread, columns in mean; their middles have a rim of points on the edges of the grid.
    """

    mean: FloatArray
    spread: FloatArray
    log_density: FloatArray
    mass: FloatArray

    def log_height(self, share: float) -> float:
        """The height, as `log_density`, above which the density holds the share."""
        order = np.argsort(self.log_density, axis=None)[::-1]
        mass = self.mass.ravel()[order]
        held = np.cumsum(mass) - 0.5 * mass  # one half of a cell is above the height of its middle
        return float(np.interp(share, held, self.log_density.ravel()[order]))

    def outlines(self, log_height: float) -> Outlines:
        """Closed lines of points (mean, spread) round where the density is above the height."""
        excess = np.pad(np.pad(self.log_density - log_height, 1, mode="edge"), 1, constant_values=FAINTEST)
        mean, spread = (np.pad(place, 1, mode="edge") for place in (self.mean, self.spread))
        return tuple(_placed(ring, excess, mean, spread) for ring in _rings(excess >= 0))


def density_grid(found: Posterior, level: float) -> DensityGrid:
    """The posterior's density over possible means and spreads, as far out as a region of this level goes."""
    tails = np.array([BEYOND * (1.0 - level), 1.0 - BEYOND * (1.0 - level)])
    low, middle, high = np.sqrt(np.maximum(found.variance.quantile([tails[0], 0.5, tails[1]]), 0.0)).tolist()
    low = 0.0 if low < 0.3 * high else low
    over = _HalfDisc(found, tails, (low, high)) if found.constrained else _HalfPlane(found, tails, (low, middle, high))

    nodes = _nodes(over.across, NODES[0]), _nodes(over.up, NODES[1])
    at_mean, at_spread = over.places(*nodes)
    # a power of the variance before is taken out: it may have no limit where there is no spread
    power = 0.0 if isinstance(found.prior, ConjugatePrior) else 2.0 * found.prior.power
    logs = np.asarray(found.log_joint_density(at_mean, at_spread**2)) + power * np.log(at_spread)
    logs = np.maximum(logs, logs.max() + FAINTEST)

    edges = _edges(over.across, CELLS[0]), _edges(over.up, CELLS[1])
    columns, rows = (0.5 * (edge[1:] + edge[:-1]) for edge in edges)
    _, spread = over.places(columns, rows)
    interpolated = RectBivariateSpline(nodes[1], nodes[0], logs)(
        np.clip(rows, nodes[1][0], nodes[1][-1]), np.clip(columns, nodes[0][0], nodes[0][-1])
    )
    log_density = interpolated + (1.0 - power) * np.log(spread)
    # over a cell the power of the spread is averaged, between the shares of its height at the two edges
    share, between = over.heights(rows)[:, None], over.heights(edges[1])[:, None]
    averaged = np.diff(between ** (2.0 - power), axis=0) / ((2.0 - power) * np.diff(between, axis=0))
    mass = 2.0 * np.exp(interpolated) * (spread / share) ** (1.0 - power) * averaged * over.areas(*edges)
    rim = (np.concatenate([edge[:1], place, edge[-1:]]) for edge, place in zip(edges, (columns, rows), strict=True))
    return DensityGrid(*over.places(*rim), log_density - log_density.max(), mass)


class _HalfDisc:
    """Where bounded data have mean and spread; an angle leads to the mean, a root to a share of the largest spread."""

    def __init__(self, found: Posterior, tails: FloatArray, spread: tuple[float, float]) -> None:
        self.centre, self.radius = 0.5 * (found.release.lower + found.release.upper), 0.5 * found.release.width
        ends = np.asarray(found.mean.quantile(tails))
        self.across = np.arccos(np.clip((self.centre - ends) / self.radius, -1.0, 1.0))
        most = self.radius * np.sin(np.append(self.across, np.clip(0.5 * np.pi, *self.across)))
        low, high = spread[0] / most.max(), min(spread[1] / max(float(most.min()), 1e-300), 1.0)
        self.up = np.sqrt([low if low >= 0.3 * high else 0.0, high])

    def heights(self, up: FloatArray) -> FloatArray:
        """Shares of the largest spread."""
        return np.asarray(up**2)

    def places(self, across: FloatArray, up: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mean and spread of each row and column."""
        wide, high = np.meshgrid(across, self.heights(up))
        return self.centre - self.radius * np.cos(wide), self.radius * np.sin(wide) * high

    def areas(self, across: FloatArray, up: FloatArray) -> FloatArray:
        """Of each cell: what the half-disc has between two means, times the share of its height."""
        return np.outer(
            np.diff(self.heights(up)), self.radius**2 * np.diff(across - np.sin(across) * np.cos(across)) / 2
        )


class _HalfPlane:
    """Any mean and any spread: finer in the middle of the posterior than far out."""

    def __init__(self, found: Posterior, tails: FloatArray, spread: tuple[float, float, float]) -> None:
        first, quarter, self.centre, upper, last = np.asarray(
            found.mean.quantile([tails[0], 0.25, 0.5, 0.75, tails[1]])
        ).tolist()
        self.wide, self.high = upper - quarter, spread[1]
        self.across = np.arcsinh((np.array([first, last]) - self.centre) / self.wide)
        self.up = np.sqrt(np.arcsinh(np.array([spread[0], spread[2]]) / self.high))

    def heights(self, up: FloatArray) -> FloatArray:
        """Shares of a middling spread."""
        return np.asarray(np.sinh(up**2))

    def places(self, across: FloatArray, up: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Mean and spread of each row and column."""
        mean, spread = np.meshgrid(self.centre + self.wide * np.sinh(across), self.high * self.heights(up))
        return mean, spread

    def areas(self, across: FloatArray, up: FloatArray) -> FloatArray:
        """Of each cell."""
        return np.outer(self.high * np.diff(self.heights(up)), self.wide * np.diff(np.sinh(across)))


def _edges(ends: FloatArray, cells: int) -> FloatArray:
    return np.linspace(ends[0], ends[1], cells + 1)


def _nodes(ends: FloatArray, count: int) -> FloatArray:
    inset = INSET * (ends[1] - ends[0]) / (count - 1)
    return np.linspace(ends[0] + inset, ends[1] - inset, count)


Corner = tuple[int, int]
Side = tuple[Corner, Corner]


def _rings(above: NDArray[np.bool_]) -> list[list[Side]]:
    """Marching squares: closed rings of sides with one end above; the rim of the grid must lie below."""
    beside: dict[Side, list[Side]] = {}
    count = above[:-1, :-1].astype(int) + above[:-1, 1:] + above[1:, :-1] + above[1:, 1:]
    for row, column in np.argwhere((count > 0) & (count < 4)).tolist():
        corners = [(row + down, column + right) for down, right in CORNERS]
        sides = [
            (min(one, other), max(one, other))
            for one, other in zip(corners, (*corners[1:], corners[0]), strict=True)
            if above[one] != above[other]
        ]
        for one, other in zip(sides[::2], sides[1::2], strict=True):
            beside.setdefault(one, []).append(other)
            beside.setdefault(other, []).append(one)
    rings = []
    while beside:
        ring = [next(iter(beside))]
        while following := next((side for side in beside.pop(ring[-1], []) if side in beside), None):
            ring.append(following)
        rings.append([*ring, ring[0]])
    return rings


def _placed(ring: list[Side], excess: FloatArray, mean: FloatArray, spread: FloatArray) -> FloatArray:
    """The points of a ring: on each side where the excess is nought if it runs straight."""
    one, other = (tuple(np.array([side[end] for side in ring]).T) for end in (0, 1))
    share = excess[one] / (excess[one] - excess[other])
    return np.column_stack([at[one] + share * (at[other] - at[one]) for at in (mean, spread)])
