"""The same in Python: the noise that answers need which go together, and the run of the lines of largest error."""

from __future__ import annotations

from collections.abc import Sequence

from dpcore.acs_like import acs_like
from dpcore.mechanisms import Geometric
from dpcore.public_information import CorrelatedAnswers, ErrorLine, Workload, error_lines
from ui.words.phrasing import plain_number
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Estimate, Exact, number


def noise_in_python(answers: CorrelatedAnswers, target: float, needed: float) -> CodeLines:
    """The lines for the spread of the noise that the promise needs."""
    code = CodeWriter()
    together = code.let("answers", answers)
    epsilon = code.let("epsilon", Source(f"{together}.noise_epsilon({target!r})"))
    return code.ending(Source(f"{code(Geometric, epsilon=epsilon)}.std"), Exact(needed, number(3)))


def line_in_python(
    study: tuple[int, int, float, float, int, int, int], epsilons: Sequence[float], line: ErrorLine | None
) -> CodeLines:
    """The lines of the run that draws the error with public data; its largest error at the smallest budget."""
    records, public, shift, delta, rounds, repeats, seed = study
    code = CodeWriter()
    base = code.let("base", code(acs_like))
    moved = code.let("moved", code(acs_like, time_shift=shift, place_shift=shift))
    workload = code.let("workload", Source(f"{code.named(Workload)}.all_marginals({base}.sizes, order=2)"))
    drawn = code(
        error_lines,
        workload,
        Source(f"{base}.draw({records}, seed={seed})"),
        Source(f"{moved}.draw({public}, seed={seed + 1})"),
        epsilons=tuple(epsilons),
        delta=delta,
        rounds=rounds,
        marginal_rounds=marginal_rounds(rounds),
        repeats=repeats,
        seed=seed,
        methods=["public_assisted_marginals"],
    )
    said = () if line is None else (Estimate(line.errors[0], points),)
    return code.ending(Source(f"next({drawn}).errors[0]"), *said)


def marginal_rounds(rounds: int) -> int:
    """Rounds of the method that measures a whole table a round."""
    return max(1, min(8, rounds))


def points(error: float, direction: str) -> str:
    """An error of a share in percentage points."""
    return plain_number(100 * error, 2, direction)
