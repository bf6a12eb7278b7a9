"""The same attack on a count that a method of disclosure control published: no budget, and certainty may occur."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcore._properties import cached_property
from dpcore.attacks.one_count import CountAttack
from dpcore.methods import DisclosureControl, TwoWorlds
from dpcore.populations import CountTable
from riskline.case.methods import SETTINGS, control_of
from ui.pictures.style import Style
from ui.views.block.attack import DRAWN, Attack, BlockInputs, times_as_likely, word
from ui.views.shared import belief_before
from ui.views.shared.by_method import method_named
from ui.views.shared.table_choice import chosen_table, chosen_target, data_in_words
from ui.words.catalogue import label, say
from ui.words.phrasing import decimal_belief, rate
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact


@dataclass(frozen=True)
class MethodAttack(Attack):
    """An attack on one count that a method published."""

    print_name: ClassVar[str] = "small_print_method"
    promise: ClassVar[None] = None  # type: ignore[assignment]
    of_readings: ClassVar[bool] = False  # type: ignore[assignment]
    budget: ClassVar[float] = math.nan  # type: ignore[assignment]

    @cached_property
    def law(self) -> DisclosureControl:
        """The method."""
        found = control_of(self.inputs.noise, self.inputs)
        assert found is not None
        return found

    @cached_property
    def worlds(self) -> TwoWorlds:
        """What is published with and without the person."""
        return self.law.presence(self.target.known)

    @cached_property
    def count(self) -> CountAttack:
        """The attack of somebody who sees this count."""
        return CountAttack(self.law, prior=self.inputs.prior, known=self.target.known)

    @cached_property
    def drawn(self) -> NDArray[np.int64]:
        """A hundred releases from the seed."""
        counted, known = int(self.inputs.counted), self.target.known
        return np.asarray(self.law.simulate_counts(counted, known=known, size=DRAWN, seed=self.inputs.seed), np.int64)

    @cached_property
    def laws(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Counts that could be published, and their probabilities in both worlds."""
        return np.array(self.worlds.values, dtype=float), self.worlds.present, self.worlds.absent

    @property
    def span(self) -> tuple[float, float]:
        """From where to where published counts are drawn: a little beyond the first and the last."""
        counts = self.laws[0]
        beyond = max(1.0, float(np.ptp(counts)) / 2)
        return float(counts[0]) - beyond, float(counts[-1]) + beyond

    @cached_property
    def context(self) -> dict[str, Any]:
        """Words and numbers every passage may use."""
        inputs, target, belief = self.inputs, self.target, self.style.belief
        evidence = float(self.worlds.evidence[self.worlds.values.index(int(self.drawn[0]))])
        speaks = "times" if math.isfinite(evidence) else "only_with" if evidence > 0 else "only_without"
        words: dict[str, Any] = {
            "before": belief_before.told(inputs.prior, self.style, typed=True).words,
            "after": belief(float(self.after[0])),
            "published": f"{int(self.drawn[0]):,}",
            "times": times_as_likely(math.exp(min(evidence, 700.0))),
            "lowest": belief(float(self.after.min())),
            "highest": belief(float(self.after.max())),
            "mean": belief(float(self.after.mean())),
            "hits": str(int(((self.after > 0.5) == inputs.counted).sum())),
            "times_risk": times_as_likely(float(self.after[0]) / inputs.prior),
            "place": target.place_name.replace("*", "·"),
            "who": target.characteristics.replace("*", "·"),
            "known": f"{target.known:,}",
            "known_and_one": f"{target.people:,}",
            "seed": str(inputs.seed),
            "kind": label("table_choice", "kind.own") if inputs.alike else data_in_words(inputs, self.table),
            "noise": method_named(inputs.noise, inputs, self.style),
        } | {name: self.in_case(name) for name in ("case", "seen", "with", "without")}
        believes = {math.inf: "believes_certain", -math.inf: "believes_excluded"}.get(evidence, "believes")
        said = {"story": inputs.asked, "speaks": f"speaks_{speaks}", "believes": believes}
        return words | {name: say("block", self.style.voice, passage, **words) for name, passage in said.items()}

    @property
    def numbers(self) -> tuple[tuple[str, str, str], ...]:
        """How often a guess is right, and how often somebody becomes certain, in each world."""
        often = decimal_belief if self.style.technical else rate
        right = self.style.belief(float(self.count.average_probability_right()))
        guessing = self.style.belief(max(self.inputs.prior, 1 - self.inputs.prior))
        certain = (
            (word(f"certain_{side}"), often(self.worlds.probability_certain(side=side)), "")
            for side in ("present", "absent")
        )
        return ((word("number_right"), right, word("note_right", guessing=guessing)), *certain)

    @property
    def python(self) -> CodeLines:
        """The lines for the belief after the release shown, or for the mean of the beliefs after a hundred."""
        code, inputs = CodeWriter(), self.inputs
        method, known = code.let("method", self.law), code.let("known", self.target.known)
        asked = code.let("attack", code(CountAttack, method, prior=inputs.prior, known=known))
        drawn = f"{method}.simulate_counts({int(inputs.counted)}, known={known}, size={DRAWN}, seed={inputs.seed})"
        published = code.let("published", Source(drawn))
        hundred = inputs.draws == "hundred"
        said = float(self.after.mean() if hundred else self.after[0])
        after = Source(f"{asked}.posterior({published}){'.mean()' if hundred else '[0]'}")
        return code.ending(after, Exact(said, self.style.belief))


def attack_of(inputs: BlockInputs, style: Style, own: CountTable | None = None) -> Attack:
    """The attack that these choices make, on a count of the reader's own where one is typed."""
    table = chosen_table(inputs, own)
    target = chosen_target(table, inputs)
    if inputs.alike is not None:
        target = replace(target, people=inputs.alike, place_name=word("area"), characteristics=word("like_yours"))
    kind = MethodAttack if inputs.noise in SETTINGS else Attack
    return kind(inputs, table, target, style)
