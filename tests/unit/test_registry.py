"""A register's records: written from ten cases, read back by YAML, held against a validator written from the list."""

from __future__ import annotations

import copy
import datetime
import re
from typing import Any

import pytest
import yaml

from dpcore import deployments
from riskline.answers import spent
from riskline.case.value import Case
from riskline.registry import SCHEMA, deployment_of, differences, faults, read_record, tier_of, url_slug, write_record
from tests.filed_cases import CASES, SAID
from ui.pictures.style import Style
from ui.views.memo import MemoInputs
from ui.views.memo.filing import filing_view

TEXTS = {
    "basic": ("name", "description", "intended_use", "data_product_region"),
    "dp_variant": ("data_domain", "unprotected_quantities"),
    "privacy_loss": ("privacy_unit", "privacy_unit_details", "privacy_parameters_details"),
    "deployment_model": (
        *("model_name_details", "actors", "release_type_details", "data_source_type_details", "access_type_details"),
    ),
    "accounting": ("post_processing", "composition"),
    "implementation": ("preprocessing_and_hyperparameter_tuning", "mechanisms", "justification"),
    "administrative": ("sources", "notes"),
}
ONE_OF = {
    ("basic", "data_product_type"): "Summary statistics|Machine learning model|Dataset|Synthetic data|Interactive API"
    "|SQL queries",
    ("basic", "data_product_sector"): "Technology|Healthcare|Education|Government|Energy|Finance",
    ("dp_variant", "variant_name"): "Pure DP|Approximate DP|Zero-concentrated DP|Renyi DP|Custom",
    ("deployment_model", "model_name"): "Local|Central|Shuffle|Federated|Varies",
    ("deployment_model", "release_type"): "One release|Many releases",
    ("deployment_model", "data_source_type"): "Static|Dynamic",
    ("deployment_model", "access_type"): "Interactive|Non-interactive",
}
NEEDED = ("name", "data_curators", "description", "intended_use", "data_product_type", "data_product_region")


def wrong(record: Any) -> list[str]:
    """What is wrong with a record, by the list of the register's keys; a second, separately written reading of it."""
    found = [] if set(record) == {"url_slug", "status", "tier", "deployment"} else ["keys of the record"]
    if found:
        return found
    if record["status"] not in ("Draft", "Pending", "Changes Required", "Approved", "Converted") or record[
        "tier"
    ] not in (1, 2, 3):
        found.append("status or tier")
    told = record["deployment"]
    for part, keys in told.items():
        if part not in TEXTS or not isinstance(keys, dict):
            found.append(part)
            continue
        for key, value in keys.items():
            if key in TEXTS[part]:
                good = isinstance(value, str) and (value != "" or key not in NEEDED)
            elif (part, key) in ONE_OF:
                good = value in ONE_OF[part, key].split("|")
            elif (part, key) == ("basic", "publication_date"):
                try:
                    datetime.date.fromisoformat(value)
                    good = re.fullmatch(r"\d{4}-\d\d-\d\d", value) is not None
                except (TypeError, ValueError):
                    good = False
            elif key in ("data_curators", "registry_authors") and part in ("basic", "administrative"):
                good = (
                    isinstance(value, list) and len(value) > 0 and all(isinstance(each, str) and each for each in value)
                )
            elif (part, key) == ("privacy_loss", "privacy_parameters"):
                kinds = {"epsilon": (int, float), "rho": (int, float), "delta": (int, float, str)}
                good = set(value) <= set(kinds) and all(isinstance(each, kinds[name]) for name, each in value.items())
            else:
                good = False
            if not good:
                found.append(f"{part}.{key}")
    found += [f"basic.{key}" for key in (*NEEDED, "publication_date") if key not in told.get("basic", {})]
    if "registry_authors" not in told.get("administrative", {"registry_authors": 1}):
        found.append("administrative.registry_authors")
    return found


