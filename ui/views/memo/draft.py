"""A memo in the making: its fields, the line with its answer, and what the two pages say of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpcore._properties import cached_property
from dpcore.guarantees import ZeroConcentratedDP
from dpcore.profiles import Budget
from dpcore.promise import Promise, Secret
from dpcore.schema import Schema
from riskline.answers import certified_for_districts, schema_of_districts
from ui.pictures.look import Look
from ui.views import accuracy as cost
from ui.views import choose
from ui.views.choose import Answered, ChooseInputs
from ui.views.memo.choices import MemoInputs
from ui.views.shared.promise import promise_words
from ui.views.shared.session_results import kept_for_session
from ui.words.passages import say

GUARANTEES = {
    "pure": "pure ε-differential privacy",
    "approximate": "(ε, δ)-differential privacy",
    "zero_concentrated": "ρ-zero-concentrated differential privacy",
}


SECRET = ("secret", "that")
"""The words of a promise that say what is secret."""


@kept_for_session
def chosen_view(choices: ChooseInputs, voice: str) -> choose.ChooseView:
    """The page *Choose a budget* of these choices in a voice."""
    return choose.choose_view(choices, Look(voice=voice))


@kept_for_session
def spent_view(spending: cost.AccuracyInputs, voice: str) -> cost.AccuracyView:
    """The page *What it costs* of these choices in a voice."""
    return cost.accuracy_view(spending, Look(voice=voice))


@dataclass(frozen=True)
class Memo:
    """A memo in the making: the reader's fields and the line with its answer."""

    inputs: MemoInputs
    answer: Answered
    look: Look

    def say(self, name: str, **words: object) -> str:
        """A passage of the memo in the reader's voice."""
        return say("memo", self.look.voice, name, **words)

    @property
    def budget(self) -> Budget | None:
        """The budget, where the line leaves one to spend."""
        found = self.answer.budget
        return found if found is not None and found.recommended_each > 0 else None

    def words(self, voice: str, choices: ChooseInputs | None = None) -> dict[str, str]:
        """The words of the promise (of other choices, if given), the secret in the reader's own phrase."""
        choices = choices or self.inputs.choices
        words, phrase = choices.words(voice), self.inputs.secret_phrase
        if not phrase:
            return words
        both = "_both" if choices.asked == "both" else ""
        own = {name: say("memo", voice, f"own_{name}{both}", whose=words["whose"], phrase=phrase) for name in SECRET}
        return words | own

    def own(self, text: str, voice: str = "") -> str:
        """A sentence of another page with the secret in the reader's own phrase."""
        voice, choices = voice or self.look.voice, self.inputs.choices
        if not self.inputs.secret_phrase:
            return text
        own = self.words(voice)
        for joint in (True, False):  # the costs of a line about both beliefs speak of the value alone
            usual = promise_words(choices.promise, voice, joint=joint)
            for name in sorted(SECRET, key=lambda name: -len(usual[name])):  # one may hold the other
                text = text.replace(usual[name], own[name])
        return text

    def is_about(self, asked: str, theirs: Promise) -> bool:
        """Whether another page is about the secret, the people and the change of the decision."""
        ours = self.inputs.choices.promise
        same = (self.inputs.choices.asked, ours.group, ours.relation) == (asked, theirs.group, theirs.relation)
        return same and (ours.group == 1 or ours.unit == theirs.unit)  # one record is a person's, whatever the unit

    @property
    def counts_changed(self) -> int:
        """How many counts of the table one step between the two cases can change, where its budget is for one count.

        Two where a record is replaced, or another value is a single step, unless somebody said that both cases place
        her in the same district.
        """
        choices = self.inputs.choices
        one_step = choices.relation == "replace" or choices.release == "count"
        moved = one_step and choices.promise.secret is Secret.VALUE
        change = self.schema.largest_change(0, "replace" if moved else "add_or_remove")
        return len(change.amounts)

    @property
    def schema(self) -> Schema:
        """What one record can change in the table of districts."""
        return schema_of_districts(self.inputs.districts, self.inputs.costs.moves)

    @cached_property
    def budget_of_a_count(self) -> float:
        """The ε or ρ of the noise on each count of the table, with which the whole table keeps the promise."""
        if self.budget is None:
            return 0.0
        if self.counts_changed == 1:
            return self.budget.recommended_each
        if self.budget.certificate is None:
            return self.budget.recommended_each / self.counts_changed
        return certified_for_districts(self.budget.certificate, self.schema)

    def seen(self, voice: str) -> choose.ChooseView:
        """The page *Choose a budget* of the same choices in a voice."""
        return chosen_view(self.inputs.choices, voice)

    @property
    def costs(self) -> cost.AccuracyInputs:
        """The reader's choices of *What it costs*, about the memo's own secret."""
        choices = self.inputs.choices
        return replace(
            self.inputs.costs,
            secret=choices.promise.secret.value,
            unit=choices.unit,
            group=choices.group,
            relation=choices.relation,
        )

    def spending(self) -> cost.AccuracyInputs | None:
        """The page *What it costs* at the recommended budget, with the reader's count, level and target."""
        if self.budget is None:
            return None
        each, costs = self.budget_of_a_count, self.costs
        if isinstance(self.budget.each, ZeroConcentratedDP):
            free = self.budget.route not in choose.NOISES  # such a ρ holds for either noise: the reader's choice
            kind = costs.noise if free and costs.concentrated else choose.noise_of(self.budget)
            return replace(costs, start="budget", noise=kind, rho=each, failure=self.inputs.choices.failure)
        kind = "geometric" if costs.concentrated else costs.noise
        return replace(costs, start="budget", noise=kind, epsilon=each)
