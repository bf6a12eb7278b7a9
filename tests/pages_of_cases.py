"""A page of a case, as the session's form hands it to the view, without Streamlit."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from riskline.case.value import Case
from ui.link.case_links import of_case
from ui.link.page_table import page_entry
from ui.pictures.style import Style
from ui.views.shared.strip import beginning_with_case


def view_of(stem: str, case: Case, style: Style) -> Any:
    """A page of a case, as the session's form hands it over."""
    module = import_module(f"ui.views.{stem}")
    fields = beginning_with_case(page_entry(stem).fields, case)
    values = {field.name: field.default for field in fields} | of_case(case, fields)
    inputs = getattr(module, f"{stem.capitalize()}Inputs")(**values)
    return getattr(module, f"{stem}_view")(inputs, style)
