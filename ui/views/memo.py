"""The decision memo: what was decided, why, what it means for people, what it costs, and how to check it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import numpy as np
from numpy.typing import NDArray

import dpcore
from dpcore import errors
from dpcore.accuracy import count_error, noise_with_budget
from dpcore.deployments import Deployment, converted
from dpcore.guarantees import ApproximateDP, PureDP, ZeroConcentratedDP
from dpcore.profiles import Budget, Status
from dpcore.semantics import shift_bound
from dpcore.sources import WORKS
from ui.documents.charts import Drawing, drawing_of
from ui.documents.code_lines import NoiseChoice, release_lines, reproducing_lines
from ui.documents.document import Block, Code, Document, Facts, Figure, Listing, Paragraph, Section, plain_words
from ui.link import scenario
from ui.link.fields import Field, link, read_query, write_query
from ui.pictures.columns import Column, Numbers, side_by_side, single
from ui.pictures.look import Look
from ui.pictures.marks import Axis, Heat, Line, Mark, Panel, Spot
from ui.pictures.picture import Picture
from ui.pictures.table import Table
from ui.views import accuracy as cost
from ui.views import choose
from ui.views.choose import Answered, ChooseInputs
from ui.views.promise import StatedBelief, records_together
from ui.views.published_budgets import RELATION_NAMES, Beside, beside, guess_words, meaning_of
from ui.views.session_results import kept_for_session
from ui.words.passages import say
from ui.words.phrasing import (
    decimal_belief,
    exact_budget,
    frequency,
    plain_number,
    rounded_budget,
    times,
    typed_frequency,
)
from ui.words.quantities import Allowed, Failure, Lower, Typed, Upper, number, typed

CARRIED = ("choose", "accuracy")
FIELDS: tuple[Field, ...] = (
    Field("title", "Title", "text", "Privacy budget for a release"),
    Field("organisation", "Organisation", "text", ""),
    Field("author", "Author", "text", ""),
    Field("date", "Date, as it should read", "text", ""),
    Field("release", "What is released", "text", ""),
    Field("decision", "Decision, in your words", "text", ""),
    Field("reasons", "Why not the alternatives", "text", ""),
    Field("household", "People in a household", "count", 4, low=1, high=100),
    Field("yearly", "Times a year all this is released", "count", 1, low=1, high=1000),
    Field("choose", "Choices of Choose a budget", "text", ""),
    Field("accuracy", "Choices of What it costs", "text", ""),
)
PRIORS = (0.01, 0.05, 0.1, 0.25, 0.5)
COMPARED_DELTA = 1e-10  # the δ at which the 2020 Census publications convert
COMPARED = 6
GUARANTEES = {
    "pure": "pure ε-differential privacy",
    "approximate": "(ε, δ)-differential privacy",
    "zero_concentrated": "ρ-zero-concentrated differential privacy",
}


@dataclass(frozen=True)
class MemoInputs:
    """The memo's own fields, and the choices of the two pages it reports as their links hold them."""

    title: str = "Privacy budget for a release"
    organisation: str = ""
    author: str = ""
    date: str = ""
    release: str = ""
    decision: str = ""
    reasons: str = ""
    household: int = 4
    yearly: int = 1
    choose: str = ""
    accuracy: str = ""

    @property
    def choices(self) -> ChooseInputs:
        """The choices of *Choose a budget*."""
        return ChooseInputs(**carried_values("choose", self.choose))

    @property
    def costs(self) -> cost.AccuracyInputs:
        """The choices of *What it costs*."""
        return cost.AccuracyInputs(**carried_values("accuracy", self.accuracy))


@dataclass(frozen=True)
class MemoView:
    """The memo, what the page says about it, and its scenario file."""

    answer: str
    small_print: str
    document: Document
    scenario: str
    reproducing: str = ""
    releasing: str = ""
    noise: NoiseChoice | None = None
    stated: tuple[StatedBelief, ...] = ()
    refusal: str | None = None

    @property
    def words(self) -> str:
        """All words of the memo."""
        return plain_words(self.document)


def fields_of(stem: str) -> tuple[Field, ...]:
    """The choices of a page that the memo reports."""
    return choose.FIELDS if stem == "choose" else cost.FIELDS


