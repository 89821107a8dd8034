"""Vectors of rows that are read backwards leave alone what lies behind an array."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.sample(8)

PROGRAM = """
import ctypes, mmap, sys
import numpy as np
import opc
import opc.numpy as onp

libc = ctypes.CDLL(None, use_errno=True)

def at_the_end_of_a_page(x):
    size = -(-x.nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, size + mmap.PAGESIZE)
    whole = np.frombuffer(memory, np.uint8)
    behind = ctypes.c_void_p(whole.ctypes.data + size)
    assert libc.mprotect(behind, ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    y = whole[size - x.nbytes : size].view(x.dtype).reshape(x.shape)
    y[...] = x
    return y

def rows(x: TYPE):
    return x[::-2]

def sums(x: TYPE):
    return onp.sum(x[::-2], axis=1), onp.sum(x[::-2], axis=0)

def halves(x: TYPE):
    return x[::-1, : WIDTH // 2] * x[::-1, : WIDTH // 2]

kind = np.dtype(sys.argv[1])
x = (np.arange(31 * WIDTH) % 11 - 5).astype(kind).reshape(31, WIDTH)
for function in (rows, sums, halves):
    for target in ("baseline", "native"):
        f = opc.function(function, cc="gcc -O3", target=target)
        found, expected = f(at_the_end_of_a_page(x)), f(x.copy())
        for a, b in zip(found, expected, strict=True):
            assert np.array_equal(a, b)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="protects a page")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="is about gcc")
@pytest.mark.parametrize(
    ("type", "kind", "width"),
    [("f32", "float32", 2), ("f32", "float32", 4), ("i8", "int8", 4), ("i16", "int16", 8)],
)
@pytest.mark.parametrize("rows", ["N", "31"])
def test_nothing_is_read_behind_an_array(type: str, kind: str, width: int, rows: str) -> None:
    program = PROGRAM.replace("TYPE", f'"{type}[{rows}, {width}]"').replace("WIDTH", str(width))
    done = subprocess.run(
        [sys.executable, "-", kind],
        input=program,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, f"{done.returncode}: {done.stderr[-2000:]}"
