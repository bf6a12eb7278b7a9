"""A command that is asked about a case: the case gives its choices, and options beside it count."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from riskline.answers import standing
from riskline.answers.budgets import implied_by_line
from riskline.case.fields import Field
from riskline.case.file import case_table, not_used
from riskline.case.value import Case
from riskline.choices import NotTaken, option
from riskline.commands import Command
from riskline.output import Answer
from ui.link.case_links import address, of_case
from ui.views.shared.strip import budget_words, strip_of
from ui.words.refusals import refusal_sentence

NO_BUDGET = "The case has no budget, because {why} and nobody has decided: add {option}."
NO_LINE, NO_LIMIT, NOTHING_LEFT = "no line has been drawn", "the line sets no limit", "the line leaves none"
REFUSED_LINE = "The case has no budget, and nobody has decided: add {option}. {why}"
OTHER_BUDGET = "This answer cannot take the case's budget, {budget}: add {option}."
NO_PART = "The case has no {part}: add {ways}."


def refusal_in_words(case: Case) -> str:
    """Why the line of a case has no budget, as its page says it."""
    try:
        implied_by_line(case)
    except (ValueError, ArithmeticError) as error:
        return refusal_sentence(error, "choose")
    return ""


@dataclass(frozen=True)
class OfCase:
    """A case that a command is asked about.

    case : with the options beside it, once they are read
    command : what is asked
    fields : its choices, whose budget is that of the case while no option names another
    """

    case: Case
    command: Command
    fields: tuple[Field, ...]

    @classmethod
    def of(cls, case: Case, command: Command) -> OfCase:
        """The case, before options are read."""
        return cls(case, command, command.fields if command.of_case is None else command.of_case(case))

    def asked(self, named: Set[str], values: Mapping[str, Any]) -> tuple[OfCase, dict[str, Any]]:
        """The case with what options, link and file name beside it, and the command's choices."""
        said = {field.name for field in self.fields if {field.name, field.former_name} & named}
        made = {field.name: values[field.name] for field in self.fields if field.of_case and field.name in said}
        case = self.case.with_choices(**made) if made else self.case
        return replace(self, case=case), {**values, **of_case(case, self.fields)}

    def refuse_what_it_lacks(self, inputs: Any, query: Mapping[str, str]) -> None:
        """Ends a command that would answer with a budget or a part that neither the case nor an option names."""
        needs = self.command.needs
        if needs and needs not in self.case:
            file = self.command.file
            ways = option(needs) if file is None or file.holds_budget else f"{option(needs)} or a file"
            raise NotTaken(NO_PART.format(part=needs, ways=ways), "case")
        trial = inputs.trial(self.case) if self.command.budgets else None
        asked = "" if trial is None else next(name for name in self.command.budgets if name.endswith(trial.currency))
        if trial is None or asked in query:
            return
        found, drawn = standing(self.case), self.case.line is not None and not self.case.is_example
        if found.budget is None or self.case.is_example:
            if found.refusal:
                raise NotTaken(REFUSED_LINE.format(why=refusal_in_words(self.case), option=option(asked)), "case")
            why = NO_LINE if not drawn else NO_LIMIT if found.unlimited else NOTHING_LEFT
            raise NotTaken(NO_BUDGET.format(why=why, option=option(asked)), "case")
        budget = budget_words(found.budget.value, found.budget.currency)
        raise NotTaken(OTHER_BUDGET.format(budget=budget, option=option(asked)), "case")

    def told(self, answer: Answer, inputs: Any, voice: str) -> Answer:
        """The answer, and of which case it is."""
        trial = getattr(inputs, "trial", None)
        trial = trial(self.case) if callable(trial) else trial
        claimed = self.case.decision is not None
        strip = strip_of(self.case, voice, trial=trial, claimed=claimed, page=self.command.stem)
        notes = (strip.text, not_used(self.case), *answer.notes)
        return replace(answer, notes=tuple(filter(None, notes)))

    def address(self, values: Mapping[str, Any], more: Mapping[str, str]) -> str:
        """The link to the page that says the same."""
        query = address(self.case, self.command.stem, self.fields, values) | dict(more)
        return f"{self.command.stem}?{urlencode(query)}" if query else self.command.stem

    @property
    def table(self) -> dict[str, Any]:
        """The case as JSON has it."""
        return case_table(self.case)
