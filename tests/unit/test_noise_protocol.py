"""Noise of one's own, written in this file: it works wherever its layer allows, and is refused by name elsewhere."""

from __future__ import annotations

import inspect
import math
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.special import expit
from scipy.stats import cauchy, logistic

from dpcore.accuracy import count_error, noise_for_range, noise_for_std, noise_under, wrong_side_probability
from dpcore.attacks.moved_value import MovedValueAttack
from dpcore.attacks.one_count import CountAttack
from dpcore.attacks.repeated import RepeatedAttack
from dpcore.composition import PlannedRelease, ReleasePlan
from dpcore.errors import Code, Refused
from dpcore.guarantees import PureDP, gaussian_delta, gaussian_epsilon
from dpcore.mechanisms import (
    MECHANISMS,
    ContinuousNoise,
    Curve,
    DiscreteGaussian,
    Gaussian,
    Geometric,
    Laplace,
    NoiseMechanism,
    RandomizedResponse,
    WholeNoise,
    discrete_gaussian_log_pmf,
    discrete_gaussian_log_tail,
    noise_kind,
)
from dpcore.methods import DisclosureControl, PublishedLaw, RandomRounding, equal_error_budget
from dpcore.privacy_loss import PrivacyLoss
from dpcore.promise import Promise
from dpcore.publication import (
    CountTable,
    Publication,
    Wish,
    allocate,
    budget_for_range,
    clamping_biases,
    clipping_errors,
    difference_half_width,
    errors_beyond,
    mean_half_width,
    rank_law,
    wrong_orders,
)
from dpcore.tradeoff import trade_off
from riskline.case.labels import case_text
from tests.logistic_noise import Logistic
from ui.words import catalogue
from ui.words.catalogue import OF_MECHANISMS

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, kw_only=True)
class PlainLaplace(ContinuousNoise):
    """Laplace noise that says its law and nothing else."""

    name = label = short = "plain Laplace noise"
    kinks = (0.0,)

    epsilon: float
    sensitivity: float = 1.0

    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""
        return Laplace(epsilon=self.epsilon, sensitivity=self.sensitivity).log_tail(value)

    def log_pdf(self, value: ArrayLike) -> Any:
        """Log density."""
        return Laplace(epsilon=self.epsilon, sensitivity=self.sensitivity).log_pdf(value)


@dataclass(frozen=True, kw_only=True)
class PlainDiscreteGaussian(WholeNoise):
    """Discrete Gaussian noise that says its law and nothing else."""

    name = label = short = "plain discrete Gaussian noise"
    budget_kind = "rho"

    rho: float
    sensitivity: int = 1

    def log_tail(self, value: ArrayLike) -> Any:
        """log P[noise >= value]."""
        return discrete_gaussian_log_tail(value, rho=self.strength)

    def log_pmf(self, value: ArrayLike) -> Any:
        """Log probability."""
        return discrete_gaussian_log_pmf(value, rho=self.strength)


@dataclass(frozen=True)
class RoundedToThree(DisclosureControl):
    """Random rounding to base 3, by its table."""

    name = label = short = "rounding to base 3"
    representative_counts = (0, 1, 2)

    def _law(self, count: int) -> PublishedLaw:
        base, rest = divmod(count, 3)
        return PublishedLaw.of(count, {3 * base: 1 - rest / 3, 3 * base + 3: rest / 3})


@dataclass(frozen=True)
class ReadCurve(Curve):
    """A curve of epsilon and delta as somebody printed it: that of Gaussian noise with rho 0.05."""

    name = label = short = "a curve"

    def delta_at(self, epsilon: ArrayLike) -> Any:
        """Its delta."""
        return gaussian_delta(epsilon=epsilon, rho=0.05)


