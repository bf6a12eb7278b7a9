"""The annex: the entry of a public register with everything it rests on, code to check, sources."""

from __future__ import annotations

from functools import partial

from dpcore.mechanisms import noise_kind
from dpcore.profiles import Status
from dpcore.semantics import posterior_upper, shift_bound
from dpcore.sources import WORKS
from riskline.answers import Terms, budget_for_unsure
from ui.documents.code_lines import NoiseChoice
from ui.documents.document import Block, Code, Facts, Paragraph, Section
from ui.views.choose.answer import one_ratio
from ui.views.memo.choices import Memo, expert, spent_together
from ui.views.shared.strip import budget_words
from ui.words.catalogue import label
from ui.words.phrasing import times
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Failure, Upper, number

word = partial(label, "memo")


def register_section(memo: Memo, noise: NoiseChoice | None, *, tables: bool = False) -> Section:
    """The entry for a public register of deployments; `tables` where the budget is shared by tables."""
    case, line, spent = memo.case, memo.line, memo.spent
    rows = {
        "name": memo.inputs.title,
        "office": case["office"].strip() or word("not_said"),
        "released": case["released"].strip() or word("not_said"),
        "secret": memo.words("technical")["secret"],
        "unit": memo.words()["whose"],
        "relation": expert(f"register.{case['relation']}"),
    }
    if line is not None or spent is not None:
        rows |= {
            "model": expert(f"register.{'local' if case['release'] == 'coins' else 'central'}"),
            "definition": memo.guarantee,
            "scope": expert(f"scope_{case.of(Terms).scope}", releases=f"{case['releases']:,}"),
            "mechanism": _mechanism(noise, spent.fitting_noise if tables and spent is not None else None),
            "accounting": _accounting(memo),
        }
    if spent is not None:
        rows["parameters"] = f"**{memo.spend}**"
        if (unsure := _for_unsure(memo)) is not None:
            rows["unsure"] = unsure
        rows["together"] = f"{'ρ' if spent.by_rho else 'ε'} = {spent_together(spent)}"
        rows["failure"] = Failure(spent.failure, number(2)).digits
    if line is not None and line.implied.status is Status.BINDS:
        rows["line_between" if line.is_shared else "line"] = str(line.context["exact"])
        if (rule := one_ratio(line)) is not None:
            rows["ratio"] = rule.spend
        certainty = line.context["certainty"].lower()
        rows["reason"] = expert("justification", formula=line.context["formula"], certainty=certainty)
    facts = Facts(tuple((expert(f"register.{name}"), told) for name, told in rows.items()))
    seen = memo.seen("technical")
    blocks: list[Block] = [] if seen is None else [Paragraph(expert("of_line", answer=seen.answer))]
    return Section(expert("heading.register"), (*blocks, facts, Paragraph(memo.words()["promise"])))


def _mechanism(noise: NoiseChoice | None, of_tables: str | None) -> str:
    if of_tables is not None:
        return expert("mechanism_tables", noise=label("case", f"named_noise.{of_tables}"))
    if noise is None:
        return word("not_said")
    return expert(f"mechanism_{noise.changed}", noise=label("case", f"named_noise.{noise.kind}"))


def _for_unsure(memo: Memo) -> str | None:
    """The budget that holds for readers who do not know everybody else too, where the line's own is for who does."""
    line = memo.line
    found = None if line is None else budget_for_unsure(line.inputs.line_choice, line.inputs.terms)
    if found is None or memo.spent is None or not memo.spent.keeps_the_line:
        return None
    return budget_words(found, memo.spent.budget.currency)


def _accounting(memo: Memo) -> str:
    """How releases and records were added up, and for which noise that holds."""
    spent, number = memo.spent, memo.case["releases"]
    kind = f"{memo.guarantee_kind}{'_added' if number > 1 else ''}"
    if spent is not None and spent.noise is not None:
        kind = spent.noise
        if noise_kind(kind).is_whole:
            kind += f"_{1 if spent.counts_changed == 1 else 2}"
    return expert(f"accounting_{kind}", releases=f"{number:,}")


def check_section(code: str, release: str) -> Section:
    """Code that reproduces the budget, and code that releases with it."""
    blocks: list[Block] = [Paragraph(expert("code")), Code(code)]
    if release:
        blocks += [Paragraph(expert("release_code")), Code(release)]
    return Section(expert("heading.check"), tuple(blocks))


def sources_section(memo: Memo) -> Section:
    """The works that the memo stands on, each with what it is for."""
    used = ["kazan_reiter", "thesis"]
    by_rho = memo.guarantee_kind == "zero_concentrated"
    used += ["bun_steinke", "canonne_kamath_steinke"] if by_rho else ["dwork_roth"]
    if memo.guarantee_kind == "approximate":
        used.append("kairouz")
    works = (f"{WORKS[key].short}. {WORKS[key].title.partition(':')[0]}" for key in used)
    told = (f"{work}. {expert(f'source_{key}')}" for key, work in zip(used, works, strict=True))
    return Section(expert("heading.sources"), tuple(Paragraph(one, "quiet") for one in told))


def in_python(memo: Memo) -> CodeLines | None:
    """The lines that come to the memo's number; none without a line or a budget."""
    line, spent = memo.line, memo.spent
    if spent is None or (spent.is_implied and line is not None):
        return None if line is None else line.python
    place = None if line is None else line.implied.binding
    if line is None or place is None or spent.entry is not None:
        return _of_secret(memo)
    code = CodeWriter()
    drawn = code.let("line", line.implied.profile)
    implied = code.let("implied", Source(f"{drawn}.implied_epsilon(value_exponent={line.implied.value_exponent!r})"))
    shift = f"epsilon={line.shift!r}"
    if place.prior == 0:
        return code.ending(Source(f"{implied}.largest_ratio({shift})"), Upper(line.largest_ratio, times))
    belief = ", ".join(repr(float(one)) for one in line.split_of(memo.before))
    return code.ending(Source(f"{implied}.reachable({belief}, {shift})"), memo.rise.after)


def _of_secret(memo: Memo) -> CodeLines:
    """From the guarantee between the two worlds of the secret to the belief."""
    assert memo.spent is not None
    code = CodeWriter()
    shift = code.let("shift", code(shift_bound, memo.spent.of_secret(), delta_prime=memo.spent.failure))
    return code.ending(code(posterior_upper, prior=memo.before, epsilon=shift), memo.rise.after)
