"""Side one of the brief: what was decided, what it means for one person and for the tables, what was not taken, who."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from dpcore.accuracy import AdditiveMechanism
from dpcore.deployments import deployment
from dpcore.guarantees import Relation
from dpcore.promise import Secret
from dpcore.publication import errors_beyond
from dpcore.rounding import round_down
from riskline.answers import CaseBudget, Source, Spent
from riskline.answers.errors import row_error
from riskline.case.choices import ANYTHING
from riskline.case.value import DESCRIBING, Case, State
from ui.pictures.columns import Column, side_by_side
from ui.pictures.description import Description
from ui.pictures.marks import Axis, Dots
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.accuracy import rounded_words
from ui.views.choose import ChooseInputs
from ui.views.choose.answer import answered
from ui.views.memo.choices import Memo, expert, word
from ui.views.shared.promise import several
from ui.views.shared.strip import budget_words, decided_when, release_words
from ui.words.catalogue import label, say
from ui.words.markdown import unstarred
from ui.words.phrasing import times, typed_frequency, whole_on_average
from ui.words.quantities import Exact, Quantity, Spoken, Typed, Upper, number, out_of, whole

LARGEST = 0.95
"""Cap or increase beyond which no looser line is looked at: the end of their sliders."""

PARTS = {kind: part for part, kind in DESCRIBING.items()}
"""The part of a case that describes a release of this kind."""


def missing(memo: Memo) -> tuple[str, ...]:
    """What a brief must name before it is complete and does not yet; the example and others' budgets name nothing."""
    if memo.case.is_example or memo.case.state is State.PUBLISHED:
        return ()
    needed = {"until": memo.inputs.until, "released": released(memo)}
    if memo.case.state in (State.DECIDED, State.DECIDED_FOR_ANOTHER):
        decision = memo.case.decision
        needed = {"by": decision.by, "date": decision.date} | needed  # type: ignore[union-attr]
    found = [name for name, text in needed.items() if not text.strip()]
    part = PARTS.get(memo.case["release"])
    return (*found, part) if part in ("tables", "rows") and part not in memo.case else tuple(found)


def released(memo: Memo) -> str:
    """What is released: in the reader's words, or as the case describes it; nothing where it does neither."""
    kind = memo.case["release"]
    described = kind != ANYTHING and PARTS.get(kind, "release") in memo.case
    return memo.case["released"].strip() or (release_words(memo.case, memo.style.voice) if described else "")


def missing_words(memo: Memo) -> str:
    """The same as a sentence; nothing where nothing is missing."""
    what = ", ".join(word(f"missing.{name}") for name in missing(memo))
    return memo.say("first_missing", what=what) if what else ""


def first_line(memo: Memo) -> str:
    """How the decision stands, and what is missing."""
    return f"{stands(memo)} {missing_words(memo)}".strip()


def stands(memo: Memo) -> str:
    """Whether this is an example, a draft, or decided by whom."""
    told, decision = {"budget": memo.spend, "publisher": memo.case["published"]}, memo.case.decision
    told["when"] = decided_when(memo.case, memo.style.voice)
    for name in ("by", "date"):
        text = unstarred(getattr(decision, name, "").strip())
        told[name] = f" {say('case', memo.style.voice, name, **{name: text})}" if text else ""
    name = "no_budget" if memo.case.state is State.UNDECIDED and memo.spent is None else memo.case.state.value
    words = [memo.say(f"first_{name}", **told)]
    if decision is not None and memo.case["published"]:
        told["budget"] = budget_words(decision.value, decision.currency)
        words.append(memo.say("passed_over", **told))
    elif decision is not None and not told["by"]:
        words.append(memo.say("nobody_named"))
    if memo.inputs.claimed and decision is not None:
        words.append(memo.say("first_claimed"))
    return " ".join(filter(None, (*words, memo.planned_beside)))


def decided_words(memo: Memo, *, short: bool = False) -> str:
    """How the decision stands, another budget that the line implies, the secret, and in full what is missing."""
    words = [stands(memo)]
    if memo.spent is not None and memo.implied:
        less = "less" if memo.spent.line_implies_less else "more"
        words.append(memo.say(f"implied_{less}", implied=memo.implied))
    words.append(memo.say("must_stay_secret", secret=memo.words()["secret"]))
    return " ".join(words if short else [*words, missing_words(memo)]).strip()


def passes_line(memo: Memo) -> bool:
    """Whether the budget that stands is none that the line allows."""
    line, spent = memo.line, memo.spent
    return spent is not None and line is not None and line.budget is not None and not spent.keeps_the_line


