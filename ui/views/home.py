"""The front door: what Riskline answers, where to go, and one example worked through in a minute."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ui.link.fields import Field, write_query
from ui.link.page_table import PAGES, page_entry
from ui.link.way import Way
from ui.pictures.look import Look
from ui.views.accuracy import AccuracyInputs, accuracy_view
from ui.views.choose import ChooseInputs, choose_view
from ui.words.passages import say
from ui.words.phrasing import frequency, plain_number
from ui.words.quantities import Typed, Upper, number

FIELDS: tuple[Field, ...] = ()
DOORS = (("choose", "door_choose"), ("explain", "door_explain"), ("block", "door_attack"))


@dataclass(frozen=True)
class Step:
    """One step of the example: what happens, and the way to the page that shows it."""

    words: str
    way: Way | None = None


@dataclass(frozen=True)
class HomeView:
    """Everything the page shows."""

    answer: str
    small_print: str
    doors: tuple[Way, ...]
    steps: tuple[Step, ...]
    pages: tuple[Way, ...]


@lru_cache(maxsize=4)
def _example(voice: str) -> tuple[Step, ...]:
    """The guided example: a health office, its line, its budget, its cost. Every number is computed."""
    chosen = ChooseInputs()
    choice = choose_view(chosen, Look(voice=voice))
    assert choice.budget is not None
    answer = choice.budget.answer
    assert answer.binding is not None
    spend = AccuracyInputs(epsilon=choice.budget.recommended_total)
    cost = accuracy_view(spend, Look(voice=voice))
    assert cost.error is not None
    facts = {
        "cap": Typed(chosen.cap, frequency),
        "ratio": Typed(chosen.ratio, number(3)),
        "total": f"{spend.total:,}",
        "budget": plain_number(choice.budget.recommended_total),
        "prior": frequency(answer.binding.prior),
        "posterior": Upper(float(answer.reachable(answer.binding.membership_prior, epsilon=spend.epsilon)), frequency),
        "half_width": Upper(cost.error.half_width, number(3)),
        "exact": frequency(cost.error.probability_exact),
    }
    steps = [Step(say("home", voice, "step_question", **facts))]
    for name, stem, query in (
        ("line", "choose", write_query(page_entry("choose").fields, chosen.__dict__) | {"line": chosen.line}),
        ("budget", "choose", {"line": chosen.line}),
        ("cost", "accuracy", {"epsilon": plain_number(spend.epsilon)}),
    ):
        label = f"Open: {page_entry(stem).title}"
        steps.append(Step(say("home", voice, f"step_{name}", **facts), Way(stem, label, tuple(query.items()))))
    steps.append(Step(say("home", voice, "step_record", **facts)))
    return tuple(steps)


def home_view(look: Look) -> HomeView:
    """The front door in a voice."""
    known = {entry.stem for entry in PAGES}
    return HomeView(
        answer=say("home", look.voice, "answer"),
        small_print=say("home", look.voice, "small_print"),
        doors=tuple(Way(stem, say("home", look.voice, name)) for stem, name in DOORS if stem in known),
        steps=_example(look.voice),
        pages=tuple(Way(entry.stem, f"{entry.title}: {entry.purpose}") for entry in PAGES if entry.stem != "home"),
    )
