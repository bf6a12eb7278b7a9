"""Which noise or method protects a table, and its settings."""

from __future__ import annotations

from riskline.case.methods import SETTINGS
from ui.frame.form import Form
from ui.words.catalogue import option_words


def ask_protection(form: Form) -> str:
    """The kinds of noise of the page and the methods beside them; the settings of a method that is chosen."""
    noise = form.choice("noise", option_words(form.stem, "noise") | option_words("methods", "method"), style="select")
    for name in SETTINGS.get(noise, ()):
        if name in form.fields:
            form.number(name)
    return noise
