"""The same in Python: an interval from noisy moments, the run of a regression, a row of the study of coverage."""

from __future__ import annotations

import numpy as np

from dpcore.inference import RegressionPosterior, cirrhosis_data, draw_noisy_sums, posterior, regression_posterior
from dpcore.inference.coverage import StudyRow, coverage_table
from ui.views.infer.learned import Learned, ends
from ui.views.infer.noisy_regression import CHAINS, DRAWS, WARM_UP, RegressionChoice, end
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Lower, Upper


def moments_in_python(learned: Learned) -> CodeLines:
    """The lines for the shortest interval of the mean."""
    code = CodeWriter()
    release, prior = code.let("release", learned.release), code.let("prior", learned.prior)
    found = code(posterior, release, prior, constrained=True)
    said = ends(*learned.mean_interval(True))
    return code.ending(Source(f"{found}.mean.shortest_interval({learned.inputs.level!r})"), *said)


def regression_in_python(inputs: RegressionChoice, draws: RegressionPosterior | str | None) -> CodeLines:
    """The lines of the run, for the range that holds 95 of 100 slopes it draws."""
    code = CodeWriter()
    sums: object = inputs.noisy_sums
    if inputs.sums == "cirrhosis":
        sums = code(draw_noisy_sums, code(cirrhosis_data), inputs.epsilon_each, seed=inputs.draw_seed)
    release, prior = code.let("release", sums), code.let("prior", inputs.line_prior)
    size = {"chains": CHAINS, "draws": DRAWS, "warm_up": WARM_UP, "seed": inputs.draw_seed}
    found = code.let("found", code(regression_posterior, release, prior, **size))
    said: tuple[Lower | Upper, ...] = ()
    if isinstance(draws, RegressionPosterior):
        low, high = np.quantile(draws.slope, [0.025, 0.975]).tolist()
        said = Lower(low, end), Upper(high, end)
    return code.ending(code(np.quantile, Source(f"{found}.slope"), [0.025, 0.975]), *said)


def study_in_python(first: StudyRow, command: str) -> CodeLines:
    """The lines that read the study's first row of these choices; its command makes the table anew."""
    code = CodeWriter()
    code.note(f"the table is made by: {command}")
    setting = f"(row.mean, row.epsilon) == {(first.mean, first.epsilon)!r}"
    rows = code.let("rows", Source(f"[row for row in {code(coverage_table)} if {setting}]"))
    return code.ending(Source(f"{rows}[0].constrained.length"), Exact(first.constrained.length, _hundredths))


def _hundredths(length: float, direction: str) -> str:
    return f"{length:.2f}"
