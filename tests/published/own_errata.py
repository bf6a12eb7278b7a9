"""What earlier versions of Riskline said wrongly: what was said and where, what is right, and one line to check it.

The page *How we know* shows these notes beside the errata of others. `check` is one expression of `dpcore`; its result
is computed when the page's data are written and again by a test. `said` is the number the earlier version printed.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.published.errata import checked


@dataclass(frozen=True, kw_only=True)
class OwnErratum:
    """One thing an earlier version said wrongly.

    Parameters
    ----------
    title : the fault in a few words
    version : which version said it
    where : the page or function
    printed : what it said
    reason : what is right, and what was wrong in the reasoning
    imports, check : the names of dpcore that the check uses, and one expression
    said : the wrong number, in the unit of the check's result
    digits : significant digits in which the check's result is shown
    """

    title: str
    version: str
    where: str
    printed: str
    reason: str
    imports: str
    check: str
    said: float
    digits: int = 4

    @property
    def line(self) -> str:
        """The check as one line of Python."""
        return f"{self.imports}; print({self.check})"

    def result(self) -> str:
        """What the check gives now, to the note's digits."""
        return checked(self.imports, self.check, self.digits)


OWN_ERRATA: tuple[OwnErratum, ...] = (
    OwnErratum(
        title="A value was bounded with the ε of membership",
        version="0.1",
        where="Published budgets, What an ε means",
        printed="For a budget of ε = 1.68 a belief of 1 in 100 about a secret of one unit could become at most "
        "5.15 in 100.",
        reason="That holds for whether somebody is in the data. A value under a budget that counts added and removed "
        "records lies two steps away (remove the record, add another), so its ε is twice the budget. The page "
        "now asks "
        "which secret is meant.",
        imports="from dpcore.deployments import deployment, posterior_upper",
        check='100 * posterior_upper(deployment("Google symptom search trends"), secret="value", prior=0.01)',
        said=5.15,
    ),
    OwnErratum(
        title="87 in 100 was not the best an attacker can do",
        version="0.1",
        where="Published budgets, Lessons, README",
        printed="At ρ = 2.56 the best attacker on a fifty-fifty bet is right 87 times in 100.",
        reason="87.1 is Gaussian noise on one count in the worst case. Among all releases with that ρ the best "
        "guess is "
        "that after randomised response with ε tanh(ε/2) = ρ; a value under added and removed records has 4ρ "
        "and is as "
        "good as certain.",
        imports="from dpcore.deployments import deployment, right_guess",
        check='100 * right_guess(deployment("2020 Census redistricting data, persons"), secret="value")',
        said=87.1,
    ),
    OwnErratum(
        title="Integer noise was given the budget of continuous noise",
        version="0.1",
        where="Choose a budget, Decision memo, Several releases, README",
        printed="With Gaussian noise the default line allows ρ = 0.12 at a failure probability of 1 in 100, and "
        "the memo set up "
        "discrete Gaussian noise with it.",
        reason="ρ = 0.12 is exact for continuous noise. Discrete Gaussian noise at that ρ moves the log odds "
        "too far in "
        "more than 1 of 100 releases, as the line below prints in per cent. Integer noise now has a certificate "
        "of its own, "
        "verified on its exact law.",
        imports="from dpcore.mechanisms import DiscreteGaussian; from dpcore.privacy_loss import PrivacyLoss; from "
        "dpcore.profiles import CapOrRatio",
        check="100 * PrivacyLoss.of(DiscreteGaussian(rho=0.12)).exceedance(CapOrRatio(0.25, 3, "
        'value_prior=1.0).implied_epsilon().epsilon, direction="either")',
        said=1.0,
    ),
    OwnErratum(
        title="What a line gains was measured against another question",
        version="0.1",
        where="Choose a budget, Decision memo",
        printed="For one plain count the default line over both beliefs gained ε = 0.749 over its strictest ratio, "
        "3 times.",
        reason="The ratio alone was given log(3)/2, its budget for any kind of release. For one plain count it is "
        "log(3), so the line gains what the check prints. The line and the ratio now answer the same question about "
        "the same kind of release.",
        imports="from dpcore.profiles import CapOrRatio",
        check='CapOrRatio(0.25, 3, value_prior="any").implied_epsilon(value_exponent=1.0).gain',
        said=0.749,
    ),
    OwnErratum(
        title="Leaving a word out halved the budget",
        version="0.1",
        where="dpcore.profiles",
        printed="CapOrRatio(0.25, 3) gave ε = 0.65 where the reader meant presence, for which the line allows 1.30.",
        reason="Without `value_prior` the profile was read over both beliefs, being in the data and having the "
        "value. A "
        "template now refuses to guess what it is about.",
        imports="from dpcore.profiles import CapOrRatio",
        check="CapOrRatio(0.25, 3, value_prior=1.0).implied_epsilon().epsilon",
        said=0.6496,
    ),
    OwnErratum(
        title="A household's memo carried one person's ε",
        version="0.1",
        where="Decision memo, label of Lessons",
        printed="For a household of four the budget of one record, ε = 1.29, was printed as the promise.",
        reason="Four records that belong together amount to four times ε. The memo now states the budget at "
        "every unit.",
        imports="from dpcore.guarantees import PureDP; from dpcore.promise import Promise",
        check='Promise(secret="presence", relation="add_or_remove", unit="household", group=4).guarantee_of_secret('
        "PureDP(epsilon=1.29)).epsilon",
        said=1.29,
    ),
    OwnErratum(
        title="A failure probability was rounded to the unsafe side",
        version="0.1",
        where="every page with a δ′",
        printed="A failure probability of 0.0149 was told as 1 in 100.",
        reason="A failure probability bounds how often a promise fails, so it is rounded up, like a risk.",
        imports="from dpcore.rounding import round_up",
        check="100 * round_up(0.0149, 2)",
        said=1.0,
    ),
)
