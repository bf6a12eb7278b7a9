"""The record of a deployment as a public register takes it: YAML with a closed list of keys, written and read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dpcore.deployments import Deployment
from dpcore.guarantees import Relation
from riskline.case.fields import number_text, shown

LARGEST_FILE = 5_000_000
SECTORS = ("Technology", "Healthcare", "Education", "Government", "Energy", "Finance")
SOURCES = ("Static", "Dynamic")
VARIANTS = {"Pure DP": "pure", "Approximate DP": "approximate", "Zero-concentrated DP": "zCDP"}
"""The variants whose budgets can be set beside others, and what `dpcore.deployments` calls each."""
MODELS = {"Central": "central", "Local": "local"}
OPEN = "OPEN"
"""What stands where a text must stand and nobody has said it."""
TEXT, SAID = {"type": "string"}, {"type": "string", "minLength": 1}


def _part(required: Sequence[str] = (), **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": {
            name: (SAID if name in required else TEXT) if each is None else each for name, each in properties.items()
        },
    }


def _one_of(*values: Any) -> dict[str, Any]:
    return {"enum": list(values)}


def _texts() -> dict[str, Any]:
    return {"type": "array", "items": SAID, "minItems": 1}


BASIC = ("name", "data_curators", "description", "intended_use", "data_product_type", "data_product_region")
STATUS = ("Draft", "Pending", "Changes Required", "Approved", "Converted")
SCHEMA = _part(
    ("url_slug", "status", "tier", "deployment"),
    url_slug={"type": "string", "pattern": "^[^\\s/]+$"},
    status=_one_of(*STATUS, "Approved (Update Requested)", "Approved (Pending)"),
    tier=_one_of(1, 2, 3),
    deployment=_part(
        ("basic",),
        basic=_part(
            (*BASIC, "publication_date"),
            name=None,
            data_curators=_texts(),
            description=None,
            intended_use=None,
            data_product_type=_one_of(
                *("Summary statistics", "Machine learning model", "Dataset", "Synthetic data"),
                *("Interactive API", "SQL queries"),
            ),
            data_product_region=None,
            publication_date={"type": "string", "format": "date"},
            data_product_sector=_one_of(*SECTORS),
        ),
        dp_variant=_part(
            variant_name=_one_of(*VARIANTS, "Renyi DP", "Custom"), data_domain=None, unprotected_quantities=None
        ),
        privacy_loss=_part(
            privacy_unit=None,
            privacy_unit_details=None,
            privacy_parameters=_part(
                epsilon={"type": "number"}, delta={"type": ["number", "string"]}, rho={"type": "number"}
            ),
            privacy_parameters_details=None,
        ),
        deployment_model=_part(
            model_name=_one_of(*MODELS, "Shuffle", "Federated", "Varies"),
            model_name_details=None,
            actors=None,
            release_type=_one_of("One release", "Many releases"),
            release_type_details=None,
            data_source_type=_one_of(*SOURCES),
            data_source_type_details=None,
            access_type=_one_of("Interactive", "Non-interactive"),
            access_type_details=None,
        ),
        accounting=_part(post_processing=None, composition=None),
        implementation=_part(preprocessing_and_hyperparameter_tuning=None, mechanisms=None, justification=None),
        administrative=_part(("registry_authors",), sources=None, notes=None, registry_authors=_texts()),
    ),
)
"""The keys of a record and what each may hold, as the register's own data repository had them in July 2026."""


def faults(record: Any) -> tuple[str, ...]:
    """What is wrong with a record, a sentence each: the key, its rule and what stands there.

    >>> faults({"url_slug": "a", "status": "Draft", "tier": 4, "deployment": {}})
    ('deployment.basic must be there', 'tier must be one of 1, 2, 3; got 4')
    """
    from jsonschema import Draft7Validator

    checked = Draft7Validator(SCHEMA, format_checker=Draft7Validator.FORMAT_CHECKER)
    return tuple(
        sentence
        for error in sorted(checked.iter_errors(record), key=lambda one: [str(part) for part in one.absolute_path])
        for sentence in _sentences(error)
    )


KINDS = {"string": "text", "object": "a group of keys", "array": "a list", "number": "a number"}