def carried_values(stem: str, query: str) -> dict[str, Any]:
    """A page's choices from the query a memo's link carries for it; what is refused falls back to its default."""
    return read_query(fields_of(stem), dict(parse_qsl(query, keep_blank_values=True))).values


def carried_query(stem: str, values: Mapping[str, Any]) -> str:
    """What a memo's link carries of a page's choices."""
    return urlencode(write_query(fields_of(stem), values))


@kept_for_session
def _chosen(choices: ChooseInputs, voice: str) -> choose.ChooseView:
    return choose.choose_view(choices, Look(voice=voice))


@kept_for_session
def _spent(spending: cost.AccuracyInputs, voice: str) -> cost.AccuracyView:
    return cost.accuracy_view(spending, Look(voice=voice))


@kept_for_session
def memo_view(inputs: MemoInputs, look: Look, address: str = "") -> MemoView:
    """The memo of these choices; `address` is the root that its links start with."""
    choices, costs = inputs.choices, inputs.costs
    file = scenario.write({"choose": vars(choices), "accuracy": vars(costs), "memo": vars(inputs)}, voice=look.voice)
    seen = _chosen(choices, look.voice)
    if seen.refusal is not None:
        return _refused(inputs, seen.refusal, look, address, file)
    return Memo(inputs, choose.answered(choices, Look(voice=look.voice)), look, address).view(file)


def _refused(inputs: MemoInputs, reason: str, look: Look, address: str, file: str) -> MemoView:
    words = say("memo", look.voice, "refused", reason=reason)
    asked = Facts(tuple(write_query(choose.FIELDS, vars(inputs.choices)).items()) or (("choices", "as preset"),))
    sections = (
        Section("No budget", (Paragraph(words, "lead"),)),
        Section("What was asked for", (asked,)),
        _where(inputs, address),
    )
    return MemoView(
        answer=say("memo", look.voice, "answer_refused"),
        small_print=say("memo", look.voice, "small_print"),
        document=Document(inputs.title, _byline(inputs), sections, _foot()),
        scenario=file,
        refusal=reason,
    )


def _byline(inputs: MemoInputs) -> str:
    return " · ".join(part for part in (inputs.organisation, inputs.author, inputs.date) if part.strip())


def _foot() -> str:
    return f"Made with Riskline {dpcore.__version__}. Bounds are rounded outwards, budgets down."


def _addresses(inputs: MemoInputs, address: str) -> tuple[tuple[str, str], ...]:
    root = address.rstrip("/") + "/" if address else ""
    return (
        ("This memo", root + link("memo", FIELDS, vars(inputs))),
        ("Choose a budget", root + link("choose", choose.FIELDS, vars(inputs.choices))),
        ("What it costs", root + link("accuracy", cost.FIELDS, vars(inputs.costs))),
    )


def _where(inputs: MemoInputs, address: str) -> Section:
    made = ("Software", f"Riskline {dpcore.__version__}, dpcore on numpy and scipy")
    return Section("Link and version", (Facts((*_addresses(inputs, address), made)),))