def stands_for(memo: Memo) -> str:
    """Which secret of the guarantee the reader's own phrase for it stands for."""
    phrase = memo.case["hidden"].replace("*", "").strip()
    return expert("in_own_words", phrase=phrase, secret=memo.words(own=False)["secret"]) if phrase else ""


def person_words(memo: Memo) -> str:
    """What the budget means for one person: how far the attacker who decides it can come."""
    if memo.spent is None:
        seen = memo.seen(memo.style.voice)
        return "" if seen is None else seen.answer
    told = {"that": memo.words()["that"], "exception": memo.exception}
    if memo.before == 0.0 and memo.line is not None:
        return memo.say("person_approached", ratio=memo.line.ratio_said, **told)
    return memo.say("person", prior=memo.rise.words, posterior=memo.rise.after, **told)


def person_scope(memo: Memo) -> tuple[str, ...]:
    """For which releases, noise and attacker the limit holds, where that is not for any."""
    spent, found = memo.spent, []
    if spent is None:
        return ()
    apart = memo.case.promise.secret is Secret.VALUE and memo.case["relation"] == Relation.ADD_OR_REMOVE.value
    if memo.line is not None and memo.case["release"] == "count" and apart:
        found.append(memo.say("person_counts", steps=f"{memo.case.promise.steps:,}"))
    if memo.line is not None and memo.line.split:
        found.append(memo.line.split)
    if spent.noise is not None:
        found.append(memo.say("person_knows", noise=label("case", f"whole_noise.{spent.noise}")))
    return tuple(found)


def unprotected(case: Case) -> str:
    """What the guarantee leaves open."""
    kind = "coins" if case["release"] == "coins" else case["relation"]
    parts = [] if kind == "add_or_remove" else [label("public", f"open_{kind}")]
    if case.exact_totals:
        parts.insert(0, label("public", "open_exact" if parts else "open_exact_alone"))
    return label("public", "open", open="".join(f"{part} " for part in parts))


def districts_scope(memo: Memo) -> tuple[str, ...]:
    """What the numbers of districts stand on; nothing of one count, which has none."""
    spent, found = memo.spent, in_districts(memo)
    if spent is None or found is None or found.number == 1:
        return ()
    each = budget_words(spent.of_a_count, spent.budget.currency)
    return (memo.say(f"districts_print_{spent.counts_changed}", each=each),)


@dataclass(frozen=True)
class Districts:
    """How many of a table's districts are off by more than `wide` people, and how many exactly right, on average."""

    number: int
    wide: int
    off: float
    right: float

    @classmethod
    def of(cls, mechanism: AdditiveMechanism, number: int, wide: int) -> Districts:
        """Those of a table with this noise on each count."""
        off, wrong = (errors_beyond(1, mechanism=mechanism, more_than=most).expected for most in (wide, 0))
        return cls(number, wide, number * off, number * (1 - wrong))


def in_districts(memo: Memo) -> Districts | None:
    """What the budget's noise does to the table's districts; nothing where there is no noise to describe."""
    row = memo.row
    if row is None or not memo.counts_are_told:
        return None
    return Districts.of(row.noise, memo.case["areas"], row.whole_range[0])


def _spoken(memo: Memo, found: Districts) -> Spoken:
    """How many districts are said: as many whole ones as are drawn, their mean for experts, or how often one is so."""
    return number(2) if memo.style.technical else out_of(MOST) if found.number == 1 else whole_on_average


def districts_words(memo: Memo, found: Districts) -> str:
    """What readers of the tables will see, in one sentence."""
    spent, row = memo.spent, memo.row
    assert spent is not None
    assert row is not None
    told = _spoken(memo, found)
    return memo.say(
        "one_district" if found.number == 1 else "districts",
        number=f"{found.number:,}",
        off=(Upper if found.number == 1 else Exact)(found.off, told),
        wide=Upper(found.wide, whole).digits,
        many=several(memo.case["many"]),
        right=Exact(found.right, told),
        rounded=rounded_words(row.noise),
        releases="" if spent.releases == 1 else memo.say("each_release", releases=f"{spent.releases:,}"),
    )


@dataclass(frozen=True)
class Considered:
    """A line with its budget, the belief (or how many times as strong it is) that it leads to, and the districts."""

    name: str
    spend: str
    each: float
    after: Quantity
    districts: Districts | None


