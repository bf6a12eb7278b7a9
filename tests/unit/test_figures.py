"""Every figure of every page's default view passes Plotly's own property check, light and dark."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

import plotly.graph_objects as go
import pytest

from tests.hostile.measure import inputs_of
from ui.link.page_table import PAGES, PageEntry
from ui.pictures.look import Look


def figures_in(value: Any) -> list[go.Figure]:
    """All figures a view holds, however deep."""
    if isinstance(value, go.Figure):
        return [value]
    if is_dataclass(value) and not isinstance(value, type) and type(value).__module__.startswith("ui."):
        return [found for field in fields(value) for found in figures_in(getattr(value, field.name))]
    if isinstance(value, (tuple, list)):
        return [found for item in value for found in figures_in(item)]
    return []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("entry", [entry for entry in PAGES if entry.fields], ids=lambda entry: entry.stem)
def test_figures_hold_only_what_plotly_knows(entry: PageEntry, dark: bool) -> None:
    module = import_module(f"ui.views.{entry.stem}")
    view = getattr(module, f"{entry.stem}_view")(inputs_of(entry.stem, {}), Look(dark=dark))
    for figure in figures_in(view):
        go.Figure(figure.to_plotly_json())


def test_the_walk_over_views_finds_their_figures() -> None:
    choose = import_module("ui.views.choose")
    assert len(figures_in(choose.choose_view(choose.ChooseInputs(question="both"), Look()))) == 3
