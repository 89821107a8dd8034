"""Builds a network, and measures it: sizes of its objects, and a run in qemu or callgrind."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from opc.support.targets import NAMED

from .program import TICK

BARE = Path(__file__).parents[2] / "tests" / "portable" / "bare"
SECONDS = 600
"""How long a compiler or an emulator may take."""
LINK = ("-DBARE", "-T", str(BARE / "mps.ld"), "-nostartfiles", "--specs=rdimon.specs")
QEMU = (
    *("qemu-system-arm", "-nographic", "-icount", "shift=0"),
    *("-semihosting-config", "enable=on,target=native"),
)
BOARDS = {"cortex-m0": "mps2-an385", "cortex-m4": "mps2-an386", "cortex-m7": "mps2-an500"}
"""The board of qemu with each processor; that for Cortex-M0 has a Cortex-M3."""


@dataclass(frozen=True)
class Figures:
    """What a network takes; None where that was not measured."""

    flash: int | None = None
    """Bytes of code and constants of its own objects."""
    ram: int | None = None
    """Bytes of its variables, and of the workspace."""
    stack: int | None = None
    instructions: int | None = None
    bits: str = ""
    """A digest of the results."""
    problem: str = field(default="", compare=False)


def missing(words: Sequence[str]) -> str:
    """The first command that is not installed."""
    return next((word for word in words if shutil.which(word) is None), "")


def bare(target: str, texts: Mapping[str, str], main: str, workspace: int, folder: Path) -> Figures:
    """Figures on a bare processor, of C files by name; ``main`` is the program."""
    gcc, flags = NAMED[target].compiler, (*NAMED[target].flags, "-O2", "-w")
    objects, sizes = _objects(gcc, flags, texts, folder)
    if objects is None:
        return Figures(problem=sizes)
    text, data, bss = _sizes(objects, folder)
    flash, ram = text + data, data + bss + workspace
    (folder / "main.c").write_text(main, encoding="utf-8")
    linked = (*flags, *LINK, "-Wl,--gc-sections", "main.c", str(BARE / "start.c"), *objects)
    problem = _command([gcc, *linked, "-lm", "-o", "program"], folder)[1]
    if problem:
        return Figures(flash, ram, problem=problem)
    output, problem = _command([*QEMU, "-M", BOARDS[target], "-kernel", "program"], folder)
    found = re.search(r"ticks (\d+) stack (\d+) .* bits (\w+)", output)
    if found is None:
        return Figures(flash, ram, problem=problem or output)
    return Figures(flash, ram, int(found[2]), int(found[1]) * TICK, found[3])


def hosted(texts: Mapping[str, str], main: str, function: str, folder: Path) -> Figures:
    """Instructions of one call on x86-64 in callgrind, without extensions."""
    flags = ("-O3", "-w")
    objects, problem = _objects("gcc", flags, texts, folder)
    if objects is None:
        return Figures(problem=problem)
    (folder / "main.c").write_text(main, encoding="utf-8")
    problem = _command(["gcc", *flags, "main.c", *objects, "-lm", "-o", "program"], folder)[1]
    if problem:
        return Figures(problem=problem)
    valgrind = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
    output, problem = _command([*valgrind, f"--toggle-collect={function}", "./program"], folder)
    found, bits = (
        re.search(r"Collected : (\d+)", problem + output),
        re.search(r"bits (\w+)", output),
    )
    if found is None or bits is None:
        return Figures(problem=problem or output)
    return Figures(instructions=int(found[1]), bits=bits[1])


def _objects(
    compiler: str, flags: Sequence[str], texts: Mapping[str, str], folder: Path
) -> tuple[list[str] | None, str]:
    """The object of each C file, or None and why not."""
    objects: list[str] = []
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
        if name.endswith(".c"):
            objects.append(name.removesuffix(".c") + ".o")
            split = ("-ffunction-sections", "-fdata-sections")
            problem = _command(
                [compiler, *flags, "-std=gnu99", *split, "-c", name, "-o", objects[-1]], folder
            )[1]
            if problem:
                return None, problem
    return objects, ""


def _sizes(objects: Sequence[str], folder: Path) -> tuple[int, int, int]:
    """Bytes of text with constants, of variables with values, and of those without."""
    output = _command(["arm-none-eabi-size", *objects], folder)[0]
    rows = [[int(word) for word in line.split()[:3]] for line in output.splitlines()[1:]]
    text, data, bss = (sum(column) for column in zip(*rows, strict=True))
    return text, data, bss


def _command(words: Sequence[str], folder: Path) -> tuple[str, str]:
    """What a command prints, and what it says if it fails (of valgrind in any case)."""
    try:
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False,
            errors="replace",
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "", f"no result after {SECONDS} s"
    is_fine = done.returncode == 0 and words[0] != "valgrind"
    return done.stdout, "" if is_fine else (done.stderr or f"exit code {done.returncode}")[-600:]
