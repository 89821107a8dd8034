"""Rows whose functions are computed while the row before is finished."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

import opc
from opc.dialects import body, loop
from opc.dialects.registry import context
from opc.passes import pipeline
from tests.unit.common.graphs import parse
from tests.unit.common.samples import between_guards, is_untouched
from tests.unit.common.tolerance import assert_same_bits

pytestmark = pytest.mark.sample(4)

SOFTMAX = """
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %r = opc.div %e, %s"""
LOG_SOFTMAX = """
  %m = opc.reduce_max %x {axes = [1], keepdims = true}
  %d = opc.sub %x, %m
  %e = opc.exp %d
  %s = opc.reduce_sum %e {axes = [1], keepdims = true}
  %l = opc.log %s
  %r = opc.sub %d, %l"""
CENTRED = """
  %t = opc.tanh %x
  %m = opc.reduce_mean %t {axes = [1], keepdims = true}
  %r = opc.sub %t, %m"""
NORM = """
  %q = opc.mul %x, %x
  %s = opc.reduce_sum %q {axes = [1], keepdims = true}
  %r = opc.div %x, %s"""
BODIES = {"softmax": SOFTMAX, "log_softmax": LOG_SOFTMAX, "centred": CENTRED, "norm": NORM}
TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16}


def text_of(body: str, type: str) -> str:
    return (
        f"func.func @main(%x: tensor<{type}>) -> tensor<{type}> {{{body}\n"
        f"  func.return %r : tensor<{type}>\n}}"
    )


def one_by_one(name: str, x: np.ndarray, type: str) -> np.ndarray:
    """What it gives of each row alone, of which none is the next one."""
    f = opc.compile(text_of(BODIES[name], f"1x{x.shape[1]}x{type}"))
    return np.concatenate([x[:0], *(f(row[None]) for row in x)])


def turns(text: str) -> int:
    """How many loops finish a part of a row, and then compute functions."""
    module, ctx = parse(text), context()
    pipeline.run(module, ctx, pipeline.passes("loops"))
    (function,) = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    result, found = function.body.block.args[1], 0
    for op in function.walk():
        if isinstance(op, loop.ForOp):
            inside = [o for o in op.body.block.ops if isinstance(o, loop.ForOp)]
            stores = [any(_stores_to(i, result) for i in o.walk()) for o in inside]
            functions = [any(_is_function(i) for i in o.walk()) for o in inside]
            found += any(functions[k + 1] for k, is_last in enumerate(stores[:-1]) if is_last)
    return found


def _stores_to(op: Operation, result: SSAValue) -> bool:
    return isinstance(op, loop.StoreOp) and op.target is result


def _is_function(op: Operation) -> bool:
    return isinstance(op, body.ApplyOp) and op.is_expensive


@pytest.mark.parametrize(
    "type", ["512x1024xf32", "512x1025xf32", "64x512xf64", "?x?xf32, #opc.dims<N, M>"]
)
@pytest.mark.parametrize("name", ["softmax", "log_softmax", "centred"])
def test_functions_go_beside_the_last_sweep(name: str, type: str) -> None:
    assert turns(text_of(BODIES[name], type))


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("norm", "512x1024xf32"),  # Memory takes all the time.
        ("softmax", "512x64xf32"),  # A row is as long as a turn.
        ("softmax", "16x1024xf32"),  # Threads share so few rows one by one.
    ],
)
def test_others_go_one_after_the_other(name: str, type: str) -> None:
    assert not turns(text_of(BODIES[name], type))


@pytest.mark.sample(24)
@pytest.mark.parametrize("shape", [(64, 128), (67, 1000), (81, 1025), (4, 1024), (130, 8300)])
@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize("name", BODIES)
def test_bits(name: str, type: str, shape: tuple[int, int]) -> None:
    x = np.random.default_rng(shape[1]).standard_normal(shape).astype(TYPES[type])
    known = text_of(BODIES[name], f"{shape[0]}x{shape[1]}x{type}")
    expected = one_by_one(name, x, type)
    for text in (known, text_of(BODIES[name], f"?x?x{type}, #opc.dims<N, M>")):
        out, around = between_guards(shape, TYPES[type])
        opc.compile(text, threads=2)(x, out=out)
        assert_same_bits(out, expected)
        assert is_untouched(around)


def test_what_is_a_result_is_kept_where_it_belongs() -> None:
    type = "tensor<?x?xf32, #opc.dims<N, M>>"
    body = SOFTMAX + f"\n  func.return %e, %r : {type}, {type}"
    text = f"func.func @main(%x: {type}) -> ({type}, {type}) {{{body}\n}}"
    x = np.random.default_rng(0).standard_normal((67, 1000)).astype(np.float32)
    e, r = opc.compile(text)(x)
    assert_same_bits(r, one_by_one("softmax", x, "f32"))
    np.testing.assert_allclose(e, np.exp(x - x.max(1, keepdims=True)), rtol=1e-6)


@pytest.mark.parametrize("shape", [(0, 300), (1, 300), (2, 300), (17, 0), (17, 129)])
def test_few_rows_of_unknown_number(shape: tuple[int, int]) -> None:
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    text = text_of(SOFTMAX, "?x?xf32, #opc.dims<N, M>")
    expected = one_by_one("softmax", x, "f32") if x.size else x
    assert_same_bits(opc.compile(text)(x), expected)


@pytest.mark.parametrize("rows", [128, 129, 137])
@pytest.mark.parametrize("type", ["f32", "f64"])
def test_sums_in_one_lane(type: str, rows: int) -> None:
    """Rows of memory that are columns of the graph are added up in one lane, in blocks of rows.

    All of a block were taken for one row: sums were wrong.
    """
    x, y = f"tensor<137x{rows}x{type}>", f"tensor<{rows}x137x{type}>"
    one = f"tensor<1x{rows}x{type}>"
    text = f"""
func.func @main(%x: {y}) -> {x} {{
  %t = opc.transpose %x {{permutation = [1, 0]}} : {y} -> {x}
  %m = opc.reduce_max %t {{axes = [0], keepdims = true}} : {x} -> {one}
  %d = opc.sub %t, %m : {x}, {one} -> {x}
  %e = opc.exp %d : {x}
  %s = opc.reduce_sum %e {{axes = [0], keepdims = true}} : {x} -> {one}
  %r = opc.div %e, %s : {x}, {one} -> {x}
  func.return %r : {x}
}}"""
    given = np.random.default_rng(rows).normal(size=(rows, 137)).astype(TYPES[type])
    wanted = opc.compile(text, fuse=False, cache=None)(given)
    for threads in (1, 2):
        assert_same_bits(opc.compile(text, threads=threads, cache=None)(given), wanted, text)