LOGISTIC, ROUNDED, CURVE = Logistic(epsilon=0.7), RoundedToThree(), ReadCurve()
TWINS = [
    (PlainLaplace(epsilon=0.6), Laplace(epsilon=0.6)),
    (PlainLaplace(epsilon=0.6, sensitivity=2.0), Laplace(epsilon=0.6, sensitivity=2.0)),
    (PlainDiscreteGaussian(rho=0.08), DiscreteGaussian(rho=0.08)),
    (PlainDiscreteGaussian(rho=0.3, sensitivity=2), DiscreteGaussian(rho=0.3, sensitivity=2)),
]
"""Noise by its law alone, and the same noise with the closed forms of its file."""


# ---- noise by its law alone answers as its file does


@pytest.mark.parametrize(("plain", "own"), TWINS, ids=lambda one: repr(one))
def test_what_follows_from_a_law_is_what_the_closed_forms_say(plain: Any, own: Any) -> None:
    assert (plain.std, plain.mean_absolute) == pytest.approx((own.std, own.mean_absolute), rel=1e-9)
    for level in (0.5, 0.95):
        assert plain.half_width(level) == pytest.approx(own.half_width(level), rel=1e-9)
    assert plain.guarantee == own.guarantee
    assert plain.probability_exact == pytest.approx(own.probability_exact, rel=1e-12)
    for shift in (0.0, 3.0):
        assert plain.mean_absolute_about(shift) == pytest.approx(own.mean_absolute_about(shift), rel=1e-8)
    far = np.arange(1.0, 9.0)
    assert plain.log_difference_tail(plain, far) == pytest.approx(own.log_difference_tail(own, far), rel=1e-7)
    assert plain.tail_sum(plain.off_by(far)) == pytest.approx(own.tail_sum(own.off_by(far)), rel=1e-9)
    assert repr(plain.scaled(2)).partition("(")[2] == repr(own.scaled(2)).partition("(")[2]


@pytest.mark.parametrize(("plain", "own"), TWINS, ids=lambda one: repr(one))
def test_an_attack_on_noise_by_its_law_is_the_attack_on_its_file(plain: Any, own: Any) -> None:
    for prior in (0.1, 0.5):
        one, other = CountAttack(plain, prior=prior), CountAttack(own, prior=prior)
        for side in ("present", "absent"):
            assert one.marginal_posterior(side=side) == pytest.approx(other.marginal_posterior(side=side), rel=1e-9)
            assert one.probability_right(side=side) == pytest.approx(other.probability_right(side=side), abs=1e-8)
        assert one.posterior(2) == pytest.approx(other.posterior(2), rel=1e-9)
    budgets = [0.2, 0.9]
    curve = CountAttack(plain, prior=0.2).over(budgets)
    assert curve.marginal_risk() == pytest.approx(CountAttack(own, prior=0.2).over(budgets).marginal_risk(), rel=1e-9)


@pytest.mark.parametrize(("plain", "own"), TWINS, ids=lambda one: repr(one))
def test_a_loss_by_its_law_bounds_that_of_its_file_from_close_by(plain: Any, own: Any) -> None:
    for releases in (1, 6):
        bound, exact = PrivacyLoss.of(plain, releases), PrivacyLoss.of(own, releases)
        assert bound.certainty == "bracketed"
        for epsilon in (0.0, 0.5, 1.0):
            between = bound.delta_bracket(epsilon)
            assert between.low <= exact.delta_at(epsilon) + 1e-12 <= between.high + 2e-12
            assert between.width < 0.012
        held = bound.quantile_bracket(0.9) if hasattr(bound, "quantile_bracket") else None
        assert held is None or held.low <= exact.loss_quantile(0.9) <= held.high
    for rate in (0.05, 0.3):
        exactly, most = trade_off(own).detection(rate), trade_off(plain).detection(rate)
        assert exactly <= most + 1e-12 <= exactly + 0.003


# ---- a noise that nobody knew


