"""What a shell needs to complete `riskline`: its commands, their options, the values of those with few."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from riskline.choices import option
from riskline.commands import Command

TOLD = ("--link", "--voice", "--json", "--python", "--help")
VALUES_OF_ALL = {
    "--voice": ("plain", "technical"),
    "--format": ("csv", "parquet"),
    "--method": ("nearest", "top-down"),
    "--annex": ("nist", "impact", "w3c"),
}
OF_OTHERS = {
    "app": ("--port", "--share", "--help"),
    "class": ("--address", "--port", "--certificate", "--key", "--no-browser", "--rehearsal", "--help"),
    "release": ("--out", "--format", "--clip", "--again", "--help"),
    "adjust": ("--out", "--method", "--format", "--help"),
    "estimate": ("--over", "--minus", "--posterior", "--per", "--level", "--json", "--help"),
    "memo": (
        "--case",
        "--label",
        "--registry",
        "--annex",
        "--out",
        "--voice",
        "--until",
        "--reasons",
        "--household",
        "--yearly",
        "--help",
    ),
}
BY_FILE = ("--case", "--plan", "--out", "--certificate", "--key")
"""Options that a file's name follows."""
SHELLS = ("bash", "zsh", "fish")


def completion(shell: str, purposes: Mapping[str, str], commands: Mapping[str, Command]) -> str:
    """The script that a shell reads once, at its start; one of `SHELLS`."""
    if shell == "fish":
        return _fish(purposes, commands)
    script = _bash(purposes, commands)
    return f"autoload -U +X bashcompinit && bashcompinit\n{script}" if shell == "zsh" else script


def _options(name: str, commands: Mapping[str, Command]) -> dict[str, tuple[str, ...]]:
    """The options of a command that a help names, and the values of each that is one of few."""
    if name not in commands:
        return {each: VALUES_OF_ALL.get(each, ()) for each in OF_OTHERS.get(name, ())}
    command = commands[name]
    told: dict[str, tuple[str, ...]] = {
        option(field.name): ("yes", "no") if field.kind == "flag" else field.offered
        for field in command.fields
        if field.name not in command.left_out
    }
    files = (*(["--plan"] if command.plan else []), *(["--case"] if command.of_case else []))
    return told | {each: VALUES_OF_ALL.get(each, ()) for each in (*files, *TOLD)}


def _takes_file(name: str, commands: Mapping[str, Command]) -> bool:
    """Whether files stand among a command's arguments."""
    return name in ("release", "adjust", "estimate") or (name in commands and commands[name].file is not None)


def _bash(purposes: Mapping[str, str], commands: Mapping[str, Command]) -> str:
    lines = [
        "_riskline_value() {",  # values that begin with what is typed, quoted for the shell
        '  local value typed="${cur//\\\\/}"',
        '  typed="${typed#[\\\'\\"]}"',
        '  for value in "$@"; do',
        '    [[ "$value" == "$typed"* ]] || continue',
        '    case "$cur" in',
        '      [\\\'\\"]*) COMPREPLY+=("$value");;',
        '      *) COMPREPLY+=("$(printf %q "$value")");;',
        "    esac",
        "  done",
        "}",
        "_riskline() {",
        '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"',
        "  COMPREPLY=()",
        "  if [ $COMP_CWORD -eq 1 ]; then",
        f'    COMPREPLY=($(compgen -W "{" ".join(purposes)} --help --version" -- "$cur"))',
        "    return",
        "  fi",
        '  case "${COMP_WORDS[1]} $prev" in',
    ]
    for name in purposes:
        for each, values in _options(name, commands).items():
            if values:
                words = " ".join(map(shlex.quote, values))
                lines.append(f'    "{name} {each}") _riskline_value {words}; return;;')
            elif each in BY_FILE:
                lines.append(f'    "{name} {each}") COMPREPLY=($(compgen -f -- "$cur")); return;;')
    lines += ["  esac", '  case "${COMP_WORDS[1]}" in']
    for name in purposes:
        words = "bash zsh fish" if name == "completion" else " ".join(_options(name, commands))
        taken = ' $(compgen -f -- "$cur")' if _takes_file(name, commands) else ""
        lines.append(f'    {name}) COMPREPLY=($(compgen -W "{words}" -- "$cur"){taken});;')
    return "\n".join([*lines, "  esac", "}", "complete -F _riskline riskline"])


def _fish(purposes: Mapping[str, str], commands: Mapping[str, Command]) -> str:
    lines = ["complete -c riskline -f"]
    for name, purpose in purposes.items():
        lines.append(f"complete -c riskline -n __fish_use_subcommand -a {name} -d {_quoted(purpose)}")
    for name in purposes:
        here = f"complete -c riskline -n '__fish_seen_subcommand_from {name}'"
        if _takes_file(name, commands):
            lines.append(f"{here} -F")
        for each, values in _options(name, commands).items():
            words = " ".join(_quoted(one) if " " in one else one for one in values)
            told = f" -x -a {_quoted(words)}" if values else " -r -F" if each in BY_FILE else ""
            lines.append(f"{here} -l {each[2:]}{told}")
    lines.append(f"complete -c riskline -n '__fish_seen_subcommand_from completion' -a {_quoted(' '.join(SHELLS))}")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """A text as fish reads it letter by letter."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
