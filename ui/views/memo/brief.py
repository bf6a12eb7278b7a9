"""Page one of the memo: what was decided, what it means for people and readers, what was given up, who decided."""

from __future__ import annotations

from dataclasses import dataclass

from dpcore.accuracy import AdditiveMechanism
from dpcore.guarantees import Relation
from dpcore.promise import Secret
from riskline.case.value import State
from ui.documents.document import Block, Facts, Paragraph, Section
from ui.views.accuracy.law import whole_range
from ui.views.memo.beside import Published
from ui.views.memo.costs import Considered
from ui.views.memo.draft import Memo
from ui.words.catalogue import label, say
from ui.words.phrasing import exact_budget, frequency
from ui.words.quantities import Exact, Upper, number, whole

DECIDED = label("memo", "heading.decided")
PERSON = label("memo", "heading.person")
READERS = label("memo", "heading.readers")
GIVEN_UP = label("memo", "heading.given_up")
WHO = label("memo", "heading.who")


def missing(memo: Memo) -> tuple[str, ...]:
    """What a brief must name before it is complete and does not yet; the example names nothing."""
    if memo.case.is_example:
        return ()
    needed = {"until": memo.inputs.until, "released": memo.case["released"]}
    if memo.case.state in (State.DECIDED, State.DECIDED_FOR_ANOTHER):
        needed = {"by": memo.case.decision.by} | needed  # type: ignore[union-attr]
    found = [name for name, text in needed.items() if not text.strip()]
    described = {"tables": "tables", "plan": "rows"}.get(memo.case["release"])
    if described is not None and described not in memo.case:
        found.append(described)
    return tuple(label("memo", f"missing.{name}") for name in found)


def first_line(memo: Memo) -> str:
    """The first line: whether this is an example, a draft, or decided by whom; and what is missing."""
    told, decision = {"budget": memo.spend, "publisher": memo.case["published"]}, memo.case.decision
    for name in ("by", "date"):
        text = getattr(decision, name, "").strip()
        told[name] = f" {say('case', memo.style.voice, name, **{name: text})}" if text else ""
    told["by"] = told["by"] or f" {memo.say('by_nobody_named')}"
    name = memo.case.state.value
    if memo.case.state is State.UNDECIDED and memo.spent is None:
        name = "no_budget"
    words = [memo.say(f"first_{name}", **told)]
    if memo.inputs.claimed and decision is not None:
        words.append(memo.say("first_claimed"))
    found = missing(memo)
    if found:
        words.append(memo.say("first_missing", what=", ".join(found)))
    return " ".join(words)


def decided_words(memo: Memo) -> str:
    """The decision in one sentence, with its budget, and with what the line implies where that is another."""
    name = "decision_example" if memo.case.is_example else f"decision_{memo.case.state.value}"
    if memo.spent is None and memo.line is not None:
        name = "decision_free" if memo.line.budget is None else "decision_nothing"
    words = memo.say(name, budget=memo.spend, publisher=memo.case["published"])
    if memo.spent is None or not memo.implied:
        return words
    more = memo.line is not None and memo.line.budget is not None and not memo.spent.keeps_the_line
    return f"{words} {memo.say('implied_less' if more else 'implied_more', implied=memo.implied)}"


@dataclass(frozen=True)
class Districts:
    """How many of a table's districts are off by more than `wide` people, and how many exactly right, on average."""

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


def in_districts(memo: Memo) -> Districts | None:
    """What the budget's noise does to the table's districts; nothing where there is no noise to describe."""
    if memo.mechanism is None or memo.error is None:
        return None
    wide, _ = whole_range(memo.mechanism, memo.error)
    districts = memo.case["areas"]
    right = districts * (1 - share_beyond(memo.mechanism, 0))
    return Districts(districts, wide, districts * share_beyond(memo.mechanism, wide), right)


def districts_words(memo: Memo) -> str:
    """What readers of the tables will see, in one sentence."""
    found, spent = in_districts(memo), memo.spent
    if found is None or spent is None:
        return memo.say("no_noise", spend=memo.spend)
    releases = "" if spent.releases == 1 else memo.say("each_release", releases=f"{spent.releases:,}")
    each = f"{'ρ' if spent.by_rho else 'ε'} = {exact_budget(spent.of_a_count)}"
    moved = "" if spent.counts_changed == 1 else " " + memo.say("two_counts", each=each)
    passage = "one_district" if found.number == 1 else "districts"
    told = frequency if found.number == 1 and not memo.style.technical else number(2)
    return memo.say(
        passage,
        number=f"{found.number:,}",
        off=Exact(found.off, told),
        wide=Upper(found.wide, whole).digits,
        right=Exact(found.right, told),
        releases=releases,
        moved=moved,
    )


