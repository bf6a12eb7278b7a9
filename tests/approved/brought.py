"""What pages show of files that somebody brings: nothing of them is in a link, so no setting of a page shows it."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from streamlit.testing.v1 import AppTest

from riskline.case.fields import pairs_of
from riskline.case.value import Case
from tests.app.opened_page import open_page, sound
from tests.approved import outline
from tests.filed_cases import SAID
from tests.noisy_folders import files_of, release, written
from ui.pictures.style import Style
from ui.views.memo import MemoInputs
from ui.views.memo.filing import filing_view

FILE = Path(__file__).with_name("brought.outline.md")
GOES = re.compile("error|warning|caption|button|info")
"""Lines that are told when they are gone: what was refused, what is held, and what takes it away."""
Brought = tuple[str, str, str, str, list[tuple[str, bytes]]]
"""What a file is, its page and setting, the words on its box, and its names and contents."""
WHOLE = 700
"""Characters of a sentence or a table that are told: no other approved file has them."""

COUNTS = b"place,adult,child\nA,9,3\nB,4,4\n"
NOISY = b"level,area,table,cell,value,variance,known\nblock,1001,cenrace,4,3,5,1\nblock,1001,cenrace,5,0,5,0\n"
AREAS = (
    b"code,name,level,parent\nUS,All,nation,\nA,North,state,US\nB,South,state,US\nA1,Ash,county,A\nB1,Elm,county,B\n"
)
ROWS = b"what is released,how,budget of one release,how often in a round\nBirths,Laplace,0.1,12\n"


def brought_in_words() -> str:
    """Of each file where it is asked for and what is new: once it is brought, and after what a reader does next."""
    lines = ["# Files that somebody brings", ""]
    with outline.downloads() as files, patch.object(outline, "OPENING", WHOLE):
        for name, stem, query, box, brought in _files():
            plain, test = open_page(stem), open_page(stem, **dict(pairs_of(query)))
            outline.open_folds(plain)
            outline.open_folds(test)
            shown, before = outline.lines_of(plain, files), outline.lines_of(test, files)
            known = {line.strip() for line in before}
            asked = [line for line in before if line not in shown]
            lines += [f"## {stem}, {name}; before it comes", "", *asked, ""] if asked else []
            for step in _steps(test, box, brought):
                sound(test)
                told = outline.lines_of(test, files)
                fresh = [line for line in told if line.strip() not in known]
                gone = [f"gone: {line.strip()}" for line in before if line not in told and GOES.match(line.strip())]
                known, before = known | {line.strip() for line in told}, told
                lines += [f"## {stem}, {name}{step}", "", *fresh, *gone, ""]
    return "\n".join(lines).rstrip() + "\n"


def _steps(test: AppTest, box: str, brought: list[tuple[str, bytes]]) -> Iterator[str]:
    """The file in its box, one that is none after it, the file again, and the press that takes it away."""
    none = [(name, b"\xff\xfe\x00") for name, _ in brought]
    for step, content in (("", brought), ("; then one that is none", none), ("; then the file again", brought)):
        place = next(one for one in test.file_uploader if box in one.label)
        several = [(name, held, "text/csv") for name, held in content]
        place.set_value(several if place.proto.multiple_files else several[0])
        test.run()
        yield step
    for button in [one for one in test.button if one.label.startswith(("Forget", "Take"))][:1]:
        button.click().run()
        yield f"; then {button.label}"


def _files() -> Iterator[Brought]:
    def one(what: str, stem: str, query: str, box: str, content: bytes, name: str = "mine.csv") -> Brought:
        return what, stem, query, box, [(name, content)]

    for stem in ("block", "play"):
        yield one("counts", stem, "table=own", "CSV file of counts", COUNTS)
    yield one("counts", "rebuild", "source=table&table=own", "CSV file of counts", COUNTS)
    yield one("noisy tables", "hierarchy", "person=0*1*0*4&instead=0*1*0*5", "noisy tables", NOISY)
    yield one("counts", "exact_totals", "", "CSV file of counts", b"11,12\n13,14\n")
    yield one("districts", "accuracy", "", "CSV file of counts", b'district,count\nAsh,12\n"St. Mary, North",0\n')
    yield one("rows", "plan", "", "Rows from a CSV file", ROWS)
    yield one("a curve", "explain", "explain_guarantee=own_mechanism", "CSV file", b"epsilon,delta\n1,0\n0.2,0.3\n")
    amounts = b"pay\n" + b"654.25\n2500\n9000\n" * 50
    yield one("amounts", "publication", "amounts=own", "CSV file of amounts", amounts)
    yield one("areas", "publication", "", "File of areas", AREAS)
    record = filing_view(MemoInputs(case=Case(ratio=3.0, **SAID)), Style()).record_at("").encode()
    yield one("a record", "deployments", "secret=value", "record", record, "record.yaml")
    drawn = random.Random(7)
    draws = "world,output\n" + "".join(f"{world},{drawn.gauss(2 * world, 1):.6f}\n" for world in (0, 1) * 400)
    yield one("draws", "audit", "evidence=file", "CSV file", draws.encode())
    yield one("guesses", "audit", "evidence=file&order=one_by_one", "CSV file", b"right\n" + b"1\n1\n1\n0\n" * 40)
    with tempfile.TemporaryDirectory() as folder:
        tables = files_of(written(Path(folder), release(9)))
    for stem, query in (("publish", "data=own"), ("infer", "part=folder&data=own&area=2")):
        yield "a noisy folder", stem, query, "Files of the folder", tables