def _sentences(error: Any) -> Iterator[str]:
    place, rule, value = ".".join(map(str, error.absolute_path)), error.validator_value, error.instance
    name, got = place or "The record", f"; got {shown(str(value))!r}" if isinstance(value, str) else f"; got {value!r}"
    inside = f"{place}." if place else ""
    if error.validator == "required":
        yield from (f"{inside}{key} must be there" for key in rule if key not in value)
    elif error.validator == "additionalProperties":
        known = error.schema["properties"]
        yield from (f"{inside}{shown(str(key))} is no key of a record" for key in value if key not in known)
    elif error.validator == "enum":
        yield f"{name} must be one of {', '.join(map(str, rule))}{_short(got)}"
    elif error.validator == "type":
        kinds = [rule] if isinstance(rule, str) else rule
        yield f"{name} must be {' or '.join(KINDS[kind] for kind in kinds)}{_short(got)}"
    elif error.validator == "format":
        yield f"{name} must be a date such as 2026-05-12{_short(got)}"
    elif error.validator == "pattern":
        yield f"{name} must be a word without spaces or slashes{_short(got)}"
    else:  # minLength, minItems
        yield f"{name} must not be empty"


def _short(got: str) -> str:
    return got if len(got) < 120 else f"{got[:120]}…"


def read_record(content: bytes) -> dict[str, Any]:
    """The record in a file of YAML.

    Raises ValueError: ``The file must be …``, and the first of `faults`.
    """
    import yaml

    if len(content) > LARGEST_FILE:
        raise ValueError(f"The file must be at most {LARGEST_FILE:,} bytes; got {len(content):,}")
    try:
        text = content.decode("utf-8-sig")
        tree = yaml.compose(text, Loader=yaml.SafeLoader)
        if tree is None:
            raise ValueError("The file must be a record of a deployment; it is empty")
        _refuse_repeated(tree)
        record = yaml.safe_load(text)
    except UnicodeDecodeError:
        raise ValueError("The file must be text that UTF-8 can write") from None
    except (yaml.YAMLError, RecursionError, OverflowError):
        raise ValueError("The file must be YAML, one record of a deployment") from None
    if not isinstance(record, dict) or "deployment" not in record:
        raise ValueError("The file must be a record of a deployment; it has no key deployment")
    found = faults(record)
    if found:
        more = f" ({len(found) - 1:,} more)" if len(found) > 1 else ""
        raise ValueError(f"{found[0]}{more}")
    return record


