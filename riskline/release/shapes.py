"""Shapes of areas from a GeoJSON file: outlines to draw, and the property that holds the codes of a release's areas."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpcore.errors import Code, Refused
from riskline.case.fields import shown

MOST_SHAPES, MOST_POINTS, MOST_PROPERTIES = 10_000, 40_000, 200
"""Features of a file; points of all outlines once they lie on the grid; names of properties."""
STEPS = 1_000
"""A map is so many steps of its grid wide or high: finer than a screen shows."""
COARSEST = 250
"""Steps of the coarsest grid, for outlines with too many points on finer ones."""
FEATURE_ID = "id"
"""What the identifier of a feature is called, which stands beside its properties."""
KINDS = ("Polygon", "MultiPolygon")
Ring = NDArray[np.float64]
Outline = tuple[Ring, ...]


class Joined(NamedTuple):
    """Outlines by the codes of areas.

    by : the property whose values are the codes
    outlines : of each area that has one
    without_shape : codes of areas for which there is none
    without_area : what that property says of shapes that belong to none of the areas
    """

    by: str
    outlines: Mapping[str, Outline]
    without_shape: tuple[str, ...]
    without_area: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Shapes:
    """Shapes on one plane, and what is said of each.

    outlines : rings of each shape, each of shape (points, 2) and closed; outer rings run counterclockwise, holes
        clockwise
    properties : by name, what each shape says, as text; empty where it says nothing
    """

    outlines: tuple[Outline, ...]
    properties: Mapping[str, tuple[str, ...]]

    def joined(self, codes: Sequence[str]) -> Joined | None:
        """The shapes of areas with these codes, by the property that names most of them; None where none does.

        Of properties that name as many, the one that leaves the fewest shapes over counts, then the first of the file.
        Shapes with the same code are parts of one area.
        """
        known, best = {*codes}, None
        for name, values in self.properties.items():
            named = len(known.intersection(values))
            score = named, sum(value in known for value in values)
            if named and (best is None or score > best[0]):
                best = score, name
        if best is None:
            return None
        outlines: dict[str, Outline] = {}
        over = []
        for value, outline in zip(self.properties[best[1]], self.outlines, strict=True):
            if value in known:
                outlines[value] = outlines.get(value, ()) + outline
            else:
                over.append(value)
        return Joined(best[1], outlines, tuple(code for code in codes if code not in outlines), tuple(over))


def shapes_of_file(content: bytes) -> Shapes:
    r"""The shapes of a GeoJSON file: a FeatureCollection of polygons in degrees of longitude and latitude (RFC 7946).

    The plane is equirectangular: longitudes are multiplied by the cosine of the middle latitude, so that sizes and
    directions are right there; towards the edges of a tall map areas look too narrow or too wide. Of a map across the
    180th meridian, longitudes are counted from 0 to 360.

    Points then go to the nearest places of a grid of `STEPS` by `STEPS`, and those that fall together are one: borders
    that areas share stay shared, and nothing moves by more than half a step. An area within one step becomes a square.
    The grid has half as many steps, or a quarter, where there are over `MOST_POINTS` points on it.

    Raises Refused where the file is something else, by its rule and the number of the feature, or has over
    `MOST_POINTS` points on that grid.

    >>> square = "[[[0,0],[2,0],[2,2],[0,2],[0,0]]]"
    >>> feature = '{"type":"Feature","properties":{"code":7},"geometry":{"type":"Polygon","coordinates":%s}}' % square
    >>> found = shapes_of_file(b'{"type":"FeatureCollection","features":[%s]}' % feature.encode())
    >>> found.properties, found.outlines[0][0].tolist()
    ({'code': ('7',)}, [[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0], [0.0, 0.0]])
    """
    try:
        said = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Refused("shapes", "be GeoJSON in UTF-8", None, Code.WRONG_FORM, got="") from None
    kind = said.get("type") if isinstance(said, dict) else None
    if kind != "FeatureCollection":
        raise _refused("be a FeatureCollection", kind)
    features = said.get("features")
    if not isinstance(features, list) or not 0 < len(features) <= MOST_SHAPES:
        got = len(features) if isinstance(features, list) else 0
        raise Refused("shapes", f"be from 1 to {MOST_SHAPES:,}", got, Code.TOO_LARGE if got else Code.EMPTY)
    shapes = [_rings(feature, number) for number, feature in enumerate(features, 1)]
    return Shapes(_on_the_grid(shapes), _properties(features))


def _refused(rule: str, got: Any, number: int = 0, code: Code = Code.WRONG_FORM) -> Refused:
    said = shown(str(got))
    return Refused("shapes", rule, said, code, got=said, at=f"feature {number}" if number else "")


def _rings(feature: Any, number: int) -> list[list[Ring]]:
    """The polygons of a feature as rings in degrees."""
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    kind = geometry.get("type") if isinstance(geometry, dict) else None
    if kind not in KINDS or not isinstance(geometry, dict):
        raise _refused(f"each be a {' or a '.join(KINDS)}", kind, number)
    places = geometry.get("coordinates")
    polygons = [places] if kind == "Polygon" else places
    if not isinstance(polygons, list) or not polygons or not all(isinstance(one, list) and one for one in polygons):
        raise _refused("each have rings of coordinates", places, number)
    return [[_ring(ring, number) for ring in polygon] for polygon in polygons]


def _ring(ring: Any, number: int) -> Ring:
    try:
        points = np.array([point[:2] for point in ring], dtype=float)
    except (TypeError, ValueError, OverflowError, KeyError):
        raise _refused("have numbers as coordinates", ring, number) from None
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 4:
        raise _refused("have rings of at least 4 points", len(points), number)
    wrong = ~(np.abs(points) <= [180, 90]).all(axis=1)
    if wrong.any():
        raise _refused("be in degrees of longitude and latitude", points[wrong][0].tolist(), number, Code.OUT_OF_RANGE)
    if (points[0] != points[-1]).any():
        raise _refused("have rings that end where they begin", points[-1].tolist(), number)
    return points


def _on_the_grid(shapes: Sequence[Sequence[Sequence[Ring]]]) -> tuple[Outline, ...]:
    """The same on the plane, at whole numbers of steps from the lower left corner."""
    every = np.concatenate([ring for shape in shapes for polygon in shape for ring in polygon])
    across = every[:, 0] % 360
    wraps = np.ptp(every[:, 0]) > 180 >= np.ptp(across)
    every[:, 0] = across if wraps else every[:, 0]
    corner, far = every.min(axis=0), every.max(axis=0)
    stretch = np.array([np.cos(np.deg2rad((corner[1] + far[1]) / 2)), 1.0])
    whole = max(float(((far - corner) * stretch).max()), 1e-6)

    def placed(ring: Ring, steps: int) -> Ring:
        turned = np.column_stack([ring[:, 0] % 360, ring[:, 1]]) if wraps else ring
        return np.asarray(np.rint((turned - corner) * stretch * (steps / whole)))

    for steps in (STEPS, STEPS // 2, COARSEST):
        found = tuple(_outline([[placed(ring, steps) for ring in polygon] for polygon in shape]) for shape in shapes)
        points = sum(len(ring) for outline in found for ring in outline)
        if points <= MOST_POINTS:
            return found
    rule = f"have at most {MOST_POINTS:,} points, counted on a grid of {COARSEST} steps"
    raise Refused("shapes", rule, points, Code.TOO_LARGE, got=f"{points:,}")


def _outline(polygons: Sequence[Sequence[Ring]]) -> Outline:
    """Rings without points that fall together: outer ones counterclockwise, holes clockwise."""
    found = [_turned(_thinned(ring), left=at == 0) for polygon in polygons for at, ring in enumerate(polygon)]
    kept = tuple(ring for ring in found if len(ring) > 3)
    if kept:
        return kept
    left, below = polygons[0][0].min(axis=0)
    return (np.array([(left + x, below + y) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1), (0, 0))]),)


def _thinned(ring: Ring) -> Ring:
    """A closed ring without points that repeat the one before; what encloses nothing has at most three points."""
    kept = ring[np.append(True, (np.diff(ring, axis=0) != 0).any(axis=1))]
    return kept if _enclosed(kept) else kept[:1]


def _enclosed(ring: Ring) -> float:
    """Area of a closed ring, positive where it runs counterclockwise."""
    x, y = ring.T
    return float((x[:-1] * y[1:] - x[1:] * y[:-1]).sum() / 2)


def _turned(ring: Ring, *, left: bool) -> Ring:
    return ring if (_enclosed(ring) > 0) == left else ring[::-1]


def _properties(features: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    """By name, what every feature says of itself in text or in whole numbers; its identifier among them."""
    said = [{**_said(feature.get("properties")), **_said({FEATURE_ID: feature.get("id")})} for feature in features]
    names = dict.fromkeys(name for one in said for name in one)
    if len(names) > MOST_PROPERTIES:
        raise Refused("shapes", f"have at most {MOST_PROPERTIES} properties", len(names), Code.TOO_LARGE)
    return {name: tuple(one.get(name, "") for one in said) for name in names}


def _said(properties: Any) -> dict[str, str]:
    if not isinstance(properties, dict):
        return {}
    return {name: told for name, value in properties.items() if (told := _as_code(value))}


def _as_code(value: Any) -> str:
    """A value as a code; nothing for what cannot be one."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip() if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
