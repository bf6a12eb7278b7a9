"""A newcomer's calls: each answers, or is told the right one in a sentence."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import dpcore
from dpcore.accuracy import noise_for_range, noise_for_std, noise_under
from dpcore.attacks.one_count import CountAttack
from dpcore.composition import ReleasePlan
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP, gaussian_rho
from dpcore.publication import budget_for_range, range_error
from tests.architecture.public_names import EVERY, PUBLIC, taken
from tests.each import each

LOSS = dpcore.privacy_loss.PrivacyLoss.of(dpcore.Geometric(epsilon=0.5), 3)
PLAN = ReleasePlan.repeated(dpcore.Gaussian(rho=0.01), 2)
LINE = dpcore.CapOrRatio(cap=0.25, ratio=3, value_prior=1.0)

ANSWERED: list[tuple[str, Callable[[], Any], Any]] = [
    ("a line by place", lambda: dpcore.CapOrRatio(0.25, 3, value_prior=1).cap, 0.25),
    ("its budget", lambda: dpcore.budget(LINE).recommended_total, 1.29),
    ("a drawn line of pairs", lambda: dpcore.DrawnLine([(0.1, 0.3)], along="membership").nodes, ((0.1, 0.3),)),
    ("noise of a scale", lambda: dpcore.Laplace.from_scale(2).epsilon, 0.5),
    ("noise of a sigma", lambda: dpcore.DiscreteGaussian.from_sigma(10).sigma, 10.0),
    ("a bound on a belief", lambda: round(dpcore.posterior_upper(prior=0.5, epsilon=1.0), 4), 0.7311),
    ("a promise in words", lambda: dpcore.Promise(secret="value", relation="add_or_remove").steps, 2),
    (
        "an attack on a count",
        lambda: round(CountAttack(dpcore.Geometric(epsilon=1), prior=0.5).posterior(1), 4),
        0.7311,
    ),
    ("the budget for a range", lambda: noise_for_range(10, "geometric").half_width(0.95), 10),
    ("a plan of equal releases", lambda: ReleasePlan.repeated(dpcore.Gaussian(rho=0.1), 3).releases, 3),
]

TOLD: list[tuple[str, Callable[[], Any], type[Exception], str]] = [
    (
        "Laplace noise by its scale",
        lambda: dpcore.Laplace(scale=2),  # type: ignore[call-arg]
        TypeError,
        "Laplace has no argument 'scale'; it is called as Laplace(epsilon=…, sensitivity=1.0); "
        "or from a scale as Laplace.from_scale(scale)",
    ),
    (
        "Geometric noise by its standard deviation",
        lambda: dpcore.Geometric(std=2),  # type: ignore[call-arg]
        TypeError,
        "or from a standard deviation as dpcore.accuracy.noise_for_std(std, 'geometric')",
    ),
    (
        "Gaussian noise by its sigma",
        lambda: dpcore.Gaussian(sigma=2),  # type: ignore[call-arg]
        TypeError,
        "or from a standard deviation as Gaussian.from_std(std)",
    ),
    (
        "Gaussian noise for an epsilon and a delta",
        lambda: dpcore.Gaussian(epsilon=1, delta=1e-6),  # type: ignore[call-arg]
        TypeError,
        "the rho for an (epsilon, delta) is dpcore.guarantees.gaussian_rho(epsilon=…, delta=…)",
    ),
    (
        "discrete Gaussian noise by its sigma",
        lambda: dpcore.DiscreteGaussian(sigma=2),  # type: ignore[call-arg]
        TypeError,
        "or from a sigma as DiscreteGaussian.from_sigma(sigma)",
    ),
    (
        "noise by place",
        lambda: dpcore.Geometric(1.0),  # type: ignore[misc]
        TypeError,
        "Geometric takes every argument by name; it is called as Geometric(epsilon=…, sensitivity=1)",
    ),
    (
        "a guarantee with a delta",
        lambda: PureDP(epsilon=1, delta=1e-6),  # type: ignore[call-arg]
        TypeError,
        "with a delta it is ApproximateDP(epsilon=…, delta=…)",
    ),
    (
        "a belief and a budget by place",
        lambda: dpcore.posterior_upper(0.1, 1.0),  # type: ignore[misc]
        TypeError,
        "posterior_upper takes every argument by name; it is called as posterior_upper(prior=…, epsilon=…)",
    ),
    (
        "a conversion by place",
        lambda: gaussian_rho(1.0, 1e-6),  # type: ignore[misc]
        TypeError,
        "it is called as gaussian_rho(epsilon=…, delta=…)",
    ),
    (
        "an attack without a belief",
        lambda: CountAttack(dpcore.Laplace(epsilon=1)),  # type: ignore[call-arg]
        TypeError,
        "CountAttack needs prior; it is called as CountAttack(mechanism, prior=…, budgets=None, known=0)",
    ),
    (
        "a level by place",
        lambda: dpcore.count_error(dpcore.Laplace(epsilon=1), 0.9),  # type: ignore[misc]
        TypeError,
        "count_error takes only mechanism by place and the rest by name; it is called as "
        "count_error(mechanism, level=0.95)",
    ),
    (
        "a line without its ratio",
        lambda: dpcore.CapOrRatio(cap=0.25),  # type: ignore[call-arg]
        TypeError,
        "CapOrRatio needs ratio; it is called as CapOrRatio(cap, ratio, membership_prior=None, value_prior=None)",
    ),
    (
        "a line that does not say what it is about",
        lambda: dpcore.CapOrRatio(0.25, 3),
        dpcore.Refused,
        "value_prior must be named: 1 asks about presence alone",
    ),
    (
        "the same argument twice",
        lambda: dpcore.count_error(dpcore.Laplace(epsilon=1), mechanism=1),  # type: ignore[misc]
        TypeError,
        "count_error was given mechanism twice; it is called as",
    ),
    (
        "a number for noise",
        lambda: dpcore.count_error(1.0),  # type: ignore[arg-type]
        dpcore.Refused,
        "mechanism must be noise such as Geometric(epsilon=1.0); got 1.0",
    ),
    (
        "a number for a guarantee",
        lambda: dpcore.belief_bounds(1.0, prior=0.1),  # type: ignore[arg-type]
        dpcore.Refused,
        "guarantee must be a guarantee such as PureDP(epsilon=1.0); got 1.0",
    ),
    (
        "a number for the guarantee of a secret",
        lambda: dpcore.Promise(secret="value", relation="replace").guarantee_of_secret(1.0),  # type: ignore[arg-type]
        dpcore.Refused,
        "guarantee must be a guarantee such as PureDP(epsilon=1.0); got 1.0",
    ),
    (
        "a number for the guarantee to keep",
        lambda: noise_under(1.0, "laplace"),  # type: ignore[arg-type]
        dpcore.Refused,
        "guarantee must be a guarantee such as PureDP(epsilon=1.0); got 1.0",
    ),
    (
        "a number for a line",
        lambda: dpcore.budget(3.0),  # type: ignore[arg-type]
        dpcore.Refused,
        "profile must be a line of acceptable risk such as CapOrRatio(cap=0.25, ratio=3, value_prior=1); got 3.0",
    ),
    (
        "a percentage for a belief",
        lambda: dpcore.posterior_upper(prior=25, epsilon=1.0),
        dpcore.Refused,
        "prior must lie in [0, 1]; got 25.0; as a share, 25 % is 0.25",
    ),
    (
        "noise for releases of a plan",
        lambda: ReleasePlan([dpcore.Gaussian(rho=0.01)] * 12),  # type: ignore[list-item, arg-type]
        dpcore.Refused,
        "rows must be planned releases such as PlannedRelease(Gaussian(rho=0.01), count=12); got Gaussian(rho=0.01",
    ),
    (
        "a plan of nothing",
        lambda: ReleasePlan(),  # type: ignore[call-arg]
        TypeError,
        "ReleasePlan needs rows; it is called as ReleasePlan(rows)",
    ),
    (
        "two beliefs beside three budgets",
        lambda: dpcore.posterior_upper(prior=[0.1, 0.2], epsilon=[1.0, 2.0, 3.0]),
        dpcore.Refused,
        "prior and epsilon must have shapes that go together; got (2,), (3,)",
    ),
    (
        "the kind of noise in capitals",
        lambda: noise_for_std(2.0, "Laplace"),  # type: ignore[arg-type]
        dpcore.Refused,
        "noise must be one of 'geometric', 'laplace', 'gaussian', 'discrete_gaussian'; got 'Laplace'",
    ),
    (
        "a relation by the name of textbooks",
        lambda: dpcore.Promise(secret="value", relation="bounded"),
        dpcore.Refused,
        "relation must be one of",
    ),
]


@pytest.mark.parametrize(("call", "answer"), [item[1:] for item in ANSWERED], ids=[item[0] for item in ANSWERED])
def test_a_natural_call_answers(call: Callable[[], Any], answer: Any) -> None:
    assert call() == answer


@each("name, call, kind, words", TOLD)
def test_a_call_that_does_not_fit_is_told_the_one_that_does(
    name: str, call: Callable[[], Any], kind: type[Exception], words: str
) -> None:
    with pytest.raises(kind, match=re.escape(words)) as told:
        call()
    assert str(told.value).count("\n") == 0


ALL_BY_NAME = [
    (name, value)
    for name, value in PUBLIC
    if callable(value)
    and (parameters := list(inspect.signature(value).parameters.values()))
    and all(taken.kind is taken.KEYWORD_ONLY for taken in parameters)
]


@each("name, value", ALL_BY_NAME)
def test_what_takes_every_argument_by_name_says_so(name: str, value: Callable[..., Any]) -> None:
    short = name.rpartition(".")[2]
    with pytest.raises(TypeError, match=f"^{short} takes every argument by name; it is called as {short}\\("):
        value(1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0)


RECORDS = {
    "AcsLikePopulation",
    "AdditiveRelease",
    "Bracket",
    "ConditioningLoss",
    "CountPosterior",
    "HiddenCell",
    "Infeasible",
    "Place",
    "Predictive",
    "SampledTables",
    "ShareInterval",
    "ShareRange",
    "SufficientRecords",
}
"""Classes that hold what was computed or is checked where it is used; what is written into them is not refused."""
UNUSED = {("draw_tables", "budget")}
"""What an example gives for nothing: it draws no noise."""


def _examples_with_text() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The calls of the examples of everything public with one of their numbers as text: whose, what, where, with."""
    for name, value in PUBLIC:
        module, _, short = name.rpartition(".")
        known = dict(vars(importlib.import_module(module)))
        for example in doctest.DocTestParser().get_examples(inspect.getdoc(value) or ""):
            tree = ast.parse(example.source)
            for call in ast.walk(tree):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == short:
                    for part in (*call.args, *(each.value for each in call.keywords)):
                        if isinstance(part, ast.Constant) and type(part.value) in (int, float):
                            place = next((each.arg for each in call.keywords if each.value is part), None) or ""
                            part.value = str(part.value)
                            yield short, place, ast.unparse(call), known
                            part.value = ast.literal_eval(part.value)
            if example.exc_msg is None and any(isinstance(line, ast.Assign | ast.ImportFrom) for line in tree.body):
                exec(example.source, known)


