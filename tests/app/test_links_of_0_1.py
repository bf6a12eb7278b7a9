"""Links of version 0.1 still open: every parameter and every option they could hold is read, none is refused.

`links_of_0_1.json` holds, for each page, the parameters of version 0.1 with the options of choices and with ordinary
numbers, as its links wrote them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from riskline.case.fields import read_query
from tests.app.opened_page import open_page, sound
from tests.each import each
from ui.link.page_table import page_entry

LINKS: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_name("links_of_0_1.json").read_text())
WHOLE = {
    "choose": {"secret": "value", "neighbours": "bounded", "unit": "household", "group": "4", "route": "gaussian"},
    "accuracy": {"noise": "discrete_gaussian", "rho": "0.1", "start": "accuracy"},
    "positions": {"secret": "value", "held": "0.5", "parties": "2"},
    "plan": {"rows": "g~0.01~1~~Daily%20count", "promise": "difference", "difference": "0.2", "rounds": "12"},
    "explain": {"guarantee": "gaussian", "rho": "0.3", "reading": "exact", "prior": "0.1"},
    "deployments": {"order": "budget", "formula": "simple"},
    "block": {"question": "unknown_variable", "hides": "answers", "noise": "geometric", "epsilon": "0.5"},
    "memo": {"choose": "question=value&neighbours=bounded&unit=household&group=4"},
}

ENDED = {
    "choose": {"p_cut", "q_cut"},
    "block": {"scale", "missing", "missing_belief"},
    "hierarchy": {"chain", "noise", "seed"},
    "positions": {"total", "target", "deviation"},
    "infer": {"other", "seed"},
    "lessons": {"people", "share", "seed"},
}
"""Choices that a page no longer has: a link that holds one opens, and a sentence names it."""

ENDED_OPTIONS = {("infer", "measure", "rmse")}
"""Options that a choice no longer has: a sentence says what was taken instead."""


@each("stem", LINKS)
def test_every_parameter_of_an_old_link_is_still_read(stem: str) -> None:
    fields = page_entry(stem).fields
    for name, samples in LINKS[stem].items():
        for text in samples:
            refusals = read_query(fields, {name: text}).refusals
            if name in ENDED.get(stem, ()):
                (refusal,) = refusals
                assert refusal.sentence.endswith("the link's value was ignored."), (stem, name)
            elif (stem, name, text) in ENDED_OPTIONS:
                (refusal,) = refusals
                assert "The link's value was replaced by" in refusal.sentence, (stem, name)
            else:
                assert refusals == (), (stem, name, text)


@pytest.mark.parametrize("stem", WHOLE)
def test_a_page_opens_from_a_link_of_version_0_1(stem: str) -> None:
    test = open_page(stem, **WHOLE[stem])
    sound(test)
    assert not test.warning, [warning.value for warning in test.warning]
