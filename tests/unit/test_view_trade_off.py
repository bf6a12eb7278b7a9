"""The picture of found against wrongly accused: what its sentence, alternative text, table and drawing say."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.mechanisms import Gaussian, Geometric, Laplace
from dpcore.promise import Secret
from dpcore.tradeoff import TradeOff, trade_off
from tests.said import placeholders
from ui.pictures.style import Style
from ui.views.shared.trade_off import SMALLEST_DRAWN, NamedTradeOff, trade_off_picture
from ui.words.catalogue import passages

PLAIN, TECHNICAL = Style(), Style(voice="technical")
GAUSSIAN = NamedTradeOff("Gaussian noise", trade_off(Gaussian(rho=0.4)))
ANY = NamedTradeOff("any release", trade_off(ZeroConcentratedDP(rho=0.4)))
TWO = [GAUSSIAN, ANY]


def reading_of(curves: list[NamedTradeOff], **asked: Any) -> str:
    return trade_off_picture(curves, **asked).reading


def test_each_curve_is_computed_once_for_picture_table_and_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, compute = [], TradeOff._both
    monkeypatch.setattr(TradeOff, "_both", lambda self, rates: (asked.append(self), compute(self, rates))[1])
    trade_off_picture(TWO, false_alarm=0.05, style=PLAIN)
    assert asked == [GAUSSIAN.curve, ANY.curve]


def test_the_sentence_of_an_exact_curve() -> None:
    """Phi(Phi^-1(.05) + sqrt(.8)) = .22644."""
    assert reading_of([GAUSSIAN], false_alarm=0.05, style=PLAIN) == (
        "Falsely accusing **5 in 100**, the best attacker finds **23 of 100** who are in the data and misses 77 of 100."
    )
    assert "detects with probability **0.2265** given presence and misses with 0.7735" in (
        reading_of([GAUSSIAN], false_alarm=0.05, style=TECHNICAL)
    )


def test_the_sentence_of_a_bound_says_at_most_and_at_least() -> None:
    """Three times the false alarms at epsilon = ln 3: found 15.3 of 100 goes up to 16, missed 84.7 down to 84."""
    tight = NamedTradeOff("epsilon", trade_off(PureDP(epsilon=math.log(3))))
    assert reading_of([tight], false_alarm=0.051, style=PLAIN, secret=Secret.VALUE) == (
        "Falsely accusing **51 in 1,000**, an attacker finds at most **16 of 100** who have the value "
        "and misses at least 84 of 100. Some release allows that."
    )
    bound = NamedTradeOff("epsilon", replace(tight.curve, certainty="bound"))  # type: ignore[type-var]
    assert reading_of([bound], false_alarm=0.051, style=PLAIN, secret=Secret.ANSWER) == (
        "Falsely accusing **51 in 1,000**, an attacker finds at most **16 of 100** who gave that answer "
        "and misses at least 84 of 100."
    )
    assert "y ≤" in trade_off_picture([bound], false_alarm=0.051, style=TECHNICAL).figure.layout.annotations[-1].text


def test_further_curves_are_told_at_the_same_rate() -> None:
    reading = reading_of(
        [ANY, GAUSSIAN, NamedTradeOff("one", replace(ANY.curve, certainty="bound"))], false_alarm=0.05, style=PLAIN
    )
    assert reading.endswith("At the same rate, Gaussian noise: **23 of 100**; one: at most **29 of 100**.")


@pytest.mark.parametrize("style", [PLAIN, TECHNICAL], ids=["plain", "technical"])
@pytest.mark.parametrize(
    "source",
    [Gaussian(rho=0.013), Laplace(epsilon=0.7), Geometric(epsilon=3.0), ApproximateDP(epsilon=0.2, delta=1e-5)],
    ids=lambda source: type(source).__name__,
)
def test_a_bound_is_told_to_its_safe_side_and_an_exact_curve_to_the_nearest(source: Any, style: Style) -> None:
    """Found and missed of one exact rule are 100 together: 62.25 and 37.75 were told as 63 and 37 beside a 62."""
    curve = trade_off(source)
    for rate in (0.0003, 0.02, 0.05, 0.37, 0.9, 0.9997):
        found, missed = curve.detection(rate), curve.missed(rate)
        reading = reading_of([NamedTradeOff("a", curve)], false_alarm=rate, style=style)
        if style.technical:
            told = [float(number) for number in re.findall(r"\d+\.\d+(?:e-?\d+)?", reading)]
        else:
            told = [
                int(a.replace(",", "")) / int(b.replace(",", ""))
                for a, b in re.findall(r"([\d,]+) of ([\d,]+)", reading)
            ]
            if "fewer than 1 of 10,000" in reading:
                told[-1] = 0.0
        if curve.certainty == "exact":
            assert told[-2] == pytest.approx(found, abs=0.005 + 1e-12)
            assert told[-1] == pytest.approx(missed, abs=0.005 + 1e-12)
            continue
        assert told[-2] >= found - 1e-12
        assert told[-1] <= missed + 1e-12
        assert told[-2] - found <= 0.01
        assert missed - told[-1] <= 0.01


def test_the_table_is_the_pictures_twin() -> None:
    picture = trade_off_picture(TWO, false_alarm=0.037, style=PLAIN)
    assert picture.table.columns == (
        "falsely accused in 100",
        "Gaussian noise: found in 100",
        "Gaussian noise: missed in 100",
        "any release: found in 100",
        "any release: missed in 100",
    )
    rates = [float(str(row[0])) / 100 for row in picture.table.rows]
    assert any(math.isclose(rate, 0.037) for rate in rates)
    assert rates == sorted(set(rates))
    for number, one in enumerate(TWO):
        for rate, row in zip(rates, picture.table.rows, strict=True):
            found, missed = (float(str(cell)) / 100 for cell in row[1 + 2 * number : 3 + 2 * number])
            assert one.curve.detection(rate) - 1e-12 <= found <= one.curve.detection(rate) + 0.001
            assert one.curve.missed(rate) - 0.001 <= missed <= one.curve.missed(rate) + 1e-12
    assert "Found (rounded up) and missed (down)" in picture.table.caption


def test_the_drawing_holds_the_curves_solid_where_exact_and_dashed_where_a_bound() -> None:
    picture = trade_off_picture(TWO, false_alarm=0.05, style=PLAIN)
    coin, exact, bound, spot = picture.figure.data
    assert coin.x == pytest.approx(coin.y)
    assert coin.line.width == 1
    assert (exact.name, exact.line.dash, bound.name, bound.line.dash) == (
        "Gaussian noise",
        "solid",
        "any release",
        "dash",
    )
    for trace, one in ((exact, GAUSSIAN), (bound, ANY)):
        assert trace.y == pytest.approx(one.curve.detection(np.asarray(trace.x, dtype=float)), abs=1e-5)
        assert (trace.x[0], trace.x[-1]) == (0.0, 1.0)
    assert (spot.x[0], spot.y[0]) == (0.05, GAUSSIAN.curve.detection(0.05))
    words = [note.text for note in picture.figure.layout.annotations]
    assert [text.replace("<br>", " ") for text in words] == [
        "a coin",
        "5 in 100 falsely accused, 23 of 100 found",
    ]
    assert all(len(line) <= 27 for text in words for line in text.split("<br>"))  # no room for more on a phone
    assert picture.figure.layout.xaxis.title.text == "falsely accused"
    assert picture.figure.layout.yaxis.title.text == "found"


def test_a_logarithmic_axis_begins_at_one_in_a_million() -> None:
    figure = trade_off_picture(TWO, false_alarm=0.0, style=PLAIN, log_accused=True).figure
    assert figure.layout.xaxis.type == "log"
    assert min(figure.data[1].x) == pytest.approx(SMALLEST_DRAWN)
    assert figure.data[0].x == pytest.approx(figure.data[0].y)
    assert len(figure.layout.annotations) == 1  # the marked point lies off the axis
    marked = trade_off_picture(TWO, false_alarm=0.01, style=PLAIN, log_accused=True).figure
    assert marked.layout.annotations[-1].x == pytest.approx(-2.0)


def test_the_alternative_text_says_what_the_lines_are_and_reads_the_point() -> None:
    picture = trade_off_picture(TWO, false_alarm=0.05, style=PLAIN)
    assert picture.alt.startswith(
        "Found for each share falsely accused: Gaussian noise (exact, solid); any release (the most any release with "
        f"this budget allows, dashed). The grey diagonal is a coin. {picture.reading.replace('**', '')}"
    )


def test_both_voices_have_the_same_passages_and_facts() -> None:
    plain, technical = passages("trade_off", "plain"), passages("trade_off", "technical")
    assert plain.keys() == technical.keys()
    for name in plain:
        assert placeholders(plain[name]) == placeholders(technical[name]), name


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match=r"false_alarm must lie in \[0, 1\]; got 1\.5"):
        trade_off_picture(TWO, false_alarm=1.5, style=PLAIN)
