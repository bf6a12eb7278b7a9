"""Page one of the memo: what was decided, what it means for people and readers, what was given up, who decided."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.accuracy import AdditiveMechanism
from dpcore.guarantees import Relation
from dpcore.promise import Secret
from ui.documents.document import Block, Facts, Paragraph, Section
from ui.views import accuracy as cost
from ui.views.choose import NOISE_WORDS
from ui.views.memo.choices import MemoInputs
from ui.views.memo.costs import Considered
from ui.views.memo.draft import Memo
from ui.views.memo.published import Published
from ui.words.phrasing import exact_budget
from ui.words.quantities import Exact, Upper, number, whole

MISSING = {
    "decided_by": "who decided",
    "until": "until when it holds",
    "release": "what is released",
}
"""What a brief must name before it is complete, by field."""


def missing(inputs: MemoInputs) -> tuple[str, ...]:
    """What a brief must name and does not yet."""
    return tuple(words for name, words in MISSING.items() if not getattr(inputs, name).strip())


def notice(memo: Memo) -> str:
    """The first line of the memo: what is missing, or nothing."""
    found = missing(memo.inputs)
    return memo.say(f"missing_{len(found)}", what=", ".join(found)) if found else ""


@dataclass(frozen=True)
class Districts:
    """What noise does to a table of districts, one count each: averages over the noise, exact.

    Parameters
    ----------
    number : districts in the table
    wide : the range that is told, in people: off by more than this
    off : how many districts are off by more, on average
    right : how many are exactly right, on average
    """

    number: int
    wide: int
    off: float
    right: float


def share_beyond(mechanism: AdditiveMechanism, wide: int) -> float:
    """How likely a count published as a whole number is off by more than `wide`; the noise is as likely down as up.

    Examples
    --------
    >>> from dpcore.mechanisms import Geometric
    >>> import math
    >>> round(share_beyond(Geometric(epsilon=math.log(3)), 0), 12)
    0.5
    """
    return 2 * float(mechanism.cdf(-(wide + 0.5)))


def in_districts(memo: Memo, spent: cost.AccuracyView | None) -> Districts | None:
    """What the budget's noise does to the table's districts; nothing where there is no noise to describe."""
    if spent is None or spent.mechanism is None or spent.error is None:
        return None
    wide, _ = cost.whole_range(spent.mechanism, spent.error)
    districts = memo.inputs.districts
    right = districts * (1 - share_beyond(spent.mechanism, 0))
    return Districts(districts, wide, districts * share_beyond(spent.mechanism, wide), right)


def districts_words(memo: Memo, spent: cost.AccuracyView | None) -> str:
    """What readers of the tables will see, in one sentence."""
    found, budget = in_districts(memo, spent), memo.budget
    if found is None or budget is None:
        return memo.say("no_noise", spend=memo.answer.spend)
    releases = "" if budget.releases == 1 else memo.say("each_release", releases=f"{budget.releases:,}")
    each = f"{memo.answer.symbol} = {exact_budget(memo.budget_of_a_count)}"
    moved = "" if memo.counts_changed == 1 else " " + memo.say("two_counts", each=each)
    passage = "one_district" if found.number == 1 else "districts"
    return memo.say(
        passage,
        number=f"{found.number:,}",
        off=Exact(found.off, number(2)),
        wide=Upper(found.wide, whole).digits,
        right=Exact(found.right, number(2)),
        releases=releases,
        moved=moved,
    )


def decided_words(memo: Memo) -> str:
    """The decision in one sentence, with its budget."""
    return memo.say(_decided(memo), budget=memo.answer.facts["budget"])


def _decided(memo: Memo) -> str:
    if memo.answer.budget is None:
        return "decision_free"
    return "decision_nothing" if memo.budget is None else "decision_default"


def secret_words(memo: Memo) -> str:
    """What must stay secret, in one sentence."""
    return memo.say("must_stay_secret", secret=memo.words(memo.look.voice)["secret"])


def person_words(memo: Memo) -> str:
    """What the decision means for one person: how far the attacker who decides the budget can come."""
    facts, place = memo.answer.facts, memo.answer.implied.binding
    if memo.budget is None or place is None or place.prior <= 0:
        return memo.own(memo.seen(memo.look.voice).answer)
    that = memo.words(memo.look.voice)["that"]
    told = {name: facts[name] for name in ("prior", "posterior", "exception")}
    return memo.say("person", that=that, **told)


def of_counts(memo: Memo) -> bool:
    """Whether the limit is one for plain counts, which another release with the budget can pass."""
    choices = memo.inputs.choices
    apart = choices.promise.secret is Secret.VALUE and choices.relation == Relation.ADD_OR_REMOVE.value
    return memo.budget is not None and choices.release == "count" and apart


def given_up_words(memo: Memo, considered: tuple[Considered, ...]) -> tuple[str, ...]:
    """The nearest line on either side that was not taken, with what speaks against it."""
    if memo.budget is None:
        return ()
    ours = memo.budget.recommended_each
    looser = min((one for one in considered if one.each > ours), key=lambda one: one.each, default=None)
    stricter = max((one for one in considered if 0 < one.each < ours), key=lambda one: one.each, default=None)
    found = (("given_up_looser", looser), ("given_up_stricter", stricter))
    return tuple(
        memo.say(name, line=one.name, budget=one.spend, why=one.why_not) for name, one in found if one is not None
    )


def who_decided(inputs: MemoInputs) -> tuple[tuple[str, str], ...]:
    """Who decided what, when and until when, as the reader's fields say it."""
    rows = (
        ("Decided by", inputs.decided_by, True),
        ("For", inputs.organisation, False),
        ("Date", inputs.date, False),
        ("Holds until", inputs.until, True),
        ("What is released", inputs.release, True),
    )
    return tuple((name, text.strip() or "missing") for name, text, needed in rows if needed or text.strip())


def brief_sections(
    memo: Memo,
    spent: cost.AccuracyView | None,
    considered: tuple[Considered, ...],
    published: Published | None = None,
) -> tuple[Section, ...]:
    """Page one."""
    decided = [Paragraph(decided_words(memo), "lead")]
    if memo.inputs.decision.strip():
        decided.append(Paragraph(memo.inputs.decision.strip()))
    if published is not None:
        decided += published.decided
    decided.append(Paragraph(secret_words(memo)))
    seen: list[Block] = [*published.ranges] if published is not None else []
    if published is None or not published.shares_the_decided_budget:
        seen.append(Paragraph(districts_words(memo, spent)))
        if spent is not None:
            seen.append(Paragraph(memo.say(f"districts_print_{memo.counts_changed}"), "quiet"))
    person = [Paragraph(person_words(memo))]
    if of_counts(memo):
        person.append(Paragraph(memo.say("person_counts", steps=f"{memo.inputs.choices.promise.steps:,}"), "quiet"))
    if memo.answer.noise:
        person.append(Paragraph(memo.say("person_knows", noise=NOISE_WORDS[memo.answer.noise]), "quiet"))
    given_up = given_up_words(memo, considered) or (memo.say("given_up_nothing"),)
    reasons = (memo.inputs.reasons.strip(),) if memo.inputs.reasons.strip() else ()
    return (
        Section("What was decided", tuple(decided)),
        Section("What it means for one person", tuple(person)),
        Section("What readers of the tables will see", tuple(seen)),
        Section("What was given up", tuple(Paragraph(text) for text in (*given_up, *reasons))),
        Section("Who decided, and until when", (Facts(who_decided(memo.inputs)),)),
    )
