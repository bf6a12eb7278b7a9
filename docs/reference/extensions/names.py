"""What stands in single backticks in a docstring: a link where it names something of dpcore, else code."""

from __future__ import annotations

import importlib

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PyXRefRole
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

MARK = "in-a-docstring"


class NameRole(PyXRefRole):
    """A name as the docstring's module reads it."""

    def create_xref_node(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """A link to be found among everything of Python that is documented."""
        self.refdomain, self.reftype, self.classes = "py", "obj", ["xref", "py", MARK]
        return super().create_xref_node()


def found_or_code(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element) -> nodes.Node | None:
    """A link to what the module imported under that name; a parameter or an expression is code and no link."""
    if MARK not in text["classes"]:
        return None
    name = node["reftarget"]
    here = importlib.import_module(node.get("py:module") or "dpcore")
    meant = getattr(here, name.partition(".")[0], None)
    home = f"{getattr(meant, '__module__', '')}."
    for full, entry in env.domains.python_domain.objects.items():
        if full.endswith(f".{name}") and home.startswith(full.removesuffix(name)):
            return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, text, full)
    return text


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the role of single backticks."""
    app.add_role("name", NameRole())
    app.connect("missing-reference", found_or_code)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
