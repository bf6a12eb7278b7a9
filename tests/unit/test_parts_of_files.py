"""A file that lacks a part, or has something else in its place, is refused in words or read: it breaks nothing."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from dpcore.errors import Refused
from riskline.case.value import Case
from riskline.registry import deployment_of, read_record
from riskline.release.folder import read_folder
from tests.filed_cases import SAID
from tests.noisy_folders import release, written
from tests.release_plans import plan_from_table, table_of
from ui.link import scenario
from ui.pictures.style import Style
from ui.views.memo import MemoInputs
from ui.views.memo.filing import filing_view

OTHERS: tuple[Any, ...] = (None, "x", "", -1, 1e400, [], {}, True, ["x", {}])
"""What may stand in place of a part."""
MOST_OF_A_LIST = 3


def spoiled(whole: Any) -> Iterator[tuple[str, Any]]:
    """The document without each of its parts in turn, and with others in its place; of a list its first ones."""
    for path in _paths(whole, ()):
        *above, last = path
        for other in ("left out", *OTHERS):
            made = copy.deepcopy(whole)
            holder = made
            for step in above:
                holder = holder[step]
            if other == "left out":
                del holder[last]
            else:
                holder[last] = other
            yield f"{'.'.join(map(str, path))}: {other!r}", made


def _paths(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    below = (
        part.items() if isinstance(part, dict) else enumerate(part[:MOST_OF_A_LIST]) if isinstance(part, list) else ()
    )
    for name, one in below:
        yield (*path, name)
        yield from _paths(one, (*path, name))


def refused_or_read(read: Callable[[Any], object], whole: Any) -> int:
    """How many of the spoiled documents are refused; one that breaks the reader is a failure, by its name."""
    refusals: dict[str, str] = {}
    for name, made in spoiled(whole):
        try:
            read(made)
        except ValueError as refusal:
            refusals[name] = str(refusal)
        except Exception as error:
            error.add_note(name)
            raise
    assert not [name for name, refusal in refusals.items() if not refusal.isprintable()]
    return len(refusals)


def test_a_plan() -> None:
    plan = table_of({"areas": "county"}, areas=[["US", "All"], ["A", "North", "US"]], levels=["nation", "county"])
    del plan["tables"][0]["areas"]
    plan_from_table(copy.deepcopy(plan), lambda name: b"")
    assert refused_or_read(lambda made: plan_from_table(made, lambda name: b""), plan) > 100


def test_a_record_of_a_register() -> None:
    record = yaml.safe_load(filing_view(MemoInputs(case=Case(ratio=3.0, **SAID)), Style()).record_at(""))
    deployment_of(read_record(yaml.safe_dump(record).encode()))
    assert refused_or_read(lambda made: deployment_of(read_record(yaml.safe_dump(made).encode())), record) > 100


def test_a_scenario() -> None:
    whole = json.loads(scenario.write({"choose": {"view": "ratio"}}, Case(ratio=3.0, **SAID), voice="plain"))
    scenario.read(json.dumps(whole).encode())
    assert refused_or_read(lambda made: scenario.read(json.dumps(made).encode()), whole) > 5


def test_a_noisy_folder(tmp_path: Path) -> None:
    folder = written(tmp_path, release(3))
    record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    read_folder(folder)

    def read(made: Any) -> object:
        (folder / "record.json").write_text(json.dumps(made), encoding="utf-8")
        return read_folder(folder)

    assert refused_or_read(read, record) > 50
    for names in (("Births", "Births"), ("Births", 3), (None, "Deaths")):
        made = copy.deepcopy(record)
        for about, name in zip(made["tables"], names, strict=True):
            about["name"] = name
        with pytest.raises(Refused, match=r"the folder must hold a record\.json of riskline release"):
            read(made)