def test_text_in_the_place_of_a_number_is_told_to_be_no_number() -> None:
    told: dict[str, str] = {}
    for short, place, call, known in _examples_with_text():
        if short in RECORDS or (short, place) in UNUSED:
            continue
        try:
            eval(call, known)
        except NameError:  # a name of a loop around the example
            continue
        except dpcore.Refused as refusal:
            told[call] = str(refusal)
        else:
            told[call] = "an answer"
    assert len(told) > 400
    assert {call: said for call, said in told.items() if not re.search("must be .*number", said)} == {}


def test_an_error_inside_a_call_that_fits_stays_what_it_is() -> None:
    def broken(releases: int) -> Any:
        raise TypeError("of the caller's own making")

    with pytest.raises(TypeError, match=r"^of the caller's own making$"):
        dpcore.composition.largest_budget(broken, dpcore.composition.BeliefPromise(epsilon_prime=1.0), releases=2)


def test_parallel_things_are_taken_under_one_name_and_in_one_order() -> None:
    called = [(name, given) for name, _, given in taken()]
    quantiles = [(name, list(given)) for name, given in called if re.search(r"\.(?:\w+_)?quantile(?:_\w+)?$", name)]
    assert len(quantiles) > 10
    assert [name for name, names in quantiles if names[0] != "level"] == []
    drawn = [(name, given.get("seed")) for name, given in called if re.search(r"\.(?:draw|simulate)(?:_\w+)?$", name)]
    assert len(drawn) > 15
    assert [name for name, seed in drawn if seed is None or seed.kind is not seed.KEYWORD_ONLY] == []
    assert [name for name, given in called if {"rng", "random_state", "q"} & set(given)] == []
    noises = [(name, list(given)) for name, given in called if name.startswith("dpcore.accuracy.") and "noise" in given]
    assert len(noises) > 5
    assert [name for name, names in noises if names[1] != "noise"] == []