def filed(case: Case, **said: Any) -> Any:
    return filing_view(MemoInputs.of({"until": "2030", "reasons": ""}, case.with_choices(**said)), Style())


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_ten_cases_make_records_that_two_validators_take(case: Case) -> None:
    view = filed(case, **SAID)
    assert view.refusal is None
    text = view.record_at("https://riskline.example/")
    record = yaml.safe_load(text)
    assert wrong(record) == []
    assert faults(record) == () == view.open
    assert read_record(text.encode()) == record
    told = record["deployment"]
    assert record["tier"] == 3
    assert told["basic"]["name"] == SAID["title"]
    assert told["implementation"]["preprocessing_and_hyperparameter_tuning"] == SAID["preprocessing"]
    assert told["administrative"]["sources"].startswith("https://riskline.example/memo?")
    assert told["administrative"]["registry_authors"] == [SAID["author"]]
    assert told["basic"]["data_curators"] == [SAID["office"]]
    assert re.search(r"is at most \S+ from a prior of ", told["implementation"]["justification"])
    budget = spent(case.with_choices(**SAID))
    assert budget is not None
    together = budget.group**2 if budget.by_rho else budget.group  # the unit that is named has so many records
    found = told["privacy_loss"]["privacy_parameters"]
    expected = pytest.approx(together * budget.value * budget.releases)
    assert found.pop("rho" if budget.by_rho else "epsilon") == expected
    if budget.budget.delta:
        assert budget.group == 1
        assert found.pop("delta") == pytest.approx(budget.budget.delta * budget.releases)
    assert found == {}
    details = told["privacy_loss"]["privacy_parameters_details"]
    assert ("Budgets are for one record" in details) == (budget.group > 1)
    exact = {"add_or_remove": "None that", "replace": "How many records", "coins": "Who took part"}
    kind = "coins" if case["release"] == "coins" else case["relation"]
    assert told["dp_variant"]["unprotected_quantities"].startswith(exact[kind])
    variants = {"epsilon": "Approximate DP" if budget.budget.delta else "Pure DP", "rho": "Zero-concentrated DP"}
    assert told["dp_variant"]["variant_name"] == variants[budget.budget.currency]
    assert told["deployment_model"]["model_name"] == ("Local" if case["release"] == "coins" else "Central")
    assert told["deployment_model"]["release_type"] == ("Many releases" if case["releases"] > 1 else "One release")


def test_a_record_can_be_set_beside_published_budgets_and_is_safe_while_its_relation_is_open() -> None:
    view = filed(Case(ratio=3.0, secret="value", relation="replace"), **SAID)
    record = yaml.safe_load(view.record_at(""))
    unknown, replaced = deployment_of(record), deployment_of(record, "replace")
    assert (unknown.relation, unknown.relation_was_read) == ("unknown", False)
    assert (replaced.relation, replaced.relation_was_read) == ("replace", True)
    assert unknown.unit_kind == "person"
    safe, told = (deployments.right_guess(entry, secret="value", prior=0.5) for entry in (unknown, replaced))
    assert safe is not None
    assert told is not None
    assert safe > told


def test_what_nobody_has_said_is_open_in_the_record_and_named_over_it() -> None:
    view = filed(Case(ratio=3.0))
    text = view.record_at("")
    record = yaml.safe_load(text)
    assert record["deployment"]["basic"]["intended_use"] == "OPEN"
    assert record["deployment"]["basic"]["data_curators"] == ["OPEN"]
    assert "publication_date" not in record["deployment"]["basic"]
    assert wrong(record) == ["basic.publication_date"]
    assert faults(record) == ("deployment.basic.publication_date must be there",)
    for key in (
        *("intended_use", "publication_date", "data_product_sector", "data_curators"),
        *("deployment_model.actors", "administrative.registry_authors"),
    ):
        key = key if "." in key else f"basic.{key}"
        assert key in view.open
    assert f"# Open, because nobody has said it: {', '.join(view.open)}\n" in text
    assert record["tier"] == 1


def good() -> dict[str, Any]:
    record: dict[str, Any] = yaml.safe_load(filed(Case(ratio=3.0), **SAID).record_at(""))
    return record


