"""What the page 'audit' claims of evidence: recomputed from counts by hand, and read from files as they come."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.special import logit
from scipy.stats import beta, binom, norm

from dpcore.audit import Alarms
from dpcore.guarantees import PureDP
from dpcore.mechanisms import Geometric, Laplace
from riskline.answers.audit import Draws, InOrder
from tests.each import each
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.audit import AuditInputs, audit_view
from ui.views.audit.held import LARGEST_UPLOAD, MOST_ROWS, invented, read_upload

PLAIN, TECHNICAL = Style(), Style(voice="technical")


def column(picture: Picture | None, key: str) -> np.ndarray:
    assert picture is not None
    return picture.numbers.column(key).numbers


def guesses(style: Style = PLAIN, **chosen: Any) -> Any:
    return audit_view(AuditInputs(evidence="guesses", **chosen), style)


# ---- sentences -------------------------------------------------------------------------------------------------------


def test_a_class_of_a_hundred_says_what_the_note_says() -> None:
    view = guesses(epsilon=0.5)
    assert view.answer == "ε is at least **0.607** (95 in 100 sure): these guesses refute the claim of **ε = 0.5**."
    assert view.shown.p_value == pytest.approx(float(binom.sf(72, 100, 1 / (1 + math.exp(-0.5)))))
    assert "evidence like this against it comes in at most 2 of 100." in view.how[-1]
    assert "p ≤ 0.016." in guesses(TECHNICAL, epsilon=0.5).how[-1]  # rounded up
    open_claim = guesses(epsilon=1.0)
    assert open_claim.answer == "Nothing here contradicts **ε = 1**: ε is at least **0.607** (95 in 100 sure)."
    assert "at most 57 of 100" in open_claim.how[-1]


def test_so_few_guesses_could_not_have_shown_the_claim() -> None:
    view = guesses(right=9, guesses=10, epsilon=2.0)
    assert view.answer.startswith(
        "Nothing here contradicts **ε = 2**: so few guesses could show no more than **1.06**."
    )
    bound = math.floor(1000 * float(logit(beta.ppf(0.05, 9, 2)))) / 1000
    assert view.answer.endswith(f"So far, ε is at least **{bound:.3f}** (95 in 100 sure).")
    assert guesses(right=5, guesses=10).answer.endswith("these guesses show no difference.")


def test_a_true_claim_is_said_to_be_refuted_as_often_as_the_level_lets() -> None:
    for level, words in ((0.95, "5 of 100"), (0.9, "10 of 100"), (0.99, "1 of 100"), (0.995, "50 of 10,000")):
        assert f"A true claim is refuted in at most {words} such audits" in guesses(level=level).how[-1]
    assert "Evidence, never a proof of privacy." in guesses().small_print


def test_the_promise_and_the_worlds_are_said_beside_the_evidence() -> None:
    case = {"secret": "value", "relation": "replace", "unit": "household", "group": 4}
    said = audit_view(AuditInputs(**case), PLAIN).small_print
    assert "The worlds are tables one change apart." in said
    assert "which value a given household of 4 has; one change replaces one record" in said
    assert "takes 4 such changes" in said
    assert "Each secret has its own coin." in guesses(**case).small_print


def test_the_example_says_that_it_is_invented_and_is_the_same_for_everybody() -> None:
    view = audit_view(AuditInputs(), PLAIN)
    assert view.how[0] == "Invented: noise too small by √2; seed 1."
    assert view.answer == audit_view(AuditInputs(), PLAIN).answer
    assert view.answer != audit_view(AuditInputs(seed=2, draws=300), PLAIN).answer
    for mechanism, refuted in (("scale", True), ("sensitivity", True), ("rounding", True), ("sound", False)):
        assert audit_view(AuditInputs(mechanism=mechanism), PLAIN).shown.is_refuted is refuted


@pytest.mark.parametrize(
    ("claim", "epsilon"),
    [
        ({"epsilon": 0.32}, 0.32),
        ({"epsilon": 3.0}, 3.0),
        ({"guarantee": "approximate", "epsilon": 0.5}, 0.5),
        ({"guarantee": "zero_concentrated", "rho": 0.02}, 0.2),  # an epsilon has a rho of half its square
        ({"guarantee": "gaussian", "rho": 0.5}, math.log(norm.cdf(0.5) / norm.cdf(-0.5))),  # no surer from an even bet
    ],
)
def test_invented_draws_as_claimed_are_so_whatever_is_claimed(claim: dict[str, Any], epsilon: float) -> None:
    inputs = AuditInputs(mechanism="sound", draws=20_000, **claim)
    assert not audit_view(inputs, PLAIN).shown.is_refuted
    assert np.mean(invented(inputs).absent ** 2) == pytest.approx(Geometric(epsilon=epsilon).std ** 2, rel=0.1)


def test_the_picture_holds_the_claim_the_bound_and_the_counts() -> None:
    view = audit_view(AuditInputs(), PLAIN)
    draws = invented(AuditInputs())
    seen = draws.rule(level=0.95, delta=0.0).alarms(**draws.part(chooses=False))
    x = column(view.main, "false")
    assert column(view.main, "claimed") == pytest.approx(np.minimum(math.e * x, 1 - (1 - x) / math.e))
    bound = math.exp(view.shown.bound)
    assert column(view.main, "shown") == pytest.approx(np.minimum(bound * x, 1 - (1 - x) / bound))
    assert column(view.main, "seen")[0] == seen.alarms_present / seen.draws_present
    assert column(view.main, "box_x")[1] == seen.rates().false_alarm_upper
    assert column(view.main, "box_low")[0] == seen.rates().detection_lower
    assert view.shown.bound > seen.epsilon_lower()  # both rates together


def test_a_bet_is_drawn_with_the_draw_that_refuted_the_claim() -> None:
    view = audit_view(AuditInputs(order="one_by_one"), PLAIN)
    place, wealth = column(view.main, "place"), column(view.main, "wealth")
    at = view.shown.refuted_at
    assert f"After **{at}** pairs the claim of **ε = 1** is refuted." in view.answer
    assert wealth[list(place).index(at)] >= 20 > wealth[list(place).index(at) - 1]
    assert column(view.main, "limit")[0] == pytest.approx(20)
    assert (np.diff(column(view.main, "bound")) >= 0).all()


def test_what_a_claim_takes_is_said_before_and_where_none_does() -> None:
    needed = audit_view(AuditInputs(), PLAIN).before
    assert "If **ε = 2** (whole-number noise on a count), **59** draws of each world refute" in needed
    assert "even a million seldom refute the claim." in audit_view(AuditInputs(supposed=0.9), PLAIN).before
    assert "**46** guesses refute the claim in about 80 of 100 audits" in guesses().before
    assert "These guesses can show no more than **3.5**." in guesses().before
    assert "refute" not in guesses(guarantee="gaussian", rho=0.1).before


# ---- files -----------------------------------------------------------------------------------------------------------


def test_files_of_draws_and_of_guesses_are_read_by_their_headings() -> None:
    rows = "Output;World\n" + "".join(f"{y},5;{y % 2}\n" for y in range(20))
    held = read_upload([("d.csv", rows.encode())])
    assert isinstance(held, Draws)
    assert held.absent.tolist() == [y + 0.5 for y in range(0, 20, 2)]
    one, other = (f"output\n{chr(10).join(map(str, range(start, start + 12)))}\n".encode() for start in (0, 100))
    held = read_upload([("without.csv", other), ("a.csv", one)])
    assert isinstance(held, Draws)
    assert (held.absent[0], held.present[0]) == (0.0, 100.0)
    found = read_upload([("g.csv", b"right,chance\n1,0.5\nno,0.25\nYES,0.9\n")])
    assert isinstance(found, InOrder)
    assert (found.right.tolist(), found.chances) == ([1.0, 0.0, 1.0], (0.5, 0.25, 0.9))


@each(
    "files, words",
    [
        ([b"world,output\n0,1\n1,x\n"], "row 2: output must be a number; got 'x'"),
        ([b"world,output\n0,1\n1,nan\n"], "row 2: output must be a number; got 'nan'"),
        ([b"world,output\n0,1\n1,inf\n"], "row 2: output must be a number; got 'inf'"),
        ([b"world,output\n0,1\n1,1_0\n"], "row 2: output must be a number; got '1_0'"),
        ([b"world;output\n0;1,5\n1;1,512\n"], "row 2: output must be written without the comma, which could stand"),
        ([b"world,output\n2,1\n"], "row 1: world must be one of 0, absent, 1, present; got '2'"),
        ([b"right\n1\nmaybe\n"], "row 2: right must be one of 0, no, 1, yes; got 'maybe'"),
        ([b"right,chance\n1,0.5\n,0.5\n"], "row 2: right must be one of 0, no, 1, yes; got ''"),
        ([b"right,chance\n1,1\n"], r"chance 1 must lie in \(0, 1\); got 1.0"),
        ([b"world,output,name\n0,1,Ada\n"], "names 'name'; its columns may be"),
        ([b"output\n1\n"], "row 1: world must be one of"),
        ([b"world,output\n" + b"0,1\n1,2\n" * 5], "world absent must have at least 10 draws; got 5"),
        ([b"output\n1\n"] * 3, "files must be at most 2; got 3"),
        ([b"output\n1\n", b"output\n1\nx\n"], "^'1.csv': row 2: output must be a number; got 'x'"),
        (
            [b"world,output\n0,1\n1,2\n"] * 2,
            "^'0.csv': world must be left out of two files, each of one",
        ),
        ([b"right,world,output\n1,0,1\n"], "^world must be in a file of its own, without right guesses; got '0'"),
        ([b"", b"output\n1\n"], "^'0.csv': the file must hold a line of heads"),
        ([b"output\n1\n", b"output\n\xff\n"], "utf-8"),
        ([b"x" * (LARGEST_UPLOAD + 1)], "at most 5,000,000 bytes"),
        ([b"right\n" + b"1\n" * (MOST_ROWS + 1)], "at most 200,000 rows"),
    ],
)
def test_what_is_no_evidence_is_refused_by_column_and_row(files: list[bytes], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_upload([(f"{at}.csv", content) for at, content in enumerate(files)])


def test_a_file_is_held_against_the_claim_and_repeated_outputs_are_noticed() -> None:
    noise = np.asarray(Laplace(epsilon=3.0).simulate_noise((2, 400), seed=7))
    chosen = AuditInputs(evidence="file")
    view = audit_view(chosen, PLAIN, Draws(noise[0], noise[1] + 1))
    assert view.shown.is_refuted
    assert view.notices == ()
    assert not view.how[0].startswith("Invented")
    assert view.python is not None
    assert "draws_absent=320" in view.python.text
    repeated = audit_view(chosen, PLAIN, Draws(np.tile(noise[0], 3), np.tile(noise[1], 3) + 1))
    assert repeated.notices[0].startswith("Many outputs are alike:")
    missing = audit_view(chosen, PLAIN)
    assert missing.notices == ("No file yet: these are invented draws.",)
    assert missing.answer == audit_view(AuditInputs(), PLAIN).answer
    in_order = audit_view(AuditInputs(evidence="file", order="one_by_one"), PLAIN, Draws(noise[0], noise[1] + 1))
    assert in_order.python is None  # its lines would hold the draws


def test_choices_without_an_answer_are_refused_in_a_sentence() -> None:
    assert (
        "Replacing a record does not hide who is in the data"
        in audit_view(AuditInputs(relation="replace"), PLAIN).refusal
    )
    assert guesses(order="one_by_one").refusal.startswith("One by one takes guesses in their order")
    assert "Right must be a whole number from 0 to 100; got 101." in guesses(right=101).refusal
    assert guesses(guarantee="approximate", chances=(0.5,), right=1).refusal == (
        "Guarantee must be pure where coins are not fair."
    )


def test_the_p_value_of_the_page_is_never_above_that_of_each_rate_alone() -> None:
    for seed in range(3):
        chosen = AuditInputs(mechanism="sound", draws=60, seed=seed)
        draws = invented(chosen)
        seen: Alarms = draws.rule(level=0.95, delta=0.0).alarms(**draws.part(chooses=False))
        assert audit_view(chosen, PLAIN).shown.p_value <= seen.p_value(PureDP(epsilon=1.0))


def test_guesses_of_a_file_count_also_where_their_order_does_not() -> None:
    held = read_upload([("g.csv", ("right\n" + "1\n" * 48 + "0\n" * 2).encode())])
    assert isinstance(held, InOrder)
    of_file = audit_view(AuditInputs(evidence="file"), PLAIN, held)
    typed = audit_view(AuditInputs(evidence="guesses", right=48, guesses=50), PLAIN)
    assert of_file.answer == typed.answer != ""
