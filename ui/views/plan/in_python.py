"""The same in Python: the belief after all rounds of a plan, by the rule of the answer."""

from __future__ import annotations

from dpcore.composition import PlannedRelease, PlanRule, ReleasePlan
from dpcore.semantics import largest_difference, posterior_upper
from ui.views.plan.accounts import Accounts
from ui.words.python_lines import CodeLines, CodeWriter, Source


def in_python(accounts: Accounts) -> CodeLines:
    """The lines for the belief, or the largest change, after all rounds."""
    code, chosen, method = CodeWriter(), accounts.inputs, accounts.headline
    rule = accounts.rule(method)
    rows = [code(PlannedRelease, row.source, row.count, row.name) for row in rule.plan.rows]
    plan = code.let("plan", code(ReleasePlan, Source(f"[{', '.join(rows)}]")))
    more = {} if rule.points is None else {"points": rule.points}
    told_rule = code.let("rule", code(PlanRule, plan, method, total_delta=chosen.delta, **more))
    told = f"{chosen.rounds}, delta_prime={chosen.failure!r}, direction={accounts.promise.direction!r}"
    grid = f" + {plan}.times({chosen.rounds}).privacy_loss.resolution" if method == "exact" and accounts.closely else ""
    shift = code.let("shift", Source(f"{told_rule}.shift({told}){grid}"))
    said = accounts.said(accounts.belief(accounts.largest_shift(method)))
    if chosen.promise == "difference":
        return code.ending(code(largest_difference, epsilon=shift), said)
    return code.ending(code(posterior_upper, prior=chosen.prior, epsilon=shift), said)