@dataclass(frozen=True)
class Memo:
    """A memo in the making: the reader's fields and the line with its answer."""

    inputs: MemoInputs
    answer: Answered
    look: Look
    address: str

    def say(self, name: str, **words: object) -> str:
        """A passage of the memo in the reader's voice."""
        return say("memo", self.look.voice, name, **words)

    @property
    def budget(self) -> Budget | None:
        """The budget, where the line leaves one to spend."""
        found = self.answer.budget
        return found if found is not None and found.recommended_each > 0 else None

    def seen(self, voice: str) -> choose.ChooseView:
        """The page *Choose a budget* of the same choices in a voice."""
        return _chosen(self.inputs.choices, voice)

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
        each, costs = self.budget.recommended_each, self.costs
        if isinstance(self.budget.each, ZeroConcentratedDP):
            free = self.budget.route not in choose.NOISES  # such a ρ holds for either noise: the reader's choice
            kind = costs.noise if free and costs.concentrated else choose.noise_of(self.budget)
            return replace(costs, start="budget", noise=kind, rho=each, failure=self.inputs.choices.failure)
        kind = "geometric" if costs.concentrated else costs.noise
        return replace(costs, start="budget", noise=kind, epsilon=each)

    def view(self, file: str) -> MemoView:
        """The memo with its code lines and its scenario file."""
        spending = self.spending()
        spent = None if spending is None else _spent(spending, self.look.voice)
        noise = None
        if spending is not None and self.budget is not None:
            noise = NoiseChoice(spending.noise, self.budget.recommended_each, spending.level)
        place = self.answer.implied.binding
        code = reproducing_lines(
            self.answer.implied,
            self.answer.budget,
            shift=self.answer.shift,
            belief=() if place is None else choose.along(self.inputs.choices, place),
            noise=noise,
            error=None if spent is None else spent.error,
        )
        releases = 1 if self.budget is None else self.budget.releases
        holds_for = "" if self.budget is None else self.answer.noise
        release = "" if noise is None else release_lines(noise, releases=releases, holds_for=holds_for)
        sections = (
            self._decision(),
            self._promise(),
            self._profile(),
            self._meaning(),
            self._accuracy(spending, spent),
            self._alternatives(spent),
            self._comparison(),
            Section("Assumptions", (Listing(_points(self.say("assumptions"))),)),
            self._registry(noise),
            self._check(code, release),
            self._sources(),
            _where(self.inputs, self.address),
        )
        facts = self.answer.facts
        spend = f"the line {'sets no limit' if self.answer.budget is None else 'allows no increase'}"
        told = (
            self.say("answer_none", title=self.inputs.title, spend=spend)
            if self.budget is None
            else self.say("answer", title=self.inputs.title, budget=facts["budget"], prior=facts["prior"])
        )
        document = Document(self.inputs.title, _byline(self.inputs), sections, _foot())
        stated = self.seen(self.look.voice).stated
        return MemoView(told, self.say("small_print"), document, file, code, release, noise, stated)

    def _decision(self) -> Section:
        budget = self.answer.facts["budget"]
        words = self.inputs.decision.strip() or self.say("decision_default", budget=f"**{budget}**")
        return Section("Decision", (Paragraph(words, "lead"), Paragraph(self.seen(self.look.voice).answer)))

    def _promise(self) -> Section:
        choices, facts, budget = self.inputs.choices, self.answer.facts, self.answer.budget
        rows = [
            ("Release", self.inputs.release.strip() or "not described"),
            ("Question", f"Could someone learn {choices.words('plain')['secret']}?"),
            ("Unit of protection", facts["unit"]),
            (
                "Neighbouring tables",
                "one record more or less" if choices.relation == "add_or_remove" else "one replaced",
            ),
            ("Guarantee", GUARANTEES[choices.guarantee]),
            (
                "Releases",
                f"{choices.releases:,}, each {'one plain count' if choices.release == 'count' else 'any kind'}",
            ),
        ]
        if budget is not None:
            symbol = "ρ" if choices.guarantee == "zero_concentrated" else "ε"
            rows += [
                ("Budget of each release", f"**{symbol} = {exact_budget(budget.recommended_each)}**"),
                ("Budget of all together", f"{symbol} = {self._together(budget)}"),
                ("May fail with probability", Failure(budget.failure_probability, number(2)).digits),
            ]
        blocks: list[Block] = [Facts(tuple(rows)), Paragraph(facts["about"])]
        units = self._at_every_unit()
        if units is not None:
            blocks.append(units)
        return Section("Question, unit and guarantee", tuple(blocks))

    @staticmethod
    def _together(budget: Budget) -> str:
        """What all releases spend at the budget recommended for each, rounded up: it is spent, not recommended."""
        return Upper(round(budget.recommended_each * budget.releases, 15), number(6)).digits

    def _at_every_unit(self) -> Table | None:
        """What the recommended budget amounts to for a record, a person, a household and a person-year."""
        budget, place = self.budget, self.answer.implied.binding
        if budget is None or place is None or place.prior <= 0:
            return None
        choices, inputs = self.inputs.choices, self.inputs
        own = records_together(choices.unit, choices.group)
        a_household = f"a household of {inputs.household:,}"
        rows = [
            self._for_unit("one record, one release", 1, 1),
            self._for_unit("one record, all releases listed", 1, budget.releases),
        ]
        each_person = own if choices.unit in ("records", "days") else 1
        year, several = budget.releases * inputs.yearly, each_person * inputs.household
        if own > 1 and own != several:
            rows.append(self._for_unit(self.answer.facts["unit"], own, budget.releases))
        rows += [
            self._for_unit("one person for a year", each_person, year),
            self._for_unit(a_household, several, budget.releases),
            self._for_unit(f"{a_household} for a year", several, year),
        ]
        heads = ("for", "changes", "it amounts to", "an attacker reaches at most")
        facts = self.answer.facts
        caption = self.say(
            "units",
            prior=facts["prior"],
            what=replace(choices, unit="person").words(self.look.voice)["that"],
            yearly=f"{inputs.yearly:,}",
            exception=facts["exception"],
        )
        if self.answer.noise:
            caption += self.say("units_noise", noise=choose.NOISE_WORDS[self.answer.noise])
        return Table(caption, heads, tuple(dict.fromkeys(rows)))

    def _for_unit(self, name: str, records: int, releases: int) -> tuple[str, str, str, str]:
        """A unit: its records times releases, the loss they bound together, and the belief at the deciding prior."""
        budget, choices = self.budget, self.inputs.choices
        assert budget is not None
        each = budget.each
        changes = f"{records:,} × {releases:,}"
        own = records == budget.group and releases == budget.releases
        if isinstance(each, ZeroConcentratedDP):
            together: Any = ZeroConcentratedDP(rho=releases * budget.recommended_each).for_group(records)
            amount, failing = f"ρ = {Upper(together.rho, number(3)).digits}", choices.failure
        elif isinstance(each, ApproximateDP):
            spent = ApproximateDP(epsilon=releases * budget.recommended_each, delta=min(releases * each.delta, 1.0))
            together, failing = spent.for_group(records), choices.failure
            amount = f"ε = {Upper(together.epsilon, number(3)).digits}, δ = {Upper(together.delta, number(2)).digits}"
        else:
            together, failing = PureDP(epsilon=releases * budget.recommended_each).for_group(records), 0.0
            amount = f"ε = {Upper(together.epsilon, number(3)).digits}"
        try:
            shift = shift_bound(together, delta_prime=failing)
        except errors.Refused as refusal:  # the group's δ uses up the failure probability
            if refusal.code is not errors.Code.INFEASIBLE:
                raise
            return name, changes, amount, f"no bound at δ′ = {plain_number(failing, 2)}"
        place = self.answer.implied.binding
        assert place is not None
        if own:  # the memo's own promise, for the noise it was certified for
            shift = min(shift, self.answer.shift)
        reached = float(self.answer.implied.reachable(*choose.along(choices, place), epsilon=shift))
        return name, changes, amount, "as good as certainty" if reached > 0.9999 else Upper(reached, frequency).digits

    def _profile(self) -> Section:
        implied, facts = self.answer.implied, self.answer.facts
        blocks: list[Block] = [Paragraph(self.say("profile")), Paragraph(line_in_words(self.inputs.choices))]
        if implied.status is Status.BINDS:
            drawing = self._map() if self.inputs.choices.question == "both" else self._line()
            name = "reading_map" if self.inputs.choices.question == "both" else "reading_line"
            blocks.append(Figure(drawing, self.say(name, prior=facts["prior"])))
            baseline = rounded_budget(implied.baseline)
            blocks.append(Paragraph(self.say("decides", prior=facts["prior"], baseline=baseline)))
            gain = Lower(max(implied.gain, 0.0), number(3)).digits
            blocks.append(
                Facts(
                    (
                        ("ε of the line, unrounded", facts["exact"]),
                        ("Strictest ratio everywhere", f"ε = {baseline}"),
                        ("The line gains", f"{gain} of ε over that"),
                        ("Formula", f"{facts['formula']} ({facts['certainty'].lower()})"),
                    )
                )
            )
        return Section("Acceptable risk, and the budget it implies", tuple(blocks))

    def _line(self) -> Drawing:
        choices, implied = self.inputs.choices, self.answer.implied
        prior = choose.priors_for_curves(choices.held, log=False)
        belief = np.minimum(prior / choices.held, 1.0)
        end = float(min(1.0, choices.held))
        allowed = np.asarray(implied.profile.highest_posterior(belief))
        reached = np.asarray(self.answer.reach(belief))
        place = implied.binding
        before, after = "belief before", "highest belief after"
        rows = [
            side_by_side(
                Column("prior", "prior", prior, quantity=before),
                Column("nothing", "learns nothing", prior, quantity=after),
                Column("line", "accepted line", np.minimum(allowed, 1.0), quantity=after),
                Column("reach", "what an attacker can reach", reached, quantity=after),
            )
        ]
        marks: list[Mark] = [
            Line(x="prior", y="nothing", role="quiet", hairline=True, label=118, beside=("left", "top")),
            Line(x="prior", y="line", label=62, beside=("right", "bottom")),
            Line(x="prior", y="reach", role="reach", dash="dash", label=88, beside=("left", "top")),
        ]
        if place is not None and place.prior > 0:
            top = float(self.answer.reach(*choose.along(choices, place)))
            rows.append(
                side_by_side(
                    single("decides_prior", "prior that decides", place.prior, quantity=before),
                    single("decides", "decides the budget", top, quantity=after),
                )
            )
            marks.append(Spot(x="decides_prior", y="decides"))
        top_seen = float(min(1.0, np.nanmax(np.where(np.isfinite(allowed), allowed, 0.0)) * 1.04))
        return drawing_of(
            Picture(
                key="profile",
                numbers=Numbers("The accepted line and what an attacker can reach", tuple(rows)),
                marks=tuple(marks),
                panels=(Panel(x=Axis(range=(0.0, end)), y=Axis(range=(0.0, top_seen))),),
                reading="",
                look=Look(),
            )
        )

    def _map(self) -> Drawing:
        implied = self.answer.implied
        grid: NDArray[np.float64] = np.linspace(0.02, 1.0, 50)
        membership, value = (axis.ravel() for axis in np.meshgrid(grid, grid, indexing="ij"))
        ceiling = float(np.clip(8 * implied.epsilon, 1e-2, 100))
        across, up = "belief of being in the data", "belief about the value, if in"
        rows = [
            side_by_side(
                Column("membership", "in the data", membership, quantity=across),
                Column("value", "value", value, quantity=up),
                Column("largest", "largest ε", np.asarray(implied.largest_epsilon(membership, value))),
            )
        ]
        marks: list[Mark] = [Heat(x="membership", y="value", z="largest", ceiling=ceiling)]
        place = implied.binding
        if place is not None:
            rows.append(
                side_by_side(
                    single("decides_membership", "in the data, decides", place.membership_prior, quantity=across),
                    single("decides", "decides the budget", place.value_prior, quantity=up),
                )
            )
            marks.append(Spot(x="decides_membership", y="decides", beside=("right", "bottom")))
        ends = Axis(range=(0.0, 1.0), grid=False)
        picture = Picture(
            key="map",
            numbers=Numbers("Largest ε over both beliefs", tuple(rows)),
            marks=tuple(marks),
            panels=(Panel(x=ends, y=ends),),
            reading="",
            look=Look(),
        )
        return drawing_of(picture, width=330, height=205)

    def _meaning(self) -> Section:
        blocks: list[Block] = [
            Paragraph(self.say(f"{voice}_voice", answer=self.seen(voice).answer)) for voice in ("plain", "technical")
        ]
        if self.answer.budget is not None:
            blocks.append(self._beliefs())
        return Section("What it means for people", tuple(blocks))

    def _beliefs(self) -> Table:
        choices, implied = self.inputs.choices, self.answer.implied
        beliefs = [prior for prior in PRIORS if prior < choices.held] or [choices.held / 2]
        place = implied.binding
        rows = []
        if choices.question == "both":
            pairs = [(1.0, prior) for prior in PRIORS]
        else:
            pairs = [(prior / choices.held,) for prior in beliefs]  # type: ignore[misc]
        if place is not None and place.prior > 0:
            pairs.append(choose.along(choices, place))  # type: ignore[arg-type]
        for pair in sorted(pairs):
            before = math.prod(pair) * (1.0 if choices.question == "both" else choices.held)
            line = float(np.asarray(implied.profile.highest_posterior(*pair)))
            after = float(np.asarray(self.answer.reach(*pair)))
            allowed = Allowed(min(line, 1.0), frequency).digits if np.isfinite(line) else "no requirement"
            reach = (Upper(after, spoken).digits for spoken in (frequency, decimal_belief))
            rows.append((frequency(before), allowed, *reach))
        heads = ("belief before", "the line accepts", "an attacker can reach", "as a decimal")
        return Table(self.say("beliefs", exception=self.answer.facts["exception"]), heads, tuple(dict.fromkeys(rows)))

    def _accuracy(self, spending: cost.AccuracyInputs | None, spent: cost.AccuracyView | None) -> Section:
        if spending is None or spent is None or spent.error is None or spent.law is None:
            return Section("What it costs", (Paragraph(self.say("no_noise", spend=self.answer.spend)),))
        blocks: list[Block] = [Paragraph(spent.answer), Paragraph(spent.small_print, "quiet")]
        if spent.mechanism is not None:
            blocks.append(Figure(_noise_drawing(spent), spent.law.reading))
        blocks.append(Facts(tuple((name, f"{value} ({note})") for name, value, note in spent.numbers)))
        if spent.wrong_side is not None:
            blocks.append(Paragraph(spent.wrong_side.reading))
        if self.inputs.costs.start == "accuracy":
            asked = _spent(self.costs, self.look.voice)
            if asked.refusal is None:
                blocks.append(Paragraph(f"Asked from the other side: {asked.answer}"))
        return Section("What it costs", tuple(blocks))

    def _alternatives(self, spent: cost.AccuracyView | None) -> Section:
        rows = []
        for name, other in alternatives(self.inputs.choices, self.answer):
            try:
                found = choose.answered(other, Look(voice=self.look.voice))
            except ValueError:
                continue
            rows.append((name, found.spend, self._why_not(found, other, spent)))
        blocks: list[Block] = []
        if rows:
            blocks.append(Table(self.say("alternatives"), ("line", "budget", "why not, in numbers"), tuple(rows)))
        if self.inputs.reasons.strip():
            blocks.append(Paragraph(self.inputs.reasons.strip()))
        if not blocks:
            blocks.append(Paragraph("None were computed."))
        return Section("Alternatives considered", tuple(blocks))

    def _why_not(self, found: Answered, other: ChooseInputs, spent: cost.AccuracyView | None) -> str:
        ours, place = self.answer, self.answer.implied.binding
        if found.budget is None:
            return "it sets no limit at all"
        if ours.budget is None:
            return "it asks for more than the accepted line"
        if found.budget.recommended_each > ours.budget.recommended_each and place is not None and place.prior > 0:
            belief = choose.along(self.inputs.choices, place)
            line = float(np.asarray(ours.implied.profile.highest_posterior(*belief)))
            reached = float(np.asarray(ours.implied.reachable(*belief, epsilon=found.shift)))
            return (
                f"a belief of {frequency(place.prior)} could become {Upper(reached, frequency).digits}; "
                f"the accepted line stops at {Allowed(min(line, 1.0), frequency).digits}"
            )
        if found.budget.recommended_each <= 0:
            return "it leaves nothing to spend"
        memo = replace(self.inputs, choose=carried_query("choose", vars(other)))
        spending = Memo(memo, found, self.look, "").spending()
        if spent is None or spent.error is None or spending is None:
            return "it asks for more than the accepted line"
        amount = spending.rho if spending.concentrated else spending.epsilon
        error = count_error(noise_with_budget(cost.NOISES[spending.noise], amount), level=spending.level)
        return (
            f"more noise than the risk requires: typical error {plain_number(error.root_mean_square, 3)} "
            f"instead of {plain_number(spent.error.root_mean_square, 3)} people"
        )

    def _comparison(self) -> Section:
        choices, rows = self.inputs.choices, []
        promise, ours = choices.promise, self._as_deployment()
        if ours is not None:
            own = meaning_of(ours, secret=self._own_secret(), group=promise.group)
            rows.append(_deployment_row(Beside(ours, promise.group, own)))
        found = beside(secret=promise.secret.value, unit=choices.unit, group=promise.group, most=COMPARED)
        rows += [_deployment_row(item) for item in found]
        heads = (
            "release",
            "unit; one change",
            "as published",
            f"ε at δ = {plain_number(COMPARED_DELTA, 2)}",
            "right guess",
        )
        words = self.say("comparison", secret=choices.words(self.look.voice)["secret"])
        return Section("Beside published budgets", (Table(words, heads, tuple(rows)),))

    def _own_secret(self) -> str:
        """The secret of the memo's question; one plain count moves by one step where records are added or removed."""
        choices = self.inputs.choices
        one_step = choices.release == "count" and choices.relation == "add_or_remove"
        return "presence" if one_step else choices.promise.secret.value

    def _as_deployment(self) -> Deployment | None:
        budget = self.budget
        if budget is None:
            return None
        total = budget.total
        spent = round(budget.recommended_each * budget.releases, 15)
        rho = spent if isinstance(total, ZeroConcentratedDP) else None
        epsilon = None if rho is not None else spent
        delta = getattr(total, "delta", 0.0) if rho is None and self.inputs.choices.guarantee == "approximate" else 0.0
        reported = f"{'ε' if rho is None else 'ρ'} = {self._together(budget)}"
        definitions = {"pure": "pure", "approximate": "approximate", "zero_concentrated": "zCDP"}
        return Deployment(
            name="This release, all together",
            year=0,
            organisation=self.inputs.organisation,
            sector="government",
            protected_unit="one record",
            unit_kind="person",
            unit_as_defined="one record",
            period="this release",
            relation=self.inputs.choices.relation,
            relation_evidence="this memo",
            relation_confidence="read in the primary source",
            definition=definitions[self.inputs.choices.guarantee],
            epsilon=epsilon,
            delta=delta,
            rho=rho,
            epsilon_printed="",
            rho_printed="",
            model="central",
            as_reported=reported + (f", δ = {plain_number(delta, 2)}" if delta else ""),
            source="this memo",
            verification="computed",
        )

    def _registry(self, noise: NoiseChoice | None) -> Section:
        choices, budget = self.inputs.choices, self.answer.budget
        parameters = self.answer.spend
        if budget is not None:
            symbol = "ρ" if choices.guarantee == "zero_concentrated" else "ε"
            parameters += f"; all together {symbol} = {self._together(budget)}"
        rows = (
            ("Deployment", self.inputs.title),
            ("Organisation", self.inputs.organisation.strip() or "not given"),
            ("Data product", self.inputs.release.strip() or "not described"),
            ("Privacy unit", self.answer.facts["unit"]),
            ("Neighbour relation", "add or remove" if choices.relation == "add_or_remove" else "replace one"),
            ("Model", "central"),
            ("Definition", GUARANTEES[choices.guarantee]),
            ("Parameters", parameters),
            ("Mechanism", "not chosen" if noise is None else f"{cost.NAMES[noise.kind]} on counts, sensitivity 1"),
            ("Accounting", self._accounting()),
            ("Justification", f"risk profile, {self.answer.facts['formula']}; Kazan and Reiter (2024)"),
        )
        return Section("For a public register of deployments", (Facts(rows),))

    def _accounting(self) -> str:
        """How releases and records were added up, and for which noise that holds."""
        releases = f"{self.inputs.choices.releases:,} releases"
        if self.answer.noise == "discrete_gaussian":
            return f"exact law of {releases} of one count with discrete Gaussian noise, verified at this ρ and group"
        if self.answer.noise == "gaussian":
            return f"exact law of {releases} with continuous Gaussian noise; groups of records by scaling"
        return f"basic composition over {releases}; groups of records by scaling"

    def _check(self, code: str, release: str) -> Section:
        blocks: list[Block] = [Paragraph(self.say("code")), Code(code)]
        if release:
            blocks += [Paragraph(self.say("release_code")), Code(release)]
        return Section("Check it yourself", tuple(blocks))

    def _sources(self) -> Section:
        keys = ["kazan_reiter", "thesis", "dwork_roth"]
        if self.inputs.choices.guarantee == "zero_concentrated":
            keys += ["bun_steinke", "canonne_kamath_steinke"]
        if self.inputs.choices.guarantee == "approximate":
            keys.append("kairouz")
        works = tuple(f"{WORKS[key].short}. {WORKS[key].title}. {WORKS[key].venue}." for key in keys)
        return Section("Sources", (Listing(works),))