def test_bad_records_of_each_kind_are_refused_by_key_and_rule() -> None:
    def spoiled(path: str, value: Any) -> dict[str, Any]:
        record = copy.deepcopy(good())
        *way, last = path.split(".")
        place = record
        for part in way:
            place = place[part]
        if value is None:
            del place[last]
        else:
            place[last] = value
        return record

    told: list[tuple[str, Any, str]] = [
        ("tier", 0, "tier must be one of 1, 2, 3; got 0"),
        ("status", "Final", "status must be one of Draft"),
        ("status", None, "status must be there"),
        ("surprise", "x", "surprise is no key of a record"),
        ("deployment.basic.colour", "x", "deployment.basic.colour is no key of a record"),
        ("deployment.basic.intended_use", None, "deployment.basic.intended_use must be there"),
        ("deployment.basic.name", "", "deployment.basic.name must not be empty"),
        (
            "deployment.basic.publication_date",
            "1/1/2026",
            "publication_date must be a date such as 2026-05-12; got '1/1",
        ),
        ("deployment.basic.publication_date", datetime.date(2026, 1, 1), "publication_date must be text"),
        ("deployment.basic.data_curators", [], "data_curators must not be empty"),
        ("deployment.basic.data_curators", "x", "data_curators must be a list"),
        ("deployment.basic.data_product_sector", "Sport", "data_product_sector must be one of Technology"),
        ("deployment.dp_variant.variant_name", "Best DP", "variant_name must be one of Pure DP"),
        ("deployment.privacy_loss.privacy_parameters.epsilon", "1", "epsilon must be a number; got '1'"),
        ("deployment.privacy_loss.privacy_parameters.mu", 1.0, "mu is no key of a record"),
        ("deployment.administrative.registry_authors", None, "registry_authors must be there"),
        ("deployment.accounting", "sums", "deployment.accounting must be a group of keys"),
    ]
    for path, value, sentence in told:
        record = spoiled(path, value)
        assert wrong(record), path
        assert any(sentence in found for found in faults(record)), (path, faults(record))
        with pytest.raises(ValueError, match=re.escape(sentence.split("; got")[0].split(".")[-1])):
            read_record(yaml.safe_dump(record).encode())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it is empty"),
        (b"- 1", "has no key deployment"),
        (b"a: [", "must be YAML"),
        (b"\xff\xfe\xfa", "text that UTF-8 can write"),
        (b"a: &x [1]\nb: *x", "references of YAML"),
        (b"tier: 1\ntier: 2\ndeployment: {}", "stand once; got 'tier'"),
        (b"? [a]\n: 1", "Each key must be text"),
        (b"!!python/object/apply:os.system ['true']", "must be YAML"),
        (b"x" * 5_000_001, "at most 5,000,000 bytes; got 5,000,001"),
        (b"[" * 100_000, "must be YAML"),
    ],
)
def test_a_file_that_is_no_record_is_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_record(content)


@pytest.mark.parametrize("told", ["a:\n- b: 1\n  b: 2\n", "a: {b: {c: 1, c: 2}}\n", "- - b: 1\n    b: 2\n"])
def test_a_key_that_stands_twice_is_refused_wherever_it_stands(told: str) -> None:
    with pytest.raises(ValueError, match="Each key must be text and stand once"):
        read_record(told.encode())


def test_the_schema_closes_every_group_of_keys() -> None:
    groups = [SCHEMA]
    while groups:
        group = groups.pop()
        assert group["additionalProperties"] is False
        assert set(group["required"]) <= set(group["properties"])
        groups += [each for each in group["properties"].values() if each.get("type") == "object"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("dp_variant", {"variant_name": "Renyi DP"}), "variant_name must be one of Pure DP"),
        (("deployment_model", {"model_name": "Varies"}), "model_name must be Central or Local; got 'Varies'"),
        (("privacy_loss", {"privacy_unit": "person"}), "epsilon must be above 0 and at most 1e+06; got nothing"),
        (("privacy_loss", {"privacy_parameters": {"epsilon": 1.0}}), "privacy_unit must say what is protected"),
    ],
)
def test_a_record_without_a_comparable_budget_is_refused_by_its_key(change: Any, sentence: str) -> None:
    record = good()
    record["deployment"][change[0]] = change[1]
    with pytest.raises(ValueError, match=re.escape(sentence)):
        deployment_of(record)


