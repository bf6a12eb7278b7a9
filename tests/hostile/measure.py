"""What settings of a page cost and say, measured in a process of their own.

`Walker` starts one process that has everything imported; for each page it forks a child, which draws setting after
setting and counts the processor time and the memory of each. A child past its hard limits is killed, so that a link
without an end is a finding and not a hang; the settings behind it go on in another. What is over a limit is measured
again by itself, because a machine that others use inflates processor time: what a setting takes is its least.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import Any

from tests.cases import inputs_of
from tests.hostile.peak_memory import forget_peak, peak_bytes, resident_bytes
from tests.hostile.sentences import unreadable
from tests.hostile.settings import SEARCHED
from ui.link.page_table import PAGES

ROOT = Path(__file__).resolve().parents[2]
SECONDS, MEGABYTES = 5.0, 300.0  # of a processor that others use too: alone, half as long
HARD_SECONDS, HARD_MEGABYTES = 12, 2_000
IN_PIECES = ("learned", "regression", "draws", "page of add_up", "page of infer", "page of public_information")
"""Runs with progress and Stop, which any change of a choice ends, and the pages that may start one by themselves."""
FOLDS_OF = {
    "hierarchy": ("hierarchy.view", "build_up"),
    "publication": ("publication.clipping", "clipping_advice"),
}
"""What a page's folds ask for: the module of its view, and its functions."""
PAPERS_OF = {"memo": ("document",), "lessons": ("handout", "instructor", "label")}
Parts = dict[str, Callable[[], Any]]


def parts(stem: str, setting: dict[str, Any]) -> Parts:
    """What a reader can have from a page at a setting: its view, folds, papers, runs, and the page itself, by name."""
    from ui.pictures.style import Style

    module = import_module(f"ui.views.{stem}")
    style = Style(voice=setting["voice"])
    chosen, _ = inputs_of(stem, setting["query"].items())
    view_of: Callable[..., Any] = getattr(module, f"{stem}_view")
    made: list[Any] = []

    def view() -> Any:
        made.append(view_of(style) if chosen is None else view_of(chosen, style))
        return made[-1]

    found: Parts = {"view": view}
    where, *folds = FOLDS_OF.get(stem, ("",))
    for name in folds:
        fold = getattr(import_module(f"ui.views.{where}"), name)
        found[name] = lambda fold=fold: fold(chosen, style) if getattr(made[-1], "refusal", None) is None else None
    if stem == "infer" and chosen.part == "regression" and setting["whole"]:
        from ui.views.infer.view import regression_draws

        found["regression"] = lambda: view_of(chosen, style, regression_draws(chosen))
    if stem == "add_up" and setting["whole"]:  # its first sweeps: the rest are more of the same
        found["learned"] = lambda: module.learned(chosen, lambda done, wanted: done >= 70)
    if stem in PAPERS_OF and setting["whole"]:
        found["papers"] = lambda: papers(made[-1], PAPERS_OF[stem])
    if setting["whole"]:
        found[f"page of {stem}"] = partial(opened, stem, setting)
    return found


def papers(view: Any, names: tuple[str, ...]) -> None:
    """The documents of a page, as a web page and for Word."""
    from ui.documents.page import html_page
    from ui.documents.word import word_file

    for name in names:
        html_page(getattr(view, name)).encode("utf-8")
        word_file(getattr(view, name))


def opened(stem: str, setting: dict[str, Any]) -> tuple[str, ...]:
    """The whole page as a session sees it through this link: all texts, after a look for what broke."""
    from streamlit.testing.v1 import AppTest

    test = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for name, value in ({"voice": setting["voice"]} | setting["query"]).items():
        test.query_params[name] = value
    test.switch_page(f"pages/{stem}.py")
    test.run()
    assert not test.exception, test.exception[0].value
    said = [element.value for kind in (test.markdown, test.caption, test.error, test.warning) for element in kind]
    return tuple(said)


def measured(call: Callable[[], Any], *, above: int, typed: str = "", may_refuse: bool = False) -> dict[str, Any]:
    """Seconds, the largest memory above so many bytes, the end of a call, and what in its words nobody could read."""
    forget_peak()
    before = {kind: resource.getrlimit(kind) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_AS)}
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(time.process_time()) + HARD_SECONDS, resource.RLIM_INFINITY))
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + HARD_MEGABYTES * 2**20, resource.RLIM_INFINITY))
    told, start = None, time.process_time()
    try:
        told = call()
        end = "refused" if getattr(told, "refusal", None) else "answered"
    except Exception as error:
        refused = may_refuse and isinstance(error, ValueError)
        end, told = ("refused", str(error)) if refused else (traceback.format_exc()[-900:], None)
    finally:
        for kind, limit in before.items():
            resource.setrlimit(kind, limit)
    seconds = time.process_time() - start
    return {
        "seconds": seconds,
        "megabytes": (peak_bytes() - above) / 2**20,
        "end": end,
        "unreadable": unreadable(told, typed),
        "refusal": str(getattr(told, "refusal", "") or "") if end == "refused" else "",
    }


