"""Products of bytes in matrix registers: the same sums where there are such registers, and not."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import MemRefType
from xdsl.utils.test_value import create_ssa_value

import opc
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects import loop, schedule
from opc.dialects.matrix_ops import (
    BESIDE,
    PRODUCTS,
    REGISTERS,
    MatrixBeginOp,
    MatrixClearOp,
    MatrixMultiplyOp,
    MatrixStoreOp,
    Shape,
    registers,
)
from opc.dialects.registry import context
from opc.dialects.walking import walk
from opc.emit.matrix_products import function as matrix_function
from opc.emit.shared import Shared
from opc.errors import InputError
from opc.passes import pipeline
from opc.runtime import cache as caching
from opc.runtime.callable import CompiledFunction
from opc.schedule.legality import check
from opc.schedule.nest_trees import block_of
from opc.schedule.plan_contraction import plan
from opc.support.targets import target
from tests.unit.common.contraction_graphs import finished, random_tree, scheduled

pytestmark = pytest.mark.sample(24)

Array = np.ndarray[Any, Any]
BUILDS = ("baseline", "native")
"""Without matrix registers, and with them if this processor has some."""
MATRIX = """
func.func @main(%x: tensor<{m}x{k}x{one}>, %w: tensor<{k}x{n}x{other}>) -> tensor<{m}x{n}xi32> {{
  %a = opc.cast %x : tensor<{m}x{k}x{one}> -> tensor<{m}x{k}xi32>
  %b = opc.cast %w : tensor<{k}x{n}x{other}> -> tensor<{k}x{n}xi32>
  %r = opc.matmul %a, %b
  func.return %r : tensor<{m}x{n}xi32>
}}
"""
SHAPES = [(2, 64, 16), (9, 30, 21), (40, 144, 24), (33, 67, 50), (16, 128, 200), (70, 20, 3)]
"""Rows, products and columns."""


def drawn(rng: np.random.Generator, type: str, shape: tuple[int, ...]) -> Array:
    """Numbers of a type, its greatest and its least one among them."""
    info = np.iinfo(np.dtype("uint8" if type == "ui8" else "int8"))
    array = rng.integers(info.min, info.max + 1, shape).astype(info.dtype)
    array.flat[0], array.flat[-1] = info.max, info.min
    return array


@pytest.mark.parametrize("built", BUILDS)
@pytest.mark.parametrize("one", ["ui8", "i8"])
@pytest.mark.parametrize("other", ["ui8", "i8"])
@pytest.mark.parametrize("m, k, n", SHAPES)
def test_sums_are_exact(m: int, k: int, n: int, one: str, other: str, built: str) -> None:
    """All signs, with what is left over of rows, of columns and of products."""
    rng = np.random.default_rng(k)
    x, w = drawn(rng, one, (m, k)), drawn(rng, other, (k, n))
    function, c = scheduled(MATRIX.format(m=m, k=k, n=n, one=one, other=other))
    tree = plan(c, target("amx"))
    assert tree.group == PRODUCTS
    check(c, tree)
    c.nest.body.block.add_op(tree)
    expected = x.astype(np.int32) @ w.astype(np.int32)
    assert np.array_equal(finished(function, built)(x, w), expected)


WINDOW = """
func.func @main(%x: tensor<1x{c}x9x11xui8>, %w: tensor<{f}x{c}x3x3xi8>) -> tensor<1x{f}x{h}x{v}xi32>
{{
  %a = opc.cast %x : tensor<1x{c}x9x11xui8> -> tensor<1x{c}x9x11xi32>
  %b = opc.cast %w : tensor<{f}x{c}x3x3xi8> -> tensor<{f}x{c}x3x3xi32>
  %r = opc.conv %a, %b {{pads = [1, 1, 1, 1], strides = [{s}, {s}]}}
  func.return %r : tensor<1x{f}x{h}x{v}xi32>
}}
"""


@pytest.mark.parametrize("built", BUILDS)
@pytest.mark.parametrize(
    "channels, filters, step", [(64, 40, 1), (30, 17, 2), (72, 16, 1), (3, 20, 2), (16, 33, 1)]
)
def test_windows_are_exact(channels: int, filters: int, step: int, built: str) -> None:
    """Rows are points of an image, a step apart."""
    rng, shape = np.random.default_rng(channels), (-(-9 // step), -(-11 // step))
    x, w = drawn(rng, "ui8", (1, channels, 9, 11)), drawn(rng, "i8", (filters, channels, 3, 3))
    text = WINDOW.format(c=channels, f=filters, s=step, h=shape[0], v=shape[1])
    function, c = scheduled(text)
    tree = plan(c, target("amx"))
    assert tree.group == PRODUCTS
    check(c, tree)
    c.nest.body.block.add_op(tree)
    padded = np.pad(x[0].astype(np.int32), ((0, 0), (1, 1), (1, 1)))
    seen = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))[:, ::step, ::step]
    expected = np.einsum("chvij,fcij->fhv", seen, w.astype(np.int32))[None]
    assert np.array_equal(finished(function, built)(x, w), expected)


def test_steps_that_go_on_along_a_row_of_a_filter_read_a_padded_window() -> None:
    """Panels have the values of one tap side by side, not those of the next."""
    _, c = scheduled(WINDOW.format(c=30, f=17, s=1, h=9, v=11))
    tree = plan(c, target("amx"))
    pad = next(op for op in walk(tree) if isinstance(op, schedule.PadOp))
    rows = block_of(tree, c.row)
    assert pad.parent is not None
    pad.parent.insert_op_before(schedule.PackOp.of("left", rows, PRODUCTS), pad)
    pad.detach()
    with pytest.raises(
        InputError, match=r"found no schedule\.pad left, expected one in steps of 64"
    ):
        check(c, tree)


GROUPS = """
func.func @main(%x: tensor<1x24x9x11xui8>, %w: tensor<40x12x3x3xi8>) -> tensor<1x40x9x11xi32> {
  %a = opc.cast %x : tensor<1x24x9x11xui8> -> tensor<1x24x9x11xi32>
  %b = opc.cast %w : tensor<40x12x3x3xi8> -> tensor<40x12x3x3xi32>
  %r = opc.conv %a, %b {pads = [1, 1, 1, 1], groups = 2}
  func.return %r : tensor<1x40x9x11xi32>
}
"""


@pytest.mark.parametrize("built", BUILDS)
def test_channels_of_other_groups_are_left_out(built: str) -> None:
    """They lie between the taps of a row of a filter."""
    rng = np.random.default_rng(2)
    x, w = drawn(rng, "ui8", (1, 24, 9, 11)), drawn(rng, "i8", (40, 12, 3, 3))
    function, c = scheduled(GROUPS)
    tree = plan(c, target("amx"))
    assert tree.group == PRODUCTS
    c.nest.body.block.add_op(tree)
    padded = np.pad(x[0].astype(np.int32), ((0, 0), (1, 1), (1, 1)))
    seen = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2)).reshape(
        2, 12, 9, 11, 3, 3
    )
    filters = w.astype(np.int32).reshape(2, 20, 12, 3, 3)
    expected = np.einsum("gchvij,gfcij->gfhv", seen, filters).reshape(1, 40, 9, 11)
    assert np.array_equal(finished(function, built)(x, w), expected)


@pytest.mark.parametrize("seed", range(12))
def test_schedules_that_are_drawn_have_the_same_sums(seed: int) -> None:
    """Any tile that fits the registers, whatever is packed."""
    rng = Random(seed)
    m, k, n = rng.randint(1, 70), rng.choice([20, 64, 130]), rng.randint(1, 70)
    x, w = (drawn(np.random.default_rng(seed), "ui8", s) for s in ((m, k), (k, n)))
    function, c = scheduled(MATRIX.format(m=m, k=k, n=n, one="ui8", other="ui8"))
    trees = (random_tree(c, rng) for _ in range(200))
    tree = next(tree for tree in trees if tree.group == PRODUCTS)
    check(c, tree)
    c.nest.body.block.add_op(tree)
    expected = x.astype(np.int32) @ w.astype(np.int32)
    assert np.array_equal(finished(function, BUILDS[seed % 2])(x, w), expected)


@pytest.mark.parametrize("built", BUILDS)
@pytest.mark.parametrize("rows", [0, 1, 37])
def test_rows_of_which_a_run_knows_the_number(rows: int, built: str) -> None:
    """One row has a version of its own, which reads the same panels."""
    text = MATRIX.format(m=7777, k=96, n=40, one="ui8", other="i8")
    for k, type in ((96, "ui8"), (96, "i32"), (40, "i32")):
        text = text.replace(f"7777x{k}x{type}", f"?x{k}x{type}, #opc.dims<N, {k}>")
    rng = np.random.default_rng(rows)
    x, w = (
        rng.integers(0, 256, (rows, 96), dtype=np.uint8),
        rng.integers(-128, 128, (96, 40), dtype=np.int8),
    )
    function, c = scheduled(text)
    tree = plan(c, target("amx"))
    c.nest.body.block.add_op(tree)
    assert np.array_equal(finished(function, built)(x, w), x.astype(np.int32) @ w.astype(np.int32))


def test_registers_get_their_shapes_outside_of_tiles() -> None:
    """Once in each block that a thread computes, since that takes as long as some steps."""
    function, c = scheduled(MATRIX.format(m=300, k=64, n=320, one="ui8", other="i8"))
    c.nest.body.block.add_op(plan(c, target("amx")))
    module = function.parent_op()
    pipeline.run(module, context(), ["schedule", *pipeline.passes("loops", since="schedule")])
    begins = [op for op in walk(function) if isinstance(op, loop.MatrixBeginOp)]
    clears = [op for op in walk(function) if isinstance(op, loop.MatrixClearOp)]
    assert len(begins) == len(clears) == 1
    around = begins[0].parent_op()
    assert isinstance(around, loop.ForOp) and around.kind.data == "parallel"
    assert clears[0].parent_op() is not around


@pytest.mark.parametrize("rows, columns", [(33, 32), (32, 48), (80, 32), (16, 24)])
def test_tiles_that_do_not_fit_are_illegal(rows: int, columns: int) -> None:
    assert registers(rows, columns) is None
    _, c = scheduled(MATRIX.format(m=300, k=64, n=320, one="ui8", other="i8"))
    tree = plan(c, target("amx"))
    for op in walk(tree):
        if isinstance(op, schedule.ForOp) and op.kind.data in ("serial", "parallel"):
            size = {c.row: rows, c.column: columns}.get(op.axis)
            if size:
                op.properties["by"] = schedule.ForOp.of(op.axis, size, "serial", []).by
        elif isinstance(op, schedule.PackOp):
            op.properties["by"] = schedule.PackOp.of("right", columns).by
    with pytest.raises(InputError, match=f"found tiles of {rows} x {columns}, expected some"):
        check(c, tree)


def test_no_tile_takes_more_registers_than_there_are() -> None:
    """A rest of the products takes registers for factors of its own."""
    assert registers(32, 32) == (2, 2) and registers(32, 32, rest=4) is None
    assert registers(16, 96) == (1, 6) and registers(16, 64, rest=4) == (1, 4)
    for rows in range(1, 130):
        for columns in range(16, 16 * REGISTERS, 16):
            shape = registers(rows, columns)
            assert shape is None or shape[0] * shape[1] + min(shape) < REGISTERS


def test_tiles_alike_with_a_rest_and_without_one_stand_in_one_file() -> None:
    """Full steps before a rest leave registers for it: both are functions of their own."""
    text = """
    func.func @main(%x: tensor<64x128xui8>, %v: tensor<128x16xi8>, %w: tensor<96x16xi8>)
        -> (tensor<64x16xi32>, tensor<64x16xi32>) {
      %a = opc.cast %x : tensor<64x128xui8> -> tensor<64x128xi32>
      %b = opc.cast %v : tensor<128x16xi8> -> tensor<128x16xi32>
      %c = opc.cast %w : tensor<96x16xi8> -> tensor<96x16xi32>
      %s = opc.slice %a {starts = [0, 0], stops = [64, 96], steps = [1, 1]}
      %p = opc.matmul %a, %b
      %q = opc.matmul %s, %c
      func.return %p, %q : tensor<64x16xi32>, tensor<64x16xi32>
    }
    """
    lowered = opc.lower(text, target="amx").emitted
    source = lowered.source
    assert all(f"opc_matrix_u8_i8_64x16{end}(" in source for end in ("", "_full", "_32"))
    rng = np.random.default_rng(7)
    x = drawn(rng, "ui8", (64, 128))
    v, w = drawn(rng, "i8", (128, 16)), drawn(rng, "i8", (96, 16))
    wide = x.astype(np.int32)
    for built in BUILDS:
        library = caching.build(source, cc=None, target=built, threads=1, cache=None)
        p, q = CompiledFunction(lowered.interface, library, lowered.weights, 1)(x, v, w)
        assert np.array_equal(p, wide @ v.astype(np.int32))
        assert np.array_equal(q, wide[:, :96] @ w.astype(np.int32))


def test_one_name_has_one_text() -> None:
    """Of all functions on matrix registers, of all shapes."""
    types = (("i32", 64), ("ui8", 64), ("i8", 64))
    sums, x, w = (
        create_ssa_value(MemRefType(el.BY_NAME[name].type, [size])) for name, size in types
    )
    shared, steps = Shared(), range(BESIDE, PRODUCTS + 1, BESIDE)
    rests = [(rest, PRODUCTS) for rest in range(0, PRODUCTS, BESIDE)] + [(0, n) for n in steps]
    index = (ex.const(0), ex.const(64), ex.const(0))
    for rows, columns, (rest, step) in product((1, 16, 32, 64), (16, 32, 64, 96), rests):
        if registers(rows, columns, rest) is None:
            continue
        tile = Shape(rows, columns, rest, step)
        shared.helper(matrix_function(MatrixBeginOp.of(tile)))
        for op in (MatrixClearOp, MatrixStoreOp):
            shared.helper(matrix_function(op.of(tile, sums)))
        for is_last in (False, True) if rest else (False,):
            shared.helper(
                matrix_function(MatrixMultiplyOp.at(tile, (x, w, sums), index, (), is_last))
            )
    with pytest.raises(AssertionError, match="two texts of opc_matrix_begin_1x16"):
        shared.helper(("", {"opc_matrix_begin_1x16": ""}))


def test_the_c_of_the_target_runs_without_registers() -> None:
    """It asks for them only where the compiler has their instructions."""
    text = MATRIX.format(m=9, k=68, n=40, one="i8", other="ui8")
    source = opc.lower(text, target="amx").emitted.source
    assert "_tile_dpbsud" in source and "defined(__AMX_INT8__)" in source
