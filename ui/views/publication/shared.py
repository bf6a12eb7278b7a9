"""A publication with its budget and how it is shared: what every table, picture and sentence of the page reads."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from dpcore._properties import cached_property
from dpcore.promise import Promise
from dpcore.publication import (
    Allocation,
    LevelErrors,
    Publication,
    PublicationErrors,
    Row,
    allocate,
    level_errors,
    publication_errors,
    total_for_wishes,
)
from dpcore.rounding import round_up
from dpcore.schema import change_of_secret
from dpcore.scope import Scope
from riskline.answers import Source, releases_of
from riskline.answers.composed import belief_after_tables
from riskline.case.promise import PromiseChoice, contradiction, records_together
from riskline.case.tables import AtLevel, Sheet, at_levels, need_ranges, publication_of, shares_by_hand, unfinished
from riskline.case.value import State
from ui.pictures.description import FloatArray
from ui.views.choose.answer import AnsweredLine, answered, exception
from ui.views.publication.choices import IN_RHO, LEAST_TRIED, MOST_TRIED, PublicationInputs
from ui.views.shared.belief_before import Rise, rise
from ui.views.shared.promise import PageInMaking
from ui.views.shared.strip import budget_words, one_release
from ui.words.catalogue import SPOKEN, label
from ui.words.phrasing import NEAREST, decimal_belief, how_often, people_for, rounded_budget, times
from ui.words.quantities import (
    Allowed,
    Exact,
    Least,
    Lower,
    Quantity,
    Typed,
    Upper,
    below_certain,
    claimed,
    in_people,
    number,
    share,
)

FINER = 1.25
"""Times as accurate as asked from which ranges are called more than kept."""

SHARE_PLACES = (1, 2, 3)
"""Decimals of a share in per cent that are tried until equal shares look equal and all add up."""


@dataclass(frozen=True)
class Shared(PageInMaking):
    """The tables of these choices, their budget, and the share of each."""

    page = "publication"
    inputs: PublicationInputs

    @cached_property
    def line(self) -> AnsweredLine | None:
        """The line with its answer, where the budget comes from it."""
        held = self.inputs.together
        if self.inputs.typed or (held is not None and held.source is not Source.IMPLIED):
            return None
        return answered(self.inputs.choose, self.style)

    @cached_property
    def promise(self) -> Promise:
        """Whose secret, under which change."""
        return self.inputs.choose.promise

    @cached_property
    def publication(self) -> Publication:
        """The tables; `ValueError` names the cell that cannot be used, or says why there is no promise."""
        chosen, group = self.inputs, records_together(self.inputs.unit, self.inputs.group)
        secret = "presence" if chosen.choose.asked == "presence" else "value"
        if contradictory := contradiction(PromiseChoice(secret, chosen.unit, chosen.group, chosen.relation)):
            raise ValueError(contradictory)
        told: dict[str, Any] = {name: getattr(chosen, name) for name in ("noise", "relation", "level", "moves")}
        return publication_of(chosen.tables, group=group, levels=chosen.geography, **told)

    @cached_property
    def published(self) -> tuple[AtLevel, ...]:
        """The rows at each of their levels, one for each row of the publication."""
        return at_levels(self.inputs.tables, self.inputs.geography)

    @property
    def rows(self) -> Sheet:
        """The same as rows."""
        return tuple(one.row for one in self.published)

    @property
    def failing(self) -> float:
        """The probability with which a limit on a belief may be passed: none by an ε."""
        return self.inputs.failure if self.inputs.by_rho else 0.0

    @property
    def where(self) -> str:
        """What is taken for the areas of the two possibilities: empty where it does not matter."""
        asked = self.publication.schema.asks_where(change_of_secret(self.promise))
        return (self.inputs.moves or "undecided") if asked else ""

    @cached_property
    def total(self) -> float:
        """The budget of everything together for the unit whose secret it is; 0 where the line leaves none."""
        chosen = self.inputs
        if chosen.typed:
            return chosen.rho if chosen.by_rho else chosen.epsilon
        if chosen.together is not None:
            return chosen.together.value
        assert self.line is not None
        budget = self.line.budget
        if budget is None:
            return math.inf
        return budget.recommended_each * (budget.group**2 if chosen.by_rho else budget.group)

    @property
    def has_budget(self) -> bool:
        """Whether the line leaves a budget and sets a limit; a cell that cannot be used is told first."""
        return self.publication is not None and 0 < self.total < math.inf

    @property
    def answer(self) -> str:
        """The page's answer."""
        if not self.has_budget:
            return self.say("answer_nothing" if self.total else "answer_zero")
        return self.say(self.answer_name, **self.context)

    @property
    def small_print(self) -> str:
        """How far what it says reaches, and of how many releases."""
        return self.say("small_print", **self.context) + one_release(releases_of(self.inputs.case), self.style.voice)

    @cached_property
    def gives_rest(self) -> bool:
        """Whether some named rows ask for no range where ranges decide: they share what the others leave."""
        rows, waiting = self.rows, unfinished(self.rows)
        ruled = self.inputs.rule == "meet_wishes" and any(row.wish.strip() for row in rows)
        return ruled and bool(waiting) and all(rows[place - 1].name.strip() for place in waiting)

    @property
    def rule(self) -> str:
        """The rule that shares what no range and no hand has taken."""
        return "same_budget" if self.gives_rest else self.inputs.rule

    @cached_property
    def allocation(self) -> Allocation:
        """The total shared; shares typed by hand are kept."""
        if self.rule == "meet_wishes":
            need_ranges(self.published)
        elif self.gives_rest and sum(share or 0.0 for share in self.by_hand) + self.inputs.reserve >= 1:
            need_ranges(self.published, why=label("publication", "nothing_left"))
        return allocate(self.publication, self.total, rule=self.rule, shares=self.by_hand, reserve=self.inputs.reserve)

    @cached_property
    def errors(self) -> PublicationErrors:
        """How wrong each table is."""
        return publication_errors(self.publication, self.allocation.budgets.tolist(), level=self.inputs.level)

    def of_other(self, tables: Sheet) -> Shared:
        """Other tables under the same line and budget."""
        other = replace(self, inputs=replace(self.inputs, tables=tables))
        vars(other)["line"] = self.line  # which no table changes
        return other

    @cached_property
    def wished(self) -> bool:
        """Whether every row asks for a range."""
        return all(row.wish is not None for row in self.publication.rows)

    @cached_property
    def by_hand(self) -> tuple[float | None, ...]:
        """The share of the budget that is kept for each row, by hand or as its range needs; None where the rule shares.

        Only where other rows ask for no range does a row get no more than its range needs.
        """
        typed = shares_by_hand(self.published)
        if not self.gives_rest:
            return typed
        return tuple(
            share if share is not None or row.wish is None else self._needs(row) * (1 + 1e-9) / self.total
            for share, row in zip(typed, self.publication.rows, strict=True)
        )

    def _needs(self, row: Row) -> float:
        """The budget that keeps a row's own range: what dividing it rounds away comes on top."""
        return total_for_wishes(replace(self.publication, rows=(row,)))

    @cached_property
    def keeping_all(self) -> tuple[float, FloatArray] | None:
        """The least budget that keeps every range asked for, and that of one release of each row then.

        Shares by hand stay shares. None where a row has neither a range nor a share, or shares leave nothing.
        """
        rows, by_hand = self.publication.rows, self.by_hand
        if not any(by_hand):
            if not self.wished:
                return None
            needed = total_for_wishes(self.publication)
            return needed, allocate(self.publication, needed * (1 + 1e-9)).budgets
        rest = 1 - self.inputs.reserve - sum(share or 0.0 for share in by_hand)
        needs = [0.0 if row.wish is None else self._needs(row) for row in rows]
        ruled = sum(need for need, share in zip(needs, by_hand, strict=True) if share is None)
        if any(share is None and row.wish is None for row, share in zip(rows, by_hand, strict=True)):
            return None
        if not any(needs) or (ruled and rest <= 0):
            return None
        least = [need / share for need, share in zip(needs, by_hand, strict=True) if share is not None]
        needed = max([ruled / rest if ruled else 0.0, *least])
        spread = needed * rest / ruled if ruled else 1.0  # what shares by hand leave is spent too
        pairs = zip(needs, by_hand, strict=True)
        totals = np.array([need * spread if share is None else share * needed for need, share in pairs])
        return needed, totals / self.publication.times

    @cached_property
    def enough(self) -> dict[str, Any]:
        """The choices that try the least budget keeping every range, to three digits; none where it is tried already.

        Rounding up can move whole ranges, and other rules share otherwise, so it is asked what it keeps.
        """
        if self.keeping_all is None:
            return {}
        needed = self.keeping_all[0] / (1.0 if any(self.by_hand) else 1 - self.inputs.reserve)
        value = round_up(needed, 3, significant=True)
        tried: dict[str, Any] = {"start": "budget", "rho" if self.inputs.by_rho else "epsilon": value}
        kept = False not in self.kept
        if not LEAST_TRIED[self.inputs.by_rho] <= value <= MOST_TRIED or (kept and value >= self.total):
            return {}
        return tried if False not in replace(self, inputs=replace(self.inputs, **tried)).kept else {}

    @property
    def to_enough(self) -> str:
        """The same as a button says it."""
        if self.enough and self.inputs.by_rho and not self.style.technical:
            return label("publication", "enough_plain")
        tried = [budget_words(value, name) for name, value in self.enough.items() if name in ("rho", "epsilon")]
        return "".join(label("publication", "enough", budget=budget) for budget in tried)

    @cached_property
    def finer(self) -> float:
        """How many times as accurate as asked every range is, where less than the typed budget keeps them; else 0."""
        if not (self.inputs.typed and self.wished and self.enough) or False in self.kept:
            return 0.0
        with np.errstate(divide="ignore"):  # a range of ± 0 is as accurate as can be
            finer = float(np.min(self.publication.wishes()[0] / self.errors.half_width))
        return finer if FINER <= finer < math.inf else 0.0

    @cached_property
    def shares_said(self) -> tuple[tuple[str, ...], str]:
        """Each row's share of the budget in per cent, and what their head adds where they need not add up.

        They add up as shown, the largest rests rounded up, with the fewest decimals at which equal rows agree.
        """
        exact = self.allocation.shares
        order = np.argsort(exact, kind="stable")
        for places in SHARE_PLACES:
            parts = exact * 10 ** (places + 2)
            whole = np.floor(parts + 1e-9)
            rests = parts - whole
            whole[np.argsort(-rests, kind="stable")[: round(float(np.sum(rests)))]] += 1
            if not np.any(np.diff(whole[order])[np.diff(parts[order]) < 1e-9]):
                shown = whole / 10 ** (places + 2)
                return tuple(Exact(one, share(places)).digits for one in shown.tolist()), ""
        said = tuple(Exact(one, share(SHARE_PLACES[0])).digits for one in exact.tolist())
        return said, label("publication", "share_rounded")

    @property
    def spare(self) -> float:
        """Share of the budget that is left when every range asked for is kept; 0 where they cannot be."""
        return 0.0 if self.keeping_all is None else max(1 - self.keeping_all[0] / self.total, 0.0)

    @cached_property
    def kept(self) -> tuple[bool | None, ...]:
        """Whether each row's range is kept; None where none is asked for."""
        return tuple(
            None if row.wish is None else width <= row.wish.half_width * (1 + 1e-12)
            for row, width in zip(self.publication.rows, self.errors.half_width.tolist(), strict=True)
        )

    @cached_property
    def widest(self) -> float:
        """How many times as wide as asked the ranges are: the common stretch, or by other rules the worst row's."""
        if self.allocation.stretch is not None and not any(self.by_hand):
            return self.allocation.stretch
        asked, _ = self.publication.wishes()
        return float(np.max(self.errors.half_width / asked))

    @property
    def ranges(self) -> str:
        """How wide the ranges are beside those asked for."""
        as_asked = Upper(self.widest, number(3)).digits == "1"
        wide = self.say("ranges_wide", stretch=Upper(self.widest, times))
        return label("publication", "frontier.level") if as_asked else wide

    @cached_property
    def prior(self) -> float:
        """The belief before of the attacker whom sentences are about, as printed."""
        return self.rise.prior

    @cached_property
    def rise(self) -> Rise:
        """That belief, of who decides the line or as typed, and how far it can come by everything that is published."""
        place = None if self.line is None else self.line.implied.binding
        reached = partial(self.reach, self.allocation.budgets)
        if place is None or not 0 < place.prior < 1:
            return rise(self.inputs.prior, reached, self.style, typed=True)
        return rise(place.prior, reached, self.style)

    def reach(self, budgets: Any, prior: float) -> Quantity:
        """The belief that this attacker can come to at these budgets; both at once go as far as the value."""
        promise = replace(self.promise, failure_probability=self.failing)
        found = belief_after_tables(self.publication, budgets.tolist(), promise, prior=prior)
        return claimed(found, Scope.PLAN, self.style.belief)

    @cached_property
    def level_errors(self) -> LevelErrors:
        """Errors of one number on each level before and after adding up, where the rows are levels."""
        rows = self.publication.rows
        areas, fanouts = [row.areas for row in rows], []
        for place, (above, below) in enumerate(pairwise(areas), 2):
            if below % above or below == above:
                counted = {"above": f"{above:,}", "below": f"{below:,}"}
                raise ValueError(label("publication", "not_nested", place=place, **counted))
            fanouts.append(below // above)
        if len({(type(row), row.numbers // row.areas) for row in rows}) > 1 or any(row.times != 1 for row in rows):
            raise ValueError(label("publication", "levels_once"))
        return level_errors(fanouts, self.errors.std)

    @cached_property
    def other_noise(self) -> Shared | None:
        """The same tables with noise in ρ, where a line alone led to noise in ε: nobody chose between them."""
        case = self.inputs.case
        if case.state is not State.UNDECIDED or {"noise", "guarantee"} & set(case) or self.inputs.by_rho:
            return None
        return replace(self, inputs=replace(self.inputs, noise=IN_RHO, case=case.with_choices(noise=IN_RHO)))

    @cached_property
    def other_noise_words(self) -> str:
        """What keeping all ranges lets the same attacker reach with that noise."""
        other = self.other_noise
        if other is None or other.keeping_all is None:
            return ""
        reached = replace(other.reach(other.keeping_all[1], self.prior), spoken=self.rise.spoken)
        own, others = (label("case", f"named_noise.{one.inputs.noise}") for one in (self, other))
        words = {"noise": own, "other": others, "posterior_other": reached, "exception": other.exception}
        return self.say("other_noise", **self.context | words)

    @property
    def to_other_noise(self) -> str:
        """The same as a button says it."""
        noise = label("case", f"named_noise.{IN_RHO}")
        return label("publication", "take_noise", noise=noise) if self.other_noise_words else ""

    @property
    def symbol(self) -> str:
        """ρ or ε; the plain voice has no word for ρ but budget."""
        if self.inputs.by_rho and not self.style.technical:
            return label("publication", "symbol.rho")
        return self.in_symbols

    @property
    def in_symbols(self) -> str:
        """ρ or ε."""
        return "ρ" if self.inputs.by_rho else "ε"

    @property
    def said_level(self) -> Typed:
        """How often ranges hold, as it is said in this voice."""
        return Typed(self.inputs.level, decimal_belief if self.style.technical else how_often)

    @cached_property
    def budget_words(self) -> str:
        """The budget of everything together, rounded down."""
        said = Allowed(self.total, number(6)).digits if self.line is None else rounded_budget(self.total)
        return f"{self.in_symbols} = {said}"

    @property
    def _each_record(self) -> str:
        """What the budget of those who belong together is for one record, as *Choose a budget* tells it."""
        group = self.publication.group
        if group == 1:
            return ""
        one = self.total / (group**2 if self.inputs.by_rho else group)
        said = Allowed(one, number(3)).digits if self.line is None else rounded_budget(one * (1 + 1e-12))
        return " " + self.say("each_record", budget=f"{self.in_symbols} = {said}")

    @property
    def exception(self) -> str:
        """How rarely beliefs can come further, and what is taken for known."""
        known = self.say("area_known") if self.where == "nowhere" else ""
        return known + exception(self.failing, self.style, self.inputs.choose.asked if self.exact else "")

    @cached_property
    def exact(self) -> str:
        """What exact totals give away, and of which tables; empty without any."""
        named = dict.fromkeys((one.table or one.row.name, *one.exact) for one in self.published if any(one.exact))
        tables = [f"{table} ({name or areas})" for table, name, areas in named]
        return self.say("exact", tables=SPOKEN.listed(tables)) if tables else ""

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers that every passage may use."""
        chosen, words = self.inputs, self.inputs.choose.words(self.style.voice)
        stretch, asked = self.allocation.stretch, sum(kept is not None for kept in self.kept)
        needed, all_budgets = self.keeping_all or (None, None)
        if_kept = "" if all_budgets is None else replace(self.reach(all_budgets, self.prior), spoken=self.rise.spoken)
        in_words = chosen.by_rho and not self.style.technical
        rule = "rest" if self.gives_rest else f"rule.{chosen.rule}"
        rule = "by_hand" if all(row.share.strip() for row in self.rows) else rule
        context: dict[str, Any] = {
            "budget": self.budget_words,
            "each": self._each_record,
            "spending": label("publication", "spending.rho") if in_words else self.budget_words + self._each_record,
            "tables": f"{len(self.publication.rows):,}",
            "rule": label("publication", rule),
            "kept": f"{sum(kept is True for kept in self.kept):,}",
            "asked": f"{asked:,}",
            "stretch": "" if stretch is None else Upper(stretch, times),
            "finer": Lower(self.finer, times) if self.finer else "",
            "enough": self.to_enough,
            "takes": "" if needed is None else f"{self.in_symbols} = {Least(needed, number(3)).digits}",
            "prior": self.rise.words,
            "that": words["that"],
            "posterior": self.rise.after,
            "posterior_if_kept": if_kept,
            "exception": self.exception,
            "exact": f" {self.exact}" if self.exact else "",
            "moves": " " + self.say(f"moves_{self.where}") if self.where in ("anywhere", "undecided") else "",
            "noise": label("case", f"whole_noise.{chosen.noise}"),
            "level": self.said_level,
            "promise": words["promise"],
            "spent": f"{self.in_symbols} = {Allowed(self.allocation.spent, number(3)).digits}",
        }
        if needed is not None and in_words:
            context["takes"] = label("publication", "takes.rho", times=Upper(needed / self.total, times))
        kept_all = self._keeping(context)
        return context | {"keeping": f" {kept_all}" if kept_all else ""}

    @property
    def answer_name(self) -> str:
        """Which answer these choices have: all ranges kept, stretched, some kept, or none asked for."""
        stretch, asked = self.allocation.stretch, [kept for kept in self.kept if kept is not None]
        if all(asked):
            return "answer_finer" if self.finer else "answer_kept" if asked else "answer_unasked"
        if stretch is None or stretch <= 1:
            return "answer_kept_some"
        return "answer_wide" if self.wished and not any(self.by_hand) else "answer_wide_some"

    def _keeping(self, context: dict[str, Any]) -> str:
        """What keeping all ranges would take and let the attacker reach, where some are not kept."""
        if self.keeping_all is None or (False not in self.kept and not self.finer):
            return ""
        spent = self.total if any(self.by_hand) else self.total * (1 - self.inputs.reserve)
        shares = self.inputs.rule == "meet_wishes" or all(self.by_hand)
        if not shares and self.keeping_all[0] <= spent:
            return self.say("keeping_within")
        alike = self.allocation.stretch is not None and self.wished and not any(self.by_hand)
        ways = [] if alike else ["shares" if shares else "ranges"]
        if self.finer and not self.style.technical:
            ways.append("spare")
        way = "".join(label("publication", f"way.{one}") + " " for one in ways)
        kept, own = context["posterior_if_kept"], context["posterior"]
        if not self.style.technical:  # both, and the belief before, out of one number of people
            spoken = in_people(people_for(kept.value, own.value, of=self.rise.of))
            kept, own = (below_certain(replace(one, spoken=spoken)) for one in (kept, own))
            context = context | {"posterior_if_kept": kept, "posterior": own, "prior": spoken(self.prior, NEAREST)}
        return self.say("keeping_alike" if kept.digits == own.digits else "keeping", **context, way=way)
