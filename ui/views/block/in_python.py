"""The same in Python: the belief after a release, from the noise, the prior and what was published."""

from __future__ import annotations

from dpcore.attacks.one_count import CountAttack
from dpcore.populations import census_rho
from ui.views.block.attack import DRAWN, Attack
from ui.words.phrasing import decimal_belief, frequency
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.quantities import Exact


def in_python(attack: Attack) -> CodeLines:
    """The lines for the belief after the release shown, or for the mean of the beliefs after a hundred."""
    code, inputs = CodeWriter(), attack.inputs
    census = attack.kind.census(inputs)
    budget = code.let("budget", code(census_rho, inputs.level) if census else attack.budget)
    rate = budget if inputs.hides == "presence" else Source(f"{budget} / 2")
    noise = code.let("noise", code(type(attack.noise), **{attack.kind.asked[1]: rate}))
    known = code.let("known", attack.target.known)
    asked = code.let("attack", code(CountAttack, noise, prior=inputs.prior, known=known))
    drawn = Source(f"{noise}.simulate_noise({DRAWN}, seed={inputs.seed})")
    published = code.let("published", Source(f"{known} + {attack.counted} + {drawn}"))
    hundred = inputs.draws == "hundred"
    said = float(attack.after.mean() if hundred else attack.after[0])
    after = Source(f"{asked}.posterior({published}){'.mean()' if hundred else '[0]'}")
    return code.ending(after, Exact(said, decimal_belief if attack.style.technical else frequency))
