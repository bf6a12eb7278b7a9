"""The page at once: a noisy mean and variance, the regression or the study of coverage, whichever was asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcore.inference import (
    RegressionPosterior,
)
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.infer.choices import InferInputs
from ui.views.infer.coverage_study import COMMAND, coverage_parts, study_rows
from ui.views.infer.densities import joint_picture, mean_picture, spread_picture
from ui.views.infer.in_python import moments_in_python, regression_in_python, study_in_python
from ui.views.infer.learned import Learned
from ui.views.infer.noisy_regression import regression_parts
from ui.words.catalogue import say
from ui.words.failures import BEYOND_NUMBERS, UNCOMPUTABLE
from ui.words.python_lines import CodeLines
from ui.words.refusals import refusal_sentence

UNLIKELY = math.log(1e-9)  # log chance of the noise below which a release is asked about before it is analysed


@dataclass(frozen=True)
class InferView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str
    small_print: str
    main: Picture | None = None
    numbers: tuple[tuple[str, str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    table: Table | None = None
    notes: tuple[str, ...] = ()
    command: str = ""
    computed: str = ""
    python: CodeLines | None = None
    refusal: str | None = None


def infer_view(inputs: InferInputs, style: Style, draws: RegressionPosterior | str | None = None) -> InferView:
    """The page for these choices; `draws` are those of the regression once made, or why there are none."""
    try:
        if inputs.part == "regression":
            parts = regression_parts(inputs, style, draws)
            return InferView(**parts, python=regression_in_python(inputs, draws))
        if inputs.part == "coverage":
            return InferView(**coverage_parts(inputs, style), python=study_in_python(study_rows(inputs)[0], COMMAND))
        learned = Learned(inputs, style)
        context = learned.context
        known, ignored = learned.known, learned.ignored
        notes = dict.fromkeys((*known.warnings, *(ignored.warnings if ignored else (learned.no_answer,))))
        return InferView(
            answer=_typing_question(learned) + learned.say("answer" if ignored else "answer_alone"),
            small_print=learned.say("small_print"),
            main=joint_picture(learned),
            numbers=_numbers(learned),
            pictures=(mean_picture(learned), spread_picture(learned)),
            notes=(*([learned.say(learned.prior_of_example)] if learned.prior_of_example else []), *notes),
            computed=say("infer", style.voice, "computed", **context),
            python=moments_in_python(learned),
        )
    except ValueError as error:
        return InferView("", "", refusal=refusal_sentence(error))
    except UNCOMPUTABLE:
        return InferView("", "", refusal=BEYOND_NUMBERS)


def _typing_question(learned: Learned) -> str:
    """Whether the less likely of both numbers is a typing error, when noise hardly ever puts it so far out."""
    release = learned.release
    chance, what, value = min(
        (release.log_chance_of_mean, "mean", learned.context["published"]),
        (release.log_chance_of_variance, "variance", learned.context["published_variance"]),
    )
    if chance > UNLIKELY:
        return ""
    zeros = math.floor(-chance / math.log(10))  # the chance is rounded up to the next power of ten
    return learned.say("typing_question", what=learned.say(f"typing_{what}"), value=value, zeros=f"{zeros:,}") + " "


def _numbers(learned: Learned) -> tuple[tuple[str, str, str], ...]:
    context, say_it = learned.context, learned.say
    rows = [
        (say_it("number_spread"), f"{context['spread_low']} to {context['spread_high']}", say_it("note_spread")),
        (say_it("number_before"), f"{context['before_low']} to {context['before_high']}", say_it("note_before")),
    ]
    if learned.ignored is not None:
        rows.append((say_it("number_impossible"), context["impossible"], say_it("note_impossible")))
    return tuple(rows)
