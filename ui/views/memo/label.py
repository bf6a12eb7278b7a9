"""The label of a case: what *For the public* says of it, on a card."""

from __future__ import annotations

from functools import partial

from dpcore.scope import Scope
from ui.documents.label import Label
from ui.views.memo.choices import Memo
from ui.views.public import PublicView
from ui.words.catalogue import label, say
from ui.words.quantities import claimed

word = partial(label, "filing")


def falls(memo: Memo) -> str:
    """How far the belief of the answer can fall instead, in the same people; nothing where it begins at none."""
    if memo.spent is None or not 0 < memo.before < 1:
        return ""
    lowest = claimed(memo.spent.lowest(memo.before), Scope.ANY_MECHANISM, memo.rise.spoken)
    return say("filing", memo.style.voice, "falls", lowest=lowest, exception=memo.exception)


def label_of(memo: Memo, view: PublicView, address: str) -> Label:
    """The label of a case that has a budget; `address` is where the reasons stand."""
    accuracy, unprotected = view.sentences
    over_time = view.answer_to("next")
    rows = {
        "secret": word("of_secret", secret=memo.words()["secret"], whose=memo.words()["whose"]),
        "budget": view.budget,
        "cost": accuracy,
        "open": unprotected,
        "time": over_time,
        "decided": " ".join((view.decided, word("reasons"))),
    }
    return Label(
        over=word("over", office=str(memo.case["office"]).strip() or label("public", "office")),
        title=memo.inputs.title,
        lead=f"{view.answer} {falls(memo)}".strip(),
        rows=tuple((word(f"row.{name}"), text) for name, text in rows.items()),
        people=() if view.picture is None else view.picture.panels,  # type: ignore[arg-type]
        small_print=view.small_print,
        address=address,
    )
