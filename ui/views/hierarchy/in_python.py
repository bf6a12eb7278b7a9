"""The same in Python: the belief after the block's, the group's and the siblings' counts."""

from __future__ import annotations

from dataclasses import fields

from dpcore.attacks.siblings import sparse_prior
from dpcore.attacks.two_levels import TwoLevels, posterior
from ui.views.hierarchy.attacked import Attacked
from ui.words.phrasing import decimal_belief, frequency
from ui.words.python_lines import CodeLines, CodeWriter
from ui.words.quantities import Exact


def in_python(attacked: Attacked) -> CodeLines:
    """The lines for the belief after this release, under the belief about the other blocks."""
    code, inputs = CodeWriter(), attacked.inputs
    design = inputs.design(inputs.belief)
    chosen = {field.name: getattr(design, field.name) for field in fields(design)}
    if inputs.belief == "sparse":
        chosen["sibling_prior"] = code(sparse_prior, empty=inputs.empty)
    asked = code.let("design", code(TwoLevels, **chosen))
    said = Exact(attacked.belief(inputs.belief), decimal_belief if attacked.style.technical else frequency)
    return code.ending(code(posterior, *inputs.release, design=asked), said)
