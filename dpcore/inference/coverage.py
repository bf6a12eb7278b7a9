"""The simulation study of chapter 4 by tabulation: coverage, length and error of intervals for mu.

A posterior depends on the release only; a constrained one only on the release pulled into the possible range. So the
ends and the mode of each setting are tabulated over the releases it visits, and any number of simulated data sets
costs next to nothing. The whole study runs in minutes where the authors' sampler took core-years:

    python -m dpcore.inference.coverage --data-sets 20000 --points 5 > dpcore/data/coverage_study.csv
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np
from scipy.interpolate import BarycentricInterpolator

from dpcore import _checks, studies
from dpcore._checks import FloatArray
from dpcore.errors import Code, Refused
from dpcore.inference.bounded import posterior
from dpcore.inference.models import FlatPrior, NoisyMoments

SAMPLE_SIZES = (10, 13, 16, 20, 25, 32, 40, 50, 63, 79, 100, 126, 158, 200, 251, 316, 398, 501, 631, 794, 1000)
"""Sample sizes of Figures 4.2, 4.8 and 4.9: twenty-one, evenly spaced on the log scale."""

EPSILONS = (0.1, 1.0)
"""Privacy-loss parameters of the figures, each for the mean and for the variance."""

POPULATIONS = ((0.1, 0.04), (0.5, 0.2))
"""Means and standard deviations of the normal laws, cut to [0, 1], that data come from."""

WIDEST = 10.0
"""Standard deviation from which a normal law cut to [0, 1] is flat, and hardly any draw of it is kept."""


@dataclass(frozen=True)
class Performance:
    """How an analysis did over simulated data sets: estimates.

    Attributes
    ----------
    coverage
        Share of intervals that hold the true mean.
    length
        Mean length of the interval.
    rmse
        Root mean square error of the posterior mode of mu.
    """

    coverage: float
    length: float
    rmse: float


@dataclass(frozen=True)
class SettingResult:
    """Performance with and without the constraints over the same releases."""

    unconstrained: Performance
    constrained: Performance


def draw_moments(
    generator: np.random.Generator, *, n: int, mean: float, sd: float, data_sets: int
) -> tuple[FloatArray, FloatArray]:
    """Sample means and variances of data sets of n normal values cut to [0, 1]; simulations."""
    truth, spread = _checks.number("mean", mean, 0.0, 1.0), _checks.number("sd", sd, 0.0, WIDEST, open_low=True)
    count, n = _checks.count("data_sets", data_sets, 1), _checks.count("n", n, 2)
    means, variances = np.empty(count), np.empty(count)
    block = max(1, 4_000_000 // n)
    for start in range(0, count, block):
        stop = min(start + block, count)
        values = truth + spread * generator.standard_normal((stop - start, n))
        while True:
            outside = np.flatnonzero((values.ravel() < 0) | (values.ravel() > 1))
            if not len(outside):
                break
            values.ravel()[outside] = truth + spread * generator.standard_normal(len(outside))
        means[start:stop] = values.mean(axis=1)
        variances[start:stop] = values.var(axis=1, ddof=1)
    return means, variances


def _lobatto(low: float, high: float, count: int) -> FloatArray:
    """Chebyshev points with both ends, which are not one."""
    high = max(high, low + 1e-9)
    return np.asarray(low + (high - low) * 0.5 * (1.0 - np.cos(np.pi * np.arange(count) / (count - 1))))


def _table(release: NoisyMoments, level: float, means: FloatArray, variances: FloatArray) -> FloatArray:
    """Constrained lower end, upper end and mode, each less the noisy mean, on the grid; shape (means, variances, 3)."""
    result = np.empty((len(means), len(variances), 3))
    for i, mean in enumerate(means):
        for j, variance in enumerate(variances):
            at = NoisyMoments(
                n=release.n,
                mean=float(mean),
                variance=float(variance),
                epsilon_mean=release.epsilon_mean,
                epsilon_variance=release.epsilon_variance,
            )
            mu = posterior(at, FlatPrior()).mean
            result[i, j] = (*mu.shortest_interval(level), mu.mode)
            result[i, j] -= mean
    return result


def _interpolate(grid: FloatArray, nodes: FloatArray, values: FloatArray) -> FloatArray:
    """Matrix of interpolation weights from the Chebyshev nodes to the values."""
    return np.asarray(BarycentricInterpolator(nodes, grid)(values))


def _performance(low: FloatArray, high: FloatArray, mode: FloatArray, truth: float) -> Performance:
    return Performance(
        float(((low <= truth) & (truth <= high)).mean()),
        float((high - low).mean()),
        float(np.sqrt(((mode - truth) ** 2).mean())),
    )


def simulate_setting(
    generator: np.random.Generator,
    *,
    n: int,
    epsilon_mean: float,
    epsilon_variance: float,
    mean: float,
    sd: float,
    data_sets: int = 20_000,
    points: int = 5,
    level: float = 0.95,
) -> SettingResult:
    """Coverage, length and error of the shortest interval for mu under the flat prior, with and without constraints.

    An estimate: its standard errors are those of `data_sets` simulations, plus about 1e-3 of a length from the table.
    Source: thesis, section 4.4.1; thesis, section 4.13; ours, tabulation in place of a chain per data set

    Parameters
    ----------
    generator : numpy.random.Generator; source of randomness
    n : int; sample size, at least 4
    epsilon_mean, epsilon_variance : float; privacy-loss parameters, greater than 0
    mean, sd : float; of the normal law cut to [0, 1] that data come from; the truth is this mean
    data_sets : int; simulated data sets, at least 1
    points : int; Chebyshev points of the table in each direction, at least 4
    level : float; level of the interval, in (0, 1)

    Examples
    --------
    >>> result = simulate_setting(
    ...     np.random.default_rng(1),
    ...     n=10,
    ...     epsilon_mean=0.1,
    ...     epsilon_variance=0.1,
    ...     mean=0.5,
    ...     sd=0.2,
    ...     data_sets=500,
    ...     points=4,
    ... )
    >>> result.constrained.coverage
    1.0
    """
    size = _checks.count("n", n, 4)
    grid = _checks.count("points", points, 4)
    release = NoisyMoments(n=size, mean=0.5, variance=0.1, epsilon_mean=epsilon_mean, epsilon_variance=epsilon_variance)
    share = _checks.number("level", level, 0.0, 1.0, open_low=True, open_high=True)
    means, variances = draw_moments(generator, n=size, mean=mean, sd=sd, data_sets=data_sets)
    noisy_mean = means + generator.laplace(0.0, 1.0 / release.laplace_rates[0], len(means))
    noisy_variance = variances + generator.laplace(0.0, 1.0 / release.laplace_rates[1], len(means))
    reach = _unconstrained_reach(release, noisy_variance, share, 10)
    unconstrained = _performance(noisy_mean - reach, noisy_mean + reach, noisy_mean, mean)

    # with constraints: the release pulled into the possible range, and mirrored to a noisy mean of at most one half
    inside = np.clip(noisy_mean, 0.0, 1.0)
    mirrored = inside > 0.5
    folded = np.where(mirrored, 1.0 - inside, inside)
    clipped = np.clip(noisy_variance, 0.0, size / (4.0 * (size - 1)))
    mean_nodes = _lobatto(float(folded.min()), float(folded.max()), grid)
    variance_nodes = _lobatto(float(clipped.min()), float(clipped.max()), grid)
    table = _table(release, share, mean_nodes, variance_nodes)
    along_mean = _interpolate(np.eye(grid), mean_nodes, folded)
    along_variance = _interpolate(np.eye(grid), variance_nodes, clipped)
    low, high, mode = folded + np.einsum("ai,aj,ijk->ka", along_mean, along_variance, table, optimize=True)
    low, high = np.where(mirrored, 1.0 - high, low), np.where(mirrored, 1.0 - low, high)
    mode = np.where(mirrored, 1.0 - mode, mode)
    return SettingResult(unconstrained, _performance(low, high, mode, mean))


def _unconstrained_reach(release: NoisyMoments, noisy_variance: FloatArray, level: float, points: int) -> FloatArray:
    """Half length of the unconstrained interval: it depends on the noisy variance only, and not below zero."""
    positive = np.maximum(noisy_variance, 0.0)
    nodes = _lobatto(0.0, max(float(positive.max()), 1e-9), points)
    upper = 0.5 + 0.5 * level  # the posterior is symmetric round the noisy mean
    half = []
    for variance in nodes:
        at = NoisyMoments(
            n=release.n,
            mean=0.0,
            variance=float(variance),
            epsilon_mean=release.epsilon_mean,
            epsilon_variance=release.epsilon_variance,
        )
        half.append(float(posterior(at, FlatPrior(), constrained=False).mean.quantile(upper)))
    return np.asarray(np.interp(positive, *_dense(nodes, np.array(half))))


def unconstrained_rmse(*, n: int, epsilon_mean: float, sd: float) -> float:
    """Root mean square error of the noisy mean, the flat prior's posterior mode of mu without constraints: exact.

    Source: ours, sampling variance plus noise variance

    Parameters
    ----------
    n : int; sample size, at least 2
    epsilon_mean : float; privacy-loss parameter of the mean, greater than 0
    sd : float; standard deviation of the data on the unit scale, at least 0

    Examples
    --------
    >>> round(unconstrained_rmse(n=100, epsilon_mean=0.1, sd=0.0) ** 2, 9)  # 2 over the square of 100 times 0.1
    0.02
    """
    size = _checks.count("n", n, 2)
    epsilon = _checks.number("epsilon_mean", epsilon_mean, 0.0, open_low=True)
    spread = _checks.number("sd", sd, 0.0)
    return math.sqrt(spread**2 / size + 2.0 / (epsilon * size) ** 2)


def unconstrained_length_slope(
    generator: np.random.Generator,
    *,
    sizes: Sequence[int],
    epsilon_mean: float,
    epsilon_variance: float,
    mean: float,
    sd: float,
    data_sets: int = 2_000,
) -> float:
    """Slope of log mean interval length on log n, flat prior without constraints: about -1 while noise dominates.

    An estimate; parameters as for `simulate_setting`.
    Source: thesis, section 4.4.1

    Examples
    --------
    >>> slope = unconstrained_length_slope(
    ...     np.random.default_rng(1),
    ...     sizes=[10, 100],
    ...     epsilon_mean=0.1,
    ...     epsilon_variance=0.1,
    ...     mean=0.5,
    ...     sd=0.2,
    ...     data_sets=200,
    ... )
    >>> -1.1 < slope < -0.9
    True
    """
    if np.ndim(sizes) != 1 or len(set(sizes)) < 2:
        raise Refused("sizes", "be a list of at least two different sizes", sizes, Code.WRONG_SHAPE)
    lengths = []
    for n in sizes:
        release = NoisyMoments(
            n=n, mean=0.5, variance=0.1, epsilon_mean=epsilon_mean, epsilon_variance=epsilon_variance
        )
        _, variances = draw_moments(generator, n=release.n, mean=mean, sd=sd, data_sets=data_sets)
        noisy = variances + generator.laplace(0.0, 1.0 / release.laplace_rates[1], data_sets)
        lengths.append(2.0 * float(_unconstrained_reach(release, noisy, 0.95, 8).mean()))
    return float(np.polyfit(np.log(np.asarray(sizes, dtype=float)), np.log(lengths), 1)[0])


def _dense(nodes: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A fine table of the interpolating polynomial, for linear look-up."""
    fine = np.linspace(nodes[0], nodes[-1], 2001)
    return fine, np.asarray(BarycentricInterpolator(nodes, values)(fine))