def secret_words(memo: Memo) -> str:
    """What must stay secret, in one sentence."""
    return memo.say("must_stay_secret", secret=memo.words()["secret"])


def person_words(memo: Memo) -> str:
    """What the budget means for one person: how far the attacker who decides it can come."""
    that = memo.words()["that"]
    if memo.spent is None:
        seen = memo.seen(memo.style.voice)
        return "" if seen is None else memo.own(seen.answer)
    if memo.before == 0.0 and memo.line is not None:
        return memo.say("person_approached", that=that, ratio=memo.line.ratio_said, exception=memo.exception)
    prior, posterior = memo.reached_words()
    return memo.say("person", that=that, prior=prior, posterior=posterior, exception=memo.exception)


def of_counts(memo: Memo) -> bool:
    """Whether the limit is one for plain counts, which another release with the budget can pass."""
    apart = memo.case.promise.secret is Secret.VALUE and memo.case["relation"] == Relation.ADD_OR_REMOVE.value
    return memo.line is not None and memo.spent is not None and memo.case["release"] == "count" and apart


def given_up_words(memo: Memo, considered: tuple[Considered, ...]) -> tuple[str, ...]:
    """The nearest line on either side that was not taken, with what speaks against it; or the line itself."""
    if memo.spent is None:
        return ()
    if memo.implied:
        return (memo.say("given_up_line", implied=memo.implied, budget=memo.spend),)
    ours = memo.spent.value
    looser = min((one for one in considered if one.each > ours), key=lambda one: one.each, default=None)
    stricter = max((one for one in considered if 0 < one.each < ours), key=lambda one: one.each, default=None)
    found = (("given_up_looser", looser), ("given_up_stricter", stricter))
    return tuple(
        memo.say(name, line=one.name, budget=one.spend, why=one.why_not) for name, one in found if one is not None
    )


def who_decided(memo: Memo) -> tuple[tuple[str, str], ...]:
    """Who decided what, when and until when, as the decision and the reader's fields say it."""
    case, decision = memo.case, memo.case.decision
    by = case["published"] or ("" if decision is None else decision.by)
    if decision is None and not case["published"]:
        by = label("memo", "nobody.example" if case.state is State.EXAMPLE else "nobody.yet")
    rows = (
        ("by", by, True),
        ("date", getattr(decision, "date", ""), False),
        ("reason", getattr(decision, "reason", ""), False),
        ("office", case["office"], False),
        ("day", case["date"], False),
        ("until", memo.inputs.until, True),
        ("released", case["released"], True),
    )
    empty = label("memo", "not_said" if case.is_example else "not_there")
    return tuple(
        (label("memo", f"who.{name}"), text.strip() or empty) for name, text, needed in rows if needed or text.strip()
    )


def brief_sections(
    memo: Memo, considered: tuple[Considered, ...], published: Published | None = None
) -> tuple[Section, ...]:
    """Page one."""
    decided: list[Block] = [Paragraph(decided_words(memo), "lead")]
    if published is not None:
        decided += published.decided
    decided.append(Paragraph(secret_words(memo)))
    who = Section(WHO, (Facts(who_decided(memo)),))
    if memo.spent is None and memo.line is None:
        return Section(DECIDED, tuple(decided)), who
    seen: list[Block] = [*published.ranges] if published is not None else []
    if published is None and memo.counts_are_told:
        seen.append(Paragraph(districts_words(memo)))
        if memo.spent is not None:
            seen.append(Paragraph(memo.say(f"districts_print_{memo.spent.counts_changed}"), "quiet"))
    person = [Paragraph(person_words(memo))]
    if of_counts(memo):
        person.append(Paragraph(memo.say("person_counts", steps=f"{memo.case.promise.steps:,}"), "quiet"))
    if memo.spent is not None and memo.spent.noise is not None:
        person.append(
            Paragraph(memo.say("person_knows", noise=label("case", f"whole_noise.{memo.spent.noise}")), "quiet")
        )
    given_up = list(given_up_words(memo, considered))
    if not given_up and memo.line is not None:
        given_up.append(memo.say("given_up_nothing"))
    given_up += filter(None, (memo.inputs.reasons.strip(),))
    return (
        Section(DECIDED, tuple(decided)),
        Section(PERSON, tuple(person)),
        *((Section(READERS, tuple(seen)),) if seen else ()),
        *((Section(GIVEN_UP, tuple(map(Paragraph, given_up))),) if given_up else ()),
        who,
    )
