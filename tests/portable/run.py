"""Builds the graphs with a compiler, runs them on its machine, and compares their bits."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from opc.emit.source import Emitted

from .graphs import emitted, prefix
from .machines import Machine
from .program import program

SECONDS = 600
"""How long a compiler or an emulator may take."""
FLAGS = ("-std=c99", "-w")
REFERENCE = Machine("reference", ("gcc", "-O3", "-march=native"))
"""What results are compared with; the C is that for this machine."""
SAME, WRONG = "same bits", "WRONG"

_ERROR = re.compile(r"#error (.*)")


def verdicts(machine: Machine, names: Sequence[str] | None = None) -> dict[str, str]:
    """For each graph: ``SAME``, ``refused: ...`` by an ``#error``, ``fails: ...``, or ``WRONG``.

    Where nothing runs programs of the machine: ``compiled, not run: ...``.
    """
    texts = {n: g for n, g in emitted(machine.target).items() if names is None or n in names}
    with tempfile.TemporaryDirectory(prefix="opc-portable-") as folder:
        found = _built(machine, texts, Path(folder))
        built = {name: graph for name, graph in texts.items() if name not in found}
        if built and machine.missing:
            found |= dict.fromkeys(built, f"compiled, not run: {machine.missing} is not installed")
        elif built:
            found |= _compared(_run(machine, built, Path(folder)), reference(tuple(texts)))
    return {name: found[name] for name in texts}


@cache
def reference(names: tuple[str, ...]) -> dict[str, list[str]]:
    """What this machine prints for some graphs."""
    graphs = {name: emitted("native")[name] for name in names}
    with tempfile.TemporaryDirectory(prefix="opc-portable-") as folder:
        refused = _built(REFERENCE, graphs, Path(folder))
        assert not refused, refused
        return _run(REFERENCE, graphs, Path(folder))


def _built(machine: Machine, graphs: Mapping[str, Emitted], folder: Path) -> dict[str, str]:
    """Compile each graph to an object; why not, of those where it cannot be done."""

    def build(item: tuple[str, Emitted]) -> str:
        name, graph = item
        stem = folder / prefix(name)
        header = graph.header if graph.weights is None else graph.header_with_weights
        stem.with_suffix(".h").write_text(header, encoding="utf-8")
        stem.with_suffix(".c").write_text(graph.source_with_header, encoding="utf-8")
        flags = [*_standard(machine), *_without_linker(machine.compiler[1:])]
        files = ["-c", f"{stem.name}.c", "-o", f"{stem.name}.o"]
        done = _command([machine.compiler[0], *flags, *files], folder)
        if done.returncode == 0:
            return ""
        error = _ERROR.search(done.stderr) or _ERROR.search(_error_line(graph, done.stderr))
        if error is not None:
            return f"refused: {error[1].strip().strip(chr(34))}"
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()]
        return f"fails: {(lines or done.stderr.splitlines() or ['no message'])[0][-160:]}"

    with ThreadPoolExecutor(2) as pool:
        found = dict(zip(graphs, pool.map(build, graphs.items()), strict=True))
    return {name: reason for name, reason in found.items() if reason}


def _error_line(graph: Emitted, text: str) -> str:
    """The line of the file that a message names: tcc does not repeat what an #error says."""
    number = re.search(r"\.c:(\d+):", text)
    lines = graph.source_with_header.splitlines()
    return lines[int(number[1]) - 1] if number and int(number[1]) <= len(lines) else ""


def _run(machine: Machine, graphs: Mapping[str, Emitted], folder: Path) -> dict[str, list[str]]:
    """Link a program of all graphs, run it, and give what it prints for each.

    Compilers for Windows call it ``.exe`` whatever they are told.
    """
    others = {"main": program(graphs.values())}
    for name, graph in graphs.items():
        if graph.weights is not None:
            others[f"{prefix(name)}.weights"] = graph.weights_source
    flags = [*_standard(machine), *_without_linker(machine.compiler[1:]), "-c"]
    flags = [{"c++": "c", "-std=c++17": "-std=c99"}.get(word, word) for word in flags]
    for stem, text in others.items():
        (folder / f"{stem}.c").write_text(text, encoding="utf-8")
        command = [machine.compiler[0], *flags, f"{stem}.c", "-o", f"{stem}.o"]
        done = _command(command, folder)
        if done.returncode != 0:
            break
    else:
        objects = [f"{stem}.o" for stem in (*others, *map(prefix, graphs))]
        plain = [w for w in machine.compiler if w not in ("-x", "c++")]
        done = _command([*plain, "-w", *objects, "-lm", "-o", "program.exe"], folder)
    if done.returncode == 0:
        done = _command([*machine.runner, "./program.exe"], folder)
    if done.returncode != 0:
        reason = " ".join((done.stderr or done.stdout).split())[-160:]
        return {name: [f"fails: {reason or f'exit code {done.returncode}'}"] for name in graphs}
    lines = done.stdout.split("\n")
    names = {name: f"{prefix(name)} " for name in graphs}
    return {n: [line.strip() for line in lines if line.startswith(p)] for n, p in names.items()}


def _compared(
    printed: Mapping[str, Sequence[str]], wanted: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, lines in printed.items():
        if lines and lines[0].startswith("fails"):
            found[name] = lines[0]
        else:
            found[name] = SAME if lines == wanted[name] and lines else WRONG
    return found


def _standard(machine: Machine) -> tuple[str, ...]:
    return ("-w",) if any(w.startswith("-std") for w in machine.compiler) else FLAGS


def _without_linker(flags: Sequence[str]) -> list[str]:
    """The flags of a compiler without those, and files, that only its linker takes."""
    found: list[str] = []
    skips = False
    for flag in flags:
        is_linked = flag in ("-T", "-nostartfiles") or flag.endswith(".c")
        if not (skips or is_linked or flag.startswith("-Wl,")):
            found.append(flag)
        skips = flag == "-T"
    return found


def _command(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            words,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 124, "", f"no result after {SECONDS} s")
