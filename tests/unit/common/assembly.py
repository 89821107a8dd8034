"""The instructions that a C compiler makes of emitted C, to be counted."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

import opc
from opc.runtime.toolchain import command_flags, find_compiler


def assembly(c_source: str, target: str, folder: Path, argv: str = "gcc") -> str:
    """As opc builds it; the test is skipped without the compiler, or if it is not for x86-64."""
    try:
        compiler = find_compiler(argv)
    except opc.OpcError:
        pytest.skip(f"{argv} is not installed")
    if compiler.machine not in ("x86_64", "amd64", "AMD64"):
        pytest.skip("counts instructions of x86-64")
    path = folder / "main.c"
    path.write_text(c_source, encoding="utf-8")
    flags = command_flags(compiler, target, "asm", c_text=c_source)
    command = [*compiler.argv, *flags, "-o", "-", str(path)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def longest_run(text: str, instruction: str = "vfmadd") -> str:
    """Of what runs through without a jump, the instructions with the most of one kind."""
    blocks = re.split(r"^(?:[.\w]+:|\tj\w+\s.*)$", text, flags=re.MULTILINE)
    return max(blocks, key=lambda block: block.count(instruction))


def on_the_stack(run: str, register: str) -> list[str]:
    """Its instructions that move a vector register to the stack, or from there.

    An index is that of an array, as of a window that is laid out there.
    """
    return [
        line for line in run.splitlines() if register in line and re.search(r"\(%r[sb]p\)", line)
    ]
