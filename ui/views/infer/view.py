"""The page at once: a noisy mean and variance, the regression or the study of coverage, whichever was asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcore.inference import RegressionPosterior, posterior
from ui.pictures.picture import Picture
from ui.pictures.style import Style
from ui.pictures.table import Table
from ui.views.infer.choices import InferInputs
from ui.views.infer.densities import mean_picture, spread_picture
from ui.views.infer.learned import Learned, ends
from ui.views.infer.regression import regression_parts
from ui.views.infer.study import study_parts
from ui.words.catalogue import say
from ui.words.python_lines import CodeLines, CodeWriter, Source
from ui.words.refusals import BEYOND_NUMBERS, UNCOMPUTABLE, refusal_sentence

UNLIKELY = math.log(1e-9)  # log chance of the noise below which a release is asked about before it is analysed


@dataclass(frozen=True)
class InferView:
    """Everything the page shows; `refusal` says why the choices give no answer."""

    answer: str
    small_print: str
    main: Picture | None = None
    spread: Picture | None = None
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
            return InferView(**regression_parts(inputs, style, draws))
        if inputs.part == "coverage":
            return InferView(**study_parts(inputs, style))
        learned = Learned(inputs, style)
        known, ignored = learned.known, learned.ignored
        notes = dict.fromkeys((*known.warnings, *(ignored.warnings if ignored else (learned.no_answer,))))
        return InferView(
            answer=_typing_question(learned) + learned.say("answer"),
            small_print=learned.say("small_print"),
            main=mean_picture(learned),
            spread=spread_picture(learned),
            notes=tuple(filter(None, (learned.still_of_example, *notes))),
            computed=say("infer", "technical", "computed", **learned.context),
            python=_in_python(learned),
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


def _in_python(learned: Learned) -> CodeLines:
    """The lines for the shortest interval of the mean."""
    code = CodeWriter()
    release, prior = code.let("release", learned.release), code.let("prior", learned.prior)
    found = code(posterior, release, prior, constrained=True)
    said = ends(*learned.mean_interval(True))
    return code.ending(Source(f"{found}.mean.shortest_interval({learned.inputs.level!r})"), *said)
