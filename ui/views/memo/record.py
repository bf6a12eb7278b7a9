"""For the record: the entry of a public register, the budget beside published ones, code to check, sources."""

from __future__ import annotations

from functools import partial

from dpcore.deployments import Deployment, converted
from dpcore.mechanisms import noise_kind
from dpcore.semantics import posterior_upper, shift_bound
from dpcore.sources import WORKS
from riskline.answers.published import Beside, beside, meaning_of
from ui.documents.code_lines import NoiseChoice
from ui.documents.document import Block, Code, Facts, Listing, Paragraph, Section
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.choose.answer import along
from ui.views.choose.view import in_python as line_in_python
from ui.views.memo.draft import Memo, spent_together
from ui.views.shared.published_budgets import RELATION_NAMES, guess_words, in_symbols
from ui.words.catalogue import label
from ui.words.phrasing import plain_number, times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Upper, number

word = partial(label, "memo")


def register_section(memo: Memo, noise: NoiseChoice | None, *, tables: bool = False) -> Section:
    """The entry for a public register of deployments; `tables` where the budget is shared by tables."""
    case, spent = memo.case, memo.spent
    mechanism, parameters, reason = word("register.no_mechanism"), memo.spend, word("register.no_line")
    if tables and spent is not None:
        mechanism = word("register.mechanism_tables", noise=label("case", f"named_noise.{spent.fitting_noise}"))
    elif noise is not None:
        mechanism = word(f"register.mechanism_{noise.changed}", noise=label("case", f"named_noise.{noise.kind}"))
    if spent is not None:
        together = f"{'ρ' if spent.by_rho else 'ε'} = {spent_together(spent)}"
        parameters = word("register.all_together", budget=parameters, together=together)
    if memo.line is not None:
        reason = word("register.line", formula=memo.line.context["formula"])
    rows = {
        "name": memo.inputs.title,
        "office": case["office"].strip() or word("register.not_given"),
        "released": case["released"].strip() or word("not_described"),
        "unit": memo.words()["whose"],
        "relation": word(f"register.{case['relation']}"),
        "model": word(f"register.{'local' if case['release'] == 'coins' else 'central'}"),
        "definition": memo.guarantee,
        "parameters": parameters,
        "mechanism": mechanism,
        "accounting": _accounting(memo),
        "reason": reason,
    }
    facts = Facts(tuple((word(f"register.{name}"), told) for name, told in rows.items()))
    return Section(word("heading.register"), (facts,))


def _accounting(memo: Memo) -> str:
    """How releases and records were added up, and for which noise that holds."""
    spent, number = memo.spent, memo.case["releases"]
    kind = f"{memo.guarantee_kind}{'_added' if number > 1 else ''}"
    if spent is not None and spent.noise is not None:
        kind = spent.noise
        if noise_kind(kind).is_whole:
            kind += f"_{1 if spent.counts_changed == 1 else 2}"
    releases = word("release.one" if number == 1 else "release.several", number=f"{number:,}")
    return word(f"accounting.{kind}", releases=releases)


def check_section(memo: Memo, code: str, release: str) -> Section:
    """Code that reproduces the budget, and code that releases with it."""
    blocks: list[Block] = [Paragraph(memo.say("code")), Code(code)]
    if release:
        blocks += [Paragraph(memo.say("release_code")), Code(release)]
    return Section(word("heading.check"), tuple(blocks))


def sources_section(memo: Memo) -> Section:
    """The works that the memo stands on, each with what it is for."""
    used = ["kazan_reiter", "thesis"]
    by_rho = memo.guarantee_kind == "zero_concentrated"
    used += ["bun_steinke", "canonne_kamath_steinke"] if by_rho else ["dwork_roth"]
    if memo.guarantee_kind == "approximate":
        used.append("kairouz")
    works = (f"{WORKS[key].short}. {WORKS[key].title}. {WORKS[key].venue}" for key in used)
    told = (word("source", work=work, use=word(f"source.{key}")) for key, work in zip(used, works, strict=True))
    return Section(word("heading.sources"), (Listing(tuple(told)),))


COMPARED_DELTA = 1e-10  # the δ at which the 2020 Census publications convert
COMPARED = 6
BESIDE = label("memo", "heading.beside")


