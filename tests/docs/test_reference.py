"""The reference is built without a warning, with every notebook run; it names everything and asks no other host."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import re
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from operator import attrgetter
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe
from lxml import html
from playwright.sync_api import Browser

import dpcore
from dpcore.sources import WORKS
from riskline.record.errata import ERRATA, OWN_ERRATA
from tests.architecture.public_names import PLAIN_MODULES, PUBLIC
from ui.link.page_table import PAGES

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted(path.stem for path in (ROOT / "docs" / "reference" / "tutorials").glob("*.md"))
CONCEPTS = sorted(path.stem for path in (ROOT / "docs" / "reference" / "concepts").glob("*.md"))
pytestmark = pytest.mark.timeout(300, func_only=True)  # building the pages before the first test may take any time
LINKS = {"href", "src", "srcset", "action", "data", "poster"}


MOST_SECONDS = 180
"""Of the processor for all pages; a clock would also count who else is at work."""


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as `make docs` builds them: a warning, or a cell of a notebook that fails, is an error."""
    folder = tmp_path_factory.mktemp("docs") / "built"
    before = _processor_seconds()
    done = subprocess.run([sys.executable, "scripts/docs", str(folder)], cwd=ROOT, capture_output=True, text=True)
    said = done.stderr + done.stdout
    assert _processor_seconds() - before <= MOST_SECONDS
    assert done.returncode == 0, said
    assert "WARNING" not in said, said
    return folder


@pytest.fixture(scope="module")
def pages(built: Path) -> dict[Path, html.HtmlElement]:
    return {path: html.parse(str(path)).getroot() for path in built.rglob("*.html") if "_static" not in path.parts}


def _targets(page: html.HtmlElement) -> list[str]:
    return [value for element in page.iter() for name, value in element.items() if name in LINKS]


