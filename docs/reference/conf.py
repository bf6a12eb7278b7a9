"""Settings of the reference and the tutorials: `make docs` builds them into build/docs. Reasons: docs/decisions/013."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

import dpcore  # noqa: E402

project = "Riskline"
author = copyright = "the Riskline authors"
version = release = dpcore.__version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_nb",
    "extensions.docstrings",
    "extensions.kernels",
    "extensions.mathml",
    "extensions.modules",
    "extensions.names",
    "extensions.record",
    "extensions.refusals",
    "extensions.scripts",
]
exclude_patterns = ["extensions"]
default_role = "name"
nitpicky = True
smartquotes = False  # what is printed from data stays as it is

autodoc_typehints = "none"  # each docstring says the types in words
autodoc_member_order = "bysource"
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False  # autodoc writes them out

myst_enable_extensions = ["deflist", "dollarmath"]
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_show_tb = True

html_theme = "pydata_sphinx_theme"
html_title = f"Riskline {release}"
html_static_path = ["static"]
html_css_files = ["reference.css"]
html_favicon = "../../assets/favicon.png"
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {page: [] for page in ("errata", "sources", "cite")}
html_context = {"default_mode": "auto"}
html_theme_options = {
    "navigation_with_keys": False,
    "show_nav_level": 2,
    "show_toc_level": 2,
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
