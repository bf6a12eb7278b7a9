"""What if relatives resemble? Beliefs with them and without, the budget that keeps a limit anyway, what is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from dpcore.guarantees import PureDP, ZeroConcentratedDP
from dpcore.mechanisms import NoiseMechanism
from dpcore.relatives import Relatives
from dpcore.scope import Bound, Scope
from dpcore.semantics import posterior_upper, shift_bound
from riskline.answers.relatives import RelativesChoice, Resembling
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.shared.belief_before import told
from ui.views.shared.promise import PageAnswer, relatives_independent
from ui.words.catalogue import label, say
from ui.words.phrasing import NEAREST, how_often, limits_nothing, people_for
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact, Quantity, Spoken, below_certain, claimed, in_people

word = partial(label, "relatives")
EXAMPLES = {
    "twin": RelativesChoice(1, 0.9, 0.05),
    "siblings": RelativesChoice(3, 0.6, 0.05),
    "neighbours": RelativesChoice(100, 0.11, 0.1),
}
"""Relatives as somebody may expect them; all of them made up."""


@dataclass(frozen=True, kw_only=True)
class RelativesView(PageAnswer):
    """What the fold shows: `keeps` says which budget keeps the limit anyway."""

    keeps: str = ""
    tables: tuple[Table, ...] = ()


def spoken_for(values: Sequence[float], prior: float, style: Style) -> tuple[float, Spoken]:
    """A belief before as it is printed, and how it and the limits beside it are said: out of one number of people."""
    before = told(prior, style, typed=True)
    of = in_people(people_for(*values, of=max(before.of, 100)))
    return before.prior, before.spoken if style.technical else of


def relatives_words(found: Resembling, prior: float, style: Style, exception: str) -> str:
    """The limits with these relatives, and however alike they are, in one sentence; and what the first assumes."""
    prior, who = spoken_for((), prior, style)[0], found.relatives
    bounds = found.limits(prior)
    _, spoken = spoken_for([bound.value for bound in bounds], prior, style)
    _, alike, copies = (_limit(bound, found, prior, spoken, style) for bound in bounds)
    told = {"relatives": f"{who.relatives:,}", "before": spoken(prior, NEAREST), "alike": alike, "copies": copies}
    told |= {f"share_if_{name}": style.belief(share) for name, share in _shares(who)}
    return f"{say('relatives', style.voice, 'told', exception=exception, **told)} {relatives_independent(style.voice)}"


def relatives_view(
    found: Resembling | None,
    prior: float,
    style: Style,
    *,
    keeps: tuple[str, str] = ("", ""),
    exception: str = "",
    noise: NoiseMechanism | None = None,
) -> RelativesView:
    """What the fold tells: with relatives who are alike, none, and however alike.

    keeps : which passage says what the budget keeps, and the budget
    exception : with which probability the limits may be passed
    noise : of one count of her and them; the best guess is then exact
    """
    voice = style.voice
    if found is None:
        return RelativesView(answer=say("relatives", voice, "none"))
    prior, _ = spoken_for((), prior, style)
    bounds = found.limits(prior)
    _, spoken = spoken_for([bound.value for bound in bounds], prior, style)
    said = [_limit(bound, found, prior, spoken, style) for bound in bounds]
    alone, alike, _ = said
    believed = Exact(found.relatives.believed(prior), spoken)
    passage, budget = keeps
    return RelativesView(
        answer=say("relatives", voice, "answer", alike=alike, alone=alone, exception=exception),
        keeps=say("relatives", voice, passage, budget=budget, alone=alone) if passage else "",
        small_print=f"{relatives_independent(voice)} {say('relatives', voice, 'derived', relative=believed)}",
        tables=(_limits(found, said, spoken(prior, NEAREST), exception, noise), _known(found, prior, style, exception)),
        python=_in_python(found, prior, alike),
    )


def _limit(bound: Bound, found: Resembling, prior: float, spoken: Spoken, style: Style) -> Quantity:
    """A limit as it is said: in plain words only certainty before is certain, which a float may be."""
    said = claimed(bound, found.scope, spoken)
    return said if style.technical or prior == 1 else below_certain(said)


def _reach(found: Resembling) -> str:
    """For which releases a column of limits is."""
    return say("relatives", "technical", f"scope.{found.scope.value}")


def _cell(said: Quantity) -> str:
    return label("numbers", "no_useful_limit") if limits_nothing(said.value) else said.digits


def _limits(
    found: Resembling, said: Sequence[Quantity], before: str, exception: str, noise: NoiseMechanism | None
) -> Table:
    names = (word("alone"), word("alike"), word("copies"))
    columns = [label("case", "relatives"), _reach(found)]
    rows: list[tuple[str, ...]] = [(name, _cell(one)) for name, one in zip(names, said, strict=True)]
    guesses = None if noise is None else found.right_guesses(noise)
    if guesses is not None:
        columns.append(say("relatives", "technical", "noise", even=how_often(0.5)))
        right = (claimed(guess, Scope.COUNT, how_often).digits for guess in guesses)
        rows = [(*row, guess) for row, guess in zip(rows, right, strict=True)]
    return Table(word("limits", before=before, exception=exception), tuple(columns), tuple(rows))


def _known(found: Resembling, prior: float, style: Style, exception: str) -> Table:
    """Before any release, and after: what somebody knows of relatives moves the belief before."""
    known = found.known(prior)
    _, spoken = spoken_for([one.after.value for one in known], prior, style)
    rows = tuple(
        (
            f"{one.number:,}",
            Exact(one.before, spoken).digits,
            _cell(claimed(one.after, found.scope, spoken)),
        )
        for one in known
    )
    heads = word("has_it"), label("explain", "before"), _reach(found)
    return Table(word("limits", before=spoken(prior, NEAREST), exception=exception), heads, rows)


def _in_python(found: Resembling, prior: float, alike: Quantity) -> CodeLines:
    """The lines for the belief with these relatives."""
    code, who, own = CodeWriter(), found.relatives, found.guarantee
    shares = (f"share_if_{name}=[{share!r}] * {who.relatives}" for name, share in _shares(who))
    people = code.let("relatives", Source(f"{code.named(Relatives)}.of_shares({', '.join(shares)})"))
    if isinstance(own, PureDP):
        shift = Source(f"{people}.shift_limits(epsilon={own.epsilon!r}).up")
    else:
        half = {"rho": own.rho, "delta_prime": found.failure / 2}
        told = ", ".join(f"{name}={value!r}" for name, value in half.items())
        limit = code.let("limit", Source(f"{people}.concentrated_shift_limits({told}).up"))
        group = code(ZeroConcentratedDP, rho=own.for_group(found.together).rho)
        together = code.let("together", code(shift_bound, group, delta_prime=found.failure))
        shift = Source(f"min({limit}, {together})")
    return code.ending(code(posterior_upper, prior=prior, epsilon=shift), alike)


def _shares(who: RelativesChoice) -> tuple[tuple[str, float], ...]:
    return ("yes", who.share_if_yes), ("no", who.share_if_no)