def _deployment_row(item: Beside) -> tuple[str, ...]:
    entry = item.entry
    name = f"{entry.name} ({entry.year})" if entry.year else f"**{entry.name}**"
    at = converted(entry, delta=COMPARED_DELTA)
    epsilon = word("beside.not_stated") if at.epsilon is None else Upper(at.epsilon, number(4)).digits
    unit = f"{item.unit_words}; {RELATION_NAMES[entry.relation]}"
    return name, unit, in_symbols(entry.as_reported), epsilon, guess_words(item.meaning, Style())


def comparison_section(memo: Memo) -> Section:
    """This budget beside published ones."""
    case, rows = memo.case, []
    promise, ours = case.promise, _as_deployment(memo)
    if ours is not None:
        own = meaning_of(ours, secret=promise.secret.value, group=promise.group)
        rows.append(_deployment_row(Beside(ours, promise.group, own)))
    found = beside(secret=promise.secret.value, unit=case["unit"], group=promise.group, most=COMPARED)
    rows += [_deployment_row(item) for item in found]
    several = "_one" if promise.group > 1 else ""
    names = "release", "unit", f"reported{several}", f"epsilon{several}", "guess_whose" if several else "guess"
    told = {"delta": plain_number(COMPARED_DELTA, 2), "whose": memo.words()["whose"]}
    heads = tuple(word(f"beside.{name}", **told) for name in names)
    words = memo.say("comparison", secret=memo.words()["secret"])
    return Section(BESIDE, (Table(words, heads, tuple(rows)),))


def _as_deployment(memo: Memo) -> Deployment | None:
    """The budget as one of the list, for one record; nothing without one, and of one that stands in the list itself."""
    spent = memo.spent
    if spent is None or spent.entry is not None:
        return None
    total = round(spent.value * spent.releases, 15)
    delta = min(spent.budget.delta * spent.releases, 1.0)
    reported = f"{'ρ' if spent.by_rho else 'ε'} = {spent_together(spent)}"
    return Deployment(
        name=word("ours"),
        year=0,
        organisation=memo.case["office"],
        sector="government",
        protected_unit=word("ours.unit"),
        unit_kind="person",
        unit_as_defined=word("ours.unit"),
        period=word("ours.period"),
        relation=memo.case["relation"],
        relation_evidence=word("ours.source"),
        relation_confidence="read in the primary source",
        definition="zCDP" if spent.by_rho else "approximate" if delta else "pure",
        epsilon=None if spent.by_rho else total,
        delta=delta,
        rho=total if spent.by_rho else None,
        epsilon_printed="",
        rho_printed="",
        model="central",
        as_reported=reported + (f", δ = {plain_number(delta, 2)}" if delta else ""),
        source=word("ours.source"),
        verification="computed",
    )


def in_python(memo: Memo) -> CodeLines | None:
    """The lines that come to the memo's number; none without a line or a budget."""
    line, spent = memo.line, memo.spent
    if spent is None or (spent.is_implied and line is not None):
        return None if line is None else line_in_python(line)
    place = None if line is None else line.implied.binding
    if line is None or place is None or spent.entry is not None:
        return _of_secret(memo)
    code = CodeWriter()
    drawn = code.let("line", line.profile)
    implied = code.let("implied", Source(f"{drawn}.implied_epsilon(value_exponent={line.implied.value_exponent!r})"))
    shift = f"epsilon={line.shift!r}"
    if place.prior == 0:
        return code.ending(Source(f"{implied}.largest_ratio({shift})"), Upper(line.largest_ratio, times))
    belief = ", ".join(repr(float(one)) for one in along(line.inputs, place))
    return code.ending(Source(f"{implied}.reachable({belief}, {shift})"), memo.reached_words()[1])


def _of_secret(memo: Memo) -> CodeLines:
    """From the guarantee between the two worlds of the secret to the belief."""
    assert memo.spent is not None
    code = CodeWriter()
    shift = code.let("shift", code(shift_bound, memo.spent.of_secret(), delta_prime=memo.spent.failure))
    return code.ending(code(posterior_upper, prior=memo.before, epsilon=shift), memo.reached_words()[1])
