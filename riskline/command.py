"""The console command `riskline`: answers on a command line, and the dashboard.

The commands that answer read a page's choices as its link would hold them and tell what the page tells
(`docs/decisions/012-the-command-line.md`). Exit codes: 0 with an answer; 2 where an input is refused; 1 where its
numbers cannot be computed with.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dpcore
from riskline import dashboard
from riskline.signs import IN_WORDS

if TYPE_CHECKING:
    from riskline.choices import NotTaken
    from riskline.commands import Command
    from riskline.output import Answer

PURPOSES = {
    "budget": "the privacy budget that a line of acceptable risk implies",
    "explain": "what a budget or a named noise means for an attacker's belief",
    "accuracy": "the error at a given budget, or the budget that an accuracy needs",
    "methods": "what rounding, cell keys, suppression or swapping gives away, under a line",
    "plan": "how releases add up, and when they exceed the promised limit",
    "publication": "one budget shared by many tables: the range of each",
    "attack": "exactly what a noisy count reveals about one person",
    "census": "what noisy tables of a census, of one's own or drawn, tell about one person",
    "tradeoff": "the share that the best test of a secret finds at a rate of false accusations",
    "memo": "the decision memo of a case, as a page to print, a Word file or slides",
    "release": "noisy tables of a plan and of data on this machine, drawn with OpenDP",
    "adjust": "noisy tables of a release made to add up, without negative counts",
    "estimate": "a count, share, rate or difference from noisy tables, with its range",
    "audit": "what draws, or guesses, show of a claimed budget: a lower bound, or that the claim is refuted",
    "cases": "every printed number of the literature, recomputed here and now",
    "app": "start the dashboard, for this machine only",
    "class": "a room for a class: an address that phones reach, a QR code",
    "completion": "shell completion for these commands: riskline completion bash",
}
"""Every command and what it answers, in the order of the help."""
WITHOUT_PAGE = ("memo", "release", "adjust", "estimate", "app", "class", "completion")
ANSWERING = tuple(name for name in PURPOSES if name not in WITHOUT_PAGE)
"""The commands that are a page, read on a command line."""
ANSWERED, NOT_COMPUTED, REFUSED, STOPPED = 0, 1, 2, dashboard.STOPPED
VOICES = ("plain", "technical")
OVERVIEW = """\
usage: riskline COMMAND [choices]

Draw the line of risk you can accept; read the privacy budget it implies.

{commands}

Examples:
  riskline budget --cap 0.25 --ratio 3        up to 25 in 100 always, above that three times as likely
  riskline explain --epsilon 1 --prior 0.1    what a budget of 1 means for a belief of 10 in 100
  riskline budget --link 'choose?ratio=2'     the answer of a link to the page
  riskline explain --epsilon 1 --json         the same numbers as JSON

riskline COMMAND --help lists a command's choices, with examples. Type numbers as on the pages: 0.05, 5%, 1/20.
"""
APP_HELP = """\
usage: riskline app [--port N] [--share [NAME]] [options of streamlit run]

Start the dashboard, for browsers of this machine only: http://localhost:8501

  --port N        another port
  --share [NAME]  let other machines in, under the name by which they call this one; default: its own name.
                  Read docs/deploy.md before many people connect

examples:
  riskline app
  riskline app --port 8600
  riskline app --share stats.example
"""
CLASS_HELP = """\
usage: riskline class [--address ADDRESS] [--port N] [--certificate FILE --key FILE] [--no-browser] [--rehearsal]

Find an address of this computer that phones reach, start the dashboard there, open a room, show its address and
a QR code, and say when the first phone is there, or what may keep phones away. docs/before-class.md

  --address ADDRESS   one of this computer's addresses, or a name by which phones call it; default: the likeliest
  --port N            another port; default: the first free one from 8501 on
  --certificate FILE  with --key FILE: serve HTTPS with a certificate of your own, for the name in --address
  --no-browser        print the address of the moderator's page instead of opening it
  --rehearsal         have 24 simulated phones join and answer, tell what was measured, and stop

