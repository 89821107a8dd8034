"""Random numbers: published answers of the generator, distributions, and the same bits anywhere."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

import opc
from opc.api.driver import load, lower
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.shape import Shape, tensor_of, tensor_type
from opc.errors import ArgumentError
from opc.frontend.models.op_builder import Builder
from opc.frontend.models.random import LONG, WORD, Stream, philox
from opc.frontend.models.traced import NodeTrace
from tests.unit.numerics.test_same_bits import runs

Write = Callable[[Builder, Sequence[SSAValue]], Sequence[SSAValue]]


def graph(write: Write, *types: tuple[el.ElementType, Shape]) -> str:
    """The text of a function of what ``write`` builds; its last argument is named seed."""
    block = Block(arg_types=[tensor_type(t, shape) for t, shape in types])
    block.args[-1].name_hint = "seed"
    results = write(Builder(block.add_op), block.args)
    block.add_op(ReturnOp(*results))
    function = FuncOp(
        "main",
        ([a.type for a in block.args], [tensor_of(r) for r in results]),
        Region(block),
    )
    return str(ModuleOp([function]))


def numbers(kind: str, type: el.ElementType, *shape: int, stream: int = 0) -> str:
    extents = tuple(map(ex.const, shape))
    return graph(
        lambda b, given: [
            getattr(Stream(given[0], stream), kind)(NodeTrace(b), extents, type).value
        ],
        (LONG, ()),
    )


PUBLISHED = {
    "0 0 0 0 0 0": "6627e8d5 e169c58d bc57ac4c 9b00dbd8",
    "ffffffff ffffffff ffffffff ffffffff ffffffff ffffffff": "408f276d 41c83b0e a20bc7c6 6d5451fd",
    "243f6a88 85a308d3 13198a2e 03707344 a4093822 299f31d0": "d16cfe09 94fdcceb 5001e420 24126ea1",
}
"""Four words of a counter and two of a key, and what comes of them, as its authors publish it."""


def test_published_answers() -> None:
    extent = (ex.const(len(PUBLISHED)),)

    def write(builder: Builder, given: Sequence[SSAValue]) -> Sequence[SSAValue]:
        c0, c1, c2, c3, k0, k1 = map(NodeTrace(builder).array, given)
        return [word.value for word in philox((c0, c1, c2, c3), (k0, k1))]

    function = opc.compile(graph(write, *[(WORD, extent)] * 6), target="baseline")
    words = np.array([[int(w, 16) for w in text.split()] for text in PUBLISHED], np.uint32)
    found = np.stack(function(*np.ascontiguousarray(words.T)), axis=1)
    assert [" ".join(f"{w:08x}" for w in row) for row in found] == list(PUBLISHED.values())


def reference(seed: int, stream: int, count: int) -> np.ndarray[Any, Any]:
    """The four words of the first elements, in plain Python."""
    rows: list[list[int]] = []
    for index in range(count):
        c = [index & 0xFFFFFFFF, index >> 32, stream, 0]
        k = [seed & 0xFFFFFFFF, seed >> 32]
        for _ in range(10):
            p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = [q >> 32 ^ c[1] ^ k[0], q & 0xFFFFFFFF, p >> 32 ^ c[3] ^ k[1], p & 0xFFFFFFFF]
            k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
        rows.append(c)
    return np.array(rows, np.uint64)


def test_numbers_of_elements() -> None:
    """Key, stream and number of an element stand where they are said to."""
    seed = 0x0123456789ABCDEF
    words = reference(seed, 5, 60)
    for type, wanted in (
        (el.F32, (words[:, 0] >> 8) * 2.0**-24),
        (el.F64, ((words[:, 0] >> 5) * 2.0**26 + (words[:, 1] >> 6)) * 2.0**-53),
    ):
        function = opc.compile(numbers("uniform", type, 3, 4, 5, stream=5), target="baseline")
        assert np.array_equal(function(np.uint64(seed)).reshape(-1), wanted.astype(type.dtype))


@pytest.mark.sample(2)
@pytest.mark.parametrize("type", [el.F32, el.F64], ids=str)
def test_moments(type: el.ElementType) -> None:
    """Of a million numbers the means of powers have errors of some thousandths."""
    seed = np.uint64(2024)
    u = opc.compile(numbers("uniform", type, 1000, 1000))(seed)
    assert 0 <= u.min() < 1e-5 and 1 - 1e-5 < u.max() < 1
    for power in (1, 2, 3, 4):
        assert abs((u.astype(np.float64) ** power).mean() - 1 / (power + 1)) < 2e-3
    assert abs(np.corrcoef(u[:-1].reshape(-1), u[1:].reshape(-1))[0, 1]) < 4e-3
    counts = np.bincount((u.reshape(-1) * 256).astype(int), minlength=256)
    chi_square = ((counts - counts.mean()) ** 2 / counts.mean()).sum()
    assert 170 < chi_square < 350
    z = opc.compile(numbers("normal", type, 1000, 1000))(seed).astype(np.float64)
    assert np.isfinite(z).all()
    for power, moment in ((1, 0), (2, 1), (3, 0), (4, 3)):
        assert abs((z**power).mean() - moment) < 0.02
    assert abs((np.abs(z) < 1).mean() - 0.6827) < 2e-3 and abs((z > 2).mean() - 0.02275) < 1e-3


def test_streams_and_seeds_differ() -> None:
    first, second = (opc.compile(numbers("uniform", el.F32, 1000, stream=k)) for k in (0, 1))
    a, b, c = first(np.uint64(1)), second(np.uint64(1)), first(np.uint64(1 << 32 | 1))
    assert (a == b).sum() < 3 and (a == c).sum() < 3 and (b == c).sum() < 3


def test_a_seed_may_be_left_out() -> None:
    function = opc.compile(numbers("uniform", el.F32, 1000), target="baseline")
    a, b = function(), function()
    assert (a == b).sum() < 3
    assert np.array_equal(function(seed=np.uint64(3)), function(np.uint64(3)))
    again = function.bind()
    assert np.array_equal(again().copy(), again())
    with pytest.raises(ArgumentError, match="takes 1 input"):
        function(np.uint64(1), np.uint64(1))


def test_others_may_not_be_left_out() -> None:
    """Only the last input is a seed, and only one of that type and rank."""
    for name, type, shape in (
        ("seed", el.BY_NAME["i64"], ()),
        ("seed", LONG, (ex.const(1),)),
        ("other", LONG, ()),
    ):
        text = graph(lambda b, given: [b.binary("add", given[0], given[0])], (type, shape))
        function = opc.compile(text.replace("%seed", f"%{name}"), target="baseline")
        with pytest.raises(ArgumentError, match="missing input"):
            function()


def test_what_the_header_says() -> None:
    header = lower(load(numbers("uniform", el.F32, 4))).header
    assert "uint64[] seed" in header and "decides the random numbers" in " ".join(header.split())


@pytest.mark.sample(2)
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("kind", ["uniform", "normal"])
def test_same_bits(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "4")
    text, seed = numbers(kind, el.F32, 700, 1001), np.array(77, np.uint64)
    expected = [np.asarray(opc.compile(text)(seed)).tobytes()]
    differing = [build for build, found in runs(text, [seed], tmp_path) if found != expected]
    assert not differing


ARM = ("aarch64-linux-gnu-gcc", "qemu-aarch64")
MAIN = """
#include <stdio.h>
#include "main.h"
static _Alignas(64) char space[MAIN_WORKSPACE_BYTES + 1];
static {type} out[3000];
int main(void) {{
  const uint64_t seed = UINT64_C(77);
  const int code = main_run(&seed, out, space);
  fwrite(out, 1, sizeof out, stdout);
  return code;
}}
"""


@pytest.mark.skipif(None in map(shutil.which, ARM), reason="no compiler and emulator for Arm")
@pytest.mark.parametrize("type", [el.F32, el.F64], ids=str)
def test_same_bits_on_arm(type: el.ElementType, tmp_path: Path) -> None:
    text = numbers("normal", type, 3, 1000)
    low = lower(load(text))
    (tmp_path / "main.c").write_text(low.c_source)
    (tmp_path / "main.h").write_text(low.header)
    name = "float" if type is el.F32 else "double"
    (tmp_path / "call.c").write_text(MAIN.format(type=name))
    sources = [str(tmp_path / name) for name in ("main.c", "call.c")]
    options = ["-O2", "-static", "-o", str(tmp_path / "call")]
    subprocess.run([ARM[0], *options, *sources, "-lm"], check=True)
    found = subprocess.run([ARM[1], str(tmp_path / "call")], check=True, capture_output=True)
    expected = opc.compile(text)(np.uint64(77))
    assert found.stdout == np.asarray(expected).tobytes()