def draw(stem: str, asked: list[dict[str, Any]], say: Callable[[dict[str, Any]], None]) -> None:
    """Draw settings one after the other, here; say what each part of each took."""
    from ui.views.shared.session_results import results_kept_in

    warnings.filterwarnings("error", category=RuntimeWarning, module=r"dpcore\b")
    whole, searched = any(one["whole"] for one in asked), {"limit": SEARCHED} if stem == "rebuild" else {}
    for voice, all_parts in (("technical", False), ("plain", whole)):  # one-time imports and texts are not its cost
        for call in parts(stem, {"query": searched, "voice": voice, "whole": all_parts}).values():
            with suppress(ValueError), results_kept_in({}):
                call()
    gc.collect()
    give_back()
    above = resident_bytes()
    for place, setting in enumerate(asked):
        typed = " ".join(setting["query"].values())
        with results_kept_in({}):  # as in a session that has nothing yet
            for name, call in parts(stem, setting).items():
                found = measured(call, above=above, typed=typed, may_refuse=name not in ("view", "papers"))
                say({"place": place, "part": name} | setting | found)
        give_back()
        say({"place": place, "part": ""})


def give_back() -> None:
    """Hand freed memory to the system, so that what one setting took is not counted as another's."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def in_children(stem: str, asked: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The same in a child, and in another where one was killed at its hard limit."""
    done = 0
    while done < len(asked):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            with os.fdopen(writer, "w") as pipe:
                try:
                    draw(stem, asked[done:], lambda found: print(json.dumps(found), file=pipe, flush=True))
                except BaseException:
                    print(json.dumps({"broken": traceback.format_exc()}), file=pipe, flush=True)
                    os._exit(1)
            os._exit(0)
        os.close(writer)
        finished = 0
        with os.fdopen(reader) as pipe:
            for line in pipe:
                found = json.loads(line)
                if "broken" in found:
                    raise RuntimeError(found["broken"])
                if found["part"]:
                    yield found
                else:
                    finished = found["place"] + 1
        os.waitpid(child, 0)
        if done + finished < len(asked):
            lost = {"part": "killed", "seconds": float(HARD_SECONDS), "megabytes": 0.0, "unreadable": "", "refusal": ""}
            yield lost | asked[done + finished] | {"end": "killed at a hard limit"}
            finished += 1
        done += finished


def over(found: dict[str, Any]) -> bool:
    """Whether a part of a setting took more than it may."""
    slow = found["seconds"] > SECONDS and found["part"] not in IN_PIECES
    return slow or found["megabytes"] > MEGABYTES or found["part"] == "killed"


def wrong(found: dict[str, Any]) -> bool:
    """Whether a part of a setting is a finding: over a limit, broken, or said so that nobody could read it."""
    return over(found) or found["end"] not in ("answered", "refused") or bool(found["unreadable"])


def main() -> None:
    """Answer one line of standard input after the other: {"page": stem, "settings": [...]}."""
    sys.path.insert(0, str(ROOT))
    from streamlit.components.v2 import manifest_scanner
    from streamlit.testing.v1 import AppTest  # noqa: F401  (imported here, once for all children)

    brought = manifest_scanner.scan_component_manifests()  # by installed packages; AppTest asks again for each page
    manifest_scanner.scan_component_manifests = lambda: brought
    for entry in PAGES:
        import_module(f"ui.views.{entry.stem}")
    opened("home", {"query": {}, "voice": "plain"})  # what the frame imports and compiles, once for all children
    gc.collect()
    gc.freeze()  # or each child looks through all of it, and so copies it
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            for found in in_children(asked["page"], asked["settings"]):
                print(json.dumps(found), flush=True)
        except RuntimeError as error:
            print(json.dumps({"broken": str(error)}), flush=True)
        else:
            print(json.dumps({"done": True}), flush=True)


class Walker:
    """The process that walks: asked for page after page."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.measure"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"},
        )

    def once(self, stem: str, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """What each part of each setting took."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps({"page": stem, "settings": asked}), file=self.process.stdin, flush=True)
        found = []
        for line in self.process.stdout:
            told = json.loads(line)
            if "broken" in told:
                raise RuntimeError(told["broken"])
            if "done" in told:
                return found
            found.append(told)
        raise RuntimeError(f"the walk over {stem} ended with {self.process.wait()}")

    def walk(self, stem: str, asked: list[dict[str, Any]], again: int = 2) -> list[dict[str, Any]]:
        """The same; a setting over a limit is measured again by itself, and what it took is the least."""
        found = self.once(stem, asked)
        for place, told in enumerate(found):
            for _ in range(again):
                if not over(found[place]):
                    break
                setting = {key: told[key] for key in ("query", "voice", "whole")}
                more = [one for one in self.once(stem, [setting]) if one["part"] in (told["part"], "killed")]
                kept = {key: min(one[key] for one in (found[place], *more)) for key in ("seconds", "megabytes")}
                found[place] = (more[0] if more else found[place]) | kept
        return found

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)


if __name__ == "__main__":
    main()