examples:
  riskline class
  riskline class --rehearsal
  riskline class --address stats.example --certificate stats.pem --key stats.key
"""
OF_CASE = "Start from the case in a JSON, TOML or scenario file; - reads standard input."
COMPLETION_HELP = """\
usage: riskline completion bash|zsh|fish

Print the script that a shell reads at startup to complete commands, options and values.

examples:
  riskline completion bash > ~/.local/share/bash-completion/completions/riskline
  riskline completion zsh >> ~/.zshrc
  riskline completion fish > ~/.config/fish/completions/riskline.fish
"""
CLEARED_UP = [["release"], ["adjust"], ["app"], ["class"]]
"""Commands that end what they have begun when Ctrl-C stops them; all others leave at once."""
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What would move a terminal's cursor or colour its text; a case of somebody else's may hold it."""
DASHES = "-\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}"
"""What stands before an option, and what text processors make of it."""
FAULT = "This is a bug in Riskline ({kind}): please tell its maintainers what you typed, and what {debug}=1 shows."
DEBUG = "RISKLINE_DEBUG"


def make_pages_importable() -> None:
    """Let this process import the pages' views: those carried beside this module, or those of the checkout."""
    carried = Path(__file__).resolve().parent / "_pages"
    root = carried if carried.is_dir() else dashboard.checkout()
    if root is not None and str(root) not in sys.path:
        sys.path.insert(0, str(root))


