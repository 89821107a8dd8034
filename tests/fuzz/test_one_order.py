"""One order of sums: all ways to compute a graph give the bits of the interpreter.

Static and symbolic extents, fused and unfused, alone and with the operand used beside it, behind
none to fifty operators, in every build and with 1 to 4 threads.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from .build import FUSED, UNFUSED, Build, link, program
from .compare import differing
from .graph import Array
from .orders import FILES, FORMS, File, Form, builds
from .variants import NEEDED, variants

SHORT = 4
"""Functions of the short form, each in two forms and a third of the builds."""
NUMBERS = [pytest.param(k, marks=[pytest.mark.long] if k >= SHORT else []) for k in range(FILES)]


def every_build() -> list[Build]:
    """Those that this machine can build and run."""
    known = {v.build.name.split()[-1] for v in variants()}
    return list(builds(shutil.which("clang") is not None, [t for t in NEEDED if t in known]))


def differences(file: File, found: Sequence[Array], expected: Sequence[Array]) -> Iterator[str]:
    """The graphs whose results have other bits."""
    for k, (a, b) in enumerate(zip(found, expected, strict=True)):
        if (wrong := differing(a, b)).any():
            yield f"{int(wrong.sum())} of {wrong.size} values: {file.part_of(k)}"


@pytest.mark.sample(4)
@pytest.mark.parametrize("number", NUMBERS)
def test_kernels(number: int) -> None:
    """The interpreter of kernels has the bits of that of graphs."""
    file = File.draw(number)
    expected = file.expected()
    for form in FORMS:
        wrong = list(differences(file, file.of_kernels(form), expected))
        assert not wrong, f"{form}:\n" + "\n".join(wrong)


@pytest.mark.fuzz
@pytest.mark.sample(2)
@pytest.mark.parametrize("number", NUMBERS)
def test_compiled(number: int, request: pytest.FixtureRequest) -> None:
    """So has compiled code."""
    file, every = File.draw(number), every_build()
    forms: Sequence[Form] = FORMS
    if not request.config.getoption("--full"):
        forms, every = (FORMS[number % 2], FORMS[3 - number % 2]), every[number % 3 :: 3]
    expected, wrong = file.expected(), list[str]()
    for form in forms:
        made = program(file.text(form), "g", FUSED if form.is_fused else UNFUSED)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            libraries = list(pool.map(partial(link, [made]), every))
        for build, library in zip(every, libraries, strict=True):
            for threads in range(1, build.threads + 1) or (0,):
                if threads:
                    _set_threads(library, threads)
                found = made.call(library, file.inputs)
                what = f"{form}, {build.name}" + (f" {threads}" if threads else "")
                wrong += [f"{what}: {text}" for text in differences(file, found, expected)]
    assert not wrong, "\n".join(wrong)


def _set_threads(library: ctypes.CDLL, threads: int) -> None:
    # It is not there where no loop is for threads.
    if hasattr(library, "g_threads"):
        library.g_threads(threads)