def setting_task(generator: np.random.Generator, **parameters: Any) -> dict[str, float]:
    """One setting of the study as flat numbers: what a worker computes and the store keeps."""
    result = simulate_setting(generator, **parameters)
    return {
        f"{name}_{measure}": getattr(getattr(result, name), measure)
        for name in ("unconstrained", "constrained")
        for measure in ("coverage", "length", "rmse")
    }


def study_tasks(
    *,
    sizes: Sequence[int] = SAMPLE_SIZES,
    epsilons: Sequence[float] = EPSILONS,
    populations: Sequence[tuple[float, float]] = POPULATIONS,
    data_sets: int = 20_000,
    points: int = 5,
) -> list[studies.Task]:
    """Tasks of the study of Figures 4.2, 4.8 and 4.9: each answers a constrained and an unconstrained setting.

    Source: thesis, section 4.16

    Examples
    --------
    >>> 2 * len(study_tasks())
    168
    """
    settings = [
        {
            "n": n,
            "epsilon_mean": epsilon,
            "epsilon_variance": epsilon,
            "mean": mean,
            "sd": sd,
            "data_sets": data_sets,
            "points": points,
        }
        for epsilon in epsilons
        for mean, sd in populations
        for n in sizes
    ]
    return [studies.Task(number, setting_task, setting) for number, setting in enumerate(settings)]


