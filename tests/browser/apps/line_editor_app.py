"""A page with nothing but the line editor, for the tests of the editor itself. Not a page of the product."""

from __future__ import annotations

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np
import streamlit as st

from riskline.case.points import decode_points, encode_points
from ui.components.line_editor import LineEdit, line_editor
from ui.views.shared.drawing import Editor

DEFAULT = "0.01~0.1_0.1~0.3_0.5~0.7_0.9~0.97"
TEMPLATE = "0.05~0.5_0.6~0.9"


def keep(edit: LineEdit) -> None:
    """Write what was drawn into the link."""
    st.query_params["line"] = encode_points(edit.points)
    st.query_params["view"] = edit.view
    st.query_params["log"] = str(int(edit.log_prior))


def odds(value: float) -> float:
    """Log odds of a probability, open ends allowed."""
    return math.log(value / (1 - value)) if 0 < value < 1 else math.copysign(math.inf, value - 0.5)


asked = st.query_params
st.set_page_config(page_title="Line editor", page_icon="▫", layout="wide")
st.title("Line editor")
points = decode_points(asked.get("line", DEFAULT))
shift = min(odds(c) - odds(p) for p, c in points)
deciding = min(points, key=lambda point: odds(point[1]) - odds(point[0]))
grid = [k / 60 for k in range(1, 60)] + [10 ** (-k / 8) for k in range(8, 25)]
reach = sorted((p, 1 / (1 + math.exp(-odds(p) - shift))) for p in grid)
st.markdown(f"Budget :blue[{shift:.6f}]")
columns = st.columns(3)
if columns[0].button("Load template"):
    st.query_params["line"] = TEMPLATE
    st.rerun()
if columns[1].button("Load default"):
    st.query_params["line"] = DEFAULT
    st.rerun()
compared = (("baseline", np.array([(p, min(1, 1.5 * p)) for p in sorted(grid)])),) if "compare" in asked else ()
edit = line_editor(
    Editor(points, asked.get("how", "linear"), np.array(reach), deciding, compared),
    key="line",
    spot="decides your budget",
    on_change=keep,
    view=asked.get("view", "posterior"),
    log_prior=asked.get("log", "0") == "1",
    technical="technical" in asked,
    large="large" in asked,
)
st.text(f"points {encode_points(edit.points)}")
st.text(f"view {edit.view} log {edit.log_prior} settled {edit.settled} refused {edit.refused}")
