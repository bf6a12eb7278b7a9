"""For the record: the entry of a public register, code to check the memo, sources."""

from __future__ import annotations

from dpcore.sources import WORKS
from ui.documents.code_lines import NoiseChoice
from ui.documents.document import Block, Code, Facts, Listing, Paragraph, Section
from ui.views import accuracy as cost
from ui.views.memo.draft import GUARANTEES, Memo
from ui.views.memo.question import spent_together


def register_section(memo: Memo, noise: NoiseChoice | None) -> Section:
    """The entry for a public register of deployments."""
    choices, budget = memo.inputs.choices, memo.answer.budget
    parameters = memo.answer.spend
    if budget is not None:
        symbol = "ρ" if choices.guarantee == "zero_concentrated" else "ε"
        parameters += f"; all together {symbol} = {spent_together(budget)}"
    rows = (
        ("Deployment", memo.inputs.title),
        ("Organisation", memo.inputs.organisation.strip() or "not given"),
        ("Data product", memo.inputs.release.strip() or "not described"),
        ("Privacy unit", memo.answer.facts["unit"]),
        ("Neighbour relation", "add or remove" if choices.relation == "add_or_remove" else "replace one"),
        ("Model", "central"),
        ("Definition", GUARANTEES[choices.guarantee]),
        ("Parameters", parameters),
        ("Mechanism", "not chosen" if noise is None else f"{cost.NAMES[noise.kind]} on counts, sensitivity 1"),
        ("Accounting", _accounting(memo)),
        ("Justification", f"risk profile, {memo.answer.facts['formula']}; Kazan and Reiter (2024)"),
    )
    return Section("For a public register of deployments", (Facts(rows),))


def _accounting(memo: Memo) -> str:
    """How releases and records were added up, and for which noise that holds."""
    number = memo.inputs.choices.releases
    releases = "one release" if number == 1 else f"{number:,} releases"
    if memo.answer.noise == "discrete_gaussian":
        return f"exact law of {releases} of one count with discrete Gaussian noise, verified at this ρ and group"
    if memo.answer.noise == "gaussian":
        return f"exact law of {releases} with continuous Gaussian noise; groups of records by scaling"
    return f"basic composition over {releases}; groups of records by scaling"


def check_section(memo: Memo, code: str, release: str) -> Section:
    """Code that reproduces the budget, and code that releases with it."""
    blocks: list[Block] = [Paragraph(memo.say("code")), Code(code)]
    if release:
        blocks += [Paragraph(memo.say("release_code")), Code(release)]
    return Section("Check it yourself", tuple(blocks))


def sources_section(memo: Memo) -> Section:
    """The works that the memo stands on."""
    keys = ["kazan_reiter", "thesis", "dwork_roth"]
    if memo.inputs.choices.guarantee == "zero_concentrated":
        keys += ["bun_steinke", "canonne_kamath_steinke"]
    if memo.inputs.choices.guarantee == "approximate":
        keys.append("kairouz")
    works = tuple(f"{WORKS[key].short}. {WORKS[key].title}. {WORKS[key].venue}." for key in keys)
    return Section("Sources", (Listing(works),))