def _refuse_repeated(tree: Any) -> None:
    """No key twice, of which one would be dropped in silence, and no part that stands for another."""
    import yaml

    seen, left = set(), [tree]
    while left:
        node = left.pop()
        if id(node) in seen:
            raise ValueError("The file must say everything where it stands; it has references of YAML")
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            twice = next((key for key in keys if keys.count(key) > 1), None)
            if twice is not None or len(keys) < len(node.value):
                raise ValueError(f"Each key must be text and stand once; got {shown(str(twice))!r}")
            left += [value for _, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            left += node.value


def write_record(record: Mapping[str, Any], heading: Sequence[str] = ()) -> str:
    """A record as a file of YAML under lines of comment."""
    import yaml

    told = "".join(f"# {' '.join(line.split())}\n" for line in heading)
    return told + yaml.safe_dump(dict(record), sort_keys=False, allow_unicode=True, width=10**6)


def url_slug(name: str, curators: Sequence[str], day: str) -> str:
    """Where a register keeps a record: name, curators and year, in small letters with hyphens.

    >>> url_slug("School absence", ["City of X"], "2026-05-12")
    'school-absence-city-of-x-2026'
    """
    said = "-".join((name, *curators, day[:4] if re.match(r"\d{4}", day) else ""))
    return re.sub(r"[\W_]+", "-", said.lower()).strip("-") or "record"


def tier_of(deployment: Mapping[str, Any]) -> int:
    """How complete a record is: 3 with everything that experts ask, 2 with budget, unit and model, else 1."""

    def has(part: str, *keys: str) -> bool:
        return all(deployment.get(part, {}).get(key, OPEN) != OPEN for key in keys)

    second = (
        has("dp_variant", "variant_name")
        and has("privacy_loss", "privacy_unit", "privacy_parameters")
        and has("deployment_model", "model_name", "release_type", "data_source_type", "access_type")
    )
    third = (
        has("dp_variant", "data_domain", "unprotected_quantities")
        and has("privacy_loss", "privacy_unit_details")
        and has("accounting", "post_processing", "composition")
        and has("implementation", "mechanisms", "justification", "preprocessing_and_hyperparameter_tuning")
    )
    return 3 if second and third else 2 if second else 1


UNITS = {"individual": "person", "user": "person"}


def deployment_of(record: Mapping[str, Any], relation: str = "unknown") -> Deployment:
    """The published budget that a record holds, to be set beside others.

    A record says in words what counts as one change; `relation` is how its reader understands them. Left unknown, every
    number said of it is safe for both. A survey with noise on the device protects each answer.

    Raises ValueError: ``deployment.dp_variant.variant_name must be …`` and so on, where its budget cannot be compared.
    """
    told = record["deployment"]
    basic, loss = told["basic"], told.get("privacy_loss", {})
    variant, model = told.get("dp_variant", {}).get("variant_name"), told.get("deployment_model", {})
    if variant not in VARIANTS:
        raise _not_comparable("dp_variant.variant_name", f"be one of {', '.join(VARIANTS)}", variant)
    if model.get("model_name") not in MODELS:
        raise _not_comparable("deployment_model.model_name", f"be {' or '.join(MODELS)}", model.get("model_name"))
    definition, local = VARIANTS[variant], model["model_name"] == "Local"
    budget = _budget(loss.get("privacy_parameters", {}), definition)
    unit = str(loss.get("privacy_unit", "")).strip()
    if not unit:
        raise _not_comparable("privacy_loss.privacy_unit", "say what is protected", None)
    kind = unit.lower().removeprefix("one ").removesuffix("-level").removesuffix(" level")
    stated = relation in {each.value for each in Relation}
    reported = (f"{name} {number_text(value)}" for name, value in budget.items() if value is not None)
    return Deployment(
        name=basic["name"],
        year=int(basic["publication_date"][:4]),
        organisation=", ".join(basic["data_curators"]),
        sector=str(basic.get("data_product_sector", "not said")).lower(),
        protected_unit=unit,
        unit_kind=UNITS.get(kind, kind),
        unit_as_defined=loss.get("privacy_unit_details", "not said"),
        period=model.get("release_type_details", model.get("release_type", "not said")),
        relation="local" if local else relation if stated else "unknown",
        relation_evidence=loss.get("privacy_unit_details", "not said"),
        relation_confidence="read in the registry record" if stated or local else "not found",
        definition=definition,
        **budget,
        epsilon_printed="" if budget["epsilon"] is None else number_text(budget["epsilon"]),
        rho_printed="" if budget["rho"] is None else number_text(budget["rho"]),
        model=MODELS[model["model_name"]],
        as_reported="; ".join(reported),
        source=told.get("administrative", {}).get("sources", "not said"),
        verification="as the file says",
    )


def _budget(told: Mapping[str, Any], definition: str) -> dict[str, float | None]:
    needed = {"pure": ("epsilon",), "approximate": ("epsilon", "delta"), "zCDP": ("rho",)}[definition]
    found: dict[str, float | None] = {"epsilon": None, "delta": None, "rho": None}
    for name in found:
        value = told.get(name)
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                value = None if name not in needed else value
        if name in needed or value is not None:
            most = 1.0 if name == "delta" else 1e6
            if not isinstance(value, int | float) or not 0 < value <= most:
                raise _not_comparable(
                    f"privacy_loss.privacy_parameters.{name}", f"be above 0 and at most {most:g}", value
                )
            found[name] = float(value)
    if definition == "pure":
        found |= {"delta": 0.0, "rho": None}
    elif definition == "approximate":
        found["rho"] = None
    elif found["epsilon"] is None or found["delta"] is None:
        found["epsilon"] = found["delta"] = None
    return found


def _not_comparable(name: str, rule: str, value: Any) -> ValueError:
    got = "nothing" if value is None else repr(shown(str(value)))
    return ValueError(f"deployment.{name} must {rule}; got {got}")


def differences(first: Deployment, second: Deployment) -> tuple[tuple[str, str, str], ...]:
    """What two entries say differently of one release: the name of the fact, and how each has it."""
    names = ("year", "organisation", "protected_unit", "relation", "definition", "epsilon", "delta", "rho", "model")

    def told(entry: Deployment, name: str) -> str:
        value = getattr(entry, name)
        return "" if value in (None, 0.0) else number_text(value) if isinstance(value, float) else str(value)

    both = ((name, told(first, name), told(second, name)) for name in names)
    return tuple((name, ours, theirs) for name, ours, theirs in both if ours.casefold() != theirs.casefold())