def test_a_range_of_a_strangers_noise_is_that_of_its_rounded_numbers() -> None:
    scale = 1 / 0.7
    wide = count_error(LOGISTIC, level=0.95)
    assert wide.half_width == pytest.approx(logistic.ppf(0.975, scale=scale), rel=1e-9)
    assert wide.root_mean_square == pytest.approx(math.pi * scale / math.sqrt(3), rel=1e-9)
    assert wide.probability_exact == pytest.approx(logistic.cdf(0.5, scale=scale) - logistic.cdf(-0.5, scale=scale))
    # published after rounding: noise of -3.5 makes 3 more than the target look met, and not noise of -4
    assert wrong_side_probability(Logistic(epsilon=1.0), excess=3) == pytest.approx(float(expit(-2.5)), rel=1e-12)
    assert round(float(expit(-2.5)), 4) == 0.0759  # read as whole noise it was said to be .0474
    assert wrong_side_probability(Logistic(epsilon=1.0), excess=3) != pytest.approx(float(expit(-3.0)), abs=0.02)


def test_the_smallest_budget_is_found_for_a_class_of_noise() -> None:
    for found, wanted in (
        (noise_for_std(2.0, Logistic).std, 2.0),
        (noise_for_range(5.0, Logistic).half_width(0.95), 5.0),
        (noise_under(PureDP(epsilon=0.4), Logistic).budget, 0.4),
        (Logistic(epsilon=float(budget_for_range(5.0, Logistic))).half_width(0.95), 5.0),
    ):
        assert found == pytest.approx(wanted, rel=1e-9)
    assert equal_error_budget(RandomRounding(base=3), counts=[1], noise=Logistic) == pytest.approx(
        math.pi / math.sqrt(3) / math.sqrt(2.0), rel=1e-6
    )


def test_an_attack_on_a_strangers_noise_is_bayes_rule() -> None:
    z = np.linspace(-80, 80, 400_001)
    present, absent = (logistic.pdf(z - counted, scale=1 / 0.7) for counted in (1, 0))
    belief = 0.3 * present / (0.3 * present + 0.7 * absent)
    attack = CountAttack(LOGISTIC, prior=0.3)
    assert attack.marginal_posterior() == pytest.approx((belief * present).sum() * (z[1] - z[0]), rel=1e-7)
    assert attack.probability_right() == pytest.approx(((belief > 0.5) * present).sum() * (z[1] - z[0]), abs=1e-4)
    assert attack.posterior(2.5) == pytest.approx(float(np.interp(2.5, z, belief)), rel=1e-9)
    two = RepeatedAttack((LOGISTIC, LOGISTIC), prior=0.3)
    assert 0.3 < float(attack.marginal_posterior()) < float(two.marginal_posterior()) < 1


def test_a_plan_with_a_strangers_noise_is_bounded_from_both_sides() -> None:
    plan = ReleasePlan((PlannedRelease(LOGISTIC, 4), PlannedRelease(Gaussian(rho=0.01), 2)))
    between = plan.privacy_loss.delta_bracket(0.5)
    z = np.linspace(-60, 60, 240_001)
    present, absent = (logistic.pdf(z - counted, scale=1 / 0.7) for counted in (1, 0))
    one = np.maximum(present - math.exp(0.2) * absent, 0.0).sum() * (z[1] - z[0])
    alone = PrivacyLoss.of(LOGISTIC).delta_bracket(0.2)
    assert alone.low <= one + 1e-9 <= alone.high + 2e-9
    assert 0 < between.low < between.high < between.low + 0.005
    assert plan.privacy_loss.largest == math.inf
    assert PrivacyLoss.of(LOGISTIC, 4).epsilon_at(0.0) == pytest.approx(4 * 0.7, rel=2e-3)
    assert trade_off(LOGISTIC).detection(0.1) == pytest.approx(0.1 * math.exp(0.7), rel=0.2)
    assert Promise(secret="presence", relation="add_or_remove").guarantee_of_count(LOGISTIC).epsilon == 0.7


