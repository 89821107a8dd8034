"""``opc completion``: a script that makes a shell complete ``opc`` and ``opc-opt``.

What is offered comes from the parsers of the commands; the scripts hold it and call nothing.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from .cli import COMMANDS, Words, parser_of

_EPILOG = """\
The script completes commands, options and the values of options, and files elsewhere:
  bash   source <(opc completion bash)      in ~/.bashrc
  zsh    source <(opc completion zsh)       in ~/.zshrc, after compinit
  fish   opc completion fish | source       in ~/.config/fish/config.fish
"""

_LONGEST = 60
"""Characters of an explanation."""


@dataclass(frozen=True)
class Value:
    """What an option or an argument takes: words, a list of them with commas, files or text."""

    kind: Literal["words", "list", "files", "text"]
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Option:
    """An option; ``value`` is None if it takes none."""

    flags: tuple[str, ...]
    help: str
    value: Value | None


@dataclass(frozen=True)
class Command:
    """A command as its parser has it; ``argument`` is what stands without an option."""

    name: str
    options: tuple[Option, ...]
    argument: Value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.description = "Prints a script that makes a shell complete opc and opc-opt."
    parser.epilog = _EPILOG
    parser.add_argument("shell", choices=list(SCRIPTS))


def run(args: argparse.Namespace) -> int:
    """Print the script; returns the exit code."""
    sys.stdout.write(SCRIPTS[args.shell](commands()))
    return 0


def commands() -> list[Command]:
    """``opc``, each of its commands, and ``opc-opt``."""
    from opc.passes.registry import GENERIC_PASSES, PASSES

    from .opt import TARGETS, OptMain

    top = parser_of(COMMANDS)
    # The parsers of the commands are the choices of the argument that names one.
    choices: Any = next(a.choices for a in _actions(top) if a.dest == "command")
    inner: dict[str, argparse.ArgumentParser] = choices
    # Its parser is made and used while it is constructed, so these are the same arguments anew.
    opt = argparse.ArgumentParser()
    OptMain([]).register_all_arguments(opt)
    xdsl = {
        "passes": Value("list", (*PASSES, *GENERIC_PASSES)),
        "target": Value("words", tuple(TARGETS)),
    }
    own = [_command(f"opc {name}", parser) for name, parser in inner.items()]
    return [_command("opc", top), *own, _command("opc-opt", opt, xdsl)]


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    # argparse has no public way to list them.
    actions: list[argparse.Action] = vars(parser)["_actions"]
    return actions


def _command(
    name: str, parser: argparse.ArgumentParser, known: dict[str, Value] | None = None
) -> Command:
    options: list[Option] = []
    argument = Value("text")
    for action in _actions(parser):
        value = (known or {}).get(action.dest) or _value(action)
        if action.option_strings:
            flags = tuple(action.option_strings)
            options.append(Option(flags, _brief(action.help), value))
        elif value is not None:
            argument = value
    return Command(name, tuple(options), argument)


def _value(action: argparse.Action) -> Value | None:
    if action.nargs == 0:
        return None
    if isinstance(action, Words):
        return Value("list" if action.is_list else "words", tuple(action.words()))
    if action.choices is not None:
        return Value("words", tuple(map(str, action.choices)))
    return Value("files" if action.type in (None, str) else "text")


def _brief(text: str | None) -> str:
    """The beginning of an explanation, without what a shell would read as its own."""
    words = " ".join((text or "").replace("%%", "%").split())
    brief = re.sub(r"[^\w ,:()<=>/-]", "", re.sub(r"[;.]\s.*", "", words))
    return brief if len(brief) <= _LONGEST else brief[:_LONGEST].rpartition(" ")[0]


def bash(entries: Iterable[Command]) -> str:
    """The script for bash."""
    values: list[str] = []
    arguments: list[str] = []
    for command in entries:
        for option in command.options:
            if option.value is None:
                continue
            names = " | ".join(f'"{command.name} {flag}"' for flag in option.flags)
            values.append(f"    {names}) kind={option.value.kind} words={_q(option.value)} ;;")
        name, words = command.name, _q(command.argument)
        flags = " ".join(flag for option in command.options for flag in option.flags)
        arguments.append(f'    "{name}":-*) kind=words words="{flags}" ;;')
        arguments.append(f'    "{name}":*) kind={command.argument.kind} words={words} ;;')
    texts = {"values": "\n".join(values), "arguments": "\n".join(arguments)}
    return _script("bash", commands=" | ".join(COMMANDS), **texts)


def _script(shell: str, **texts: str) -> str:
    """The script with texts in place of ``@name@``."""
    script = files(__package__ or "").joinpath(f"completion.{shell}").read_text(encoding="utf-8")
    return re.sub(r"@(\w+)@", lambda match: texts.get(match[1], match[0]), script)


def _q(value: Value) -> str:
    return f'"{" ".join(value.words)}"'


def zsh(entries: Iterable[Command]) -> str:
    """The script for zsh."""
    cases: list[str] = []
    for command in entries:
        specs = [_zsh_option(flag, o) for o in command.options for flag in o.flags]
        if command.name == "opc":
            specs += ["'1:command:->command'", "'*::argument:->rest'"]
        else:
            specs.append(f"'*:file:{_zsh_action(command.argument)}'")
        joined = " \\\n        ".join(specs)
        cases.append(f"    '{command.name}')\n      _arguments -C \\\n        {joined}\n      ;;")
    names = "\n".join(f"    '{name}:{_brief(text)}'" for name, text in COMMANDS.items())
    return _script("zsh", commands=names, cases="\n".join(cases))


def _zsh_option(flag: str, option: Option) -> str:
    # An option may be repeated: some may, and the command knows which.
    start = f"'*{flag}{'=' if option.value and flag.startswith('--') else ''}[{option.help}]"
    return start + ("'" if option.value is None else f":value:{_zsh_action(option.value)}'")


def _zsh_action(value: Value) -> str:
    words = " ".join(value.words)
    return {
        "words": f"({words})",
        "list": f"_sequence -d compadd - {words}",
        "files": "_files",
        "text": " ",
    }[value.kind]


def fish(entries: Iterable[Command]) -> str:
    """The script for fish."""
    lines = ["# Completion of opc and opc-opt in fish: opc completion fish | source"]
    for name, text in COMMANDS.items():
        lines.append(f"complete -c opc -n __fish_use_subcommand -f -a {name} -d '{_brief(text)}'")
    for command in entries:
        tool, _, inner = command.name.partition(" ")
        start = f"complete -c {tool}"
        if inner:
            start += f" -n '__fish_seen_subcommand_from {inner}'"
        elif tool == "opc":
            start += " -n __fish_use_subcommand"
        for option in command.options:
            names = " ".join(
                f"-l {f[2:]}" if f.startswith("--") else f"-s {f[1:]}" for f in option.flags
            )
            lines.append(f"{start} {names}{_fish_value(option.value)} -d '{option.help}'")
        if command.argument.words and inner:
            lines.append(f"{start} -f -a '{' '.join(command.argument.words)}'")
    return "\n".join(lines) + "\n"


def _fish_value(value: Value | None) -> str:
    if value is None:
        return ""
    words = " ".join(value.words)
    return {
        "words": f" -x -a '{words}'",
        "list": f" -x -a '(__fish_append , {words})'",
        "files": " -r -F",
        "text": " -x",
    }[value.kind]


SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}