def _points(passage: str) -> tuple[str, ...]:
    return tuple(line.removeprefix("- ").strip() for line in passage.splitlines() if line.startswith("- "))


def _noise_drawing(spent: cost.AccuracyView) -> Drawing:
    """The law of the noise, from the numbers behind the page's picture."""
    mechanism, error = spent.mechanism, spent.error
    assert mechanism is not None
    assert error is not None
    picture = Picture(
        key="noise",
        numbers=cost.law_of_error_numbers(mechanism, error),
        marks=cost.bars_of_error(error),
        panels=(Panel(x=Axis(grid=False)),),
        reading=spent.law.reading if spent.law else "",
        look=Look(),
        legend="above",
    )
    return drawing_of(picture, height=105)


def _deployment_row(item: Beside) -> tuple[str, ...]:
    entry = item.entry
    name = f"{entry.name} ({entry.year})" if entry.year else f"**{entry.name}**"
    at = converted(entry, delta=COMPARED_DELTA)
    epsilon = "not stated" if at.epsilon is None else Upper(at.epsilon, number(4)).digits
    unit = f"{item.unit_words}; {RELATION_NAMES[entry.relation]}"
    return name, unit, entry.as_reported, epsilon, guess_words(item.meaning, Look())


def line_in_words(choices: ChooseInputs) -> str:
    """The accepted line in one sentence."""
    where = (
        ""
        if choices.held == 1.0 or choices.question == "both"
        else (f" The other belief is held at {typed_frequency(choices.held)}.")
    )
    ratio, cap = Typed(choices.ratio, times), Typed(choices.cap, typed)
    said = {
        "cap_or_ratio": f"A belief of {cap:up to …} is acceptable whatever was thought before; "
        f"above that, {ratio:at most …} what was thought before.",
        "constant": f"Nobody's belief may become {ratio:more than …} what it was.",
        "increase": f"Nobody's belief may rise by more than {typed_frequency(choices.increase)}.",
        "box": f"Beliefs from {typed_frequency(choices.low)} to {typed_frequency(choices.high)} may become "
        f"{ratio:at most …} what they were; nothing is required of others.",
        "drawn": "The line was drawn through the points "
        + "; ".join(f"{plain_number(x, 3)} → {plain_number(y, 3)}" for x, y in choices.points)
        + ". Nothing is required below the first and above the last.",
    }
    return said[choices.line] + where