def test_a_publication_with_a_strangers_noise_shares_its_budget() -> None:
    rows = (CountTable(noise=Logistic, wish=Wish(10)), CountTable(noise=Logistic, wish=Wish(20), times=2))
    publication = Publication(rows, "add_or_remove")
    for rule in ("meet_wishes", "least_weighted_error", "same_error", "same_budget"):
        shared = allocate(publication, 1.0, rule=rule)
        assert shared.spent == pytest.approx(1.0, rel=1e-9)
    like_laplace = Publication(
        tuple(CountTable(noise="laplace", wish=row.wish, times=row.times) for row in rows), "add_or_remove"
    )
    weighed = allocate(publication, 1.0, rule="least_weighted_error").budgets
    assert weighed == pytest.approx(allocate(like_laplace, 1.0, rule="least_weighted_error").budgets, rel=1e-4)
    found = clipping_errors(
        [1, 2, 30], [(0, 4)], statistic="total", noise=Logistic, budget=0.5, relation="add_or_remove"
    )[0]
    assert found.noise_std == pytest.approx(8 * math.pi / math.sqrt(3), rel=1e-9)
    assert errors_beyond(40, mechanism=LOGISTIC, more_than=0).expected == pytest.approx(40 * 2 * expit(-0.35), rel=1e-9)
    assert clamping_biases([0], mechanism=LOGISTIC)[0] == pytest.approx(sum(expit(-0.7 * (j + 0.5)) for j in range(90)))
    assert rank_law([9, 5], 1, mechanism=LOGISTIC).sum() == pytest.approx(1.0, rel=1e-9)
    assert wrong_orders([7, 8], mechanism=LOGISTIC).tied == 0.0
    assert difference_half_width(LOGISTIC, LOGISTIC) > LOGISTIC.half_width(0.95)


# ---- a law given the count, and a curve


def test_rounding_written_here_is_read_as_a_law_given_the_count() -> None:
    theirs = RandomRounding(base=3)
    for others in range(4):
        ours, own = ROUNDED.presence(others), theirs.presence(others)
        assert ours.right_guess() == pytest.approx(own.right_guess(), rel=1e-12)
        assert ours.epsilon(0.0) == pytest.approx(own.epsilon(0.0), rel=1e-12)
    assert np.exp(ROUNDED.log_law([6, 9, 12], count=7)) == pytest.approx([2 / 3, 1 / 3, 0.0])
    noise = Geometric(epsilon=1.0)
    assert noise.log_law([6, 9], count=7) == pytest.approx(noise.log_pmf([-1, 2]))
    assert equal_error_budget(ROUNDED, counts=[1], noise="geometric") > 0


def test_a_curve_adds_up_and_has_a_trade_off_as_bounds() -> None:
    loss = PrivacyLoss.of(CURVE, 10)
    exact = gaussian_epsilon(rho=0.5, delta=1e-6)
    assert exact <= loss.epsilon_at(1e-6) <= exact + 0.02
    between = PrivacyLoss.of(CURVE).delta_bracket(0.3)
    assert between.low <= gaussian_delta(epsilon=0.3, rho=0.05) <= between.high
    plan = ReleasePlan((PlannedRelease(CURVE, 10),))
    assert exact <= plan.exact_epsilon(1e-6) <= exact + 0.02
    with pytest.raises(Refused, match="source"):
        _ = plan.rho
    exactly = trade_off(Gaussian(rho=0.05)).detection(0.1)
    assert exactly <= trade_off(CURVE).detection(0.1) <= exactly + 0.005


