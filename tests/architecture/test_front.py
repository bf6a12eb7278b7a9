"""`import dpcore` costs nothing and reaches everything: modules, a few names in front, known to type checkers too."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import dpcore
import dpcore.attacks

ROOT = Path(__file__).resolve().parents[2]


def _modules(package: ModuleType) -> set[str]:
    return {info.name for info in pkgutil.iter_modules(package.__path__) if not info.name.startswith("_")}


def _told_to_type_checkers(package: ModuleType) -> dict[str, str]:
    """Names that stand under `if TYPE_CHECKING`, and the module they are imported from."""
    assert package.__file__
    (block,) = (
        node
        for node in ast.parse(Path(package.__file__).read_text()).body
        if ast.unparse(node).startswith("if TYPE_CHECKING:")
    )
    return {
        alias.name: node.module or "" for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }


FRONT = {name: home for name, home in _told_to_type_checkers(dpcore).items() if home != "dpcore"}


def _in_a_new_process(lines: str) -> str:
    done = subprocess.run([sys.executable, "-c", lines], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_import_reads_no_module_of_ours_and_neither_numpy_nor_scipy() -> None:
    lines = (
        "import sys, dpcore\n"
        "print(sorted(name for name in sys.modules if name.partition('.')[0] in ('dpcore', 'numpy', 'scipy')))"
    )
    assert _in_a_new_process(lines) == "['dpcore']"


def test_a_module_is_there_when_it_is_named_and_brings_no_more_than_it_needs() -> None:
    lines = (
        "import sys, dpcore\n"
        "print(dpcore.semantics.posterior_upper(prior=0.5, epsilon=0.0), 'dpcore.publication' in sys.modules)\n"
        "print(dpcore.attacks.one_count.CountAttack.__name__, 'dpcore.attacks.reconstruction' in sys.modules)"
    )
    assert _in_a_new_process(lines).splitlines() == ["0.5 False", "CountAttack False"]


@pytest.mark.parametrize("package", [dpcore, dpcore.attacks], ids=lambda package: package.__name__)
def test_type_checkers_and_dir_know_the_modules_that_are_there(package: ModuleType) -> None:
    told = _told_to_type_checkers(package)
    modules = {name for name, home in told.items() if home == package.__name__}
    assert modules == _modules(package)
    assert set(dir(package)) - {"__version__"} == set(told)
    for name in sorted(modules):
        assert getattr(package, name) is import_module(f"{package.__name__}.{name}")


@pytest.mark.parametrize(("name", "home"), sorted(FRONT.items()))
def test_a_name_in_front_is_the_one_of_its_module(name: str, home: str) -> None:
    assert getattr(dpcore, name) is getattr(import_module(home), name)
    assert f"dpcore.{dpcore._HOMES[name]}" == home


def test_the_front_is_short_and_has_what_the_readme_begins_with() -> None:
    assert set(dpcore.__all__) == _modules(dpcore) | set(FRONT)
    assert set(FRONT) == set(dpcore._HOMES)
    assert len(FRONT) <= 15
    readme = ast.parse((ROOT / "README.md").read_text().split("```python\n")[1].split("```")[0])
    assert {alias.name for node in readme.body if isinstance(node, ast.ImportFrom) for alias in node.names} <= set(
        FRONT
    )


def test_a_name_that_is_not_there_is_told_where_to_look() -> None:
    with pytest.raises(AttributeError, match=r"no 'ReleasePlan' in front; dir\(dpcore\) lists its modules"):
        dpcore.ReleasePlan  # noqa: B018
    with pytest.raises(AttributeError, match="no 'block'; its modules are all_cells, any_release, "):
        dpcore.attacks.block  # noqa: B018
    lines = "import sys, dpcore\ntry: dpcore.Laplce\nexcept AttributeError: sys.excepthook(*sys.exc_info())"
    done = subprocess.run([sys.executable, "-c", lines], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "Did you mean: 'Laplace'?" in done.stderr
