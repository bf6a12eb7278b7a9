"""The budget of one ratio for everybody, beside that of the line: of the same unit, guarantee and releases."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import pytest

from dpcore.errors import Refused
from dpcore.guarantees import ApproximateDP, PureDP
from dpcore.profiles import Constant
from dpcore.profiles import budget as budget_of
from ui.pictures.style import Style
from ui.views.choose import ChooseInputs
from ui.views.choose.answer import answered, one_ratio
from ui.views.choose.view import numbers_on_top

SETTINGS = 60
TYPED = re.compile(r"([ερ]) = ([0-9][0-9.,e-]*)")
LINES: tuple[dict[str, Any], ...] = (
    {"line": "cap_or_ratio", "cap": 0.25, "ratio": 3.0},
    {"line": "cap_or_ratio", "cap": 0.05, "ratio": 1.2},
    {"line": "constant", "ratio": 2.0},
    {"line": "increase", "increase": 0.3},
    {"line": "box", "ratio": 4.0, "low": 0.05, "high": 0.6},
    {"line": "drawn", "points": ((0.001, 0.1), (0.3, 0.5), (0.9, 0.99))},
)
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"secret": "presence"},
    {"secret": "value"},
    {"secret": "value", "relation": "replace"},
    {"secret": "value", "held": 0.2},
    {"secret": "both"},
)
GUARANTEES: tuple[dict[str, Any], ...] = (
    {"guarantee": "pure"},
    {"guarantee": "approximate"},
    *(
        {"guarantee": "zero_concentrated", "route": route}
        for route in ("direct", "gaussian", "discrete_gaussian", "published")
    ),
)


def settings() -> list[ChooseInputs]:
    """A walk through lines, questions, guarantees, units and releases."""
    dice = random.Random("one ratio for everybody")
    found = []
    for step in range(SETTINGS):
        unit = dice.choice(("person", "records", "household", "days"))
        more = {
            "unit": unit,
            "group": dice.choice((1, 2, 4, 30)),
            "releases": dice.choice((1, 1, 3, 12)),
            "release": dice.choice(("anything", "count")),
            "failure": dice.choice((0.01, 0.2)),
        }
        guarantee = GUARANTEES[step % len(GUARANTEES)]
        found.append(ChooseInputs(**dice.choice(LINES), **dice.choice(QUESTIONS), **guarantee, **more))
    return found


def typed(said: str) -> tuple[str, float]:
    """The letter of a printed budget, and the budget."""
    found = TYPED.search(said)
    assert found is not None, said
    return found[1], float(found[2].replace(",", ""))


def test_one_ratio_never_leaves_more_than_the_line_whose_strictest_ratio_it_is() -> None:
    seen: set[tuple[str, bool, bool]] = set()
    for inputs in settings():
        try:
            answer = answered(inputs, Style())
        except ValueError:
            continue
        rule, budget = one_ratio(answer), answer.budget
        if rule is None or budget is None:
            continue
        (_, ours, _), *_ = numbers_on_top(answer)
        theirs = rule.spend
        (symbol, each), (other, of_ratio) = typed(ours), typed(theirs)
        assert symbol == other, inputs
        assert ours.partition("for each")[2] == theirs.partition("for each")[2], inputs
        assert of_ratio <= each, inputs
        assert float(rule.gain.digits.replace(",", "")) <= each - of_ratio + 0.02 * max(each, 1.0), inputs
        assert rule.gained.startswith(symbol), inputs
        seen.add((inputs.guarantee, budget.group > 1, inputs.releases > 1))
        shift = answer.implied.baseline  # the ratio between the two cases, all records and releases together
        assert shift <= answer.implied.epsilon * (1 + 1e-12), inputs
        if rule.budget is not None and isinstance(rule.budget.total, PureDP):
            together = rule.budget.group * rule.budget.releases
            assert shift / together >= of_ratio > 0.9 * shift / together, inputs
    assert len(seen) >= 8, seen


@pytest.mark.parametrize(
    ("choices", "said", "gained"),
    [
        ({"unit": "household", "group": 4}, math.log(3) / 4, math.log(11 / 9) / 4),
        ({"releases": 12}, math.log(3) / 12, math.log(11 / 9) / 12),
        ({"unit": "days", "group": 30}, math.log(3) / 30, math.log(11 / 9) / 30),
        ({"unit": "household", "group": 4, "releases": 3}, math.log(3) / 12, math.log(11 / 9) / 12),
    ],
)
def test_a_group_and_several_releases_divide_the_ratio_as_they_divide_the_line(
    choices: dict[str, Any], said: float, gained: float
) -> None:
    rule = one_ratio(answered(ChooseInputs(**choices), Style()))
    assert rule is not None
    assert said >= typed(rule.spend)[1] > 0.95 * said
    assert rule.gain.value == pytest.approx(gained, rel=1e-9)


def test_a_ratio_too_strict_for_its_delta_leaves_nothing() -> None:
    points = ((0.001, 0.25), (0.4, 0.9), (1.0, 1.0))  # certainty stays certainty: the strictest ratio is 1
    inputs = ChooseInputs(line="drawn", points=points, guarantee="approximate", delta=1e-3)
    answer = answered(inputs, Style())
    rule = one_ratio(answer)
    assert rule is not None
    assert answer.budget is not None
    assert rule.spend.startswith("ε = 0,")
    assert isinstance(answer.budget.total, ApproximateDP)
    assert rule.gain.value == pytest.approx(answer.budget.total.epsilon)
    with pytest.raises(Refused):
        budget_of(Constant(1.0, value_prior=1.0), **inputs.terms.asked)
