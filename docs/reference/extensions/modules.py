"""A page of the reference for each module of dpcore that hands out names, written before Sphinx reads its sources."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType

from docutils import nodes
from jinja2 import FileSystemBytecodeCache
from jinja2.sandbox import SandboxedEnvironment
from numpydoc import docscrape_sphinx
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective

import dpcore

FOLDER = "api"
LONGEST = 80
"""Characters of a constant that stand beside its name."""


def modules() -> list[ModuleType]:
    """The modules in front of dpcore, and those of a package that hands out modules and no names."""
    found = []
    for name in dpcore.__all__:
        module = getattr(dpcore, name)
        if inspect.ismodule(module):
            found += [module] if handed_out(module) else [getattr(module, inner) for inner in dir(module)]
    return found


def handed_out(module: ModuleType) -> dict[str, object]:
    """Names of a module that are for its callers: those it lists, or what it defines and describes."""
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return {name: getattr(module, name) for name in listed}
    described = {name for scope, name in ModuleAnalyzer.for_module(module.__name__).find_attr_docs() if not scope}
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and ((_is_called(value) and getattr(value, "__module__", "") == module.__name__) or name in described)
    }


def _is_called(value: object) -> bool:
    return inspect.isfunction(value) or inspect.isclass(value)


def members(kind: type) -> Iterator[str]:
    """Public methods and properties of a class with a docstring, its bases' in dpcore among them."""
    for name in dict.fromkeys(
        name for base in kind.__mro__ if base.__module__.startswith("dpcore") for name in vars(base)
    ):
        value = inspect.getattr_static(kind, name)
        called = inspect.isroutine(value) or isinstance(value, staticmethod | classmethod) or hasattr(value, "__get__")
        if not name.startswith("_") and called and getattr(value, "__doc__", None):
            yield name


def page(module: ModuleType) -> str:
    """The page's source: what the module is for, a line for each name, then every name in full."""
    names = handed_out(module)
    lines = [module.__name__, "=" * len(module.__name__), "", f".. automodule:: {module.__name__}", ""]
    lines += [f".. currentmodule:: {module.__name__}", ""]
    parts = {
        "Classes": {name: value for name, value in names.items() if inspect.isclass(value)},
        "Functions": {name: value for name, value in names.items() if inspect.isfunction(value)},
        "Constants": {name: value for name, value in names.items() if not _is_called(value)},
    }
    for title, part in parts.items():
        if part:
            lines += [title, "-" * len(title), ""]
            lines += [*(_line(name, value) for name, value in part.items() if _is_called(value)), ""]
            lines += [line for name, value in part.items() for line in _in_full(module, name, value)]
    return "\n".join(lines)


def _line(name: str, value: object) -> str:
    return f"* :py:obj:`{name}`: " + _first(value).replace("|", r"\|")


def _first(value: object) -> str:
    """What a docstring says first, on one line."""
    first, _, _ = (inspect.getdoc(value) or "").partition("\n\n")
    return first.replace("\n", " ")


def _described(module: ModuleType, name: str, value: object) -> list[str]:
    """What stands below a constant where it is defined, in the module or further inside."""
    for inner, found in list(sys.modules.items()):
        if f"{inner}.".startswith(f"{module.__name__}.") and vars(found).get(name) is value:
            lines = ModuleAnalyzer.for_module(inner).find_attr_docs().get(("", name))
            if lines:
                return lines
    raise ExtensionError(f"{module.__name__}.{name} is handed out and not described")


def _in_full(module: ModuleType, name: str, value: object) -> list[str]:
    if not _is_called(value):
        said = repr(value)
        shown = [] if len(said) > LONGEST or " at 0x" in said else [f"   :value: {said}"]
        return [f".. py:data:: {name}", *shown, "", *(f"   {line}" for line in _described(module, name, value)), ""]
    if not inspect.isclass(value):
        return [f".. autofunction:: {name}", ""]
    lines = [f".. autoclass:: {name}"]
    if issubclass(value, BaseException):
        lines += ["   :show-inheritance:"]
    if issubclass(value, Enum):
        lines += ["   :members:", "   :undoc-members:"]
    elif shown := ", ".join(members(value)):
        lines += [f"   :members: {shown}"]
    return [*lines, ""]


class Modules(SphinxDirective):
    """Some modules, each with what it is for."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """One item a module, each a link to its page."""
        listed = nodes.bullet_list()
        for name in self.content:
            module = import_module(f"dpcore.{name}")
            link = nodes.reference(
                "", "", nodes.literal("", module.__name__), refuri=f"{FOLDER}/{module.__name__}.html"
            )
            listed += nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(f": {_first(module)}")))
        return [listed]


class Front(SphinxDirective):
    """The names that stand in front of dpcore, beside its modules."""

    def run(self) -> list[nodes.Node]:
        """One item a name, each a link to its entry in the module where it lives."""
        lines = []
        for name in dpcore.__all__:
            value = getattr(dpcore, name)
            if not inspect.ismodule(value):
                lines.append(f"* {{py:obj}}`dpcore.{name} <{_home(value)}.{name}>`: {_first(value)}")
        return self.parse_text_to_nodes("\n".join(lines))


def _home(value: object) -> str:
    """The module on whose page a name in front has its entry."""
    return next(module.__name__ for module in modules() if value in list(handed_out(module).values()))


def write(app: Sphinx) -> None:
    """Write the pages, and none of a module that is gone."""
    folder = Path(app.srcdir) / FOLDER
    folder.mkdir(exist_ok=True)
    pages = {folder / f"{module.__name__}.rst": page(module) for module in modules()}
    for path in set(folder.glob("*.rst")) - set(pages):
        path.unlink()
    for path, text in pages.items():
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the pages, and let numpydoc compile its template once instead of once a docstring, a third of all time."""

    def environment(**settings: object) -> SandboxedEnvironment:
        return SandboxedEnvironment(**settings, bytecode_cache=COMPILED)

    docscrape_sphinx.SandboxedEnvironment = environment
    app.add_directive("front", Front)
    app.add_directive("modules", Modules)
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


COMPILED = FileSystemBytecodeCache()