@pytest.mark.parametrize("part", ["dp_variant", "deployment_model", "privacy_loss"])
def test_a_record_without_a_part_that_its_schema_lets_out_is_refused_by_a_key_of_it(part: str) -> None:
    record = good()
    del record["deployment"][part]
    with pytest.raises(ValueError, match=rf"deployment\.{part}"):
        deployment_of(record)


@pytest.mark.parametrize("left_out", ["epsilon", "delta"])
def test_half_a_point_beside_a_rho_is_no_budget_of_its_own(left_out: str) -> None:
    record = good()
    record["deployment"]["dp_variant"]["variant_name"] = "Zero-concentrated DP"
    whole = {"rho": 0.5, "epsilon": 3.0, "delta": 1e-6}
    record["deployment"]["privacy_loss"]["privacy_parameters"] = whole
    assert (deployment_of(record).epsilon, deployment_of(record).delta) == (3.0, 1e-6)
    record["deployment"]["privacy_loss"]["privacy_parameters"] = {k: v for k, v in whole.items() if k != left_out}
    found = deployment_of(record)
    assert (found.rho, found.epsilon, found.delta) == (0.5, None, None)


def test_a_delta_written_as_text_is_read_and_a_formula_is_refused() -> None:
    record = good()
    record["deployment"]["dp_variant"]["variant_name"] = "Approximate DP"
    record["deployment"]["privacy_loss"]["privacy_parameters"] = {"epsilon": 1.0, "delta": "1e-7"}
    assert deployment_of(record).delta == 1e-7
    record["deployment"]["privacy_loss"]["privacy_parameters"]["delta"] = "1/n"
    with pytest.raises(ValueError, match=r"delta must be above 0 and at most 1; got '1/n'"):
        deployment_of(record)


def test_differences_name_what_two_entries_say_differently() -> None:
    ours = deployments.deployment("Google symptom search trends")
    record = good()
    told = record["deployment"]
    told["basic"] |= {"data_curators": ["google"], "publication_date": "2020-09-01"}
    told["privacy_loss"] = {"privacy_unit": "user on one day", "privacy_parameters": {"epsilon": 1.7}}
    found = differences(deployment_of(record, ours.relation), ours)
    assert found == (("epsilon", "1.7", "1.68"),)
    assert differences(ours, ours) == ()


def test_a_slug_and_a_tier_follow_from_what_is_said() -> None:
    assert url_slug("Ünïted / names", [], "") == "ünïted-names"
    assert url_slug("", [], "") == "record"
    told = good()["deployment"]
    assert tier_of(told) == 3
    needed = {
        1: {"dp_variant": "variant_name", "privacy_loss": "privacy_unit privacy_parameters"}
        | {"deployment_model": "model_name release_type data_source_type access_type"},
        2: {"dp_variant": "data_domain unprotected_quantities", "privacy_loss": "privacy_unit_details"}
        | {"accounting": "post_processing composition"}
        | {"implementation": "mechanisms justification preprocessing_and_hyperparameter_tuning"},
    }
    for without, parts in needed.items():
        for part, key in ((part, key) for part, keys in parts.items() for key in keys.split()):
            left = {name: dict(held) for name, held in told.items()}
            del left[part][key]
            assert tier_of(left) == without, key
            left[part][key] = "OPEN"
            assert tier_of(left) == without, key
    assert tier_of({"basic": told["basic"]}) == 1


def test_comments_stay_comments_whatever_is_typed() -> None:
    text = write_record({"tier": 1}, ["first\nsecond: 2"])
    assert text.splitlines() == ["# first second: 2", "tier: 1"]
