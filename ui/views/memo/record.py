"""For the record: the entry of a public register, code to check the memo, sources."""

from __future__ import annotations

from dpcore.sources import WORKS
from ui.documents.code_lines import NoiseChoice
from ui.documents.document import Block, Code, Facts, Listing, Paragraph, Section
from ui.views.memo.draft import GUARANTEES, Memo, spent_together
from ui.words.catalogue import label


def register_section(memo: Memo, noise: NoiseChoice | None, *, tables: bool = False) -> Section:
    """The entry for a public register of deployments; `tables` where the budget is shared by tables."""
    case, spent = memo.case, memo.spent
    mechanism = (
        "not chosen"
        if noise is None
        else f"{label('case', f'named_noise.{noise.kind}')} on counts, {MOVED[noise.changed]}"
    )
    if tables and spent is not None:
        mechanism = f"{label('case', f'named_noise.{spent.fitting_noise}')} on every number of the tables"
    parameters = memo.spend
    if spent is not None:
        parameters += f"; all together {'ρ' if spent.by_rho else 'ε'} = {spent_together(spent)}"
    drawn = "no line" if memo.line is None else f"risk profile, {memo.line.context['formula']}"
    rows = (
        ("Deployment", memo.inputs.title),
        ("Organisation", case["office"].strip() or "not given"),
        ("Data product", case["released"].strip() or "not described"),
        ("Privacy unit", memo.words()["whose"]),
        ("Neighbour relation", "add or remove" if case["relation"] == "add_or_remove" else "replace one"),
        ("Model", "local" if case["release"] == "coins" else "central"),
        ("Definition", memo.guarantee),
        ("Parameters", parameters),
        ("Mechanism", mechanism),
        ("Accounting", _accounting(memo)),
        ("Justification", f"{drawn}; Kazan and Reiter (2024)" if memo.line is not None else drawn),
    )
    return Section("For a public register of deployments", (Facts(rows),))


def _accounting(memo: Memo) -> str:
    """How releases and records were added up, and for which noise that holds."""
    spent, number = memo.spent, memo.case["releases"]
    releases = "one release" if number == 1 else f"{number:,} releases"
    if spent is not None and spent.noise == "discrete_gaussian":
        counts = "one count" if spent.counts_changed == 1 else "one count and of two"
        verified = "verified at the ρ of each and this group"
        return f"exact law of {releases} of {counts} with discrete Gaussian noise, {verified}; {KNOWING_ALL}"
    if spent is not None and spent.noise == "gaussian":
        return f"exact law of {releases} with continuous Gaussian noise; groups of records by scaling; {KNOWING_ALL}"
    added, grouped = ADDED_UP[memo.guarantee]
    return f"{releases}{f': {added}' if number > 1 else ''}; groups of records by {grouped}"


KNOWING_ALL = "for an attacker who knows every other record and sees the raw output"
"""Whom an exact tail is about."""
MOVED = {1: "sensitivity 1", 2: "two of a table changed by 1 each"}
"""By how much one step changes counts."""
ADDED_UP = {
    GUARANTEES["pure"]: ("ε adds, basic composition (Dwork and Roth, Theorem 3.16)", "scaling"),
    GUARANTEES["approximate"]: ("ε and δ add, basic composition (Dwork and Roth, Theorem 3.16)", "group privacy"),
    GUARANTEES["zero_concentrated"]: ("ρ adds (Bun and Steinke, Lemma 1.7)", "scaling"),
}
"""By guarantee: the rule that adds up the budgets of releases, with its source, and that of records together."""


def check_section(memo: Memo, code: str, release: str) -> Section:
    """Code that reproduces the budget, and code that releases with it."""
    blocks: list[Block] = [Paragraph(memo.say("code")), Code(code)]
    if release:
        blocks += [Paragraph(memo.say("release_code")), Code(release)]
    return Section("Check it yourself", tuple(blocks))


def sources_section(memo: Memo) -> Section:
    """The works that the memo stands on, each with what it is for."""
    used = {"kazan_reiter": "the line and the ε it implies", "thesis": "what a budget lets an attacker believe"}
    if memo.guarantee == GUARANTEES["zero_concentrated"]:
        used |= {
            "bun_steinke": "budgets of ρ, added up and for groups of records",
            "canonne_kamath_steinke": "discrete Gaussian noise, and ρ as ε at a δ",
        }
    else:
        used["dwork_roth"] = "budgets of ε, added up and for groups of records"
    if memo.guarantee == GUARANTEES["approximate"]:
        used["kairouz"] = "the right guess under ε and δ"
    works = tuple(
        f"{WORKS[key].short}. {WORKS[key].title}. {WORKS[key].venue}. For {use}." for key, use in used.items()
    )
    return Section("Sources", (Listing(works),))
