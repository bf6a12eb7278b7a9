"""Where print and computation differ, told as a colleague would: what is printed, what we compute, how to check it.

The page *How we know* is made from these notes and from the rows of the tables. `check` is one line of `dpcore` that
anyone can run; its result is computed when the page's data are written and again by a test, never typed. An explanation
that we only infer from the numbers is marked as inferred.
"""

from __future__ import annotations

from dataclasses import dataclass

from riskline.record.checked import Checked


@dataclass(frozen=True, kw_only=True)
class Erratum(Checked):
    """One disagreement.

    Parameters
    ----------
    title : the disagreement in a few words
    source : key in dpcore.sources.WORKS
    locator : where it is printed
    printed : what is printed there
    reason : what we compute instead, and why
    imports, check, digits : as in `Checked`
    inferred : whether the reason is our inference from the numbers
    """

    title: str
    source: str
    locator: str
    printed: str
    reason: str
    inferred: bool = False


ERRATA: tuple[Erratum, ...] = (
    Erratum(
        title="Twelve releases at 0.135 do not keep the promise",
        source="thesis",
        locator="Example 8",
        printed="Optimal composition lets each of twelve releases spend ε = 0.135 at a total δ of 0.000001, twice what "
        "plain addition allows.",
        reason="At ε = 0.135 the twelve releases reach a total ε of 0.81 only with the δ the line below prints, about "
        "nine thousand times the stated one. At the stated δ each release may spend 0.0678, hardly more than by plain "
        "addition. The printed value equals 0.81/6, the entry of the composition theorem for l = 3; that the δ of that "
        "entry was compared with δ′ = 0.01 instead of δ is our inference.",
        imports="from dpcore.composition import optimal_composition",
        check="optimal_composition(releases=12, epsilon=0.135, total_delta=0.00901).delta",
        inferred=True,
    ),
    Erratum(
        title="A column one row too far down",
        source="thesis",
        locator="Table 2.4, column Mass",
        printed="0.161, 0.119, 0.073, 0.036, 0.015 as the probability of the noisy counts 1 to 5 when the person is "
        "counted.",
        reason="These are the probabilities when the person is not counted. When the person is counted they are the "
        "ones below, so the noisy counts 4 and 5 are about twice as frequent as the text says. The posteriors and "
        "risks of the same table agree to every printed digit.",
        imports="from dpcore.attacks.one_count import CountAttack; from dpcore.mechanisms import DiscreteGaussian",
        check="CountAttack(DiscreteGaussian(rho=0.09923), prior=0.5).release_probability([1, 2, 3, 4, 5])",
        digits=3,
    ),
    Erratum(
        title="What a block group adds to a block",
        source="thesis",
        locator="Tables 2.7 and 2.8, Figure 2.4, section 2.9",
        printed="A belief of 57.0 % that the person is counted, after the noisy counts 2 (block), 1 (block group) and "
        "-1 (siblings).",
        reason="The model stated in section 2.3.2 gives the value below; rejection sampling of that model and a Gibbs "
        "sampler of our own agree with it. The printed tables come out of a chain whose update of the block's count "
        "leaves out that the block group holds at least as many people: 57.8 % for these counts, and the shares of "
        "Table 2.8. We infer that chain from the numbers; we have not seen the code.",
        imports="from dpcore.attacks.two_levels import TwoLevels, posterior",
        check="posterior(2, 1, -1, design=TwoLevels(rho_block=0.09923, rho_group=0.24648, siblings=27, prior=0.5))",
        inferred=True,
    ),
    Erratum(
        title="From 16 to 84, not from 19 to 81",
        source="thesis",
        locator="Example 7, day 30",
        printed="The largest increase runs from 19 % to 81 %, a change of 67 points.",
        reason="From 19 to 81 are 62 points. The 67 points belong to the prior below and its mirror image, 16 % and "
        "84 %.",
        imports="from dpcore.guarantees import probabilistic_epsilon_from_rho_published; "
        "from dpcore.semantics import worst_prior_rise",
        check="worst_prior_rise(epsilon=probabilistic_epsilon_from_rho_published(rho=0.3, delta_prime=0.01))",
    ),
    Erratum(
        title="Bounds rounded inwards",
        source="thesis",
        locator="Examples 6 and 9",
        printed="After the release a manager's belief of one half lies between 48 % and 52 %; in Example 9 the ratio "
        "is at most 6 for a prior near zero.",
        reason="The bounds of Example 6 are the ones below. Printed to the nearest digit, 48 and 52 are narrower "
        "than the bound itself, so a belief may leave them; rounded outwards they read 47 and 53. In Example 9 the "
        "ratio can reach 6.05. This tool rounds every bound outwards.",
        imports="from dpcore.guarantees import ApproximateDP; from dpcore.semantics import posterior_bounds",
        check="posterior_bounds(prior=0.5, epsilon=ApproximateDP(epsilon=0.1, delta=1e-7).probabilistic_epsilon(0.01))",
        digits=5,
    ),
    Erratum(
        title="A bound and the noise itself",
        source="thesis",
        locator="Example 7",
        printed="After 58 days at ρ = 0.01 a day, a belief of one half can exceed 99 % with probability above 1 %.",
        reason="The printed day follows from a bound that holds for every mechanism with this ρ, so it is safe. "
        "With Gaussian noise itself, and every release seen, the belief stays below the value here in 99 of 100 cases "
        "on day 58; it crosses 99 % on day 112.",
        imports="from dpcore.mechanisms import Gaussian; from dpcore.privacy_loss import ExactPosterior",
        check="ExactPosterior.of(Gaussian(rho=0.01), prior=0.5, releases=58).quantile(0.99)",
    ),
    Erratum(
        title="Release 51 needs the step that the text describes",
        source="thesis",
        locator="Figure 5.3",
        printed="By advanced composition the cap of 80 % is first passed at release 51.",
        reason="51 comes out when δ = 0.001 itself is taken as the probability of failure. With the step from δ to "
        "δ′ = 0.05 that the text describes (Theorem 35), it is the release below. Which of the two the figure used is "
        "our inference.",
        imports="from dpcore.composition import AdvancedRule, BeliefPromise, first_broken",
        check="first_broken(AdvancedRule(epsilon=0.05, total_delta=0.001), "
        "BeliefPromise.posterior_cap(prior=0.5, cap=0.8, delta_prime=0.05))",
        inferred=True,
    ),
    Erratum(
        title="A box that binds nothing",
        source="kazan_reiter",
        locator="(3.28)",
        printed="A closed form for the budget of a ratio r̃ that is asked only of priors in a box.",
        reason="When the whole box lies above 1/r̃, no belief in it can rise by that factor: nothing is asked for and "
        "any budget will do. The printed form then takes the logarithm of a negative number. The case is missing, the "
        "formula is right elsewhere.",
        imports="from dpcore.profiles import Box",
        check="Box(3, (0.4, 0.9), (1.0, 1.0)).implied_epsilon().epsilon",
    ),
    Erratum(
        title="A grid of priors recommends a little too much",
        source="kazan_reiter",
        locator="section 3.10.3 and the authors' functions",
        printed="0.65 for max{0.25/(pq), 3}, found on a grid of step 0.001.",
        reason="The printed digits agree. The grid itself gives 0.6506, the exact value is the one below: every grid "
        "passes over the deciding prior and errs on the unsafe side. Here the minimum is found exactly.",
        imports="from dpcore.profiles import CapOrRatio",
        check='CapOrRatio(0.25, 3, value_prior="any").implied_epsilon().epsilon',
        digits=5,
    ),
    Erratum(
        title="17.91 is cut, not rounded",
        source="thesis",
        locator="chapter 2.2.3",
        printed="ρ = 2.56 is ε = 17.91 at δ = 10⁻¹⁰.",
        reason="The formula gives the value below. An ε that is guaranteed must be rounded up, to 17.92.",
        imports="from dpcore.guarantees import approximate_epsilon_from_rho",
        check="approximate_epsilon_from_rho(rho=2.56, delta=1e-10)",
        digits=6,
    ),
    Erratum(
        title="Adding converted budgets: 19.61",
        source="canonne_kamath_steinke",
        locator="published for the 2020 Census redistricting data",
        printed="ε = 17.14 for persons, 2.47 for housing units and 19.61 for both, at δ = 10⁻¹⁰.",
        reason="Adding ρ first (2.56 + 0.07 = 2.63) and converting once gives the value below, at the same δ. Adding "
        "the two ε is a valid bound but spends δ twice. For persons, ρ = 2.56 gives 17.16; ρ = 2.555, which rounds to "
        "2.56, gives 17.14: that ρ was rounded after the conversion is our inference.",
        imports="from dpcore.guarantees import approximate_epsilon_from_rho_best_order",
        check="approximate_epsilon_from_rho_best_order(rho=2.63, delta=1e-10)",
        inferred=True,
    ),
    Erratum(
        title="17.14 is not a pure budget",
        source="bun_steinke",
        locator="published for the 2020 Census redistricting data, persons",
        printed="ε = 17.14, often read as if it allowed a guess that is right 99.999996 % of the time.",
        reason="That reading takes 17.14 for a pure ε. It is the ε at δ = 10⁻¹⁰ of a release with ρ = 2.56, where a "
        "fifty-fifty bet on a value is right with at most the probability below, whichever release has this budget.",
        imports="from dpcore.deployments import deployment, right_guess",
        check='right_guess(deployment("2020 Census redistricting data, persons"), secret="value")',
    ),
    Erratum(
        title="The price of a published total is not -0.5",
        source="gong_meng",
        locator="section 5.1",
        printed="γ = -0.5 for two bins conditioned on their total: conditioning would even save budget.",
        reason="The value takes its budget from neighbours that replace a record and its distance from neighbours that "
        "add one. In either consistent accounting γ is the value below: nothing is saved, nothing is lost.",
        imports="from dpcore.totals import two_bin_price",
        check='two_bin_price("add_or_remove").gamma',
    ),
    Erratum(
        title="A sign in the Rényi divergence",
        source="liu",
        locator="Definition 2.4",
        printed="A factor 1/(1 - α) in front of the logarithm.",
        reason="With that factor every divergence is negative. With 1/(α - 1) the example of order 2 gives the value "
        "below. The rest of the paper uses the right sign.",
        imports="from dpcore.public_information import renyi_divergence",
        check="renyi_divergence([0.5, 0.5], [0.25, 0.75], order=2)",
    ),
    Erratum(
        title="A privacy loss without its normaliser",
        source="seeman",
        locator="Theorem 1",
        printed="A partially private release keeps its nominal budget (1 in the example) under any congenial base law.",
        reason="The law's normaliser depends on the true table and is left out. For three cells and a total of 6 the "
        "exact loss is the value below; with a skewed base it nearly doubles. Half the nominal budget is safe.",
        imports="from dpcore.public_information import worst_table_loss",
        check="worst_table_loss(cells=3, total=6, epsilon_per_unit=0.5)",
    ),
    Erratum(
        title="A level set that is one too small",
        source="seeman",
        locator="equation (6)",
        printed="The set of levels of the count, formed from one of the two laws: a distance of 6.",
        reason="When a yes makes the others less likely to say yes, the other law reaches one level further.",
        imports="from dpcore.public_information import CorrelatedAnswers",
        check="CorrelatedAnswers(people=10, rate_if_no=0.9, rate_if_yes=0.1).distance",
    ),
    Erratum(
        title="A rejection step turned round",
        source="seeman",
        locator="Algorithm 1",
        printed="Accept when U exceeds the ratio, with a bound taken over the release alone.",
        reason="A proposal must be accepted when U is at most the ratio, and the bound must hold over the true count "
        "as well: with the printed bound, 20 people and a release of 1 have a posterior mean of 0.1387. The exact "
        "one is below, and a filter with the right bound and inequality meets it.",
        imports="from dpcore.public_information import RangedCount",
        check='RangedCount(people=20, epsilon=0.5, treatment="conditioned").rate_posterior(1).mean',
    ),
    Erratum(
        title="A variance of 0.1",
        source="wang_reiter",
        locator="Table 2, scenario 2, summed",
        printed="Variance of the maximum: 0.1.",
        reason="Noise with the paper's budget of 5 has the variance below in each part, and making parts add up moves "
        "it to at most 0.03. A slip of one decimal place would explain the print; that is our inference.",
        imports="from dpcore.mechanisms import Geometric",
        check="Geometric(epsilon=5.0).std ** 2",
        inferred=True,
    ),
)
