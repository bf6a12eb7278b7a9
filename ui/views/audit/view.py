"""The page *Test a claim*: what draws or guesses show of a claimed budget, and how many of them it takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpcore._properties import cached_property
from dpcore.audit import (
    Alarms,
    Guesses,
    ThresholdRule,
    UnevenGuesses,
    chosen_rule,
    joint_epsilon_lower,
    pair_epsilon_lower,
)
from dpcore.mechanisms import Geometric, Laplace
from riskline.answers import audit as answers
from riskline.answers.audit import Draws, InOrder, Planned, Shown
from riskline.case.promise import contradiction
from ui.pictures.columns import Column, Rows, side_by_side, single, told
from ui.pictures.marks import PERCENT, Axis, Band, Level, Line, Mark, Spot
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.views.audit.held import GEOMETRIC, AuditInputs, Held, invented, word
from ui.views.shared.promise import PageAnswer, PageInMaking, promise_words, refusing
from ui.words.catalogue import say
from ui.words.phrasing import TYPED_DIGITS, decimal_belief, plain_number, rate, typed_frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Failure, Least, Lower, Spoken, Typed, Upper, number, out_of, whole

SHARES = Axis(range=(-0.02, 1.02), ticks=PERCENT)
RATES = np.linspace(0.0, 1.0, 201)
LISTED = range(0, 201, 10)
MOST_DRAWN = 300
"""Points of a path that are drawn."""
HIGHEST = 1e6
"""Where a path of wealth leaves its picture."""
NEARLY = 0.9999
"""A chance nearer to 1 is told as this: it is said down to a hundredth."""


@dataclass(frozen=True, kw_only=True)
class AuditView(PageAnswer):
    """Everything the page shows; `shown` and `planned` are what the command line tells too."""

    shown: Shown | None = None
    planned: Planned | None = None
    notices: tuple[str, ...] = ()
    how: tuple[str, ...] = ()
    main: Picture | None = None
    before: str = ""


@refusing(AuditView)
def audit_view(inputs: AuditInputs, style: Style, own: Held | None = None) -> AuditView:
    """The page for these choices; the example as long as there is no file."""
    if (wrong := contradiction(inputs)) is not None:
        raise ValueError(wrong)
    guessed, held = inputs.evidence == "guesses", own if inputs.evidence == "file" else None
    page = _Page(inputs, style, None if guessed else held or invented(inputs), guessed or held is not None)
    return AuditView(
        answer=page.answer,
        small_print=page.small_print,
        shown=page.shown,
        planned=page.planned,
        notices=page.notices,
        how=page.how,
        main=page.wealth() if page.in_order else page.region(),
        before=page.before,
        computed=say("audit", "technical", "computed", **page.context),
        python=page.python(),
    )


@dataclass(frozen=True)
class _Page(PageInMaking):
    """The page in the making; `held` is what was drawn or read, nothing where guesses are typed."""

    page = "audit"
    inputs: AuditInputs
    held: Held | None
    is_own: bool

    # ---- the evidence ------------------------------------------------------------------------------------------------

    @property
    def in_order(self) -> bool:
        """Whether evidence is read one by one."""
        return self.inputs.order == "one_by_one"

    @cached_property
    def draws(self) -> Draws | None:
        """Draws of two worlds, unless there are guesses."""
        return self.held if isinstance(self.held, Draws) else None

    @cached_property
    def rule(self) -> ThresholdRule:
        """The rule that the first draws chose."""
        assert self.draws is not None
        return self.draws.rule(level=self.inputs.level, delta=getattr(self.inputs.claim, "delta", 0.0))

    @cached_property
    def alarms(self) -> Alarms:
        """Its alarms over the others."""
        assert self.draws is not None
        return self.rule.alarms(**self.draws.part(chooses=False))

    @cached_property
    def guesses(self) -> Guesses | UnevenGuesses:
        """The guesses, whatever their order."""
        if isinstance(self.held, InOrder):
            return self.held.counted
        typed = self.inputs
        return answers.counted(typed.right, typed.guesses, coins=typed.coins, chances=typed.chances)

    @cached_property
    def made(self) -> int:
        return len(self.guesses.chances) if isinstance(self.guesses, UnevenGuesses) else self.guesses.guesses

    @cached_property
    def shown(self) -> Shown:
        level = self.inputs.level
        if not self.in_order:
            if self.draws is not None:
                return answers.shown_by_alarms(self.alarms, self.inputs.claim, level)
            return answers.shown_by_guesses(self.guesses, self.inputs.claim, level)
        against = answers.implied(self.inputs.claim, self.inputs.delta)
        if self.draws is not None:
            return answers.shown_by_pairs(self.draws, self.rule, against, level)
        if not isinstance(self.held, InOrder):
            raise ValueError(word("no_order"))
        return answers.shown_by_guesses_in_order(self.held, against, level)

    @cached_property
    def planned(self) -> Planned:
        """What it takes where another budget is true."""
        inputs, wanted = self.inputs, {"level": self.inputs.level, "power": self.inputs.power}
        if self.draws is None:
            return answers.planned_guesses(self.inputs.claim, inputs.supposed, self.made, **wanted)
        made = min(self.alarms.draws_absent, self.alarms.draws_present)
        return answers.planned_draws(self.inputs.claim, inputs.supposed, made, **wanted)

    # ---- sentences ---------------------------------------------------------------------------------------------------

    @cached_property
    def context(self) -> dict[str, Any]:
        inputs, shown = self.inputs, self.shown
        by_rho = inputs.by_rho
        claimed = inputs.rho if by_rho else inputs.epsilon
        at = ""
        if self.in_order and by_rho:
            implies = Upper(answers.implied(self.inputs.claim, inputs.delta).epsilon, number(3)).digits
            at = f" {word('by_epsilon', epsilon=implies, delta=_typed(inputs.delta))}"
        elif inputs.guarantee == "approximate":
            at = f" {word('at_delta', delta=_typed(inputs.delta))}"
        unit = "guesses" if self.draws is None else "pairs" if self.in_order else "draws"
        return {
            "claim": word(f"claim.{inputs.guarantee}", value=_typed(claimed)),
            "at": at,
            "letter": "ρ" if shown.currency == "rho" else "ε",
            "bound": Lower(shown.bound, number(3)),
            "most": Upper(shown.most, number(3)),
            "sure": Typed(inputs.level, typed_frequency),
            "unit": word(f"unit.{unit}"),
            "each": word(f"each.{'guesses' if self.draws is None else 'draws'}"),
            "draws": f"{shown.refuted_at or 0:,}",
            "failing": Failure(round(1 - inputs.level, 9), rate),
            "p": Failure(min(shown.p_value, 1.0), number(2) if self.style.technical else out_of(100)),
            "supposed": word(f"true.{'rho' if by_rho else 'epsilon'}", value=_typed(inputs.supposed)),
            "power": Typed(inputs.power, rate),
            "noise": word("noise.gaussian" if answers.is_gaussian(self.inputs.claim) else "noise.whole"),
        }

    def say(self, name: str, /, **more: object) -> str:
        return super().say(name, **self.context, **more)

    @property
    def answer(self) -> str:
        shown = self.shown
        so_far = self.say("so_far") if shown.bound else ""
        if shown.is_refuted:
            return f"{self.say('refuted_in_order')} {so_far}" if self.in_order else self.say("refuted")
        claimed = self.inputs.rho if shown.currency == "rho" else self.inputs.epsilon
        if shown.most < claimed:
            return f"{self.say('short')} {so_far}".strip()
        return self.say("open" if shown.bound else "none")

    @property
    def small_print(self) -> str:
        """Whose promise, between which tables."""
        promise = promise_words(self.inputs.promise, self.style.voice)["promise"]
        return self.say("small_print", worlds=self.say("coins" if self.draws is None else "tables"), promise=promise)

    @property
    def how(self) -> tuple[str, ...]:
        """How the evidence came to be, and what it is worth."""
        said = []
        if self.draws is not None:
            if not self.is_own:
                mechanism = word(f"mechanism.{self.inputs.mechanism}")
                said.append(self.say("invented", mechanism=mechanism, seed=self.inputs.seed))
            parts = {name: self.draws.part(chooses=one) for name, one in (("chose", True), ("tested", False))}
            sizes = {name: f"{sum(world.size for world in part.values()):,}" for name, part in parts.items()}
            alarm = word(f"alarm.{self.rule.alarm}", threshold=Typed(self.rule.threshold, number(TYPED_DIGITS)))
            said.append(self.say("rule", alarm=alarm, **sizes))
            if self.shown.bounds is not None:
                said.append(self.say("pairs", pairs=f"{self.shown.bounds.size:,}"))
        elif self.shown.bounds is not None:
            said.append(self.say("own_release", made=f"{self.shown.bounds.size:,}"))
        else:
            right, coins = self.guesses.right, getattr(self.guesses, "coins", None) or self.made
            said.append(self.say("guesses", right=f"{right:,}", made=f"{self.made:,}", coins=f"{coins:,}"))
        said.append(self.say("level"))
        return tuple(said)

    @property
    def before(self) -> str:
        """What so much evidence can show at the most, and how much of it a false claim takes."""
        planned = self.planned
        said = [self.say("before")]
        if planned.needed is not None and planned.chance is not None:
            chance = Lower(min(planned.chance, NEARLY), number(3) if self.style.technical else out_of(100))
            said.append(self.say("needed", needed=Least(planned.needed, whole), chance=chance))
        elif self.draws is not None or self.inputs.guarantee == "pure":
            said.append(self.say("not_needed"))
        return " ".join(said)

    @property
    def notices(self) -> tuple[str, ...]:
        missing = self.inputs.evidence == "file" and not self.is_own
        repeated = self.is_own and self.draws is not None and self.draws.is_repeated
        return tuple([word("no_file")] * missing + [self.say("repeated")] * repeated)

    # ---- pictures ----------------------------------------------------------------------------------------------------

    def region(self) -> Picture:
        """What a claim allows, what is shown at least, and where the evidence lies."""
        shown = answers.curve_shown(self.inputs.claim, self.shown)
        up = partial(Column, quantity=word("true_alarms"), said=told(Upper, decimal_belief))
        columns = [
            Column("false", word("false_alarms"), RATES, said=told(Exact, decimal_belief)),
            up("claimed", self.context["claim"], answers.curve_of(self.inputs.claim).detection(RATES)),
            up("coin", say("trade_off", self.style.voice, "coin"), RATES),
        ]
        marks: list[Mark] = [
            Line(x="false", y="coin", role="quiet", hairline=True, in_legend=False, hover=False),
            Line(x="false", y="claimed", role="reach", dash="dash"),
        ]
        if shown is not None:
            columns.append(up("shown", word("shown_curve"), shown.detection(RATES)))
            marks.append(Line(x="false", y="shown"))
        rows = [side_by_side(*columns, listed=LISTED)]
        reading = self.say("reading_guesses")
        if self.draws is not None:
            often: Spoken = decimal_belief if self.style.technical else rate
            upper, lower = self.alarms.rates(self.inputs.level)
            rows += self._box(upper, lower)
            marks += [
                Band(x="box_x", low="box_low", high="box_high", edge="mark"),
                Spot(x="seen_x", y="seen", labelled=False, in_legend=True),
            ]
            reading = self.say("reading_region", false=Upper(upper, often), found=Lower(lower, often))
        return Picture.of(
            "audit-region",
            rows,
            marks,
            reading=reading,
            caption=word("picture.region"),
            x=SHARES,
            y=SHARES,
            style=self.style,
            legend="above",
            height=360,
        )

    def _box(self, upper: float, lower: float) -> list[Rows]:
        """Where both rates lie as surely as the level says, and where they were seen."""
        seen, across, up = self.alarms, word("false_alarms"), word("true_alarms")
        return [
            side_by_side(
                Column("box_x", word("box"), [0.0, upper], quantity=across),
                Column("box_low", word("box"), [lower, lower], quantity=up, aspect=word("aspect.low")),
                Column("box_high", word("box"), [1.0, 1.0], quantity=up, aspect=word("aspect.high")),
            ),
            side_by_side(
                single("seen_x", word("seen"), seen.alarms_absent / seen.draws_absent, quantity=across, aspect=across),
                single("seen", word("seen"), seen.alarms_present / seen.draws_present, quantity=up),
            ),
        ]

    def wealth(self) -> Picture:
        """The wealth of a bettor against the claim after each draw in order."""
        shown = self.shown
        assert shown.wealth is not None
        assert shown.bounds is not None
        path = np.minimum(shown.wealth.path, HIGHEST)
        kept = np.linspace(0, path.size - 1, min(path.size, MOST_DRAWN)).round().astype(int)
        kept = np.unique([*kept, *([shown.refuted_at - 1] if shown.refuted_at else [])])
        limit = 1 / (1 - self.inputs.level)
        measured, held = word("wealth"), float(np.max(shown.wealth.path, initial=1.0))
        rows = (
            side_by_side(
                Column("place", self.context["unit"], kept + 1, said=told(Exact, whole)),
                Column("wealth", measured, path[kept], said=told(Exact, number(3))),
                Column("bound", word("running"), shown.bounds[kept], said=told(Lower, number(3))),
                listed=range(0, kept.size, max(kept.size // 20, 1)),
            ),
            side_by_side(single("limit", word("limit"), limit, quantity=measured)),
        )
        wealth = {"wealth": Lower(min(held, HIGHEST), number(3)), "limit": Typed(limit, number(4))}
        return Picture.of(
            "audit-wealth",
            rows,
            (Line(x="place", y="wealth"), Level(y="limit")),
            reading=self.say("reading_wealth", **wealth),
            caption=word("picture.wealth"),
            y=Axis(log=True),
            style=self.style,
            legend="above",
            height=360,
        )

    # ---- the same in Python ------------------------------------------------------------------------------------------

    def python(self) -> CodeLines | None:
        """The lines for the bound; none where they would hold a reader's draws one by one."""
        code, shown, level = CodeWriter(), self.shown, self.inputs.level
        bound = Lower(shown.bound, number(3))
        if self.in_order:
            if self.is_own:
                return None
            step = answers.step_of(answers.implied(self.inputs.claim, self.inputs.delta))
            absent, present = self._drawn_in(code)
            arguments = {"absent": absent, "present": present, "level": level, "delta": shown.delta}
            return code.ending(Source(f"{code(pair_epsilon_lower, **arguments, step=step)}[-1]"), bound)
        seen = code.let("seen", self.guesses if self.draws is None else self.alarms)
        if shown.currency == "rho":
            of = ", gaussian=True" if answers.is_gaussian(self.inputs.claim) else ""
            return code.ending(Source(f"{seen}.rho_lower(level={level!r}{of})"), bound)
        if self.draws is not None and answers.is_joint(self.alarms):
            step = answers.step_of(answers.implied(self.inputs.claim, 0.0))
            return code.ending(code(joint_epsilon_lower, seen, level=level, delta=shown.delta, step=step), bound)
        delta = f", delta={shown.delta!r}" if shown.delta else ""
        return code.ending(Source(f"{seen}.epsilon_lower(level={level!r}{delta})"), bound)

    def _drawn_in(self, code: CodeWriter) -> tuple[Source, Source]:
        """Lines that draw the example and choose its rule; the alarms of either world in pairs."""
        inputs, assumed = self.inputs, {"level": self.inputs.level, "delta": getattr(self.inputs.claim, "delta", 0.0)}
        factor, moved = GEOMETRIC.get(inputs.mechanism, (1.0, 1))
        noise = Laplace if inputs.mechanism == "rounding" else Geometric
        law = code(noise, epsilon=factor * answers.pure_within(self.inputs.claim))
        drawn = Source(f"{law}.simulate_noise((2, {inputs.draws}), seed={inputs.seed})")
        if inputs.mechanism == "rounding":
            drawn = Source(f"2 * {code(np.round, Source(f'{drawn} / 2'))}")
        drawn_noise = code.let("noise", drawn)
        first = answers.choosing(inputs.draws)
        absent, present = f"{drawn_noise}[0]", f"({drawn_noise}[1] + {moved})"
        chosen = {"absent": Source(f"{absent}[:{first}]"), "present": Source(f"{present}[:{first}]")}
        rule = code.let("rule", code(chosen_rule, **chosen, **assumed, alarm="either", ties="apart"))
        tested = f"[{first}:{first + answers.MOST_IN_ORDER}]"
        return Source(f"{rule}.gives_alarm({absent}{tested})"), Source(f"{rule}.gives_alarm({present}{tested})")


def _typed(value: float) -> str:
    """A number with all the digits that somebody typed."""
    return plain_number(value, TYPED_DIGITS)
