"""Formulas as MathML, which browsers draw themselves: no script, no font, nothing asked of another host."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def _written(node: nodes.math | nodes.math_block, as_block: bool) -> str:
    try:
        return tex2mathml(node.astext(), as_block=as_block)
    except (MathError, AttributeError) as error:  # docutils fails over some commands that it does not know
        LOGGER.warning("a formula cannot be read: %s; %s", node.astext(), error, location=node)
        return ""


def inline(writer: Any, node: nodes.math) -> None:
    """Write a formula in a line of text."""
    writer.body.append(_written(node, as_block=False))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on a line of its own."""
    attributes = 'class="formula" role="group" aria-label="formula" tabindex="0"'  # it can be wider than a phone
    writer.body.append(f"<div {attributes}>{_written(node, as_block=True)}</div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the renderer under the name that conf.py asks for."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