@dataclass(frozen=True)
class StudyRow:
    """One line of the committed study: a setting and how both analyses did."""

    n: int
    epsilon: float
    mean: float
    sd: float
    data_sets: int
    unconstrained: Performance
    constrained: Performance


_COLUMNS = (
    "n",
    "epsilon",
    "mean",
    "sd",
    "data_sets",
    *(f"{kind}_{measure}" for kind in ("unconstrained", "constrained") for measure in ("coverage", "length", "rmse")),
)


def coverage_table() -> list[StudyRow]:
    """The committed study: 84 settings with both analyses of each, from the command at the head of this module.

    Source: ours, dpcore/data/coverage_study.csv; column notes in coverage_study.md

    Examples
    --------
    >>> len(coverage_table())
    84
    """
    text = resources.files("dpcore").joinpath("data/coverage_study.csv").read_text(encoding="utf-8")
    rows = []
    for line in csv.DictReader(item for item in text.splitlines() if not item.startswith("#")):
        value = {name: float(line[name]) for name in _COLUMNS}
        rows.append(
            StudyRow(
                int(value["n"]),
                value["epsilon"],
                value["mean"],
                value["sd"],
                int(value["data_sets"]),
                *(
                    Performance(*(value[f"{kind}_{measure}"] for measure in ("coverage", "length", "rmse")))
                    for kind in ("unconstrained", "constrained")
                ),
            )
        )
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the study and write its table to standard output; resumable through the store."""
    parser = argparse.ArgumentParser(prog="python -m dpcore.inference.coverage", description=main.__doc__)
    parser.add_argument("--store", help="file that keeps finished settings, so that a lost run resumes")
    parser.add_argument("--workers", type=int, default=1, help="processes; 1 computes in this one")
    parser.add_argument("--data-sets", type=int, default=20_000, help="simulated data sets per setting")
    parser.add_argument("--points", type=int, default=5, help="points of each table in each direction")
    options = parser.parse_args(arguments)
    tasks = study_tasks(data_sets=options.data_sets, points=options.points)

    def progress(done: int, total: int) -> None:
        bar = "#" * (40 * done // total)
        print(f"\r[{bar:<40}] {done}/{total}", end="", file=sys.stderr, flush=True)

    engine = studies.SerialExecutor() if options.workers < 2 else studies.ProcessExecutor(options.workers)
    with engine:
        study = studies.run(tasks, engine, options.store, root=4, progress=progress)
    print(file=sys.stderr)
    print(",".join(_COLUMNS))
    for task in tasks:
        setting, result = task.parameters, study.results[task.number]
        head = [setting["n"], setting["epsilon_mean"], setting["mean"], setting["sd"], setting["data_sets"]]
        print(",".join([*map(str, head), *(f"{result[name]:.6g}" for name in _COLUMNS[5:])]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