def alternatives(choices: ChooseInputs, answer: Answered) -> list[tuple[str, ChooseInputs]]:
    """Lines beside the accepted one: one ratio for everybody, a stricter and a looser line of the same kind."""
    found: list[tuple[str, ChooseInputs]] = []
    strictest = answer.implied.strictest_ratio
    if choices.line != "constant" and 1 < strictest < 1e6:
        words = f"One ratio for everybody, {Typed(strictest, times)}"
        found.append((words, replace(choices, line="constant", ratio=strictest)))
    if choices.line == "cap_or_ratio":
        for cap, word in ((choices.cap / 2, "Half"), (min(2 * choices.cap, 0.95), "Twice")):
            found.append((f"{word} the cap: {typed_frequency(cap)}", replace(choices, cap=cap)))
    if choices.line in ("constant", "box", "cap_or_ratio") and choices.ratio > 1:
        for factor, word in ((0.5, "stricter"), (2.0, "looser")):
            ratio = 1 + factor * (choices.ratio - 1)
            found.append((f"A {word} ratio: {Typed(ratio, times)}", replace(choices, ratio=ratio)))
    if choices.line == "increase":
        for rise in (choices.increase / 2, min(2 * choices.increase, 0.95)):
            found.append((f"A rise of at most {typed_frequency(rise)}", replace(choices, increase=rise)))
    if choices.line == "drawn":
        for factor, word in ((0.5, "Half"), (1.5, "One and a half times")):
            points = tuple((x, min(1.0, x + factor * (y - x))) for x, y in choices.points)
            found.append((f"{word} the drawn rise", replace(choices, points=points)))
    return [(words, other) for words, other in found if other != choices]
