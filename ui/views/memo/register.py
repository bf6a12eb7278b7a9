"""The memo's entry for a public register, in words and as a record that the register takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore.mechanisms import noise_kind
from dpcore.profiles import Status
from dpcore.rounding import round_up
from riskline.answers import Terms, budget_for_unsure
from riskline.case.fields import as_sentence
from riskline.case.value import Case, State
from riskline.registry import OPEN, tier_of, url_slug
from ui.documents.code_lines import NoiseChoice
from ui.documents.document import Block, Facts, Paragraph, Section
from ui.pictures.style import Style
from ui.views.choose.answer import one_ratio
from ui.views.memo.brief import person_scope, person_words, released, stands
from ui.views.memo.choices import Memo, expert, word
from ui.views.shared.promise import several, whom
from ui.views.shared.strip import budget_each
from ui.words.catalogue import SPOKEN, label
from ui.words.markdown import without_marks
from ui.words.quantities import Failure, Upper, number

VARIANTS = {"pure": "Pure DP", "approximate": "Approximate DP", "zero_concentrated": "Zero-concentrated DP"}


def register_rows(memo: Memo, noise: NoiseChoice | None, *, tables: int = 0) -> dict[str, str]:
    """The facts of the entry by name, with the number of tables that share the budget."""
    case, line, spent = memo.case, memo.line, memo.spent
    planned = case["release"] == "plan"
    rows = {
        "name": memo.inputs.title,
        "office": case["office"].strip() or word("not_said"),
        "released": case["released"].strip() or word("not_said"),
        "secret": memo.words("technical", own=False)["secret"],
        "unit": memo.words()["whose"],
        "relation": expert(f"register.{case['relation']}"),
    }
    if line is not None or spent is not None:
        scope = "tables" if tables else "plan" if planned else case.of(Terms).scope
        rows |= {
            "model": expert(f"register.{'local' if case['release'] == 'coins' else 'central'}"),
            "definition": expert(f"guaranteed.{memo.guarantee_kind}"),
            "scope": expert(f"scope_{scope}", releases=f"{case['releases']:,}", tables=f"{tables:,}"),
            "mechanism": _mechanism(
                noise,
                spent.fitting_noise if tables and spent is not None else None,
                local=case["release"] == "coins",
            ),
            "accounting": _accounting(memo),
        }
    if spent is not None:
        rows["publication" if tables or planned else "parameters"] = f"**{memo.spend}**"
        unsure = None if line is None else budget_for_unsure(line.inputs.line_choice, line.inputs.terms)
        if unsure is not None and spent.keeps_the_line:  # for readers who do not know every other record too
            rows["unsure"] = budget_each(unsure, spent.budget.currency, spent.releases)
        together = Upper(spent.value * spent.releases, number(6)).digits
        rows["together"] = f"{'ρ' if spent.by_rho else 'ε'} = {together}"
        rows["failure"] = Failure(spent.failure, number(2)).digits
    if line is not None and line.implied.status is Status.BINDS:
        rows["line_between" if line.is_shared else "line"] = str(line.context["exact"])
        if (rule := one_ratio(line)) is not None:
            rows["ratio"] = rule.spend
        certainty = line.context["certainty"].lower()
        rows["reason"] = expert("justification", formula=line.context["formula"], certainty=certainty)
    return rows


def register_section(memo: Memo, noise: NoiseChoice | None, *, tables: int = 0) -> Section:
    """The entry for a public register of deployments, in words."""
    rows = register_rows(memo, noise, tables=tables)
    facts = Facts(tuple((expert(f"register.{name}"), told) for name, told in rows.items()))
    seen = memo.seen("technical")
    blocks: list[Block] = [] if seen is None else [Paragraph(expert("of_line", answer=seen.answer))]
    return Section(expert("heading.register"), (*blocks, facts, Paragraph(memo.words(own=False)["promise"])))


def _mechanism(noise: NoiseChoice | None, of_tables: str | None, *, local: bool) -> str:
    if of_tables is not None:
        return expert("mechanism_tables", noise=label("case", f"named_noise.{of_tables}"))
    if noise is None:
        return expert("mechanism_coins") if local else word("not_said")
    return expert(f"mechanism_{noise.changed}", noise=label("case", f"named_noise.{noise.kind}"))


def _accounting(memo: Memo) -> str:
    """How releases and records were added up, and for which noise that holds."""
    spent, number = memo.spent, memo.case["releases"]
    kind = f"{memo.guarantee_kind}{'_added' if number > 1 else ''}"
    if spent is not None and spent.noise is not None:
        kind = spent.noise
        if noise_kind(kind).is_whole:
            kind += f"_{1 if spent.counts_changed == 1 else 2}"
    return expert(f"accounting_{kind}", releases=f"{number:,}")


def record_of(
    memo: Memo, noise: NoiseChoice | None, *, tables: int, accuracy: str
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The record of a case that has a budget, and the keys that are open because nobody has said them.

    Its address is that of the reader's Riskline. `accuracy` says what a published count is off by, in a sentence.
    """
    memo = replace(memo, style=Style(voice="technical"))
    case, spent = memo.case, memo.spent
    assert spent is not None
    rows = {name: without_marks(told) for name, told in register_rows(memo, noise, tables=tables).items()}
    local, often = case["release"] == "coins", spent.releases > 1 or case["release"] == "plan"
    told = {name: case[name].strip() for name in ("office", "author", "intended_use", "region", "publication_date")}
    of_unit = spent.guarantee(records=spent.group, releases=spent.releases)  # of the unit that the record names
    amounts = {name: getattr(of_unit, name, None) for name in ("epsilon", "rho", "delta")}
    parameters = {name: round_up(amount, 12, significant=True) for name, amount in amounts.items() if amount}
    limits = " ".join((person_words(memo), *person_scope(memo)))
    until = memo.inputs.until.strip()
    then = as_sentence(label("public", "until_then", name=until)) if until else _own("until_open")
    reasons = (rows.get("reason", ""), memo.inputs.reasons, getattr(memo.decision, "reason", ""), limits)
    basic = {
        "name": memo.inputs.title,
        "data_curators": [told["office"] or OPEN],
        "description": released(memo).strip() or OPEN,
        "intended_use": told["intended_use"] or OPEN,
        "data_product_type": "Summary statistics",
        "data_product_region": told["region"] or OPEN,
        "publication_date": told["publication_date"],
        "data_product_sector": case["data_sector"].capitalize(),
    }
    deployment = {
        "basic": basic,
        "dp_variant": {
            "variant_name": VARIANTS[memo.guarantee_kind],
            "data_domain": _own("domain", many=several(memo.case["many"]), relation=rows["relation"]),
            "unprotected_quantities": _unprotected_quantities(case, "coins" if local else case["relation"]),
        },
        "privacy_loss": {
            "privacy_unit": whom(case),
            "privacy_unit_details": _own("unit", promise=memo.words(own=False)["promise"], relation=rows["relation"]),
            "privacy_parameters": parameters,
            "privacy_parameters_details": _parameters(memo, rows),
        },
        "deployment_model": {
            "model_name": "Local" if local else "Central",
            "model_name_details": _own("local" if local else "central"),
            "actors": case["security"].strip(),
            "release_type": "Many releases" if often else "One release",
            "release_type_details": sentences(_own("releases", scope=rows["scope"]), then),
            "data_source_type": case["data_source"].capitalize(),
            "access_type": "Non-interactive",
        },
        "accounting": {"post_processing": case["post_processing"].strip(), "composition": rows["accounting"]},
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": case["preprocessing"].strip(),
            "mechanisms": sentences(rows["mechanism"], accuracy),
            "justification": sentences(*reasons),
        },
        "administrative": {
            "notes": sentences(stands(memo), _own("example") if case.state is State.EXAMPLE else ""),
            "registry_authors": [told["author"] or OPEN],
        },
    }
    deployment = {part: {key: _plain(each) for key, each in keys.items()} for part, keys in deployment.items()}
    found = tuple(
        f"{part}.{key}" for part, keys in deployment.items() for key, each in keys.items() if each in ("", OPEN, [OPEN])
    )
    deployment = {part: {key: each for key, each in keys.items() if each != ""} for part, keys in deployment.items()}
    slug = url_slug(basic["name"], [told["office"]] if told["office"] else [], told["publication_date"])
    record = {"url_slug": slug, "status": "Draft", "tier": tier_of(deployment), "deployment": deployment}
    return record, found


def _own(name: str, **words: str) -> str:
    return label("filing", f"record.{name}", **words)


def _unprotected_quantities(case: Case, kind: str) -> str:
    """What is published exactly: totals that the case names, and what its relation leaves open."""
    if not case.exact_totals:
        return _own(f"exact_{kind}")
    totals = _own("exact_totals", tables=SPOKEN.listed(case.exact_totals))
    return totals if kind == "add_or_remove" else sentences(totals, _own(f"exact_{kind}"))


def _parameters(memo: Memo, rows: dict[str, str]) -> str:
    """Each release and all together, the exception, and the budget for readers who know less."""
    names = ("publication", "parameters", "together", "failure", "unsure", "scope")
    told = "; ".join(f"{expert(f'register.{name}')}: {rows[name]}" for name in names if name in rows)
    return sentences(memo.of_group, told)


def _plain(told: Any) -> Any:
    return without_marks(told) if isinstance(told, str) else told


def sentences(*told: str) -> str:
    """What is told, each a sentence of its own."""
    ended = (each if each.endswith((".", "!", "?")) else f"{each}." for each in map(str.strip, told) if each)
    return " ".join(ended)
