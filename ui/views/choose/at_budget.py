"""A line with its answer at the budget of its case, whoever decided on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcore._properties import cached_property
from riskline.answers import Spent
from ui.pictures.style import Style
from ui.views.choose.answer import Answered, along
from ui.views.shared.strip import budget_words
from ui.words.phrasing import decimal_belief, frequency, plain_number
from ui.words.quantities import Allowed, Failure, Spoken, Upper, number


@dataclass(frozen=True)
class AtBudget(Answered):
    """The line with its answer at the budget of the case, whoever decided on it."""

    spent: Spent | None = None

    @property
    def shift(self) -> float:
        """The shift of belief that the budget allows to the protected unit, as an epsilon."""
        return super().shift if self.spent is None else self.spent.shift

    def reach(self, *belief: Any) -> Any:
        """The belief that an attacker reaches with the budget."""
        if self.spent is None or self.spent.entry is None:
            return super().reach(*belief)
        held = 1.0 if self.inputs.secret == "both" else self.inputs.held
        return self.spent.highest(np.prod(np.broadcast_arrays(*belief), axis=0) * held)

    def decided_after(self, spoken: Spoken) -> Upper:
        """The highest belief after where the line is decided; within the line, as far as the budget keeps it."""
        if self.spent is None or self.spent.keeps_the_line:
            return super().decided_after(spoken)
        assert self.implied.binding is not None
        return Upper(float(self.reach(*along(self.inputs, self.implied.binding))), spoken)

    @cached_property
    def spend(self) -> str:
        """The budget in words."""
        return super().spend if self.spent is None else spend_words(self.spent)

    @property
    def noise(self) -> str:
        """The noise that the budget holds for; "" where any will do."""
        return "" if self.spent is None else self.spent.noise or ""

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers of the line, its exception the budget's."""
        return super().context | {"exception": exception_words(self.spent, self.style)}


def spend_words(found: Spent) -> str:
    """A budget in words: what each release spends, with its δ."""
    text = budget_words(found.value, found.budget.currency)
    if found.entry is not None and found.budget.delta:
        text += f", δ = {plain_number(found.budget.delta, 6)}"
    elif found.budget.delta:
        text += f", δ = {Allowed(found.budget.delta, number(2))}"
    return text + (f" for each of {found.releases:,} releases" if found.releases > 1 else "")


def exception_words(found: Spent | None, style: Style) -> str:
    """With which probability a limit may be passed; nothing where it never is."""
    if found is None or not found.failure:
        return ""
    belief = decimal_belief if style.technical else frequency
    return f"{Failure(found.failure, belief):, except with a probability of …}"


def at_budget(answer: Answered, found: Spent | None) -> AtBudget:
    """The line at a budget; at the one that it implies where there is no other."""
    return AtBudget(answer.inputs, answer.profile, answer.implied, answer.budget, answer.style, found)