PRESENCE = Promise(secret="presence", relation="add_or_remove")
REFUSED = [
    (lambda: count_error(ROUNDED), "mechanism", Code.WRONG_TYPE),
    (lambda: count_error(CURVE), "mechanism", Code.WRONG_TYPE),
    (lambda: MovedValueAttack(ROUNDED, prior=0.5), "mechanism", Code.UNSUPPORTED),
    (lambda: CountAttack(CURVE, prior=0.5), "mechanism", Code.UNSUPPORTED),
    (lambda: MovedValueAttack(LOGISTIC, prior=0.5).marginal_posterior(), "mechanism", Code.UNSUPPORTED),
    (lambda: PlannedRelease(ROUNDED), "source", Code.UNSUPPORTED),
    (lambda: PrivacyLoss.of(ROUNDED).delta_at(1.0), "mechanism", Code.UNSUPPORTED),
    (lambda: PrivacyLoss.of(CURVE).loss_quantile(0.9), "source", Code.UNSUPPORTED),
    (lambda: trade_off(ROUNDED).detection(0.1), "mechanism", Code.UNSUPPORTED),
    (
        lambda: PRESENCE.guarantee_of_count(CURVE),
        "mechanism",
        Code.UNSUPPORTED,
    ),
    (lambda: noise_for_std(2.0, ReadCurve), "noise", Code.UNKNOWN_CHOICE),
    (lambda: noise_for_std(2.0, "logistic"), "noise", Code.UNKNOWN_CHOICE),
    (lambda: errors_beyond(3, mechanism=CURVE, more_than=0), "mechanism", Code.UNSUPPORTED),
    (lambda: mean_half_width(3, mechanism=LOGISTIC), "mechanism", Code.UNSUPPORTED),
    (lambda: LOGISTIC.release_lines(), "mechanism", Code.UNSUPPORTED),
    (lambda: ROUNDED.release_lines(), "mechanism", Code.UNSUPPORTED),
    (lambda: CountTable(noise=ReadCurve), "noise", Code.UNKNOWN_CHOICE),
]


@pytest.mark.parametrize(("call", "name", "code"), REFUSED)
def test_what_a_layer_does_not_answer_is_refused_by_name_and_code(call: Any, name: str, code: Code) -> None:
    with pytest.raises(Refused) as refused:
        call()
    assert (refused.value.name, refused.value.code) == (name, code)


def test_noise_whose_loss_falls_somewhere_is_refused() -> None:
    class Cauchy(Logistic):
        """Heavy tails: what is far off tells less again."""

        def log_tail(self, value: ArrayLike) -> Any:
            """log P[noise >= value]."""
            return cauchy.logsf(np.asarray(value, dtype=float))

        def log_pdf(self, value: ArrayLike) -> Any:
            """Log density."""
            return -np.log(math.pi * (1 + np.asarray(value) ** 2))

    with pytest.raises(Refused, match="have a loss that never falls"):
        Cauchy(epsilon=1.0).loss_parts()
    with pytest.raises(Refused, match="have a loss that never falls"):
        CountAttack(Cauchy(epsilon=1.0), prior=0.5)


# ---- the list


