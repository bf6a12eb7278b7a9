"""Whether all parts of a memo carry one promise: the room's lines, the decision, the noise, a published budget."""

from __future__ import annotations

from riskline.answers import Source
from ui.views.memo.draft import GUARANTEES, Memo
from ui.views.memo.room import asked_in_room, promise_of_room
from ui.views.shared.promise import promise_words
from ui.views.shared.published_budgets import RELATION_NAMES
from ui.views.shared.strip import budget_words
from ui.words.catalogue import label


def different_promises(memo: Memo) -> str:
    """The sentence that names the two promises of a memo that has two; nothing where all parts carry one."""
    return _of_room(memo) or _of_budget(memo) or _of_noise(memo)


def _of_room(memo: Memo) -> str:
    drawn = memo.inputs.room.lines
    if drawn is None or not memo.inputs.tells_room or memo.is_about(asked_in_room(drawn), promise_of_room(drawn)):
        return ""
    theirs = promise_words(promise_of_room(drawn), memo.style.voice)["promise"]
    return memo.say("apart_room", theirs=theirs, ours=memo.words(own=False)["promise"])


def _of_budget(memo: Memo) -> str:
    """Of the decision and what the case asks for; of a published budget and the case's secret and unit."""
    found, case = memo.spent, memo.case
    if found is None:
        return ""
    if found.budget.source is Source.CHOSEN and found.budget.currency != case.currency:
        decided = budget_words(found.value, found.budget.currency)
        return memo.say("apart_decision", decided=decided, guarantee=GUARANTEES[case["guarantee"]])
    if found.entry is not None and not found.promises_something:
        words = {"publisher": found.entry.name, "unit": found.entry.protected_unit}
        words |= {"relation": RELATION_NAMES[found.entry.relation], "ours": memo.words(own=False)["promise"]}
        return memo.say("apart_published", **words)
    return ""


def _of_noise(memo: Memo) -> str:
    """Of the noise of the case and its budget."""
    found, case = memo.spent, memo.case
    if found is None:
        return ""
    noise = label("case", f"named_noise.{case['noise']}")
    if "noise" in case and not found.keeps_budget(case["noise"]):
        spends = "an ε" if found.by_rho else "a ρ"
        return memo.say("apart_noise", noise=noise, currency=spends, budget=memo.spend)
    if "noise" in case and found.noise not in (None, case["noise"]):
        other = label("case", f"named_noise.{found.noise}")
        return memo.say("apart_law", noise=noise, other=other, budget=memo.spend)
    return ""
