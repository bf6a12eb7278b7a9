"""The published budgets a second time, apart from the file that the pages read: a digit that slips in one shows."""

from __future__ import annotations

import csv
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "dpcore/data/deployments.csv"

BUDGETS = """
2020 Census redistricting data, persons | 2021 | person | replace | zCDP | 17.14 | 1e-10 | 2.56
2020 Census redistricting data, housing units | 2021 | housing unit | replace | zCDP | 2.47 | 1e-10 | 0.07
2020 Census DHC, persons | 2023 | person | replace | zCDP | 26.34 | 1e-10 | 4.96
2020 Census DHC, housing units | 2023 | housing unit | replace | zCDP | 34.33 | 1e-10 | 7.70
2020 Census Detailed DHC-A | 2023 | person | replace | zCDP | - | - | 19.776
2020 Census Detailed DHC-B | 2024 | household | replace | zCDP | - | - | 17.79
2020 Census Supplemental DHC | 2024 | person | replace | zCDP | - | - | 2.515
Israel live births 2014 | 2024 | birth | unknown | pure | 9.98 | 0 | -
Wikimedia page views (current) | 2023 | device-day | add_or_remove | zCDP | 1 | 1e-7 | 0.015
Wikimedia page views (historical) | 2023 | event group | add_or_remove | pure | 1 | 0 | -
Wikimedia geoeditors monthly | 2023 | user-month | add_or_remove | pure | 2 | 0 | -
Google Community Mobility Reports | 2020 | user-day | add_or_remove | pure | 2.64 | 0 | -
Google symptom search trends | 2020 | user-day | add_or_remove | pure | 1.68 | 0 | -
Google vaccine search insights | 2021 | user-day | add_or_remove | approximate | 2.19 | 1e-5 | -
Google shared mobility data set | 2019 | user-trip-week | add_or_remove | approximate | 0.66 | 2.1e-29 | -
Gboard es-ES next-word model | 2022 | device | add_or_remove | zCDP | 8.9 | 1e-10 | 0.81
Apple popular emojis | 2017 | event | local | pure | 4 | 0 | -
Apple QuickType | 2017 | user-day | local | pure | 16 | 0 | -
Apple Lookup hints | 2016 | user-day | local | pure | 8 | 0 | -
Apple Health types | 2017 | user-day | local | pure | 2 | 0 | -
Apple Safari auto-play | 2017 | event | local | pure | 8 | 0 | -
Meta Movement Range Maps | 2020 | user-day | unknown | pure | 2 | 0 | -
Facebook Privacy-Protected Full URLs | 2020 | person | add_or_remove | zCDP | 0.45 | 1e-5 | 0.0052
Facebook URLs, total | 2020 | person | add_or_remove | zCDP | 1.844 | 1e-5 | 0.0728
LinkedIn Audience Engagements | 2020 | user-month per analyst | add_or_remove | approximate | 34.9 | 7e-9 | -
LinkedIn hiring reports | 2020 | event | add_or_remove | approximate | 4.8 | 4e-10 | -
Windows telemetry | 2017 | user-hours | local | pure | 1.672 | 0 | -
Assistive replies | 2020 | person | add_or_remove | approximate | 4 | 1e-7 | -
Victims of trafficking data | 2023 | person | add_or_remove | approximate | 12 | 5.8e-6 | -
Spectus hurricane mobility | 2022 | person | unknown | pure | 10 | 0 | -
Recurve energy, as published | 2020 | person | add_or_remove | approximate | 0.843 | 4.08e-8 | -
Recurve energy, corrected | 2020 | person | add_or_remove | approximate | 4.72 | 5.06e-9 | -
OnTheMap | 2008 | person | replace | probabilistic | 8.6 | 1e-5 | -
iOS 10.1.1, total | 2017 | user-day | local | pure | 14 | 0 | -
"""
COLUMNS = ("name", "year", "unit_kind", "relation", "definition", "epsilon", "delta", "rho")


def test_both_copies_have_the_same_budgets() -> None:
    with FILE.open(encoding="utf-8", newline="") as file:
        held = [tuple(row[column] or "-" for column in COLUMNS) for row in csv.DictReader(file)]
    assert held == [tuple(line.split(" | ")) for line in BUDGETS.strip().splitlines()]
    assert len(held) == 34


def test_every_budget_has_a_unit_a_relation_and_a_source() -> None:
    with FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert all(row[column].strip() for column in ("unit_as_defined", "relation_evidence", "source")), row[
                "name"
            ]