def test_the_list_names_every_mechanism_once_in_a_file_of_its_own() -> None:
    assert [Geometric, Laplace, Gaussian, DiscreteGaussian, RandomizedResponse] == MECHANISMS
    files = [Path(inspect.getfile(kind)) for kind in MECHANISMS]
    assert len(set(files)) == len(MECHANISMS)
    assert {path.parent.name for path in files} == {"mechanisms"}
    named = [(kind.name, kind.label, kind.short, kind.letter) for kind in MECHANISMS]
    assert all(len(set(column)) == len(MECHANISMS) for column in zip(*named, strict=True))
    assert all(noise_kind(kind.name) is kind for kind in MECHANISMS if issubclass(kind, NoiseMechanism))


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.name)
def test_a_mechanism_is_named_in_its_own_file_and_on_the_list(kind: Any) -> None:
    """One file and one line: what the package hands out besides is its name."""
    package = ROOT / "dpcore" / "mechanisms"
    own = Path(inspect.getfile(kind))
    using = {
        path.name
        for path in package.glob("*.py")
        if path != own
        and path.name != "__init__.py"
        and re.search(rf"^from .* import .*\b{kind.__name__}\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    allowed = {"registry.py"} | ({"discrete_gaussian.py"} if kind is Gaussian else set())  # its limit is normal
    assert using == allowed
    registry = (package / "registry.py").read_text(encoding="utf-8")
    assert registry.count(f"    {kind.__name__},\n") == 1


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.name)
def test_the_words_of_a_mechanism_stand_in_one_file(kind: Any) -> None:
    own = ROOT / "ui" / "text" / "noises" / "en" / f"{kind.name}.md"
    headings = {heading for page in OF_MECHANISMS.values() for heading in page.values()}
    written = re.findall("^## (.*)$", own.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(written) == (headings if issubclass(kind, NoiseMechanism) else {"sentence"})
    for page, fields in OF_MECHANISMS.items():
        texts = [catalogue.read(page, file) for file in (*catalogue.VOICES, *catalogue.SHARED)] + [case_text()]
        elsewhere = [field for field in fields if re.search(rf"^(- |## ){field}{kind.name}\b", "\n".join(texts), re.M)]
        assert elsewhere == [], page


# ---- pages and the command line

LISTED = """
from ui.words import catalogue

read = catalogue.read
headings = [heading for page in catalogue.OF_MECHANISMS.values() for heading in page.values()]
own = chr(10).join(f"## {heading}{chr(10)}ours as {heading}" for heading in headings)
catalogue.read = lambda page, file: own if (page, file) == ("noises", "logistic") else read(page, file)  # the one text

from dpcore.mechanisms import MECHANISMS
from tests.logistic_noise import Logistic
from ui.words.catalogue import OF_MECHANISMS

MECHANISMS.append(Logistic)  # the one line

from riskline.case.releases import LedgerRow, decode_ledger, encode_ledger, kind_read
from tests.command_line import told
from ui.pictures.style import Style
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.explain import ExplainInputs, explain_view
from ui.views.plan import PlanInputs, plan_view
from ui.views.publication import PublicationInputs, publication_view
from ui.words.catalogue import option_words

for voice in ("plain", "technical"):
    style = Style(voice=voice)
    for start in ("budget", "accuracy"):
        view = accuracy_view(AccuracyInputs(noise="logistic", start=start), style)
        assert view.refusal is None, view.refusal
        assert style.voice == "plain" or "ours as sentence" in view.answer
    for reading in ("bound", "every_view", "exact", "average"):
        view = explain_view(ExplainInputs(guarantee="logistic", epsilon=0.7, reading=reading), style)
        assert view.refusal is None, view.refusal
    rows = (LedgerRow("Births", "logistic", "0.2", "", "3"), LedgerRow("Deaths", "gaussian", "0.01", "", "1"))
    assert decode_ledger(encode_ledger(rows)) == rows
    assert kind_read("Logistic noise") == "logistic"
    view = plan_view(PlanInputs(rows=rows), style)
    assert view.refusal is None, view.refusal
    view = publication_view(PublicationInputs(noise="logistic", start="budget", epsilon=1.0), style)
    assert view.refusal is None, view.refusal
assert option_words("case", "noise")["logistic"] == "ours as choice"
assert option_words("explain", "guarantee")["logistic"] == "ours as sentence"
assert option_words("publication", "noise")["logistic"] == "ours as budget"
assert catalogue.passages("case", "plain")["noise_logistic"] == "ours as strip"
answered = told("accuracy", "--noise", "logistic", "--epsilon", "0.7", "--json")
assert answered.code == 0, answered.complaint
assert "within ± 5 of" in answered.document["answer"], answered.out  # 5.23 as whole numbers: within 5.5 of the truth
refused = told("accuracy", "--noise", "cauchy")
assert refused.code != 0 and "logistic" in refused.complaint, refused.complaint
"""


def test_pages_and_the_command_line_take_a_noise_that_one_line_lists() -> None:
    run = subprocess.run(
        [sys.executable, "-c", LISTED], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