def main(arguments: list[str] | None = None) -> int:
    """What the console command does with its arguments.

    Exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=IN_WORDS)  # a terminal without ε still gets its answer
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        with nullcontext() if given[:1] in CLEARED_UP else _left_at_once():
            return run(given)
    except BrokenPipeError:  # the reader of the pipe has gone, as `head` does
        _discard_output()
        return ANSWERED
    except _OutputError as reason:
        _discard_output()
        _print_error(f"The answer could not be written: {reason}.")
        return NOT_COMPUTED
    except KeyboardInterrupt:
        return STOPPED
    except Exception as fault:
        if os.environ.get(DEBUG, "0") not in ("", "0"):
            raise
        _print_error(FAULT.format(kind=type(fault).__name__, debug=DEBUG))
        return NOT_COMPUTED


@contextmanager
def _left_at_once() -> Iterator[None]:
    """Have Ctrl-C end the process: raised inside an import, it would come out as another fault, or be lost."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:  # ignored by a job in the background
        yield
        return
    signal.signal(signal.SIGINT, dashboard.leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def run(arguments: list[str]) -> int:
    """Answer, start, or say why not; every sentence about a refused input goes to the stream of errors."""
    name, *rest = arguments or ["--help"]
    if name == "help" and rest and not rest[0].startswith("-"):
        return run([rest[0], "--help"])
    if name in ("-h", "--help", "help"):
        return _write_out(overview())
    if name == "--version":
        return _write_out(f"Riskline {dpcore.__version__}")
    if name == "app":
        return _write_out(APP_HELP.rstrip()) if {"-h", "--help"} & set(rest) else dashboard.start(rest)
    if name == "class":
        from riskline import classroom

        return _write_out(CLASS_HELP.rstrip()) if {"-h", "--help"} & set(rest) else classroom.start(rest)
    if name == "census" and rest[:1] == ["draw"]:
        make_pages_importable()
        return _draw(rest[1:])
    if name in (own := {"memo": _memo, "release": _release, "adjust": _adjust, "estimate": _estimate}):
        make_pages_importable()
        return own[name](rest)
    if name == "completion":
        return _completion(rest)
    if name not in PURPOSES:
        return _refused([_no_such_command(name)])
    return _answered(name, rest)


def overview() -> str:
    """The help of the command itself."""
    wide = max(map(len, PURPOSES))
    listed = "\n".join(f"  {name:<{wide}}  {purpose}" for name, purpose in PURPOSES.items())
    return OVERVIEW.format(commands=listed).rstrip()


def command_of(name: str) -> Command:
    """A command that answers, read when it is first asked for."""
    make_pages_importable()
    found: Command = import_module(f"riskline.commands.{name}").COMMAND
    return found


class _Parser(argparse.ArgumentParser):
    """A parser that raises what is wrong as a sentence."""

    def error(self, message: str) -> Any:
        from riskline.choices import NotTaken

        raise NotTaken(f"{message[:1].upper()}{message[1:]}.")


def parser_of(name: str, command: Command) -> _Parser:
    """The options of a command: the choices of its page, and how the answer is told."""
    from riskline.choices import add_options, listed_choices, lists

    shown = listed_choices(command)
    examples = "\n".join(f"  riskline {example}" for example in command.examples)
    parser = _Parser(
        prog=f"riskline {name}",
        usage=f"riskline {name} {_files_of(command)}[choices] [--json | --python]",
        description=_purpose(name),
        epilog=f"{lists(shown)}examples:\n{examples}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        exit_on_error=False,
    )
    if command.file is not None:
        nargs = "?" if command.file.several == 1 else "*"
        parser.add_argument("file", nargs=nargs, metavar="FILE", help=f"{command.file.help} - reads standard input.")
    add_options(parser.add_argument_group("choices"), shown)
    told = parser.add_argument_group("output")
    if command.plan is not None:
        told.add_argument("--plan", metavar="FILE", help="Also begin a plan for riskline release, in a new file.")
    if command.of_case:
        told.add_argument("--case", metavar="FILE", help=f"{OF_CASE} Options override it.")
    told.add_argument(
        "--link", dest="link", metavar="LINK", help="Start from the choices in a link to the page; quote it."
    )
    told.add_argument("--voice", metavar="|".join(VOICES), help="The page's wording; default: plain.")
    told.add_argument("--json", action="store_true", help="Print the answer as JSON: docs/command-line.md.")
    told.add_argument("--python", action="store_true", help="Print only the Python lines that compute the answer.")
    return parser


def _files_of(command: Command) -> str:
    """How many files a command takes, in its usage."""
    return "[FILE] " * (0 if command.file is None else command.file.several)


def _answered(name: str, given: list[str]) -> int:
    """The answer of a command's page, or the page's refusal."""
    command = command_of(name)
    from riskline.case.fields import link
    from riskline.choices import (
        NotTaken,
        case_of,
        named_below,
        of_option,
        query_of,
        read_as_thousands,
        values_of,
    )
    from riskline.commands import limited_as_on_pages
    from riskline.commands.of_case import OfCase
    from riskline.output import as_json, as_text, refusal_as_json
    from ui.pictures.style import Style

    fields, held = command.fields, None
    try:
        if {"-h", "--help"} & set(given):
            return _write_out(parser_of(name, command).format_help().rstrip())
        asked = _parsed(parser_of(name, command), given)
        if asked.json and asked.python:
            raise NotTaken("Choose --json or --python, not both; --json includes the Python lines.")
        if getattr(asked, "case", None) is not None:
            if command.file is not None and command.file.holds_budget and asked.file is not None:
                raise NotTaken("Give a file or a case, not both: each brings a budget of its own.")
            if asked.link is not None and case_of(asked.link) is not None:
                raise NotTaken("Give a case in a file or one in a link, not both.")
            held = OfCase.of(_file(asked.case), command)
        elif asked.link is not None and command.of_case is not None:
            found = case_of(asked.link)
            held = None if found is None else OfCase.of(found, command)
        fields = fields if held is None else held.fields
        query = query_of(asked.link, command.stem, fields) if asked.link is not None else {}
        query |= {field.name: getattr(asked, field.name) for field in fields if hasattr(asked, field.name)}
        query = dict(said for name, said in command.implied.items() if name in query) | query
        voice = _voice(asked.voice or query.get("voice", VOICES[0]))
        set_by_file, brought = _taken(command, asked)
        values = values_of(fields, query)
        said_by = {said: name for name, (said, _) in command.implied.items() if name in query}
        _refuse_conflicts(set_by_file, {name: values[name] for name in query if name in values}, said_by)
        values |= set_by_file
        if held is not None:
            held, values = held.asked(query.keys() | set_by_file.keys(), values)
        inputs = command.inputs(**values, **({"case": held.case} if held is not None and command.holds_case else {}))
        if held is not None and asked.case is not None:
            held.refuse_what_it_lacks(inputs, query)
        with limited_as_on_pages():
            answer = command.answer(inputs, Style(voice=voice), **brought)
            if command.plan is not None and asked.plan is not None:
                answer = _with_plan(answer, *command.plan(inputs), Path(asked.plan))
        answer = answer if held is None else held.told(answer, inputs, voice)
        answer = replace(answer, notes=(*read_as_thousands(fields, asked), *answer.notes))
        if asked.python and answer.lines is None:
            raise NotTaken("There are no lines of Python for this answer.")
    except NotTaken as reason:
        if "--json" in given:
            _write_out(refusal_as_json(name, reason.refusals, computable=reason.computable))
        named = {field.name: field.named for field in fields}
        listed = {field.name: f" riskline {name} --help lists all." for field in fields if named_below(field)}
        sentences = (
            of_option(choice, said, named.get(choice)) + listed.get(choice, "") for choice, said in reason.refusals
        )
        return _refused(sentences, REFUSED if reason.computable else NOT_COMPUTED)
    spoken = {} if voice == VOICES[0] else {"voice": voice}
    address = link(command.stem, fields, values, **spoken) if held is None else held.address(values, spoken)
    if asked.json:
        of_case = {} if held is None else {"case": held.table}
        fields = tuple(field for field in fields if field.name not in command.left_out)
        told = as_json(answer, command=name, fields=fields, values=values, link=address, **of_case)
    elif asked.python and answer.lines is not None:
        told = answer.lines.text
    else:
        told = as_text(answer, link=address, width=shutil.get_terminal_size().columns)
    return _write_out(told) or (NOT_COMPUTED if answer.failed else ANSWERED)


def _with_plan(answer: Answer, plan: str, note: str, file: Path) -> Answer:
    """The answer, once the plan of a release that it begins is in a file of its own."""
    from riskline.case.fields import shown
    from riskline.choices import NotTaken

    try:
        with open(file, "x", encoding="utf-8") as begun:
            begun.write(plan)
    except (OSError, ValueError) as error:
        fault = (getattr(error, "strerror", None) or "there can be no file of that name").lower()
        there = isinstance(error, FileExistsError)  # another name is asked for; else no folder takes it
        raise NotTaken(f"The file {shown(file.name)!r} was not written: {fault}.", "plan", computable=there) from None
    return replace(answer, notes=(*answer.notes, note))


def _taken(command: Command, asked: argparse.Namespace) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file sets and brings; nothing without one."""
    named = getattr(asked, "file", None)
    if command.file is None or named in (None, []):
        return {}, {}
    if command.file.several == 1:
        return _from_file(named, command.file.take, most=command.file.most)
    contents = [(name, _from_file(name, bytes, most=command.file.most)) for name in named]
    return _from_file(" ".join(named), partial(_taken_of, command.file.take, contents), read=False)


def _taken_of(take: Callable[[Any], Any], contents: list[tuple[str, bytes]], _: bytes) -> Any:
    """What several files hold together, once they are read."""
    return take(contents)


def _file(name: str) -> Any:
    """The case of a file."""
    from riskline.case.file import read_file

    return _from_file(name, read_file, "case")


def _from_file(
    name: str, take: Callable[[bytes], Any], choice: str = "file", *, most: int | None = None, read: bool = True
) -> Any:
    """What a file holds; `NotTaken` where it holds nothing of the kind."""
    from riskline.case.fields import shown
    from riskline.choices import NotTaken
    from ui.link.sheet_file import LARGEST_FILE
    from ui.words.refusals import refusal_words

    try:
        content = _read(name, (LARGEST_FILE if most is None else most) + 1) if read else b""
    except OSError as error:
        fault = (error.strerror or "it cannot be opened").lower()
    except ValueError:  # an impossible file name
        fault = "there is no file of that name"
    else:
        try:
            return take(content)
        except UnicodeDecodeError:
            fault = "it is not text in UTF-8"
        except ValueError as error:
            fault = re.sub("^The file ", "it ", refusal_words(error))
    raise NotTaken(f"The file {shown(name)!r} was not taken: {fault.rstrip('.')}.", choice)


LAID_OUT: dict[str, Any] = {
    "formatter_class": argparse.RawDescriptionHelpFormatter,
    "allow_abbrev": False,
    "exit_on_error": False,
}
"""How every help is printed, and options are read."""


def _purpose(name: str) -> str:
    """What a command answers, as a sentence."""
    return f"{PURPOSES[name][0].upper()}{PURPOSES[name][1:]}."


def _parsed(parser: _Parser, given: list[str]) -> argparse.Namespace:
    """The options as typed; `NotTaken` names the first that is none, or does not fit."""
    from riskline.case.fields import shown
    from riskline.choices import NotTaken, option_fault

    try:
        asked, unknown = parser.parse_known_args(given)
    except argparse.ArgumentError as error:
        raise NotTaken(option_fault(error)) from None
    if unknown:
        first = next((word for word in given if word[:1] in DASHES[1:]), unknown[0]).partition("=")[0]
        known = {each.lstrip("-"): each for action in parser._actions for each in action.option_strings}
        a_choice = first[:1] in DASHES and first != "--case"
        near = _nearest(first.lstrip(DASHES), known) if a_choice else ""
        meant = f"did you mean {known[near]}?" if near else f"{parser.prog} --help lists its choices."
        raise NotTaken(f"{parser.prog} has no choice called {shown(first)!r}; {meant}")
    return asked


def _nearest(typed: str, known: Iterable[str]) -> str:
    """The name that was meant: one that begins so, or one that looks alike; empty where there is none.

    >>> _nearest("eps", ["steps", "epsilon"]), _nearest("epsilom", ["steps", "epsilon"]), _nearest("x", ["steps"])
    ('epsilon', 'epsilon', '')
    """
    begun = [name for name in known if len(typed) > 1 and name.startswith(typed)]
    return next(iter(difflib.get_close_matches(typed, begun or known, 1, 0.0 if begun else 0.6)), "")


def _memo(given: list[str]) -> int:
    """The memo of a case, written to a file or to the output."""
    from riskline.case.fields import shown
    from riskline.choices import NotTaken, add_options, of_option
    from riskline.commands.memo import ANNEXES, FIELDS, FILED, filed_of, kind_of, memo_of

    parser = _Parser(
        prog="riskline memo",
        usage=f"riskline memo --case FILE [--label | --registry | --annex {'|'.join(ANNEXES)}] [--out FILE] [choices]",
        description=_purpose("memo"),
        epilog="examples:\n  riskline memo --case case.toml --out memo.html\n"
        "  riskline memo --case riskline-scenario.json --out memo.docx --until 2030\n"
        "  riskline memo --case case.toml --registry --out record.yaml",
        **LAID_OUT,
    )
    parser.add_argument("--case", metavar="FILE", help=OF_CASE)
    parser.add_argument(
        "--out", metavar="FILE", help="memo.html, .docx or .pptx; without it, the page goes to standard output."
    )
    filed = parser.add_mutually_exclusive_group()
    filed.add_argument("--label", action="store_true", help="The label of 90 by 130 mm instead: .html, .svg or .png.")
    filed.add_argument("--registry", action="store_true", help="The record for a public register instead: .yaml.")
    filed.add_argument("--annex", metavar="|".join(ANNEXES), help="An annex instead: .html or .docx.")
    parser.add_argument("--voice", metavar="|".join(VOICES), help="The page's wording; default: plain.")
    add_options(parser.add_argument_group("choices"), FIELDS)
    if {"-h", "--help"} & set(given):
        return _write_out(parser.format_help().rstrip())
    try:
        asked = _parsed(parser, given)
        if asked.case is None:
            raise NotTaken("riskline memo needs --case FILE; riskline memo --help lists its choices.")
        own = {field.name: getattr(asked, field.name) for field in FIELDS if hasattr(asked, field.name)}
        case, voice = _file(asked.case), _voice(asked.voice or VOICES[0])
        if asked.annex is not None and asked.annex not in ANNEXES:
            raise NotTaken(f"--annex must be one of {', '.join(ANNEXES)}; got {shown(asked.annex)!r}.")
        what = "annex" if asked.annex else "label" if asked.label else "registry" if asked.registry else ""
        if what:
            content, note = filed_of(case, own, voice, asked.annex or what, kind_of(asked.out, FILED[what]))
        else:
            content, note = memo_of(case, own, voice, kind_of(asked.out))
    except NotTaken as reason:
        named = {field.name: field.named for field in FIELDS}
        sentences = (of_option(choice, said, named.get(choice)) for choice, said in reason.refusals)
        return _refused(sentences, REFUSED if reason.computable else NOT_COMPUTED)
    if note:
        _print_error(note)
    return _written(content, asked.out)


def _release(given: list[str]) -> int:
    """The noisy tables of a plan, drawn into a folder."""
    from riskline.choices import NotTaken
    from riskline.commands.release import released
    from riskline.release.making import Interrupted

    parser = _Parser(
        prog="riskline release",
        usage="riskline release PLAN DATA --out FOLDER [--format csv|parquet] [--clip] [--again]",
        description="Draw the tables of a plan from data on this machine, with OpenDP: docs/command-line.md.",
        epilog="examples:\n  riskline publication --case case.toml --plan plan.json\n"
        "  riskline release plan.json births.csv --out births",
        **LAID_OUT,
    )
    parser.add_argument("plan", nargs="?", metavar="PLAN", help="The plan, a file of JSON.")
    parser.add_argument("data", nargs="?", metavar="DATA", help="Records or true counts, CSV or Parquet.")
    parser.add_argument("--out", metavar="FOLDER", help="The folder that is made for the tables.")
    parser.add_argument("--format", metavar="csv|parquet", default="csv", help="Of the tables; default: csv.")
    parser.add_argument("--clip", action="store_true", help="Leave out what is beyond a unit's limits.")
    parser.add_argument("--again", action="store_true", help="Draw a plan once more, which costs its budget again.")
    if {"-h", "--help"} & set(given):
        return _write_out(parser.format_help().rstrip())
    try:
        asked = _parsed(parser, given)
        if None in (asked.plan, asked.data, asked.out):
            raise NotTaken("riskline release needs a plan, data and --out FOLDER; riskline release --help shows how.")
        told = released(asked.plan, asked.data, asked.out, form=asked.format, again=asked.again, clip=asked.clip)
    except NotTaken as reason:
        return _not_taken(reason)
    except Interrupted as reason:
        return _refused([str(reason)], STOPPED if reason.by_hand else NOT_COMPUTED)
    return _write_out(told)


def _adjust(given: list[str]) -> int:
    """The noisy tables of a folder, adjusted into another."""
    from riskline.choices import NotTaken
    from riskline.commands.adjust import METHODS, adjusted

    parser = _Parser(
        prog="riskline adjust",
        usage=f"riskline adjust FOLDER --out FOLDER [--method {'|'.join(METHODS)}] [--format csv|parquet]",
        description=_purpose("adjust"),
        epilog="examples:\n  riskline adjust births --out births-adjusted",
        **LAID_OUT,
    )
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="What riskline release has written.")
    parser.add_argument("--out", metavar="FOLDER", help="The folder that is made for the tables.")
    parser.add_argument(
        "--method",
        metavar="|".join(METHODS),
        default="nearest",
        help="The nearest such tables, or for a million areas from each to its parts; default: nearest.",
    )
    parser.add_argument("--format", metavar="csv|parquet", default="csv", help="Of the tables; default: csv.")
    if {"-h", "--help"} & set(given):
        return _write_out(parser.format_help().rstrip())
    try:
        asked = _parsed(parser, given)
        if None in (asked.folder, asked.out):
            raise NotTaken("riskline adjust needs a folder and --out FOLDER; riskline adjust --help shows how.")
        told = adjusted(asked.folder, asked.out, method=asked.method, form=asked.format)
    except NotTaken as reason:
        return _not_taken(reason)
    return _write_out(told)


def _not_taken(reason: NotTaken) -> int:
    """Says why there is no answer: 2 where an input is refused, 1 where nothing can be computed with it or written."""
    return _refused((said for _, said in reason.refusals), REFUSED if reason.computable else NOT_COMPUTED)


def _estimate(given: list[str]) -> int:
    """A number from a folder of noisy tables."""
    from riskline.choices import NotTaken
    from riskline.commands.estimate import estimated

    parser = _Parser(
        prog="riskline estimate",
        usage="riskline estimate FOLDER COUNTS [--over COUNTS | --minus COUNTS | --posterior] [--per N] "
        "[--level SHARE] [--json]",
        description=f"{_purpose('estimate')} COUNTS name a table, areas, categories and times, all of "
        "each where it is left out: 'table=Births; area=24,51; sex=f'. A name with a comma or a semicolon stands in "
        "quotation marks: 'area=\"Kent, East\",24'.",
        epilog="examples:\n  riskline estimate births 'area=24001; sex=f'\n"
        "  riskline estimate births 'area=24001; sex=f' --over 'area=24001'\n"
        "  riskline estimate births 'table=Deaths; area=24' --over 'table=Births; area=24' --per 1000",
        **LAID_OUT,
    )
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="What riskline release has written.")
    parser.add_argument("counts", nargs="?", metavar="COUNTS", help="What is counted.")
    parser.add_argument("--over", metavar="COUNTS", help="Divide by these: a share where they hold the others.")
    parser.add_argument("--minus", metavar="COUNTS", help="Subtract these.")
    exact = "What is believed of one area's count: its exact law, with no count below 0."
    parser.add_argument("--posterior", action="store_true", help=exact)
    parser.add_argument("--per", metavar="N", default="1", help="Of a rate: for each 1,000, say; default: 1.")
    parser.add_argument("--level", metavar="SHARE", default="95%", help="How often the range holds; default: 95%%.")
    parser.add_argument("--json", action="store_true", help="Print kind, value, low and high as JSON.")
    if {"-h", "--help"} & set(given):
        return _write_out(parser.format_help().rstrip())
    try:
        asked = _parsed(parser, given)
        if None in (asked.folder, asked.counts):
            raise NotTaken("riskline estimate needs a folder and counts; riskline estimate --help shows how.")
        told = estimated(
            asked.folder,
            asked.counts,
            over=asked.over,
            minus=asked.minus,
            posterior=asked.posterior,
            per=asked.per,
            level=asked.level,
            as_json=asked.json,
        )
    except NotTaken as reason:
        return _refused(said for _, said in reason.refusals)
    return _write_out(told)


def _draw(given: list[str]) -> int:
    """Noisy tables of an invented area, written to a file or to the output."""
    from riskline.choices import NotTaken
    from riskline.commands.census import drawn_file

    parser = _Parser(
        prog="riskline census draw",
        usage="riskline census draw [--seed N] [--block N] [--out FILE]",
        description="Draw noisy tables of an invented block and all areas above it, as noise was added in 2020.",
        **LAID_OUT,
    )
    parser.add_argument("--seed", metavar="N", default="1", help="The same number draws the same file; default: 1.")
    parser.add_argument("--block", metavar="N", default="1", help="Which block of the county, 1 to 28; default: 1.")
    parser.add_argument("--out", metavar="FILE", help="Where to write; without it, standard output.")
    if {"-h", "--help"} & set(given):
        return _write_out(parser.format_help().rstrip())
    try:
        asked = _parsed(parser, given)
        content, note = drawn_file(asked.seed, asked.block, asked.out)
    except NotTaken as reason:
        return _refused(said for _, said in reason.refusals)
    code = _written(content.encode("utf-8"), asked.out)
    if code == ANSWERED:
        _print_error(note)
    return code


def _written(content: bytes, out: str | None) -> int:
    """A file, written where it was asked for."""
    from riskline.case.fields import shown

    if out is None:
        return _write_out(content.decode("utf-8").rstrip("\n"))
    try:
        Path(out).write_bytes(content)
    except (OSError, ValueError) as error:
        fault = (getattr(error, "strerror", None) or "there can be no file of that name").lower()
        return _refused([f"The file {shown(out)!r} was not written: {fault}."], NOT_COMPUTED)
    return ANSWERED


def _refuse_conflicts(set_by_file: Mapping[str, Any], asked: Mapping[str, Any], said_by: Mapping[str, str]) -> None:
    """`NotTaken` where a choice is asked for in another way than the file sets it: neither may win unsaid.

    `said_by` names the choices that say another one.
    """
    from riskline.choices import NotTaken, option

    for name, value in set_by_file.items():
        if name in asked and asked[name] != value:
            typed = said_by.get(name, name)
            raise NotTaken(f"The file sets {name}; leave out {option(typed)}, and leave it out of the link.", typed)


def _read(name: str, most: int) -> bytes:
    """The beginning of a file, or of what is piped in."""
    if name == "-":
        if sys.stdin is None:
            raise OSError(errno.EBADF, "nothing is piped in")
        return sys.stdin.buffer.read(most)
    with open(name, "rb") as file:
        return file.read(most)


def _voice(voice: str) -> str:
    from riskline.case.fields import shown
    from riskline.choices import NotTaken

    if voice not in VOICES:
        raise NotTaken(f"Voice must be one of {', '.join(VOICES)}; got {shown(voice)!r}.")
    return voice


def _completion(given: list[str]) -> int:
    """The script for the shell that is named."""
    commands = {name: command_of(name) for name in ANSWERING}
    from riskline.completion import SHELLS, completion

    if {"-h", "--help"} & set(given):
        return _write_out(COMPLETION_HELP.rstrip())
    if len(given) != 1 or given[0] not in SHELLS:
        return _refused([f"riskline completion must be followed by one of {', '.join(SHELLS)}."])
    return _write_out(completion(given[0], PURPOSES, commands))


def _no_such_command(name: str) -> str:
    make_pages_importable()
    from riskline.case.fields import shown

    near = _nearest(name, PURPOSES)
    meant = f"did you mean riskline {near}?" if near else "riskline --help lists all."
    return f"There is no command {shown(name)!r}; {meant}"


class _OutputError(Exception):
    """Why an answer could not be written where it was meant to go."""


def _write_out(text: str) -> int:
    """The text written to its end, so that whatever prevents it is noticed here."""
    if sys.stdout is None:
        raise _OutputError("the output is closed")
    try:
        print(CONTROLS.sub("\ufffd", text), flush=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _OutputError((error.strerror or "no more can be written").lower()) from None
    return ANSWERED


def _discard_output() -> None:
    """Let Python, which writes what is left when it ends, write it nowhere."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_error(sentence: str) -> None:
    """A sentence on the stream of errors; where there is none, the exit code has to do."""
    with suppress(OSError):
        if sys.stderr is not None:
            print(CONTROLS.sub("\ufffd", sentence), file=sys.stderr)


def _refused(sentences: Iterable[str], code: int = REFUSED) -> int:
    for sentence in sentences:
        _print_error(sentence)
    return code


if __name__ == "__main__":
    sys.exit(main())
