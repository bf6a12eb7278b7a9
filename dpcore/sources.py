"""The bibliography: every public function of dpcore cites one of these works and a place in it.

A docstring says ``Source: key, locator; key, locator`` below its prose, for example ``Source: thesis, Theorem 5``. The
key ``ours`` marks a derivation of this project; the docstring then says what was derived and how it was checked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpcore.errors import Code, Refused


@dataclass(frozen=True)
class Work:
    """A work that Riskline computes from: who, when, what, where it appeared.

    A place in the literature: no promise belongs to it.

    Examples
    --------
    >>> Work("Riskline", 2026, "A derivation of its own", "dpcore").short
    'Riskline (2026)'
    """

    authors: str
    year: int | None
    title: str
    venue: str

    @property
    def short(self) -> str:
        """The work as a reader would name it: authors and year."""
        return f"{self.authors} ({self.year})" if self.year else self.authors


WORKS: dict[str, Work] = {
    "thesis": Work(
        "Kazan",
        None,
        "Doctoral thesis on differential privacy and Bayesian methods: hierarchical counts (chapter 2), risk profiles "
        "(chapter 3), inference from noisy bounded data (chapter 4), what a budget means (chapter 5)",
        "Duke University",
    ),
    "kazan_reiter": Work(
        "Kazan and Reiter",
        2024,
        "Prior-itizing privacy: a Bayesian approach to setting the privacy budget in differential privacy",
        "NeurIPS 2024; chapter 3 of the thesis",
    ),
    "lee_clifton": Work(
        "Lee and Clifton", 2011, "How much is enough? Choosing epsilon for differential privacy", "ISC 2011"
    ),
    "wood": Work(
        "Wood et al.",
        2018,
        "Differential privacy: a primer for a non-technical audience",
        "Vanderbilt Journal of Entertainment and Technology Law 21(1)",
    ),
    "dwork_roth": Work(
        "Dwork and Roth",
        2014,
        "The algorithmic foundations of differential privacy",
        "Foundations and Trends in Theoretical Computer Science 9(3-4)",
    ),
    "dwork_rothblum_vadhan": Work("Dwork, Rothblum and Vadhan", 2010, "Boosting and differential privacy", "FOCS 2010"),
    "dong": Work(
        "Dong, Roth and Su",
        2022,
        "Gaussian differential privacy",
        "Journal of the Royal Statistical Society B 84(1)",
    ),
    "kairouz": Work(
        "Kairouz, Oh and Viswanath",
        2017,
        "The composition theorem for differential privacy",
        "IEEE Transactions on Information Theory 63(6)",
    ),
    "murtagh_vadhan": Work(
        "Murtagh and Vadhan",
        2018,
        "The complexity of computing the optimal composition of differential privacy",
        "Theory of Computing 14",
    ),
    "bun_steinke": Work(
        "Bun and Steinke",
        2016,
        "Concentrated differential privacy: simplifications, extensions, and lower bounds",
        "TCC 2016-B",
    ),
    "canonne_kamath_steinke": Work(
        "Canonne, Kamath and Steinke", 2020, "The discrete Gaussian for differential privacy", "NeurIPS 2020"
    ),
    "balle_wang": Work(
        "Balle and Wang",
        2018,
        "Improving the Gaussian mechanism for differential privacy: analytical calibration and optimal denoising",
        "ICML 2018",
    ),
    "ghosh": Work(
        "Ghosh, Roughgarden and Sundararajan",
        2012,
        "Universally utility-maximizing privacy mechanisms",
        "SIAM Journal on Computing 41(6)",
    ),
    "gong_meng": Work("Gong and Meng", 2020, "Congenial differential privacy under mandated disclosure", "FODS 2020"),
    "wang_reiter": Work(
        "Wang and Reiter",
        2021,
        "Post-processing differentially private counts to satisfy additive constraints",
        "Transactions on Data Privacy 14",
    ),
    "seeman": Work(
        "Seeman, Slavkovic and Reimherr",
        2022,
        "A formal privacy framework for partially private data",
        "working paper, 5 April 2022",
    ),
    "liu": Work(
        "Liu, Vietri, Steinke, Ullman and Wu",
        2021,
        "Leveraging public data for practical private query release",
        "ICML 2021",
    ),
    "brownlee": Work(
        "Brownlee",
        1965,
        "Statistical theory and methodology in science and engineering",
        "Wiley, 2nd edition",
    ),
    "fraser_wooton": Work(
        "Fraser and Wooton",
        2006,
        "A proposed method for confidentialising tabular output to protect against differencing",
        "Monographs of official statistics: work session on statistical data confidentiality, Eurostat",
    ),
    "giessing": Work(
        "Giessing",
        2016,
        "Computational issues in the design of transition probabilities and disclosure risk estimation for additive "
        "noise",
        "Privacy in Statistical Databases 2016",
    ),
    "ptable": Work(
        "Enderle", 2023, "ptable: generation of perturbation tables for the cell-key method", "R package, version 1.0.0"
    ),
    "hundepool": Work("Hundepool et al.", 2012, "Statistical disclosure control", "Wiley"),
    "bailie_gong_meng": Work(
        "Bailie, Gong and Meng",
        2025,
        "A refreshment stirred, not shaken: invariant-preserving deployments of differential privacy for the U.S. "
        "Decennial Census",
        "arXiv 2501.08449",
    ),
    "vehtari": Work(
        "Vehtari, Gelman, Simpson, Carpenter and Bürkner",
        2021,
        "Rank-normalization, folding, and localization: an improved R-hat for assessing convergence of MCMC",
        "Bayesian Analysis 16(2)",
    ),
    "census_2020": Work(
        "US Census Bureau",
        2021,
        "DAS 2020 redistricting production code: configuration of the person file, United States",
        "public repository of the Census Bureau",
    ),
    "su_su_wang": Work(
        "Su, Su and Wang",
        2024,
        "The 2020 United States Decennial Census is more private than you (might) think",
        "arXiv 2410.09296, with its public repository",
    ),
    "ville": Work("Ville", 1939, "Étude critique de la notion de collectif", "Gauthier-Villars, Paris"),
    "clopper_pearson": Work(
        "Clopper and Pearson",
        1934,
        "The use of confidence or fiducial limits illustrated in the case of the binomial",
        "Biometrika 26(4)",
    ),
    "pearson": Work(
        "Pearson",
        1900,
        "On the criterion that a given system of deviations from the probable in the case of a correlated system of "
        "variables is such that it can be reasonably supposed to have arisen from random sampling",
        "Philosophical Magazine 50(302)",
    ),
    "steinke_nasr_jagielski": Work(
        "Steinke, Nasr and Jagielski", 2023, "Privacy auditing with one (1) training run", "NeurIPS 2023"
    ),
    "gonzalez": Work(
        "González, Dulce-Rubio, Ramdas and Ribero",
        2025,
        "Sequentially auditing differential privacy",
        "NeurIPS 2025",
    ),
    "fisher": Work("Fisher", 1935, "The design of experiments", "Oliver and Boyd, Edinburgh"),
    "rigdon_hudgens": Work(
        "Rigdon and Hudgens",
        2015,
        "Randomization inference for treatment effects on a binary outcome",
        "Statistics in Medicine 34(6)",
    ),
    "li_ding": Work(
        "Li and Ding",
        2016,
        "Exact confidence intervals for the average causal effect on a binary outcome",
        "Statistics in Medicine 35(6)",
    ),
    "zhu_dong_wang": Work(
        "Zhu, Dong and Wang",
        2022,
        "Optimal accounting of differential privacy via characteristic function",
        "AISTATS 2022",
    ),
    "dong_durfee_rogers": Work(
        "Dong, Durfee and Rogers",
        2020,
        "Optimal differential privacy composition for exponential mechanisms",
        "ICML 2020",
    ),
    "ours": Work(
        "Riskline",
        None,
        "Derivations of this project, each checked by an independent computation",
        "docs and tests",
    ),
}
"""Every work that is cited, by its key."""


def work(key: str) -> Work:
    """The work a citation key names.

    A place in the literature: no promise belongs to it.

    Examples
    --------
    >>> work("ours").authors
    'Riskline'
    """
    if not isinstance(key, str) or key not in WORKS:
        raise Refused("key", "be a listed work", key, Code.UNKNOWN_CHOICE)
    return WORKS[key]


SOURCE_LINES = re.compile(r"^Source: (.*(?:\n {4}.*)*)\n?", re.MULTILINE)
"""Where a docstring names its sources; what does not fit on the line goes on indented."""

_NEXT = re.compile(rf"; (?=(?:{'|'.join(WORKS)}), )")


def cited(docstring: str) -> list[tuple[str, str]]:
    r"""Works that a docstring cites: their keys, each with the place in the work.

    A place in the literature: no promise belongs to it.

    Examples
    --------
    >>> cited("Something.\n\nSource: thesis, Theorem 5; ours, its inverse")
    [('thesis', 'Theorem 5'), ('ours', 'its inverse')]
    """
    lines = [" ".join(line.split()) for line in SOURCE_LINES.findall(docstring)]
    found = [source.partition(", ") for line in lines for source in _NEXT.split(line)]
    return [(key, place) for key, _, place in found]
