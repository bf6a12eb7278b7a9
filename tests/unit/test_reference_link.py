"""The pages say nothing of a reference that was not built, and serve it below the app's own address where it was."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.routing import Mount, Route

from ui.frame import reference


def test_without_built_pages_there_is_neither_link_nor_route() -> None:
    assert (reference.built(), reference.link(), reference.routes()) == (None, "", [])


def test_built_pages_are_looked_for_beside_the_app_or_where_the_variable_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(reference.FOLDER, str(tmp_path))
    assert reference.built() is None, "a folder without a first page"
    (tmp_path / "index.html").touch()
    assert reference.built() == tmp_path
    assert "(reference/index.html)" in reference.link()
    monkeypatch.delenv(reference.FOLDER)
    monkeypatch.setattr(reference, "ROOT", tmp_path / "app")
    assert reference.built() is None
    (tmp_path / "app" / "build" / "docs").mkdir(parents=True)
    (tmp_path / "app" / "build" / "docs" / "index.html").touch()
    assert reference.built() == tmp_path / "app" / "build" / "docs"


@pytest.mark.parametrize(("base", "path"), [("", "/reference"), ("risk/line", "/risk/line/reference")])
def test_the_route_lies_below_the_address_of_the_app(
    base: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "index.html").touch()
    monkeypatch.setenv(reference.FOLDER, str(tmp_path))
    monkeypatch.setattr(reference.st, "get_option", {"server.baseUrlPath": base}.__getitem__)
    first, pages = reference.routes()
    assert isinstance(first, Route)
    assert isinstance(pages, Mount)
    assert (first.path, pages.path) == (path, path)


def test_the_address_of_a_folder_shows_its_first_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (tmp_path, tmp_path / "concepts"):
        folder.mkdir(exist_ok=True)
        (folder / "index.html").write_text(folder.name)
    monkeypatch.setenv(reference.FOLDER, str(tmp_path))
    _, pages = reference.routes()
    asked = {"type": "http", "method": "GET", "headers": [], "path": "/reference/concepts/"}
    answer = asyncio.run(pages.app.get_response("concepts/", asked))  # type: ignore[union-attr]
    assert (answer.status_code, Path(answer.path)) == (200, tmp_path / "concepts" / "index.html")