def considered(memo: Memo) -> tuple[Considered, ...]:
    """Other lines of the kind accepted, or the line itself where another budget stands than the one it implies."""
    ours = memo.line
    if memo.choices is None or ours is None or memo.spent is None or memo.case["published"]:
        return ()
    place, found = ours.implied.binding, []
    for name, other in [(word("other.implied"), memo.choices)] if memo.implied else alternatives(memo.choices):
        try:
            line = answered(other, Style(voice=memo.style.voice))
        except ValueError:
            continue
        if line.budget is None or line.budget.recommended_each <= 0:
            continue
        after, each, districts = Upper(line.largest_ratio, times), line.budget.recommended_each, in_districts(memo)
        if place is not None and place.prior > 0:
            reached = ours.implied.reachable(*ours.split_of(memo.before), epsilon=line.shift)
            after = Upper(float(reached), memo.rise.spoken)
        if districts is not None:
            spent = Spent(memo.case, CaseBudget(each, memo.spent.budget.currency, Source.IMPLIED), line.budget)
            districts = Districts.of(row_error(spent).noise, districts.number, districts.wide)
        found.append(Considered(name, line.spend, each, after, districts))
    return tuple(found)


def alternatives(choices: ChooseInputs) -> list[tuple[str, ChooseInputs]]:
    """Lines beside the accepted one: stricter and looser ones of the same kind."""
    found: list[tuple[str, dict[str, Any]]] = []
    if choices.line == "cap_or_ratio":
        words = partial(word, "other.cap", ratio=Typed(choices.ratio, times))
        found += [(words(cap=Typed(cap, typed_frequency)), {"cap": cap}) for cap in _half_and_twice(choices.cap)]
    if choices.line in ("constant", "box", "cap_or_ratio") and choices.ratio > 1:
        ratios = [1 + factor * (choices.ratio - 1) for factor in (0.5, 2.0)]
        found += [(word("other.ratio", ratio=Typed(ratio, times)), {"ratio": ratio}) for ratio in ratios]
    if choices.line == "increase":
        rises = _half_and_twice(choices.increase)
        found += [(word("other.rise", rise=Typed(rise, typed_frequency)), {"increase": rise}) for rise in rises]
    if choices.line == "drawn":  # a drawing has no name
        lines = [tuple((x, min(1.0, x + factor * (y - x))) for x, y in choices.points) for factor in (0.5, 1.5)]
        found += [("", {"points": points}) for points in lines]
    return [(name, replace(choices, **other)) for name, other in found]


def _half_and_twice(limit: float) -> tuple[float, float]:
    return round_down(limit / 2, 2, significant=True), min(2 * limit, LARGEST)


def not_taken(memo: Memo) -> Table | None:
    """The nearest line on either side beside the budget that stands, each with the same two numbers."""
    others, spent = considered(memo), memo.spent
    if spent is None or not others:
        return None
    approached = memo.line if memo.before == 0.0 else None
    prior, after = ("", approached.ratio_said) if approached else (memo.rise.words, memo.rise.after)
    ours = Considered(word("other.ours"), memo.spend, spent.value, after, in_districts(memo))
    stricter = max((one for one in others if one.each < ours.each), key=lambda one: one.each, default=None)
    looser = min((one for one in others if one.each > ours.each), key=lambda one: one.each, default=None)
    beside = {"stricter": stricter, "ours": ours, "looser": looser}
    shown = {name: one for name, one in beside.items() if one is not None}
    if len(shown) == 1:
        return None
    named = memo.implied or (memo.choices is not None and memo.choices.line != "drawn")
    rows = [(word("not_taken.line"), *(one.name for one in shown.values()))] if named else []
    rows.append((word("not_taken.budget"), *(one.spend for one in shown.values())))
    belief = word("not_taken.ratio" if approached else "not_taken.belief", prior=prior, exception=memo.exception)
    rows.append((belief, *(one.after.digits for one in shown.values())))
    if ours.districts is not None:
        told = out_of(MOST) if ours.districts.number == 1 else _spoken(memo, ours.districts)
        every = [one.districts for one in shown.values() if one.districts is not None]
        right = (Exact(each.right, told).digits for each in every)
        name = "not_taken.right" if ours.districts.number > 1 else "not_taken.right_once"
        rows.append((word(name, number=f"{ours.districts.number:,}"), *right))
    return Table("", ("", *(word(f"not_taken.{name}") for name in shown)), tuple(rows))


def byline(memo: Memo, *names: str) -> str:
    """What stands in the band: parts of the case, whether it was decided, and when."""
    state, decision = memo.case.state, memo.decision
    day = memo.case["date"] if decision is None else decision.date
    named = state if state in (State.DECIDED, State.EXAMPLE, State.PUBLISHED) else "draft"
    stands = word(f"band.{named}")
    parts = (*(memo.case[name] for name in names), f"{stands} {day.strip()}")
    return " · ".join(part.strip() for part in parts if part.strip())


