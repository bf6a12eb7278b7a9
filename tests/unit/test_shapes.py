"""Shapes of areas: read from GeoJSON, laid on a grid, joined to codes by the property that fits; all else refused."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore.errors import Code, Refused
from riskline.release.shapes import MOST_POINTS, STEPS, Shapes, shapes_of_file
from tests.each import each
from ui.views.publish.held import COUNTY, county_shapes


def square(x: float, y: float, half: float = 1.0) -> list[list[float]]:
    return [[x + a * half, y + b * half] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]


def feature(rings: Any, kind: str = "Polygon", **said: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": said, "geometry": {"type": kind, "coordinates": rings}}


def collection(*features: Any, **more: Any) -> bytes:
    return json.dumps({"type": "FeatureCollection", "features": list(features), **more}).encode()


def read(*features: Any) -> Shapes:
    return shapes_of_file(collection(*features))


def enclosed(ring: np.ndarray) -> float:
    """Shoelace formula, point by point."""
    pairs = pairwise(ring)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


# ---- the join --------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    codes=st.lists(st.integers(1, 60).map(str), min_size=1, max_size=12, unique=True),
    drawn=st.lists(st.integers(1, 80), min_size=1, max_size=14),
    data=st.data(),
)
def test_every_area_and_every_shape_is_joined_or_named(codes: list[str], drawn: list[int], data: Any) -> None:
    other = data.draw(st.lists(st.integers(61, 99), min_size=len(drawn), max_size=len(drawn)))
    features = [
        feature([square(3 * at, 0)], other=more, id_of_area=code)
        for at, (code, more) in enumerate(zip(drawn, other, strict=True))
    ]
    shapes = read(*features)
    joined = shapes.joined(codes)
    named = {str(code) for code in drawn}
    if not named & {*codes}:
        assert joined is None
        return
    assert joined is not None
    assert joined.by == "id_of_area"
    assert sorted([*joined.outlines, *joined.without_shape]) == sorted(codes)
    assert set(joined.outlines) == named & {*codes}
    assert sorted(joined.without_area) == sorted(str(code) for code in drawn if str(code) not in codes)
    assert sum(map(len, joined.outlines.values())) + len(joined.without_area) == len(drawn)
    order = data.draw(st.permutations(range(len(drawn))))
    turned = read(*(features[at] for at in order)).joined(codes)
    assert turned is not None
    assert {code: sorted(map(str, rings)) for code, rings in turned.outlines.items()} == {
        code: sorted(map(str, rings)) for code, rings in joined.outlines.items()
    }


def test_the_property_that_names_most_areas_joins_and_of_two_the_one_that_leaves_fewer_shapes_over() -> None:
    shapes = read(
        {**feature([square(0, 0)], state=24, county="24001", name=None), "id": "C1"},
        {**feature([square(3, 0)], state=24, county="24003", name=True), "id": "C2"},
        {**feature([square(6, 0)], state=51.0, county="51001", name=["24"]), "id": "C3"},
    )
    assert set(shapes.properties) == {"state", "county", "id"}
    for codes, by, parts in (
        (["24", "51"], "state", [2, 1]),
        (["24001", "51001", "99"], "county", [1, 1]),
        (["C1", "C2", "C3"], "id", [1, 1, 1]),
    ):
        joined = shapes.joined(codes)
        assert joined is not None
        assert (joined.by, [len(rings) for rings in joined.outlines.values()]) == (by, parts)
    assert shapes.joined(["024"]) is None
    both = read(feature([square(0, 0)], a="1", b="1"), feature([square(3, 0)], a="x", b="1"))
    assert both.joined(["1"]).by == "b"  # type: ignore[union-attr]
    assert both.joined(["x", "1"]).by == "a"  # type: ignore[union-attr]
    alike = read(feature([square(0, 0)], a="1", b="1"))
    assert alike.joined(["1"]).by == "a"  # type: ignore[union-attr]


# ---- the plane and its grid ------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.floats(-70, 70), st.floats(-150, 150))
def test_no_point_moves_by_more_than_half_a_step_and_outer_rings_run_counterclockwise(
    seed: int, south: float, west: float
) -> None:
    rng = np.random.default_rng(seed)
    angles = np.linspace(0, 2 * np.pi, 90)[:-1]
    star = np.column_stack([np.cos(angles), np.sin(angles)]) * rng.uniform(2, 5, (angles.size, 1))
    outer, hole = (np.add([*ring, ring[0]], [west, south]) for ring in (star, star / 4))
    turned = [ring[:: rng.choice([-1, 1])] for ring in (outer, hole)]
    (rings,) = read(feature([ring.tolist() for ring in turned])).outlines
    assert (enclosed(rings[0]) > 0, enclosed(rings[1]) < 0) == (True, True)
    middle = np.cos(np.deg2rad((outer[:, 1].min() + outer[:, 1].max()) / 2))
    flat = (outer - outer.min(axis=0)) * [middle, 1]
    step = flat.max() / STEPS
    assert rings[0].max() == STEPS
    gaps = np.abs(flat[:, None] / step - rings[0][None])
    assert gaps.max(axis=2).min(axis=1).max() <= 0.5 + 1e-6
    assert abs(enclosed(rings[0]) * step**2) == pytest.approx(abs(enclosed(flat)), rel=0.01)


def test_borders_that_are_shared_stay_shared() -> None:
    """Each border of two blocks of the invented county is run along once in either direction."""
    sides: dict[tuple[Any, ...], int] = {}
    for (ring,) in county_shapes().outlines:
        for a, b in zip(ring.tolist(), ring.tolist()[1:], strict=False):
            sides[*a, *b] = sides.get((*a, *b), 0) + 1
    assert set(sides.values()) == {1}
    inner = sum((*side[2:], *side[:2]) in sides for side in sides)
    assert inner == 2 * 3 * (6 * 4 + 7 * 3)  # three pieces of each border, along and back


def test_an_area_smaller_than_a_step_becomes_a_square_and_a_small_hole_goes() -> None:
    far, tiny, holed = read(
        feature([square(0, 0, 10)]),
        feature([square(30, 0, 1e-4)]),
        feature([[square(50, 0, 5), square(50, 0, 1e-4)], [square(60, 0, 1e-4)]], "MultiPolygon"),
    ).outlines
    assert len(far) == 1
    assert [enclosed(ring) for ring in tiny] == [1]
    assert len(holed) == 1


def test_a_map_across_the_180th_meridian_is_one_piece() -> None:
    east, west = read(feature([square(178, 52)]), feature([square(-170, 52)])).outlines
    assert east[0][:, 0].max() < west[0][:, 0].min() <= west[0].max() == STEPS
    apart = read(feature([square(-120, 0)]), feature([square(120, 0)]), feature([square(0, 0)])).outlines
    assert apart[0][0][:, 0].max() < apart[2][0][:, 0].min() < apart[1][0][:, 0].min()


def test_the_shapes_of_the_invented_county_are_those_that_the_script_writes() -> None:
    path = Path(__file__).parents[2] / "scripts" / "write_county_shapes"
    loader = importlib.machinery.SourceFileLoader("write_county_shapes", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))  # type: ignore[arg-type]
    loader.exec_module(module)
    assert module.text() == COUNTY.read_text(encoding="utf-8")


# ---- what is refused -------------------------------------------------------------------------------------------------

GOOD = feature([square(0, 0)])
OPEN = [*square(0, 0)[:-1], [0.0, 0.0]]


@each(
    "content, words, code",
    [
        (b"{", "^shapes must be GeoJSON in UTF-8$", Code.WRONG_FORM),
        (b"\xff\xfe", "^shapes must be GeoJSON in UTF-8$", Code.WRONG_FORM),
        (b"[" * 100_000, "^shapes must be GeoJSON in UTF-8$", Code.WRONG_FORM),
        (b"[1]", "^shapes must be a FeatureCollection; got None$", Code.WRONG_FORM),
        (json.dumps(GOOD).encode(), "^shapes must be a FeatureCollection; got Feature$", Code.WRONG_FORM),
        (collection(), "^shapes must be from 1 to 10,000; got 0$", Code.EMPTY),
        (b'{"type": "FeatureCollection"}', "^shapes must be from 1 to 10,000; got 0$", Code.EMPTY),
        (
            collection(GOOD, feature([0, 0], "Point")),
            "^feature 2: shapes must each be a Polygon or a MultiPolygon; got Point$",
            Code.WRONG_FORM,
        ),
        (collection({"type": "Feature", "geometry": None}), "Polygon or a MultiPolygon; got None$", Code.WRONG_FORM),
        (collection(7), "^feature 1: shapes must each be a Polygon", Code.WRONG_FORM),
        (
            collection(feature([])),
            r"^feature 1: shapes must each have rings of coordinates; got \[\]$",
            Code.WRONG_FORM,
        ),
        (collection(feature([square(0, 0)], "MultiPolygon")), "have (numbers|rings)", Code.WRONG_FORM),
        (collection(feature([[["x", 1]] * 4])), "have numbers as coordinates", Code.WRONG_FORM),
        (collection(feature([[[0, 0], [1]] * 2])), "have numbers as coordinates", Code.WRONG_FORM),
        (collection(feature([[[0, 0], [1, 1], [0, 0]]])), "have rings of at least 4 points; got 3$", Code.WRONG_FORM),
        (
            collection(feature([square(467_000, 5_400_000)])),
            r"^feature 1: shapes must be in degrees of longitude and latitude; got \[466999\.0, 5399999\.0\]$",
            Code.OUT_OF_RANGE,
        ),
        (collection(feature([[[0, 0], [float("nan"), 1], [1, 1], [0, 0]]])), "be in degrees", Code.OUT_OF_RANGE),
        (collection(feature([OPEN])), r"have rings that end where they begin; got \[0\.0, 0\.0\]$", Code.WRONG_FORM),
        (
            collection(feature([square(0, 0)], **{f"p{at}": at for at in range(201)})),
            "^shapes must have at most 200 properties; got 201$",
            Code.TOO_LARGE,
        ),
    ],
)
def test_whatever_is_no_map_of_areas_is_refused_by_its_rule(content: bytes, words: str, code: Code) -> None:
    with pytest.raises(Refused, match=words) as refused:
        shapes_of_file(content)
    assert refused.value.code is code
    assert refused.value.name == "shapes"


def test_too_many_shapes_or_points_are_refused_by_their_number() -> None:
    places = [(x, y) for x in range(0, 150, 2) for y in range(-80, 80, 2)]
    many = [feature([square(x, y, 0.9)]) for x, y in places] * 2
    with pytest.raises(Refused, match=r"^shapes must be from 1 to 10,000; got 12000$"):
        read(*many)
    holed = [feature([square(x, y, 0.9), square(x, y, 0.4)]) for x, y in places]
    points = 10 * len(holed)
    words = f"^shapes must have at most {MOST_POINTS:,} points, counted on a grid of 250 steps; got {points:,}$"
    with pytest.raises(Refused, match=words):
        read(*holed)
    fewer = read(*holed[: MOST_POINTS // 10])
    assert max(float(ring.max()) for outline in fewer.outlines for ring in outline) == STEPS
    assert sum(len(ring) for outline in fewer.outlines for ring in outline) == MOST_POINTS


def test_outlines_with_many_points_are_laid_on_a_coarser_grid() -> None:
    """Long crooked borders keep at most as many points as the steps they run through."""
    angles = np.linspace(0, 2 * np.pi, 500)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    circle[-1] = circle[0]
    many = [feature([(circle * 0.5 + [x, y]).tolist()]) for x in range(20) for y in range(16)]
    found = read(*many)
    assert max(float(ring.max()) for outline in found.outlines for ring in outline) == STEPS // 2
    assert 0.4 * MOST_POINTS < sum(len(ring) for outline in found.outlines for ring in outline) <= MOST_POINTS
