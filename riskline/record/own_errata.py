"""What earlier versions of Riskline said wrongly: what was said and where, what is right, and one line to check it.

The page *How we know* shows these notes beside the errata of others. `check` is one expression of `dpcore`; its result
is computed when the page's data are written and again by a test. `said` is the number the earlier version printed.
"""

from __future__ import annotations

from dataclasses import dataclass

from riskline.record.checked import Checked


@dataclass(frozen=True, kw_only=True)
class OwnErratum(Checked):
    """One thing an earlier version said wrongly.

    Parameters
    ----------
    title : the fault in a few words
    version : which version said it
    where : the page or function
    printed : what it said
    reason : what is right, and what was wrong in the reasoning
    imports, check, digits : as in `Checked`
    said : the wrong number, in the unit of the check's result
    """

    title: str
    version: str
    where: str
    printed: str
    reason: str
    said: float


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
    OwnErratum(
        title="The day of a crossing was the day of somebody who looks once",
        version="0.1",
        where="Several releases",
        printed="With one count a day at ρ = 0.01, a cap of 99 in 100 is first passed on day 112, except in 1 "
        "of 100 cases.",
        reason="112 is right for a day that is fixed beforehand. Somebody who looks every day passes the cap on some "
        "day up to then more often, and has passed it with that probability by the day that the line prints. "
        "The page "
        "now shows both.",
        imports="import math; from dpcore.first_passage import first_passing; from dpcore.mechanisms import "
        "Gaussian; from "
        "dpcore.privacy_loss import PrivacyLoss",
        check="first_passing(PrivacyLoss.of(Gaussian(rho=0.01)), shift=math.log(99), failure=0.01, at_most=365).some",
        said=112,
    ),
    OwnErratum(
        title="A search stopped at the first number that was safe again",
        version="0.1",
        where="Several releases",
        printed="A round of one geometric count at 0.3 and two at 0.1 keeps a promise of 60 points, except in "
        "20 of 100 "
        "cases, until round 26.",
        reason="With unequal releases the chance can fall and rise again from round to round. The first round that "
        "breaks the promise is earlier.",
        imports="import math; from dpcore.first_passage import first_round_beyond; from dpcore.mechanisms "
        "import Geometric; "
        "from dpcore.privacy_loss import PrivacyLoss",
        check="first_round_beyond(PrivacyLoss(((Geometric(epsilon=0.3), 1), (Geometric(epsilon=0.1), 2))), shift=4 * "
        'math.atanh(0.6), failure=0.2, at_most=100, direction="either")',
        said=26,
    ),
    OwnErratum(
        title="Tails were told for a guarantee that has none",
        version="0.1",
        where="Several releases, dpcore.privacy_loss",
        printed="Twelve releases with ε = 0.1 each, whatever they are, move the log odds by more than 0.45 in "
        "10.03 of 100 "
        "cases.",
        reason="That is randomised response, the worst mechanism for the pair (ε, δ), not for tails: Laplace "
        "noise with the "
        "same ε does it more often, as the line prints in per cent, and other mechanisms more often still. "
        "Exact tails "
        "and quantiles of a guarantee alone are refused now.",
        imports="from dpcore.mechanisms import Laplace; from dpcore.privacy_loss import PrivacyLoss",
        check="100 * PrivacyLoss.of(Laplace(epsilon=0.1), 12).exceedance(0.45)",
        said=10.03,
    ),
    OwnErratum(
        title="A changed value was bounded as if one count had changed",
        version="0.1",
        where="Attack one block",
        printed="For one unknown characteristic, no release with ρ = 0.0992, however made, brings an even "
        "belief above 55 in "
        "100 on average.",
        reason="A changed value moves a person from one cell to another, two steps where records are added or "
        "removed. "
        "Publishing the difference of the two cells already reaches 58 in 100; the bound for every release is "
        "what the "
        "line prints.",
        imports="from dpcore.attacks.any_release import belief_upper; "
        "from dpcore.guarantees import ZeroConcentratedDP; "
        "from dpcore.promise import Promise",
        check='100 * belief_upper(ZeroConcentratedDP(rho=0.0992), prior=0.5, promise=Promise(secret="value", '
        'relation="add_or_remove"))',
        said=54.9,
    ),
    OwnErratum(
        title="The belief before was rounded to the nearest beside its limit",
        version="0.1 and 0.2",
        where="Choose a budget, Compare positions, What an ε means, every page with a belief before",
        printed="A line of 3 times up to 20 in 100 allows ε = 1.25: someone who thinks it 7 in 100 likely that a given "
        "person is in the data can come to think it 20 in 100 likely, and no more.",
        reason="The limit belongs to the belief that decides, 1 in 15, and was printed beside the next whole number "
        "above it. A limit for a belief holds for every smaller one and for no larger one: from 7 in 100 the same "
        "budget allows what the check prints. A belief before is rounded down now, with as many "
        "digits as its limit needs, and one that was typed keeps its digits where limits stand on both of its sides.",
        imports="from dpcore.semantics import posterior_upper",
        check="100 * posterior_upper(prior=0.07, epsilon=1.25)",
        said=20,
    ),
    OwnErratum(
        title="One ratio for everybody was told in another unit than the line",
        version="0.1 and 0.2",
        where="Choose a budget, Decision memo",
        printed="For a household of four the default line allows ε = 0.32; its strictest ratio at every belief, 3 "
        "times, would allow ε = 1.09, and the line gains 0.2.",
        reason="0.32 is for one record, and 1.09 moves the odds between the two cases, the whole household in the data "
        "or not. Asked for the same household, the ratio allows what the line prints, and the line gains 0.05. With "
        "twelve releases, or with a ρ, the two numbers stood apart in the same way.",
        imports="from dpcore.profiles import Constant, budget",
        check="budget(Constant(3, value_prior=1.0), group=4).each.epsilon",
        said=1.09,
    ),
    OwnErratum(
        title="Answers were said to hide who gave them",
        version="0.1 and 0.2",
        where="Several releases, dpcore.mechanisms",
        printed="After six answers by randomised response with ε = 0.5 each, a belief of 50 in 100 that a given person "
        "is in the data has become at most 96 in 100.",
        reason="Randomised response hides what somebody answered, not that they did: who takes part gives one of the "
        "answers for certain, as the check adds up, and whoever collects them sees it. A plan with such answers is "
        "asked about a value now, and the guarantee of randomised response speaks of an answer replaced by another.",
        imports="from dpcore.mechanisms import RandomizedResponse",
        check="100 * (RandomizedResponse(epsilon=0.5).probability_truthful + "
        "RandomizedResponse(epsilon=0.5).probability_other)",
        said=96,
    ),
    OwnErratum(
        title="One ratio at every belief was promised without its exception",
        version="0.1 to 0.3",
        where="Choose a budget, Decision memo and its slides",
        printed="With continuous Gaussian noise a line of 3 times allows ρ = 0.087: nobody's belief that a given "
        "person is in the data can become more than 3 times as strong.",
        reason="Under a ρ, and under ε with a δ, the limit holds except with the probability of failing. At ρ = 0.087 "
        "a rare belief becomes more than 3 times as strong in so many of 100 releases as the line prints. The "
        "exception stands in the same sentence now.",
        imports="import math; from dpcore.mechanisms import Gaussian; from dpcore.privacy_loss import PrivacyLoss",
        check="100 * PrivacyLoss.of(Gaussian(rho=0.087)).exceedance(math.log(3))",
        said=0,
    ),
    OwnErratum(
        title="A limit on some beliefs was told as one on all",
        version="0.1 to 0.3",
        where="Choose a budget, Decision memo",
        printed="A line of 3 times over both beliefs from 0 to 60 in 100 allows ε = 0.72: nobody's belief can become "
        "more than 3 times as strong.",
        reason="The line asks for nothing where somebody is surer than 60 in 100 of being in the data, and the budget "
        "lets a rare value become more likely there, by as much as the line prints. The page now tells the largest "
        "ratio over all beliefs.",
        imports="from dpcore.profiles import Box",
        check="Box(3, (0, 0.6), (0, 0.6)).implied_epsilon().largest_ratio(epsilon=0.72)",
        said=3,
    ),
    OwnErratum(
        title="The columns of a table were read in another order than its heads say",
        version="0.3",
        where="Plan a publication, small places",
        printed="Under the heads area, people, true count, as its own table has them, an area of 800 people with 3 "
        "cases was read as 800 cases among 3 people: with whole-number noise of ε = 0.5 and a target of at most 4 in a "
        "thousand it is published on the wrong side 0 times in 100.",
        reason="Heads were left out and columns taken for name, count and people. They are read now, wherever a table "
        "is typed, pasted or uploaded, and a count above its people is refused unless the reader says that one person "
        "may be counted several times. The area is on the wrong side as often in 100 as the line prints.",
        imports="from dpcore.mechanisms import Geometric; from dpcore.publication import wrong_sides",
        check="100 * wrong_sides([3], [3], mechanism=Geometric(epsilon=0.5)).expected",
        said=0,
    ),
    OwnErratum(
        title="An exact chance was promised to readers whom it does not bind",
        version="0.1 to 0.3",
        where="Lessons, the label for participants",
        printed="With discrete Gaussian noise at ρ = 0.14, a belief of 1 in 12 passes 25 in 100 in at most 1 of 100 "
        "releases, for somebody to whom other people's data say nothing about yours.",
        reason="That chance is exact for somebody who knows everybody else and sees the noisy count. Who is unsure "
        "about one other person, as likely counted as not, passes 25 in 100 as often as the line prints: averaging "
        "over the other person can raise the chance. Every page with an exact chance says whom it is about.",
        imports="from dpcore.mechanisms import DiscreteGaussian",
        check="[100 * sum(p + q for y in range(-40, 40) for o, p, q in [noise.pmf([y + 1, y, y - 1]) / 2] if 3 * (p + "
        "q) > 11 * (o + p)) for noise in [DiscreteGaussian(rho=0.14)]][0]",
        said=1.0,
    ),
    OwnErratum(
        title="A table of districts was priced as one count",
        version="0.3",
        where="Decision memo, What it costs",
        printed="With records replaced, the default line allows ε = 1.29, and each of 40 districts was described with "
        "the noise of ε = 1.29: a belief of 1 in 12 can become 25 in 100.",
        reason="Whoever is replaced may be counted in another district, which changes two counts: with that noise on "
        "each, a belief of 1 in 12 becomes as many in 100 as the line prints. Each count now has the noise of half the "
        "ε or ρ, and whole-number noise at a ρ that is certified for one count and for two.",
        imports="from dpcore.semantics import posterior_upper",
        check="100 * posterior_upper(prior=1 / 12, epsilon=2 * 1.29)",
        said=25,
    ),
    OwnErratum(
        title="Bounds between two worlds were said to need no independence",
        version="0.1 to 0.3",
        where="Decision memo, technical voice",
        printed="The target's record is independent of the others (Theorem 4); the two-world questions need no such "
        "assumption: at ε = 1 an even belief becomes at most 73.1 in 100.",
        reason="Two worlds that differ in one record have the same other records. If another row is known to be the "
        "same as hers and is not known itself, both move with her secret, and an even belief can become what the line "
        "prints. Every bound between two worlds needs the others to say nothing about her.",
        imports="from dpcore.semantics import posterior_upper",
        check="100 * posterior_upper(prior=0.5, epsilon=2 * 1)",
        said=73.1,
    ),
    OwnErratum(
        title="A total over many districts was priced as if nobody could live elsewhere",
        version="0.3",
        where="Plan a publication, its OpenDP lines, dpcore.publication",
        printed="With records replaced, a total of days from 0 to 30 in each of 40 districts gets noise of ε = 1.29 "
        "for 30 days: a belief of 1 in 12 can become 25 in 100.",
        reason="Whoever is replaced may live in another district: thirty days leave one total and come to another, "
        "and a belief of 1 in 12 becomes as many in 100 as the line prints. The example of a labour-market quarter "
        "spent 1.29 times its ρ. Totals are now priced by both districts, unless somebody says that the district is "
        "taken as known, which every limit then says; means of several districts are refused else.",
        imports="from dpcore.publication import ClippedTotal, Publication; "
        "from dpcore.semantics import posterior_upper",
        check="100 * posterior_upper(prior=1 / 12, epsilon=1.29 / 30 * float(Publication((ClippedTotal(low=0, "
        "high=30, areas=40),), 'replace').sensitivities[0]))",
        said=25,
    ),
    OwnErratum(
        title="Handed on, a total had the noise of a count",
        version="0.3",
        where="Several releases, from Plan a publication",
        printed="A total of pay from 0 to 9,000, released with Gaussian noise at ρ = 0.01, is within ± 13.9 at least "
        "95 of 100 times.",
        reason="That is the noise of a count, which a record moves by 1. A row now keeps by how much a record moves "
        "it, and its range is the one that the line prints.",
        imports="from dpcore.accuracy import count_error; from dpcore.mechanisms import Gaussian",
        check="count_error(Gaussian(rho=0.01, sensitivity=9000), level=0.95).half_width",
        said=13.9,
    ),
    OwnErratum(
        title="What any release may tell was reckoned from one count",
        version="0.2 and 0.3",
        where="What an ε means, riskline tradeoff",
        printed="With Gaussian noise at ρ = 0.1 a guess at a value is right 59 times in 100 on an even bet, after any "
        "other release with this ρ at most 62 times.",
        reason="One plain count moves by one step when a value changes. Where records are added or removed any release "
        "has two, and the most that one of them allows, a test of one step made twice, is what the line prints. Noise "
        "that is named no longer decides what is said of any other release.",
        imports="from dpcore.guarantees import ZeroConcentratedDP; from dpcore.promise import Promise; from "
        "dpcore.tradeoff import trade_off_of_secret",
        check='100 * trade_off_of_secret(ZeroConcentratedDP(rho=0.1), Promise(secret="value", '
        'relation="add_or_remove")).right_guess()',
        said=62,
    ),
    OwnErratum(
        title="What any release may spend was four times too much for a value",
        version="0.2 and 0.3",
        where="Several releases, riskline plan",
        printed="With 58 daily counts, each release could spend ρ = 0.013 by any mechanism and keep a belief in a "
        "value below 99 in 100, except in 1 of 100 cases.",
        reason="That is for presence, one step away. A value that is another record removed and added is two steps "
        "away, and the ρ of any mechanism counts four times; only noise on one plain count moves by one step.",
        imports="from dpcore.composition import BeliefPromise, largest_rho_each",
        check='largest_rho_each(BeliefPromise.posterior_cap(prior=0.5, cap=0.99, delta_prime=0.01, direction="rise"), '
        "releases=58) / 2**2",
        said=0.013,
    ),
    OwnErratum(
        title="The most of any release was a bound that none reaches",
        version="0.2 and 0.3",
        where="Published budgets, Decision memo, Attack one block",
        printed="Of symptom trends with ε = 1.68, which count added and removed records, a guess at a value is right "
        "97 times in 100 on an even bet: the most that any release with the budget allows.",
        reason="Two steps were taken as one of twice the ε, a bound that no release reaches. Made twice, the test of "
        "one step gives the most that some release allows, which the line prints.",
        imports="from dpcore.deployments import deployment, right_guess",
        check='100 * right_guess(deployment("Google symptom search trends"), secret="value")',
        said=96.65,
    ),
    OwnErratum(
        title="A household's belief stood beside a person",
        version="0.2 and 0.3",
        where="Several releases, longer units of protection",
        printed="Twelve monthly counts of a household of four with ε = 0.1 each: what a person does in one month can "
        "bring a belief to at most 60 in 100.",
        reason="The belief was that about the whole household; of one person in it the line prints. Each row names "
        "whom the promise is about now.",
        imports="from dpcore.semantics import posterior_upper",
        check="100 * posterior_upper(prior=0.5, epsilon=0.1)",
        said=60,
    ),
    OwnErratum(
        title="Two people who change places were compared with one who moves",
        version="0.1 to 0.3",
        where="Publish exact totals",
        printed="With row and column totals exact and ε = 1, a suspicion of 5 in 100 rises for moves that keep the "
        "totals; without exact totals it is 13 in 100.",
        reason="Only two people who change places keep both kinds of totals, and their change loses twice the ε of one "
        "person's move with or without the totals: without them a suspicion rises to what the line prints.",
        imports="from dpcore.semantics import posterior_upper",
        check="100 * posterior_upper(prior=0.05, epsilon=2 * 1)",
        said=13,
    ),
    OwnErratum(
        title="What somebody may come to was printed beyond the line",
        version="0.1 to 0.3",
        where="Decision memo",
        printed="Somebody can come to think it 51 in 100 likely, and no more; the accepted line stops at 50 in 100.",
        reason="The line stops at 50.5 and the budget stays below it: the one number was rounded up and the other "
        "down. Numbers that stand in an order have one digit more now where rounding would turn the order round.",
        imports="from dpcore.profiles import CapOrRatio",
        check="100 * CapOrRatio(0.505, 3, value_prior=1.0).implied_epsilon().reachable(0.505 / 3, epsilon=1.61)",
        said=51,
    ),
    OwnErratum(
        title="A memo told a budget that nobody had chosen",
        version="0.1 to 0.3",
        where="Decision memo",
        printed="After the positions on households of two were compared (ε = 0.64 for the first), the memo of it said: "
        "the release is made with ε = 1.29.",
        reason="1.29 is the budget of the built-in example, for one person. A memo reads the case now, the same on all "
        "pages: without a line it names no budget, and until somebody decides it is headed as a draft.",
        imports="from dpcore.profiles import CapOrRatio, budget",
        check="budget(CapOrRatio(0.25, 3, value_prior=1.0), group=2).recommended_each",
        said=1.29,
    ),
)
