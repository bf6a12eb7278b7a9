"""The questions of *Publish*, and the one place where a reader's noisy folder is read.

Files that were uploaded are kept in this session's memory and nowhere else: they are not written, logged or linked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from riskline.release.shapes import Shapes, shapes_of_file
from ui.ask.table_choice import begin_again
from ui.frame import show
from ui.frame.form import Form, touch
from ui.frame.upload import ask_file, by_worker, empty_box, offer_to_forget, show_fault
from ui.views.publish.held import LARGEST_UPLOAD, PARTS, Held, Offered, PublishInputs, read_upload, word
from ui.words.catalogue import option_words

OWN, SHAPES = "_own_folder", "_own_shapes"
FILE, SHAPES_FILE = "own_folder_file", "own_shapes_file"
OF_A_QUESTION = {"count": (), "difference": ("other_area",), "ratio": ("other_table", "other_cell")}


def _take(form: Form, files: Sequence[tuple[str, bytes]]) -> None:
    st.session_state[OWN] = by_worker(read_upload, word("no_folder"))(files)
    begin_again(form, PARTS)


def _forget(form: Form) -> None:
    for held, box in ((OWN, FILE), (SHAPES, SHAPES_FILE)):
        st.session_state.pop(held, None)
        empty_box(box)
    begin_again(form, PARTS)
    touch()


def ask_release(form: Form) -> Held | None:
    """Which release is shown: the example, or the folder that this session holds; that one, if any."""
    if form.choice("data", option_words("publish", "data"), style="select") != "own":
        if "seed" in form.fields:
            form.number("seed")
            form.draw_again()
        return None
    with st.popover(word("own"), width="stretch"):
        ask_file(word("own.file"), FILE, partial(_take, form), most=LARGEST_UPLOAD, several=True)
        st.caption(word("own.help"))
        st.caption(word("own.promise"))
    show_fault(FILE)
    held: Held | None = st.session_state.get(OWN)
    if held is not None:
        counts = {"tables": len(held.folder.tables), "areas": f"{len(held.folder.areas.codes):,}"}
        show.caption(word("own.held", **counts))
        st.button(word("own.forget"), on_click=_forget, args=(form,), key=f"{form.stem}.forget")
    return held


def ask_shapes(form: Form, held: Held | None) -> Shapes | None:
    """Shapes of the areas of a folder that this session holds; a map or dots, where there are any."""
    shapes: Shapes | None = None
    if held is not None:
        with st.popover(word("shapes"), width="stretch"):
            read = by_worker(shapes_of_file, word("no_shapes_file"))
            ask_file(word("shapes.file"), SHAPES_FILE, read, most=LARGEST_UPLOAD, held=SHAPES)
            st.caption(word("shapes.help"))
            shapes = st.session_state.get(SHAPES)
            if shapes is not None:
                offer_to_forget(word("shapes.forget"), f"{form.stem}.no_shapes", held=[SHAPES], boxes=[SHAPES_FILE])
        show_fault(SHAPES_FILE)
    if held is None or shapes is not None:
        form.choice("shown", style="select")
    return shapes


def ask_parts(form: Form, held: Held, *names: str, level: str = "level") -> None:
    """Parts of a release, each from a list that depends on those before; not where a list has but one.

    `level` is what the page calls the choice of a level.
    """
    for name in names:
        chosen = {**vars(PublishInputs()), **form.values, "level": form.values[level]}
        words = Offered(held.folder, chosen).words[name]
        if len(words) > 1:
            form.pick(level if name == "level" else name, words)


def ask_question(form: Form, held: Held) -> None:
    """Which areas, and what of them."""
    ask_parts(form, held, "area")
    if others := Offered(held.folder, form.values).words["more_areas"]:
        form.pick_several("more_areas", others)
    words, part = option_words(form.stem, "wanted"), Offered(held.folder, form.values)
    if len(part.together) == part.areas.size:
        words = {name: said for name, said in words.items() if name != "difference"}
    ask_parts(form, held, *OF_A_QUESTION[form.choice("wanted", words, style="select")])