def test_no_page_and_no_style_asks_another_host(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    asked = [target for page in pages.values() for target in _targets(page) if urlsplit(target).netloc]
    for style in built.rglob("*.css"):
        asked += re.findall(r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')]+)", style.read_text(encoding="utf-8"))
    assert asked == []
    assert {path.name for path in pages} > {"index.html", "api.html", "errata.html"}


def test_every_link_inside_leads_somewhere(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    places = {
        path: {value for element in page.iter() for value in [element.get("id")] if value}
        for path, page in pages.items()
    }
    lost, followed = [], 0
    for path, page in pages.items():
        for target in _targets(page):
            link = urlsplit(target)
            if link.scheme or not (link.path or link.fragment):
                continue
            there = (path.parent / unquote(link.path)).resolve() if link.path else path
            known = there.is_file() and (
                not link.fragment or there.suffix != ".html" or unquote(link.fragment) in places[there]
            )
            lost += [] if known else [f"{path.relative_to(built)}: {target}"]
            followed += 1
    assert lost == []
    assert followed > 5000


def _entries() -> list[str]:
    """What a reader imports: names of a package by the package, others by their module."""
    found = []
    for full, _ in PUBLIC:
        _, first, *inner, name = full.split(".")
        package = getattr(dpcore, first)
        found.append(f"dpcore.{first}.{name}" if inner and hasattr(package, "__all__") else full)
    for module in PLAIN_MODULES - {"dpcore._checks"}:
        for name, value in vars(getattr(dpcore, module.partition(".")[2])).items():
            if getattr(value, "__module__", "") == module and not name.startswith("_") and not inspect.ismodule(value):
                found.append(f"{module}.{name}")
    return found


def test_every_public_name_has_an_entry(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    entries = {
        place
        for path, page in pages.items()
        if path.parent == built / "api"
        for place in page.xpath("//dt[contains(@class, 'sig-object')]/@id")
    }
    constants = {
        f"dpcore.{first}.{name}"
        for first in dpcore.__all__
        for name in getattr(getattr(dpcore, first), "__all__", ())
        if not callable(getattr(getattr(dpcore, first), name))
    }
    assert {"dpcore.composition.METHODS", "dpcore.totals.RULES"} < constants
    assert constants - entries == set()
    for name in constants:
        (said,) = pages[built / "api" / f"{name.rpartition('.')[0]}.html"].xpath(f"//dt[@id='{name}']/../dd")
        words = " ".join(said.text_content().split())
        assert words, name
        kind = inspect.getdoc(type(attrgetter(name.partition(".")[2])(dpcore))) or "-"
        assert not words.startswith(kind[:12]), "what Python says of numbers and words is not what this one is for"
    assert "dpcore.sources.WORKS" in entries
    assert len(_entries()) > 400
    assert set(_entries()) - entries == set()
    assert "dpcore.promise.Promise.guarantee_of_secret" in entries
    assert "dpcore.profiles.CapOrRatio.implied_epsilon" in entries, "a method that its base brings"


def test_the_modules_and_the_names_in_front_are_on_the_list(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    listed = pages[built / "api.html"].xpath("//article//li//a[contains(@class, 'reference')]")
    links = {link.get("href"): link.text_content() for link in listed}
    modules = {f"api/{path.name}" for path in (built / "api").glob("*.html")}
    assert {link for link in links if "#" not in link} == modules
    front = {f"dpcore.{name}" for name in dpcore.__all__ if not inspect.ismodule(getattr(dpcore, name))}
    assert {words for link, words in links.items() if "#" in link} == front


@pytest.mark.parametrize("stem", TUTORIALS)
def test_a_tutorial_asserts_what_it_says_and_describes_what_it_draws(
    pages: dict[Path, html.HtmlElement], built: Path, stem: str
) -> None:
    page = pages[built / "tutorials" / f"{stem}.html"]
    drawn = page.xpath("//div[contains(@class, 'cell_output')]//img/@alt")
    assert " at 0x" not in page.text_content(), "an object nobody can read"
    assert drawn, "no cell was run"
    assert all(len(words) > 60 for words in drawn)
    assert (ROOT / "docs" / "reference" / "tutorials" / f"{stem}.md").read_text(encoding="utf-8").count("\nassert ") > 5


def test_the_gallery_shows_twelve_pictures_of_short_programs(pages: dict[Path, html.HtmlElement], built: Path) -> None:
    page = pages[built / "gallery.html"]
    drawn = page.xpath("//div[contains(@class, 'cell_output')]//img/@alt")
    programs = page.xpath("//div[contains(@class, 'cell_input')]//pre")
    assert len(drawn) == len(programs) == len(page.xpath("//article//h2")) == 12
    assert all(len(words) > 60 for words in drawn)
    assert max(program.text_content().strip().count("\n") + 1 for program in programs) <= 15


def test_the_page_of_refusals_names_every_code_and_every_refusal(
    pages: dict[Path, html.HtmlElement], built: Path
) -> None:
    tables = pages[built / "refusals.html"].xpath("//article//table")
    codes = [code.text_content() for code in tables[0].xpath(".//tbody/tr/td[1]")]
    assert codes == [str(code) for code in dpcore.errors.Code]
    assert all(meaning.text_content().strip() for meaning in tables[0].xpath(".//tbody/tr/td[2]"))
    rows = [[cell.text_content() for cell in row] for table in tables[1:] for row in table.xpath(".//tbody/tr")]
    assert len(rows) > 1000
    assert {code for row in rows for code in row[2].split(", ")} == set(codes)
    assert any(row[:2] == ["prior", "lie in [0, 1]"] and "posterior_upper" in row[3] for row in rows)


@pytest.mark.parametrize("stem", CONCEPTS)
def test_a_concept_leads_to_the_names_the_pages_and_a_tutorial(
    pages: dict[Path, html.HtmlElement], built: Path, stem: str
) -> None:
    (article,) = pages[built / "concepts" / f"{stem}.html"].xpath("//article[contains(@class, 'bd-article')]")
    links = article.xpath(".//a/@href")
    assert sum(link.startswith("../api/") for link in links) >= 3
    assert any(link.startswith("../tutorials/") for link in links)
    assert {*article.xpath(".//em/text()")} & {entry.title for entry in PAGES}


def test_there_are_six_tutorials_and_seven_concepts_on_their_lists(
    pages: dict[Path, html.HtmlElement], built: Path
) -> None:
    for kind, stems, number in (("tutorials", TUTORIALS, 6), ("concepts", CONCEPTS, 7)):
        listed = pages[built / f"{kind}.html"].xpath("//article//li/a/@href")
        assert sorted(listed) == [f"{kind}/{stem}.html" for stem in stems]
        assert len(stems) >= number


def test_the_record_is_printed_from_its_data(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    said = " ".join(pages[built / "errata.html"].text_content().split())
    for note in (*ERRATA, *OWN_ERRATA):
        for words in (note.title, note.printed, note.reason, note.result()):
            assert " ".join(words.replace("`", "").split()) in said, note.title
    assert "# ≈ 68.86" in said, "a bound that is shown to the nearest digit"
    assert "# 105" in said, "what is exact"
    assert all(work.title in pages[built / "sources.html"].text_content() for work in WORKS.values())


def test_how_to_cite_is_read_from_the_citation_file(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    said = pages[built / "cite.html"].text_content()
    assert cited["title"] in said
    assert f"version = {{{cited['version']}}}" in said
    assert f"year = {{{cited['date-released'].year}}}" in said


def test_what_the_first_page_tells_to_type_prints_what_it_says() -> None:
    first = (ROOT / "docs" / "reference" / "index.md").read_text(encoding="utf-8")
    (code,) = re.findall("```python\n(.*?)```", first, flags=re.DOTALL)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code, {})
    assert said.getvalue().split() == re.findall(r"# (.+)", code) == ["1.29"]


def test_a_search_and_the_index_know_every_public_name(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    listed = {place.rpartition("#")[2] for place in pages[built / "genindex.html"].xpath("//article//a/@href")}
    assert set(_entries()) - listed == set()
    assert "genindex.html" in pages[built / "api.html"].xpath("//article//p/a/@href")
    searched = json.loads((built / "searchindex.js").read_text(encoding="utf-8")[len("Search.setIndex(") : -1])
    found = {f"{prefix}.{entry[-1]}" for prefix, entries in searched["objects"].items() for entry in entries}
    assert set(_entries()) - found == set()


def test_no_page_holds_a_script(pages: dict[Path, html.HtmlElement]) -> None:
    for path, page in pages.items():
        assert not page.xpath("//script[not(@src)]"), path
        assert not page.xpath("//@*[starts-with(name(), 'on')]"), path


class BehindNginx(SimpleHTTPRequestHandler):
    """Serves files with the content policy of the deployment, without the hash of Streamlit's own script."""

    (policy,) = re.findall(
        'Content-Security-Policy "([^"]+)"', (ROOT / "docs" / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    )

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", self.policy.replace("@SCRIPTS@", ""))
        super().end_headers()

    def log_message(self, *words: object) -> None:
        """Nothing: requests are no result of a test."""


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(BehindNginx, directory=str(built)))
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.browser
def test_pages_open_behind_the_content_policy_fit_a_phone_are_accessible_and_can_be_searched(
    address: str, browser: Browser
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 840})
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("response", lambda got: told.append(f"{got.status} {got.url}") if got.status >= 400 else None)
    axe = Axe()
    left_out = {"errata": "pre", "genindex": "td + td, table ~ table"}  # more of the same, and it takes seconds
    stems = ("index", "concepts/promise", "tutorials/line_and_budget", "api/dpcore.promise", "errata", "genindex")
    for number, stem in enumerate(stems):
        dark = number % 2 == 1  # colours are the same on all pages
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.goto(f"{address}/{stem}.html")
        assert page.evaluate("document.documentElement.dataset.theme") == ("dark" if dark else "light")
        looked_at = {"exclude": [[left_out[stem]]]} if stem in left_out else None
        found = axe.run(page, looked_at, {"resultTypes": ["violations"], "preload": False}).response["violations"]
        assert [
            (one["id"], [node["target"] for node in one["nodes"]])
            for one in found
            if one["impact"] in ("serious", "critical")
        ] == [], stem
        hidden = """() => [...document.querySelectorAll('.bd-article pre, .bd-article table, .bd-article img, html')]
            .filter(part => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > innerWidth)
            .map(part => part.textContent.slice(0, 80))"""
        assert page.evaluate(hidden) == [], stem
        broken = "() => [...document.images].filter(image => !image.naturalWidth).map(image => image.src)"
        assert page.evaluate(broken) == [], stem
    page.goto(f"{address}/search.html?q=implied_epsilon")
    page.locator("#search-results a", has_text="dpcore.profiles.CapOrRatio.implied_epsilon").first.wait_for()
    assert told == []
    context.close()


def test_what_a_promise_says_is_a_list_of_terms(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    terms = pages[built / "concepts" / "promise.html"].xpath("//article//dl/dt")
    fields = {field.replace("_", " ") for field in dpcore.Promise.__dataclass_fields__} - {"group"}
    assert {term.text_content() for term in terms} == fields


def test_formulas_are_drawn_by_the_browser_itself(built: Path, pages: dict[Path, html.HtmlElement]) -> None:
    page = pages[built / "concepts" / "promise.html"]
    assert page.xpath("//div[@class='formula']/math[@display='block']//msup")
    assert page.xpath("//p//math") or page.xpath("//td//math")
