"""Folders of noisy tables, made up, as `riskline release` writes them."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from riskline.release.areas import areas_of_rows
from riskline.release.folder import PublishedTable, write_folder

PROMISE = {"secret": "presence", "unit": "person", "relation": "add_or_remove", "group": 1, "moves": "anywhere"}


def release(areas: int = 60, *, exact: str = "", name: str = "Births", ages: int = 2) -> list[PublishedTable]:
    """Two made-up tables of counties in three states; the states are not published."""
    rows = [{"code": "US", "name": "All"}] + [{"code": f"S{at}", "parent": "US"} for at in range(3)]
    rows += [{"code": f"C{at}", "name": f"**{at}** <b>", "parent": f"S{at % 3}"} for at in range(areas)]
    tree = areas_of_rows(rows, ("nation", "state", "county"))
    rng = np.random.default_rng(5)
    cells = {"sex": ("f", "m"), "age, years": tuple(f"{at}+" for at in range(ages))}
    values = np.zeros((2, len(rows), 2 * ages), dtype=np.int64)
    values[:, tree.at("county")] = rng.poisson(9, (2, areas, 2 * ages)) + rng.integers(-6, 7, (2, areas, 2 * ages))
    values[:, 0] = values[:, tree.at("county")].sum(axis=1) + 3
    totals = np.full(values.shape[:2], np.nan)
    if exact:
        totals[:, tree.at(exact)] = 500 * areas
    scales = {"nation": 3.0, "county": 4.0}
    births = PublishedTable(name, tree, cells, ("Jan", "Feb"), "discrete_gaussian", scales, values, exact, totals)
    deaths = values[:1, :, :1] // 2
    return [
        births,
        PublishedTable("Deaths", tree, {}, ("",), "discrete_gaussian", {"nation": 2.0, "county": 2.0}, deaths),
    ]


def written(folder: Path, tables: list[PublishedTable], **said: Any) -> Path:
    releases = [{"table": one.name, "level": level, "spent": 0.125} for one in tables for level in one.scales]
    record = {
        "currency": "rho",
        "budget": 0.6,
        "spent": 0.5,
        "promise": PROMISE,
        "decision": None,
        "releases": releases,
    }
    write_folder(folder / "out", tables[0].areas, tables, plan={"riskline_plan": 1}, record=record | said)
    return folder / "out"


def files_of(folder: Path) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in folder.iterdir()]


def zipped(folder: Path, above: str = "", **others: str) -> list[tuple[str, bytes]]:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files_of(folder):
            archive.writestr(f"{above}{name}", content)
        for name, text in others.items():
            archive.writestr(name, text)
    return [("out.zip", packed.getvalue())]


def shapes_file(*codes: str, **more: Any) -> bytes:
    """Squares side by side, in GeoJSON, with a name that is no code."""
    features = [
        {
            "type": "Feature",
            "properties": {"name": f"Place {at}", "AREA_ID": code},
            "geometry": {"type": "Polygon", "coordinates": [[[at, 0], [at + 1, 0], [at + 1, 1], [at, 1], [at, 0]]]},
        }
        for at, code in enumerate(codes)
    ]
    return json.dumps({"type": "FeatureCollection", "features": features} | more).encode()
