"""The 2020 census as it was run: what the noisy tables of its redistricting file tell of one person.

The production settings are public: one budget of zero-concentrated privacy, ρ = (542/339)² for one record replaced by
another, shared by exact fractions among 65 tables on six levels. Each cell of a table has discrete Gaussian noise of
its own. A replaced record moves two cells of a table by one, or none where the table does not show what differs. So a
secret is touched by those tables alone that show it, and the one number of the whole file is about a record of which
everything may differ, its state included.

Two censuses are compared by somebody who knows everything but the secret and reads the noisy tables themselves. What
the agency made of them, tables that add up, tells no more. What it published exactly, the totals of the states, tells
more: a record can then be replaced within its state only, and a person can be in another state only where somebody
else comes from there. `SECRETS` holds these cases by name.

Each secret has an exact ρ and an exact law of the privacy loss, `CensusSecret.privacy_loss`, which answers the rest: ε
at δ, δ at ε and right guesses, each in a bracket, and through `dpcore.tradeoff.trade_off` the best test.

`Measurements` holds noisy tables of one area and of those that contain it, as the agency publishes them or as
`draw_measurements` draws them with these settings; `MeasuredAttack` attacks with all of them.
"""

from dpcore.census.measurements import (
    FACTORS,
    Drawn,
    LevelEvidence,
    MeasuredAttack,
    Measurement,
    Measurements,
    cell_of,
    draw_measurements,
)
from dpcore.census.plan import DEMONSTRATION_RHO, DEMONSTRATION_SHARES, demonstration_loss
from dpcore.census.secrets import SECRETS, CensusSecret
from dpcore.census.settings import (
    CHARACTERISTICS,
    GLOBAL_SCALE,
    LEVELS,
    TOTAL_RHO,
    CensusTable,
    Level,
    census_tables,
    level_rho,
)

__all__ = [
    "CHARACTERISTICS",
    "DEMONSTRATION_RHO",
    "DEMONSTRATION_SHARES",
    "FACTORS",
    "GLOBAL_SCALE",
    "LEVELS",
    "SECRETS",
    "TOTAL_RHO",
    "CensusSecret",
    "CensusTable",
    "Drawn",
    "Level",
    "LevelEvidence",
    "MeasuredAttack",
    "Measurement",
    "Measurements",
    "cell_of",
    "census_tables",
    "demonstration_loss",
    "draw_measurements",
    "level_rho",
]