def test_the_newest_functions_take_the_number_first_and_say_so() -> None:
    for call in (range_error, budget_for_range, noise_for_range, noise_for_std):
        assert list(inspect.signature(call).parameters)[1] == "noise"
        with pytest.raises(dpcore.Refused):
            call("laplace", 10)  # type: ignore[arg-type, operator]


def test_the_names_that_the_other_guarantees_are_told_by_are_there() -> None:
    assert ApproximateDP(epsilon=1.0, delta=1e-6).epsilon == 1.0
    with pytest.raises(TypeError, match=r"with a rho it is ZeroConcentratedDP\(rho=…\)$"):
        PureDP(rho=0.1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"with an epsilon it is PureDP\(epsilon=…\)$"):
        ZeroConcentratedDP(epsilon=0.1)  # type: ignore[call-arg]


SECRET = r"secret|presence|values?|answer|belief|one step|step of|relation|guarantee|its source|one (?:person|record)"
"""What a promise is about, or whose it is."""
NAMED = re.compile(rf"no promise|promise.*\b(?:{SECRET})\b|\b(?:{SECRET})\b.*promise", re.IGNORECASE)


def _names_its_promise(told: str) -> bool:
    """Whether a sentence says which promise a number belongs to, or that none does."""
    sentences = re.split(r"(?<=\.) ", " ".join(told.split()))
    return any(NAMED.search(sentence) for sentence in sentences)


def test_the_help_of_everything_public_names_its_promise_or_says_that_it_makes_none() -> None:
    assert len(EVERY) > 450
    assert [name for name, value in EVERY if not _names_its_promise(inspect.getdoc(value) or "")] == []


def test_a_promise_is_named_with_its_secret_or_denied() -> None:
    assert _names_its_promise("A number. The promise is about the presence of one person.")
    assert _names_its_promise("About accuracy: no promise belongs to it.")
    assert not _names_its_promise("A promise. It is kept for one step.")
    assert not _names_its_promise("The presence of one person.")
