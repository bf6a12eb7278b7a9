"""A publication with its budget and how it is shared: what every table, picture and sentence of the page reads."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
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
    allocate,
    belief_upper,
    level_errors,
    publication_errors,
    total_for_wishes,
)
from ui.pictures.look import Look
from ui.views.choose import NOISE_WORDS as CHOOSE_NOISE_WORDS
from ui.views.choose import Answered, along, answered
from ui.views.publication.choices import PublicationInputs
from ui.views.publication.sheet import Sheet, need_ranges, publication_of, shares_by_hand
from ui.views.shared.promise import records_together
from ui.words.passages import say
from ui.words.phrasing import decimal_belief, frequency, how_often, rounded_budget, times
from ui.words.quantities import Allowed, Exact, Failure, Least, Lower, Typed, Upper, number, share

NOISE_WORDS = CHOOSE_NOISE_WORDS | {"laplace": "Laplace noise"}


@dataclass(frozen=True)
class Shared:
    """The tables of these choices, their budget, and the share of each."""

    inputs: PublicationInputs
    look: Look

    @cached_property
    def line(self) -> Answered | None:
        """The line with its answer, where the budget comes from it."""
        return answered(self.inputs.choose, self.look) if self.inputs.start == "line" else None

    @cached_property
    def promise(self) -> Promise:
        """Whose secret, under which change."""
        return self.inputs.choose.promise

    @cached_property
    def publication(self) -> Publication:
        """The tables; `ValueError` names the cell that cannot be used."""
        chosen = self.inputs
        group = records_together(chosen.unit, chosen.group)
        return publication_of(
            chosen.tables,
            noise=chosen.noise,  # type: ignore[arg-type]
            relation=chosen.relation,
            group=group,
            level=chosen.level,
        )

    @cached_property
    def total(self) -> float:
        """The budget of everything together for the unit whose secret it is; 0 where the line leaves none."""
        chosen = self.inputs
        if self.line is None:
            return chosen.rho if chosen.by_rho else chosen.epsilon
        budget = self.line.budget
        if budget is None:
            return math.inf
        each = budget.recommended_each
        return each * (budget.group**2 if chosen.by_rho else budget.group)

    @cached_property
    def allocation(self) -> Allocation:
        """The total shared; shares typed by hand are kept."""
        by_hand, publication = shares_by_hand(self.inputs.tables), self.publication
        if self.inputs.rule == "meet_wishes":
            need_ranges(self.inputs.tables)
        return allocate(publication, self.total, rule=self.inputs.rule, shares=by_hand, reserve=self.inputs.reserve)

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
    def needed(self) -> float | None:
        """The budget that keeps every range asked for; None where a row asks for none."""
        return total_for_wishes(self.publication) if self.wished else None

    @property
    def spare(self) -> float:
        """Share of the budget that is left when every range asked for is kept; 0 where they cannot be."""
        return 0.0 if self.needed is None else max(1 - self.needed / self.total, 0.0)

    @cached_property
    def kept(self) -> tuple[bool | None, ...]:
        """Whether each row's range is kept; None where none is asked for."""
        widths = self.errors.half_width.tolist()
        return tuple(
            None if row.wish is None else width <= row.wish.half_width * (1 + 1e-12)
            for row, width in zip(self.publication.rows, widths, strict=True)
        )

    @cached_property
    def widest(self) -> float:
        """How many times as wide as asked the ranges are: the common stretch, or by other rules the worst row's."""
        if self.allocation.stretch is not None and not any(shares_by_hand(self.inputs.tables)):
            return self.allocation.stretch
        asked, _ = self.publication.wishes()
        return float(np.max(self.errors.half_width / asked))

    @cached_property
    def prior(self) -> float:
        """The belief before of the attacker whom sentences are about: who decides the line, or as typed."""
        place = None if self.line is None else self.line.implied.binding
        return self.inputs.prior if place is None or not 0 < place.prior < 1 else place.prior

    def reach(self, budgets: Any) -> float:
        """The belief that this attacker can come to at these budgets of the rows."""
        if self.line is not None and self.inputs.choose.asked == "both" and self.line.implied.binding is not None:
            spent = float(np.dot(self.publication.times, budgets))
            shift = self.line.shift * spent / self.total
            place = along(self.inputs.choose, self.line.implied.binding)
            return float(self.line.implied.reachable(*place, epsilon=shift))
        failing = self.inputs.failure if self.inputs.by_rho else 0.0
        return float(
            belief_upper(self.publication, budgets.tolist(), self.promise, prior=self.prior, delta_prime=failing)
        )

    @cached_property
    def reached(self) -> float:
        """The belief that this attacker can come to by everything that is published."""
        return self.reach(self.allocation.budgets)

    @cached_property
    def reached_if_kept(self) -> float | None:
        """The same if every range asked for were kept."""
        if self.needed is None:
            return None
        return self.reach(allocate(self.publication, self.needed * (1 + 1e-9)).budgets)

    @cached_property
    def level_errors(self) -> LevelErrors | None:
        """Errors of one number on each level before and after adding up, where the rows are levels."""
        if not self.inputs.levels:
            return None
        areas = [row.areas for row in self.publication.rows]
        fanouts = []
        for place, (above, below) in enumerate(pairwise(areas), 2):
            if below % above:
                raise ValueError(
                    f"Row {place}: areas must be a multiple of the row above ({above:,}) for levels that add up; "
                    f"got {below:,}"
                )
            fanouts.append(below // above)
        if any(row.times != 1 for row in self.publication.rows):
            raise ValueError("Levels that add up must be published once each; a row is published more often")
        return level_errors(fanouts, self.errors.std)

    @property
    def symbol(self) -> str:
        """ρ or ε."""
        return "ρ" if self.inputs.by_rho else "ε"

    @property
    def said_belief(self) -> Any:
        """How a belief is said in this voice."""
        return decimal_belief if self.look.technical else frequency

    @property
    def said_level(self) -> Typed:
        """How often ranges hold, as it is said in this voice."""
        return Typed(self.inputs.level, decimal_belief if self.look.technical else how_often)

    @cached_property
    def budget_words(self) -> str:
        """The budget of everything together, rounded down."""
        said = Allowed(self.total, number(6)).digits if self.line is None else rounded_budget(self.total)
        return f"{self.symbol} = {said}"

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Words and numbers that every passage may use."""
        chosen, words = self.inputs, self.inputs.choose.words(self.look.voice)
        failing = chosen.failure if chosen.by_rho else 0.0
        stretch, asked = self.allocation.stretch, sum(kept is not None for kept in self.kept)
        needed, reached_if_kept = self.needed, self.reached_if_kept
        return {
            "budget": self.budget_words,
            "whence": say("publication", self.look.voice, f"whence_{chosen.start}"),
            "tables": f"{len(self.publication.rows):,}",
            "rule": say("publication", self.look.voice, self._rule_name),
            "kept": f"{sum(kept is True for kept in self.kept):,}",
            "asked": f"{asked:,}",
            "stretch": "" if stretch is None else Upper(stretch, times),
            "spare": "" if needed is None else Lower(self.spare, share(0)),
            "needed": "" if needed is None else f"{self.symbol} = {Least(needed, number(3)).digits}",
            "prior": Exact(self.prior, self.said_belief).digits,
            "that": words["that"],
            "posterior": Upper(self.reached, self.said_belief),
            "posterior_if_kept": "" if reached_if_kept is None else Upper(reached_if_kept, self.said_belief),
            "exception": f"{Failure(failing, self.said_belief):, except with a probability of …}" if failing else "",
            "noise": NOISE_WORDS[chosen.noise],
            "level": self.said_level,
            "promise": words["promise"],
            "reserve": Exact(chosen.reserve, share(0)),
            "spent": f"{self.symbol} = {Allowed(self.allocation.spent, number(3)).digits}",
        }

    @property
    def answer_name(self) -> str:
        """Which answer these choices have: all ranges kept, stretched, some kept by another rule, or none asked for."""
        stretch = self.allocation.stretch
        if stretch is None:
            return "answer_rule" if self.facts["asked"] != "0" else "answer_unasked"
        if stretch <= 1:
            return "answer_kept" if self.wished and not self.allocation.reserve else "answer_kept_some"
        return "answer_wide" if self.needed is not None else "answer_wide_some"

    @property
    def _rule_name(self) -> str:
        by_hand = all(row.share.strip() for row in self.inputs.tables)
        return "rule_by_hand" if by_hand else f"rule_{self.inputs.rule}"
