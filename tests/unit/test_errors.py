"""A refusal says what, by which rule, which value and of which kind, here and in another process."""

from __future__ import annotations

import copy
import importlib
import math
import pickle
import pkgutil
from enum import EnumType
from typing import Any

import numpy as np
import pytest

import dpcore
from dpcore import _checks
from dpcore.deployments import UnlikeDeployments
from dpcore.errors import Code, Refused, shown_value
from dpcore.guarantees import PureDP
from dpcore.inference import FlatPrior, ImproperPosteriorError
from dpcore.populations import TableError
from dpcore.privacy_loss import PrivacyLoss
from dpcore.profiles import InfeasibleProfile
from dpcore.studies import StudyInterrupted, open_executor, run, tasks_for
from tests.each import each
from tests.unit import study_tasks


def _refusal(check: Any, *arguments: Any, **options: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        check(*arguments, **options)
    return caught.value


@each(
    "check, arguments, rule, value, code",
    [
        (_checks.number, ("x", "1"), "be a number, not text", "1", Code.NOT_A_NUMBER),
        (_checks.number, ("x", True), "be a number", True, Code.NOT_A_NUMBER),
        (_checks.number, ("x", math.inf), "be finite", math.inf, Code.NOT_FINITE),
        (_checks.number, ("x", 10**400), "be finite", 10**400, Code.TOO_LARGE),
        (_checks.number, ("x", 2, 0, 1), "lie in [0, 1]", 2, Code.OUT_OF_RANGE),
        (_checks.number, ("x", [0.5]), "be one number", [0.5], Code.NOT_A_NUMBER),
        (_checks.array, ("x", [2**70, "a"]), "be numbers", [2**70, "a"], Code.NOT_A_NUMBER),
        (_checks.array, ("x", [2**70, True]), "be numbers", [2**70, True], Code.NOT_A_NUMBER),
        (_checks.array, ("x", [2**70], 0, 1), "lie in [0, 1]", 2.0**70, Code.OUT_OF_RANGE),
        (_checks.array, ("x", ["a"]), "be numbers", ["a"], Code.NOT_A_NUMBER),
        (_checks.array, ("x", [0.5, 2, 3], 0, 1), "lie in [0, 1]", 2.0, Code.OUT_OF_RANGE),
        (_checks.array, ("x", [0.5, -math.inf], 0, 1), "lie in [0, 1]", -math.inf, Code.NOT_FINITE),
        (_checks.probability, ("x", 1.2), "lie in [0, 1]", 1.2, Code.OUT_OF_RANGE),
        (_checks.array, ("x", None, 0, 1), "be a number", None, Code.NOT_A_NUMBER),
        (_checks.count, ("x", "2", 1, 3), "be a whole number, not text", "2", Code.NOT_A_NUMBER),
        (_checks.count, ("x", None), "be a whole number of at least 0", None, Code.NOT_A_NUMBER),
        (_checks.count, ("x", 1.5), "be a whole number of at least 0", 1.5, Code.NOT_WHOLE),
        (_checks.count, ("x", math.inf), "be a whole number of at least 0", math.inf, Code.NOT_FINITE),
        (_checks.count, ("x", 4, 1, 3), "be a whole number from 1 to 3", 4, Code.OUT_OF_RANGE),
        (_checks.choice, ("x", "c", ("a", "b")), "be one of 'a', 'b'", "c", Code.UNKNOWN_CHOICE),
        (_checks.choice, ("x", ["a"], {"a": 1}), "be one of 'a'", ["a"], Code.UNKNOWN_CHOICE),
        (_checks.increasing, ("x", [1, 1]), "be in increasing order", [1.0, 1.0], Code.WRONG_ORDER),
        (_checks.increasing, ("x", 3), "be in increasing order", 3, Code.WRONG_SHAPE),
        (_checks.increasing, ("x", [[1, 2], [3, 4]]), "be in increasing order", [[1, 2], [3, 4]], Code.WRONG_SHAPE),
    ],
)
def test_a_check_refuses_by_name_rule_value_and_code(
    check: Any, arguments: tuple[Any, ...], rule: str, value: Any, code: Code
) -> None:
    refusal = _refusal(check, *arguments)
    assert (refusal.name, refusal.rule, refusal.value, refusal.code) == ("x", rule, value, code)
    assert str(refusal).startswith(f"x must {rule}; got ")


def test_whole_numbers_beyond_64_bits_are_numbers() -> None:
    assert _checks.array("x", [10**20, 3]).tolist() == [1e20, 3.0]


@pytest.mark.parametrize("check", [_checks.probability, lambda *given: _checks.number(*given, 0, 1)])
def test_a_percentage_is_told_the_share_that_it_is(check: Any) -> None:
    assert str(_refusal(check, "prior", 12.5)) == "prior must lie in [0, 1]; got 12.5; as a share, 12.5 % is 0.125"
    assert _refusal(check, "prior", 12.5).value == 12.5
    for number in (1.2, -10, 101):
        assert "share" not in str(_refusal(check, "prior", number))
    assert "share" not in str(_refusal(_checks.number, "x", 10, 0, 2))


def test_a_choice_reads_in_a_refusal_as_it_is_typed() -> None:
    for found in pkgutil.walk_packages(dpcore.__path__, "dpcore."):
        for kind in vars(importlib.import_module(found.name)).values():
            for member in kind if isinstance(kind, EnumType) else ():
                assert str(Refused("x", "be another", member, Code.INCONSISTENT)).endswith(f"; got {member.value!r}")
                assert shown_value({"choices": (member,)}) == repr({"choices": (member.value,)})
    with pytest.raises(Refused) as caught:
        PrivacyLoss.of(PureDP(epsilon=0.1)).loss_quantile(0.5)
    assert str(caught.value).endswith("; got PureDP(epsilon=0.1, relation='add_or_remove')")


def test_nan_is_not_finite_for_every_check_of_numbers() -> None:
    for check in (_checks.number, _checks.array, _checks.count, _checks.probability):
        assert _refusal(check, "x", math.nan).code is Code.NOT_FINITE


def test_numbers_that_may_stay_equal_are_still_one_row() -> None:
    assert _checks.increasing("x", [1, 1, 2], strictly=False).tolist() == [1, 1, 2]
    assert _refusal(_checks.increasing, "x", [2, 1], strictly=False).code is Code.WRONG_ORDER
    assert _refusal(_checks.increasing, "x", [[1, 2], [3, 4]], strictly=False).code is Code.WRONG_SHAPE


def test_a_number_too_long_to_be_written_is_refused_in_words() -> None:
    assert str(_refusal(_checks.count, "x", 10**5000, 0, 9)).endswith("got a whole number of 16610 bits")


def test_a_code_outside_the_set_is_refused() -> None:
    with pytest.raises(ValueError, match="'nonsense' is not a valid Code"):
        Refused("x", "be something", 1, "nonsense")  # type: ignore[arg-type]


def _whole(refusal: Refused) -> tuple[Any, ...]:
    return type(refusal), str(refusal), refusal.args, dict(refusal.__dict__)


REFUSALS = [
    Refused("x", "lie in [0, 1]", 1.2, Code.OUT_OF_RANGE),
    InfeasibleProfile("nodes", "accept at least the prior", 0.5, membership_prior=0.2, value_prior=0.3, got="a half"),
    TableError("a count", "be whole", "x", Code.NOT_WHOLE, row=3, column="adults"),
    ImproperPosteriorError("Improper: the prior is too steep.", FlatPrior()),
    UnlikeDeployments("unit", ("person", "household")),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: type(refusal).__name__)
def test_a_refusal_is_whole_after_a_journey(refusal: Refused) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert _whole(pickle.loads(pickle.dumps(refusal, protocol))) == _whole(refusal)
    assert _whole(copy.copy(refusal)) == _whole(refusal)


def test_a_refusal_in_a_worker_process_is_told_and_not_taken_for_a_dead_worker() -> None:
    tasks = tasks_for(study_tasks.refuse, [{}])
    with open_executor("processes", workers=1) as executor, pytest.raises(InfeasibleProfile) as caught:
        run(tasks, executor)
    told = caught.value
    assert (told.name, told.code, told.value) == ("nodes", Code.INFEASIBLE, 0.5)
    assert (told.membership_prior, told.value_prior) == (0.6, 1.0)
    assert str(told) == "nodes must accept at least the prior (posterior 0.6 at prior 0.6); got 0.5"


def test_an_interrupted_study_in_a_worker_process_is_told_with_what_is_missing() -> None:
    with open_executor("processes", workers=1) as executor, pytest.raises(StudyInterrupted) as caught:
        run(tasks_for(study_tasks.interrupt, [{}]), executor)
    assert caught.value.missing == (1, 2)
    assert str(caught.value) == "the study was stopped; 2 tasks are missing: 1, 2"


def test_every_kind_of_refusal_has_a_journey_in_these_tests() -> None:
    def below(kind: type[Refused]) -> set[type[Refused]]:
        return {kind}.union(*(below(child) for child in kind.__subclasses__()))

    ours = {
        kind for kind in below(Refused) if kind.__module__.startswith("dpcore.")
    }  # other tests make kinds of theirs
    assert {type(refusal) for refusal in REFUSALS} == ours


def test_a_value_that_cannot_travel_arrives_as_its_text() -> None:
    arrived = pickle.loads(pickle.dumps(_refusal(_checks.number, "x", lambda: 1)))
    assert arrived.value.startswith("<function ")
    assert (arrived.name, arrived.code) == ("x", Code.NOT_A_NUMBER)


def test_an_array_travels_as_an_array() -> None:
    arrived = pickle.loads(pickle.dumps(Refused("x", "be flat", np.eye(2), Code.WRONG_SHAPE)))
    assert np.array_equal(arrived.value, np.eye(2))
