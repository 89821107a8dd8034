"""The lit suite inside pytest: the same files and RUN lines, without a process for each command.

``lit tests/lit`` runs them the official way.  A RUN line with a command that is not known here
goes through lit itself.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import parse_argv_options
from filecheck.parser import Parser

from tests.unit.common import ROOT

pytestmark = pytest.mark.smoke

ROOT = ROOT / "tests/lit"
FILES = sorted(ROOT.rglob("*.mlir"))
RUN = re.compile(r"//\s*RUN:\s*(.*)")


def run_opt(arguments: list[str], text: str) -> tuple[int, str, str]:
    from opc.tools.opt import main

    return in_process(main, arguments, text)


def run_opc(arguments: list[str], text: str) -> tuple[int, str, str]:
    from opc.__main__ import main

    return in_process(main, arguments, text)


def in_process(
    main: Callable[[list[str]], int], arguments: list[str], text: str
) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(arguments)
    finally:
        sys.stdin = stdin
    return code, out.getvalue(), err.getvalue()


def run_filecheck(arguments: list[str], text: str) -> tuple[int, str, str]:
    options = parse_argv_options(["filecheck", *arguments])
    out = io.StringIO()
    parser = Parser.from_opts(options)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = Matcher(options, FInput("-", text), parser).run()
    return code, out.getvalue(), ""


COMMANDS = {"opc-opt": run_opt, "opc": run_opc, "filecheck": run_filecheck}


def commands_of(line: str, path: Path) -> list[list[str]] | None:
    """The pipeline of a RUN line; None if it needs a shell."""
    lexer = shlex.shlex(line.replace("%s", str(path)), posix=True, punctuation_chars="|<>;&")
    lexer.whitespace_split = True
    words = list(lexer)
    pipeline: list[list[str]] = [[]]
    position = 0
    while position < len(words):
        word = words[position]
        if word == "|":
            pipeline.append([])
        elif words[position : position + 3] == ["2", ">&", "1"]:
            pipeline[-1].append("2>&1")
            position += 2
        elif word == "%" or any(c in word for c in "<>;&%"):
            return None
        else:
            pipeline[-1].append(word)
        position += 1
    known = all((c[1:] if c[0] == "not" else c)[0] in COMMANDS for c in pipeline)
    return pipeline if known else None


def lit_lines(path: Path) -> list[str]:
    lines: list[str] = []
    for found in RUN.findall(path.read_text(encoding="utf-8")):
        if lines and lines[-1].endswith("\\"):
            lines[-1] = lines[-1][:-1] + found
        else:
            lines.append(found)
    return lines


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_file(path: Path) -> None:
    lines = lit_lines(path)
    assert lines, "no RUN line"
    pipelines = [commands_of(line, path) for line in lines]
    if None in pipelines:
        lit = [sys.executable, "-m", "lit.main", "-v", str(path)]
        done = subprocess.run(lit, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        return
    for pipeline in filter(None, pipelines):
        text = ""
        for command in pipeline:
            expects_failure = command[0] == "not"
            name, *arguments = command[1:] if expects_failure else command
            merged = "2>&1" in arguments
            arguments = [a for a in arguments if a != "2>&1"]
            code, out, err = COMMANDS[name](arguments, text)
            assert (code != 0) == expects_failure, f"{shlex.join(command)}: {code}\n{err}{out}"
            text = err + out if merged else out


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_directives_are_spelt_right(path: Path) -> None:
    """filecheck passes over a directive that it does not know, and so over what it checks."""
    text = path.read_text(encoding="utf-8")
    prefixes = {"CHECK"}
    for line in lit_lines(path):
        for found in re.findall(r"--check-prefix(?:es)?[= ](\S+)", line):
            prefixes |= set(found.split(","))
    suffix = r"(-NEXT|-SAME|-DAG|-NOT|-LABEL|-EMPTY|-COUNT-\d+)?(\{LITERAL\})?:"
    known = re.compile(f"({'|'.join(map(re.escape, sorted(prefixes)))}){suffix}")
    for number, line in enumerate(text.splitlines(), 1):
        word = re.match(r"\s*//\s*([A-Z][A-Z0-9_-]{2,}(\{[A-Z]+\})?\s?:?)", line)
        if word is None or re.match(r"\s*//\s*(RUN|COM):", line):
            continue
        rest = line.strip().lstrip("/").strip()
        assert known.match(rest), f"{path.name}:{number}: {line.strip()}"
    if any("filecheck" in line for line in lit_lines(path)):
        assert re.search(rf"//\s*({'|'.join(prefixes)})", text), "nothing is checked"
