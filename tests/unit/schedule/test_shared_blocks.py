"""Threads share blocks of a chain where results are few; the sums of blocks keep their order."""

from __future__ import annotations

import numpy as np
import pytest

import opc
from tests.unit.common.contraction_graphs import DTYPES, bits, check_bits_everywhere, oracle

pytestmark = pytest.mark.sample(12)

VALUES = """
func.func @main(%p: tensor<{heads}x{rows}x?x{t}, #opc.dims<{heads}, {rows}, N>>,
                %v: tensor<{heads}x?x{columns}x{t}, #opc.dims<{heads}, N, {columns}>>)
    -> tensor<{heads}x{rows}x{columns}x{t}> {{
  %y = opc.matmul %p, %v
  func.return %y : tensor<{heads}x{rows}x{columns}x{t}>
}}"""
BLOCKS = "by 512 parallel {"
SHAPES = [
    (1, 1, 64, "f32"),
    (3, 1, 64, "f16"),
    (1, 8, 64, "f32"),
    (2, 5, 33, "f64"),
    (3, 4, 130, "f32"),
]


def drawn(shape: tuple[int, ...], type: str) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(DTYPES[type])


@pytest.mark.parametrize(("heads", "rows", "columns", "type"), SHAPES)
def test_any_number_of_positions_has_the_bits_of_the_order(
    heads: int, rows: int, columns: int, type: str
) -> None:
    text = VALUES.format(heads=heads, rows=rows, columns=columns, t=type)
    assert BLOCKS in opc.lower(text).ir("schedule")
    functions = [opc.compile(text, threads=threads) for threads in (1, 2, 3)]
    for n in (0, 1, 511, 512, 513, 1300, 5000):
        arrays = drawn((heads, rows, n), type), drawn((heads, n, columns), type)
        fixed = text.replace("?", str(n)).replace("N", str(n))
        expected = oracle(fixed, arrays)
        assert all(bits([f(*arrays)]) == expected for f in functions), n


def test_the_blocks_of_known_chains_are_shared() -> None:
    text = """
    func.func @main(%x: tensor<3x9000xf32>, %y: tensor<9000x65xf32>)
        -> (tensor<3x65xf32>, tensor<3x65xf32>) {
      %0 = opc.matmul %x, %y
      %1 = opc.relu %0
      func.return %0, %1 : tensor<3x65xf32>, tensor<3x65xf32>
    }"""
    assert BLOCKS in opc.lower(text).ir("schedule")
    check_bits_everywhere(text, (drawn((3, 9000), "f32"), drawn((9000, 65), "f32")))


def test_few_rows_of_an_unknown_number_keep_their_sums_alone() -> None:
    """One new token and a prompt: there is a version for one, and no room for all sums of many."""
    text = """
    func.func @main(%p: tensor<1x?x?xf32, #opc.dims<1, R, N>>,
                    %v: tensor<1x?x64xf32, #opc.dims<1, N, 64>>)
        -> tensor<1x?x64xf32, #opc.dims<1, R, 64>> {
      %y = opc.matmul %p, %v
      func.return %y : tensor<1x?x64xf32, #opc.dims<1, R, 64>>
    }"""
    schedule = opc.lower(text).ir("schedule")
    assert BLOCKS in schedule
    f = opc.compile(text, threads=2)
    for rows in (1, 7):
        p, v = drawn((1, rows, 1500), "f32"), drawn((1, 1500, 64), "f32")
        assert bits([f(p, v)]) == bits([opc.compile(text, dims={"R": rows, "N": 1500})(p, v)])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[d2] by 64 serial {\nschedule.run start", "[d2] by 32 serial {\nschedule.run start",
         "found other loops around start than around init, expected the same tiles"),
        ("schedule.for [d3] by 512 parallel", "schedule.for [d3] by 256 parallel",
         "expected a loop by 512 along"),
    ],
)  # fmt: skip
def test_other_tiles_and_blocks_are_refused(old: str, new: str, message: str) -> None:
    text = VALUES.format(heads=1, rows=1, columns=64, t="f32")
    lines = opc.lower(text, target="avx2").ir("schedule").splitlines()
    schedule = "\n".join(line.strip() for line in lines)
    assert schedule.count(old) == 1
    with pytest.raises(opc.OpcError, match=message):
        opc.lower(schedule.replace(old, new), cache=None)
