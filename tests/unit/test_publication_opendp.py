"""The lines that release a whole publication with OpenDP, run: OpenDP's own maps add up to the budget and no further.

What a row costs is read back from the measurement, and what it publishes from its draws, not from our formulas.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from riskline.case.tables import TableRow
from tests.approved.prose import shown_view
from tests.approved.states import STATES
from tests.each import each
from ui.pictures.style import Style
from ui.views.publication import PRESETS, PublicationInputs, publication_view
from ui.views.publication.shared import Shared

pytest.importorskip("opendp.prelude")

COUNTS = (
    TableRow("Cases", wish="9", times="12", areas="8"),
    TableRow('"""\n# x', wish="9", cells="12", places="3"),
    TableRow("", wish="9", cells="4", places="4"),
    TableRow("Births", wish="9", times="12", areas="8", calendar="one"),
)
AMOUNTS = (
    TableRow("Pay", "total", wish="90", low="0", high="9000", areas="3"),
    TableRow("Change", "total", wish="9", low="-20", high="40", times="2"),
    TableRow("Fines", "total", wish="9", low="0", high="40", times="2", cells="2", calendar="one"),
)
MEANS = (TableRow("Score", "mean", wish="5", low="-3", high="7.5", people="4", areas="2"),)
EVERYTHING = {"start": "budget", "epsilon": 1.1, "rho": 0.4}


def ran(inputs: PublicationInputs) -> dict[str, Any]:
    lines = publication_view(inputs, Style()).python_opendp
    assert lines is not None
    scope: dict[str, Any] = {}
    exec(lines.text, scope)
    return scope


def assert_spends_its_budget(inputs: PublicationInputs) -> None:
    scope, allocation = ran(inputs), Shared(inputs, Style()).allocation
    assert scope["spent"] <= allocation.spent
    assert scope["spent"] == pytest.approx(allocation.spent, rel=1e-6)
    assert sum(name.startswith("noise_") for name in scope) == len(inputs.tables)


@pytest.mark.parametrize("noise", ["discrete_gaussian", "gaussian", "geometric", "laplace"])
@pytest.mark.parametrize("relation", ["add_or_remove", "replace"])
@pytest.mark.parametrize("unit", [{}, {"unit": "household", "group": 3}], ids=["person", "household"])
def test_the_maps_of_all_measurements_add_up_to_the_budget(noise: str, relation: str, unit: dict[str, Any]) -> None:
    rows = COUNTS + AMOUNTS + (MEANS if relation == "replace" and noise in ("gaussian", "laplace") else ())
    choices = EVERYTHING | unit | {"secret": "value", "relation": relation, "reserve": 0.1}
    assert_spends_its_budget(PublicationInputs(tables=rows, noise=noise, moves="nowhere", **choices))
    movable = COUNTS + AMOUNTS + (TableRow("Days", "total", wish="9", low="-50", high="40", areas="5", cells="2"),)
    assert_spends_its_budget(PublicationInputs(tables=movable, noise=noise, **choices))


@each("query", [query for query in STATES["publication"].values() if "ratio=1" not in query])
def test_the_lines_of_every_approved_setting_run(query: str) -> None:
    view = shown_view("publication", query, Style())
    if view.python_opendp is None:
        assert "ratio=20" in query, "only a line that binds nothing has no budget"
        return
    scope: dict[str, Any] = {}
    exec(view.python_opendp.text, scope)
    assert scope["spent"] > 0


@pytest.mark.parametrize("preset", PRESETS)
def test_every_example_is_released_within_its_budget(preset: Any) -> None:
    assert_spends_its_budget(PublicationInputs(**PRESETS[preset]))


@pytest.mark.parametrize("share", [1 / 3, 0.5, 0.1, 1 / 18, 0.125, 2.0, 1e-4])
@pytest.mark.parametrize("noise", ["geometric", "discrete_gaussian"])
def test_a_scale_of_few_digits_costs_no_last_digit_too_much(noise: str, share: float) -> None:
    for cells in ("1", "2", "4"):
        rows = (TableRow("A", wish="9", cells="4", places=cells),)
        assert_spends_its_budget(PublicationInputs(tables=rows, noise=noise, start="budget", epsilon=share, rho=share))


@pytest.mark.parametrize("noise", ["geometric", "laplace"])
@pytest.mark.parametrize("relation", ["add_or_remove", "replace"])
def test_what_is_published_are_the_clipped_numbers_of_each_area_with_noise(noise: str, relation: str) -> None:
    """At ε = 100 for each number or more the noise of a count is below 1/2 but once in 10^20 draws."""
    kind = int if noise == "geometric" else float
    rows = (
        TableRow("Cases", wish="9", times="2", areas="3", share="30 %"),
        TableRow("Pay", "total", wish="9", low="-1", high="5", areas="2", share="30 %"),
        TableRow("Once", "total", wish="9", low="0", high="9", times="2", share="20 %"),
        TableRow("Born", wish="9", times="2", areas="2", cells="2", share="10 %", calendar="one"),
    )
    if noise == "laplace" and relation == "replace":
        rows += (TableRow("Mean", "mean", wish="9", low="0", high="10", people="4", share="10 %"),)
    chosen = PublicationInputs(
        tables=rows, noise=noise, start="budget", epsilon=100.0, secret="value", relation=relation
    )
    scope = ran(chosen)
    spread = {place: _spread(scope[f"noise_{place}"]) for place in range(1, len(rows) + 1)}
    assert max(spread.values()) < 3
    data = {
        1: [[kind(count) for count in counts] for counts in ((5, 0, 130), (700, 9, 2))],
        2: [[kind(amount) for amount in amounts] for amounts in ((4, 9, -7), (1,))],
        3: [[[kind(7)] * 40], [[kind(3)] * 900]],
        4: [[kind(count) for count in counts] for counts in ((40, 9000, 0, 3), (1, 2, 700, 4))],
        5: [[10.0, 20.0, -5.0, 6.0, 4.0] * 8],
    }
    published = scope["publish"](data)
    assert set(published) == set(spread)
    for draw, counts in zip(published[1], ([5, 0, 130], [700, 9, 2]), strict=True):
        assert draw == pytest.approx(counts, abs=30 * spread[1])
    assert published[2] == pytest.approx([4 + 5 - 1, 1], abs=30 * spread[2])
    assert [len(draw) for draw in published[3]] == [1, 1]
    assert [draw[0] for draw in published[3]] == pytest.approx([280, 2700], abs=200 * spread[3])
    for draw, counts in zip(published[4], data[4], strict=True):
        assert draw == pytest.approx(counts, abs=30 * spread[4])
    if 5 in published:
        assert published[5] == pytest.approx([6.0], abs=30 * spread[5])


def _spread(measurement: Any) -> float:
    """The scale that OpenDP's map of a change of one (or of one record) knows: 1/ε."""
    one = 1.0 if "float" in str(measurement.input_metric).lower() or "f64" in str(measurement.input_metric) else 1
    return 1 / float(measurement.map(d_in=one))


def test_lines_that_would_spend_more_are_stopped_by_opendp_itself() -> None:
    lines = publication_view(PublicationInputs(tables=COUNTS + AMOUNTS, **EVERYTHING), Style()).python_opendp
    assert lines is not None
    start = lines.text.index("scale=") + len("scale=")
    scale = lines.text[start : lines.text.index(")", start)]
    with pytest.raises(AssertionError):
        exec(lines.text.replace(f"scale={scale}", f"scale={0.99 * float(scale)!r}", 1), {})
    assert math.isfinite(float(scale))
