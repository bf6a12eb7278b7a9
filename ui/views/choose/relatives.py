"""What if relatives resemble, at the budget of the line of *Choose a budget*."""

from __future__ import annotations

from riskline.answers.relatives import RelativesChoice, resembling_on_line
from ui.pictures.style import Style
from ui.views.choose.answer import ChooseInputs, answered, spending
from ui.views.choose.view import as_spent
from ui.views.shared.promise import refusing
from ui.views.shared.relatives import RelativesView, relatives_view
from ui.words.refusals import UNCOMPUTABLE


@refusing(RelativesView, "choose", *UNCOMPUTABLE)
def choose_relatives(inputs: ChooseInputs, relatives: RelativesChoice, style: Style) -> RelativesView:
    """What the line's budget tells where relatives resemble, from the belief that decides, and what keeps the line."""
    found = resembling_on_line(inputs.line_choice, inputs.terms, relatives)
    if found is None:
        return relatives_view(None, 0.5, style)
    alike, each = found
    line = answered(inputs, style)
    place = line.implied.binding
    prior = place.prior if place is not None and 0.0 < place.prior < 1.0 else 0.5  # else it is only approached
    keeps = ("keeps_line", spending(inputs, as_spent(each)))
    return relatives_view(alike, prior, style, keeps=keeps, exception=line.passed(alike.failure))
