"""dpcore stands on numpy and scipy; what has no business with Streamlit does not import it."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from pathlib import Path

import dpcore
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]
PURE = (
    "ui/views",
    "ui/pictures",
    "riskline/case/fields.py",
    "ui/words/phrasing.py",
    "ui/link/page_table.py",
    "ui/text",
    "ui/documents",
)

CORE_ONLY = """
import sys, importlib, importlib.metadata
allowed = {"numpy", "scipy", "dpcore"} | set(sys.stdlib_module_names)
class Wall:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in allowed and not top.startswith("_"):
            raise ImportError("not allowed: " + name)
sys.meta_path.insert(0, Wall())
for name in sys.argv[1:]:
    importlib.import_module(name)
assert "scipy.stats" not in sys.modules, "scipy.stats takes as long to import as all else here"
print("imported", len(sys.argv) - 1)
"""


def _modules() -> list[str]:
    found = [info.name for info in pkgutil.walk_packages(dpcore.__path__, "dpcore.")]
    return ["dpcore", *found]


def test_dpcore_imports_with_only_numpy_and_scipy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CORE_ONLY, *_modules()], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"imported {len(_modules())}"


def test_the_wall_of_the_import_test_holds() -> None:
    done = subprocess.run([sys.executable, "-c", CORE_ONLY, "pandas"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0
    assert "not allowed: pandas" in done.stderr


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def _pure_files() -> list[Path]:
    files: list[Path] = []
    for place in PURE:
        path = ROOT / place
        files += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return files


@each("path", _pure_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_pure_modules_do_not_import_streamlit(path: Path) -> None:
    assert not {name for name in _imported(path) if name.split(".")[0] == "streamlit"}


@each("path", sorted((ROOT / "pages").glob("*.py")), ids=lambda path: path.name)
def test_a_page_only_asks_and_shows(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 80
    assert "require_frame()" in source
    assert not {
        name for name in _imported(path) if name.split(".")[0] in ("dpcore", "numpy", "scipy", "pandas", "plotly")
    }


NO_STREAMLIT = """
import sys, importlib
sys.modules["streamlit"] = None
for name in sys.argv[1:]:
    importlib.import_module(name)
print("imported", len(sys.argv) - 1)
"""


def test_views_and_documents_run_without_streamlit() -> None:
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in _pure_files()]
    done = subprocess.run(
        [sys.executable, "-c", NO_STREAMLIT, *names], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