def who_decided(memo: Memo) -> tuple[tuple[str, str], ...]:
    """Who decided what, when and until when; what the first sentence names as missing is so here.

    Of a published budget it is who published what, which the reader's office did not decide.
    """
    case, decision, absent = memo.case, memo.case.decision, missing(memo)
    if case["published"]:
        entry = deployment(case["published"])
        told = {"publisher": f"{entry.organisation}, {entry.year}", "published": entry.name}
        told |= {"until": memo.inputs.until, "released": case["released"]}
        return tuple((word(f"who.{name}"), text.strip()) for name, text in told.items() if text.strip())
    told = {name: getattr(decision, name, "") for name in ("by", "date", "reason")}
    if decision is None:
        told["by"] = word("nobody.example" if case.state is State.EXAMPLE else "nobody.yet")
    told |= {"until": memo.inputs.until, "released": released(memo)}
    return tuple(
        (word(f"who.{name}"), text.strip() or word("not_there" if name in absent else "not_said"))
        for name, text in told.items()
        if text.strip() or name in absent or name not in ("date", "reason")
    )


def heading(memo: Memo, name: str) -> str:
    """A heading that says that something was decided only where it was, and who published what others did."""
    state = memo.case.state
    if name == "who":
        return word("heading.who.published" if state is State.PUBLISHED else "heading.who")
    passed = ".passed" if name == "line" and passes_line(memo) else ""
    return word(f"heading.{name}{passed}" if state is State.DECIDED else f"heading.{name}.open")


ACROSS = 20
MOST = 100
"""Dots of a picture at most: of more districts, a dot stands for several."""
STYLES = (("accent", "circle", 9), ("reach", "diamond", 9), ("quiet", "circle", 4))
"""Colour, shape and size of each kind of dot: of what is so, of what this adds or spoils, and of the rest."""


def people_dots(before: float, after: float, reading: str) -> Description:
    """Of a hundred, those who stand for the belief before, and how many more at most after; rounded outwards.

    Below 1 in 100 a dot is one of 10,000, and only the dots of the beliefs are drawn.
    """
    of = MOST if after >= 1 / MOST else MOST**2
    held, reached = math.floor(before * of + 1e-9), math.ceil(after * of - 1e-9)
    kinds = {"before": held, "after": max(reached - held, 0), "rest": of - max(held, reached) if of == MOST else 0}
    named = {word(f"dots.{name}", of=f"{of:,}"): count for name, count in kinds.items()}
    return _dots("people", named, STYLES, reading)


def district_dots(found: Districts, reading: str) -> Description:
    """How many districts are exactly right, within the range, and further off, on average."""
    number = found.number if found.number > 1 else MOST  # of one count, a hundred times
    each = math.ceil(number / MOST)
    share = number / found.number / each
    right, off = math.floor(found.right * share + 0.5), math.floor(found.off * share + 0.5)
    if found.number == 1:  # how often one count is too far off is said as at most
        off = math.ceil(found.off * share)
    counts = (right, max(round(number / each) - right - off, 0), off)
    said = word("dots.once") if found.number == 1 else word("dots.several", each=f"{each:,}") if each > 1 else ""
    named = (word(name, wide=f"{found.wide:,}", each=said) for name in ("dots.right", "dots.within", "dots.off"))
    return _dots("districts", dict(zip(named, counts, strict=True)), (STYLES[0], STYLES[2], STYLES[1]), reading)


def _dots(key: str, kinds: dict[str, int], styles: tuple[tuple[str, str, int], ...], reading: str) -> Description:
    rows, marks, at = [], [], 0
    for (name, count), (role, symbol, size) in zip(kinds.items(), styles, strict=True):
        place = np.arange(at, at + count)
        x, y = f"across_{role}", f"down_{role}"
        across = Column(x, name, (place % ACROSS).astype(float), quantity=word("dots.across"))
        rows.append(side_by_side(across, Column(y, name, -(place // ACROSS).astype(float), quantity=word("dots.down"))))
        if count:
            marks.append(Dots(x=x, y=y, role=role, symbol=symbol, size=size))
        at += count
    axis = partial(Axis, shown=False, grid=False)
    sides, heights = axis(range=(-0.8, ACROSS - 0.2)), axis(range=(0.2 - max(-(-at // ACROSS), 1), 0.8))
    caption = reading.replace("**", "")
    return Description.of(
        key, rows, marks, reading=reading, caption=caption, x=sides, y=heights, style=Style(), legend="above"
    )
