"""Graphs whose C is looked at: every family of operators, and every kind of shape."""

# ruff: noqa: E501 - graphs have one operation on each line
from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from xdsl.ir import SSAValue

from opc.api.driver import Lowered, Options, load, lower
from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.opc import reduction as red
from opc.dialects.opc.binary import AddOp
from opc.dialects.opc.movement import ConstantOp
from tests.unit.common.elementwise_cases import cases
from tests.unit.common.graphs import Emit, graph, tensor

SPECIAL = {
    "nothing": """
func.func @main() {
  return
}""",
    "argument returned": """
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}""",
    "several results": """
func.func @main(%x: tensor<3x5xf32>, %unused: tensor<2xi8>)
    -> (tensor<3x5xf32>, tensor<15xf32>, tensor<3xf32>, tensor<3x5xf32>, tensor<f32>) {
  %r = opc.exp %x
  %s = opc.reshape %r -> tensor<15xf32>
  %t = opc.reduce_sum %r {axes = [1]}
  %u = opc.reduce_max %t
  return %r, %s, %t, %r, %u : tensor<3x5xf32>, tensor<15xf32>, tensor<3xf32>, tensor<3x5xf32>, tensor<f32>
}""",
    "softmax": """
func.func @main(%x: tensor<17x1000xf32>) -> tensor<17x1000xf32> {
  %m = opc.reduce_max %x {axes = [-1], keepdims = true}
  %c = opc.sub %x, %m
  %e = opc.exp %c
  %s = opc.reduce_sum %e {axes = [-1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<17x1000xf32>
}""",
    "softmax f16, symbolic": """
func.func @main(%x: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %m = opc.reduce_max %x {axes = [-1], keepdims = true}
  %c = opc.sub %x, %m
  %e = opc.exp %c
  %s = opc.reduce_sum %e {axes = [-1], keepdims = true}
  %r = opc.div %e, %s
  return %r : tensor<?x?xf16>
}""",
    "layer normalization": """
func.func @main(%x: tensor<?x768xf32>, %scale: tensor<768xf32>, %bias: tensor<768xf32>) -> tensor<?x768xf32> {
  %m = opc.reduce_mean %x {axes = [-1], keepdims = true}
  %c = opc.sub %x, %m
  %q = opc.mul %c, %c
  %v = opc.reduce_mean %q {axes = [-1], keepdims = true}
  %epsilon = opc.constant dense<1.0e-5> : tensor<f32>
  %w = opc.add %v, %epsilon
  %d = opc.sqrt %w
  %n = opc.div %c, %d
  %t = opc.mul %n, %scale
  %r = opc.add %t, %bias
  return %r : tensor<?x768xf32>
}""",
    "matmul, symbolic": """
func.func @main(%a: tensor<?x?x?xf32, #opc.dims<B, M, K>>, %b: tensor<?x?x?xf32, #opc.dims<B, K, N>>)
    -> tensor<?x?x?xf32, #opc.dims<B, M, N>> {
  %c = opc.neg %a
  %p = opc.matmul %c, %b
  %r = opc.tanh %p
  return %r : tensor<?x?x?xf32, #opc.dims<B, M, N>>
}""",
    "matmul of bytes": """
func.func @main(%a: tensor<3x70xi8>, %b: tensor<70x4xi8>, %c: tensor<3x70xf16>, %d: tensor<70x4xf16>)
    -> (tensor<3x4xi8>, tensor<3x4xf16>) {
  %r = opc.matmul %a, %b
  %s = opc.matmul %c, %d
  return %r, %s : tensor<3x4xi8>, tensor<3x4xf16>
}""",
    "functions of bytes": """
func.func @main(%x: tensor<37x40xui8>, %y: tensor<?xi8, #opc.dims<N>>, %z: tensor<37x40xui8>)
    -> (tensor<37x40xui8>, tensor<?xi8, #opc.dims<N>>, tensor<37x40xi16>) {
  %f = opc.cast %x : tensor<37x40xui8> -> tensor<37x40xf32>
  %g = opc.sigmoid %f
  %m = opc.mul %g, %f
  %r = opc.round %m
  %a = opc.cast %r : tensor<37x40xf32> -> tensor<37x40xui8>
  %h = opc.cast %y : tensor<?xi8, #opc.dims<N>> -> tensor<?xf32, #opc.dims<N>>
  %t = opc.tanh %h
  %n = opc.mul %t, %h
  %s = opc.round %n
  %b = opc.cast %s : tensor<?xf32, #opc.dims<N>> -> tensor<?xi8, #opc.dims<N>>
  %i = opc.cast %z : tensor<37x40xui8> -> tensor<37x40xf32>
  %k = opc.sqrt %i
  %l = opc.tanh %k
  %o = opc.round %l
  %q = opc.cast %o : tensor<37x40xf32> -> tensor<37x40xui8>
  %w = opc.cast %q : tensor<37x40xui8> -> tensor<37x40xi16>
  %c = opc.sub %w, %w
  return %a, %b, %c : tensor<37x40xui8>, tensor<?xi8, #opc.dims<N>>, tensor<37x40xi16>
}""",
    "booleans": """
func.func @main(%x: tensor<9xi1>, %y: tensor<9xi1>)
    -> (tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>) {
  %t = opc.constant dense<true> : tensor<i1>
  %n = opc.not %x
  %m = opc.not %t
  %a = opc.greater_equal %x, %t
  %b = opc.greater %n, %t
  %c = opc.equal %n, %t
  %d = opc.less %n, %y
  %e = opc.less_equal %m, %y
  %k = opc.equal %n, %m
  return %a, %b, %c, %d, %e, %k : tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>, tensor<9xi1>
}""",
    "rank 0": """
func.func @main(%x: tensor<f64>, %y: tensor<i1>) -> (tensor<f64>, tensor<i1>, tensor<f64>, tensor<i64>) {
  %r = opc.log %x
  %s = opc.not %y
  %t = opc.reduce_sum %x
  %u = opc.cast %x -> tensor<i64>
  return %r, %s, %t, %u : tensor<f64>, tensor<i1>, tensor<f64>, tensor<i64>
}""",
    "rank 16": """
func.func @main(%x: tensor<1x2x1x1x2x1x3x1x1x2x1x1x1x2x1x2xf32>, %y: tensor<2x1x2xf32>)
    -> (tensor<2x1x2x1x1x1x2x1x1x3x1x2x1x1x2x1xf32>, tensor<1x2x1x1x2x1x3x1x1x2x1x1x1x2x1xf32>) {
  %a = opc.add %x, %y
  %r = opc.transpose %a {permutation = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]}
  %s = opc.reduce_sum %a {axes = [15]}
  return %r, %s : tensor<2x1x2x1x1x1x2x1x1x3x1x2x1x1x2x1xf32>, tensor<1x2x1x1x2x1x3x1x1x2x1x1x1x2x1xf32>
}""",
    "rank 16, symbolic": """
func.func @main(%x: tensor<?x?x?x?x?x?x?x?x?x?x?x?x?x?x?x?xf32>) -> tensor<?x?x?x?x?x?x?x?xf32> {
  %a = opc.transpose %x {permutation = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]}
  %b = opc.exp %a
  %r = opc.reduce_sum %b {axes = [0, 2, 4, 6, 8, 10, 12, 14]}
  return %r : tensor<?x?x?x?x?x?x?x?xf32>
}""",
    "zero size": """
func.func @main(%x: tensor<3x0x2xf32>, %y: tensor<0xi8>) -> (tensor<3x0x2xf32>, tensor<3x2xf32>, tensor<i8>, tensor<2x3x0xf32>) {
  %r = opc.exp %x
  %s = opc.reduce_sum %x {axes = [1]}
  %t = opc.reduce_prod %y
  %u = opc.transpose %x {permutation = [2, 0, 1]}
  return %r, %s, %t, %u : tensor<3x0x2xf32>, tensor<3x2xf32>, tensor<i8>, tensor<2x3x0xf32>
}""",
    "broadcast, symbolic": """
func.func @main(%x: tensor<?x1x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?xf32>) -> tensor<?x?x?xf32> {
  %a = opc.mul %x, %y
  %b = opc.exp %z
  %r = opc.add %a, %b
  return %r : tensor<?x?x?xf32>
}""",
    "broadcast, reduced": """
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %a = opc.mul %x, %y
  %r = opc.reduce_sum %a {axes = [1]}
  %b = opc.reduce_max %a {axes = [0], keepdims = true}
  %s = opc.sub %a, %b
  return %r, %s : tensor<?xf32>, tensor<?x?xf32>
}""",
    "reshape, symbolic": """
func.func @main(%x: tensor<?x?x6xf32, #opc.dims<M, N, 6>>, %y: tensor<?xf32, #opc.dims<K>>)
    -> (tensor<?x4xf32, #opc.dims<?, 4>>, tensor<?x?x2xf32, #opc.dims<?, K, 2>>) {
  %a = opc.abs %x
  %r = opc.reshape %a -> tensor<?x4xf32, #opc.dims<?, 4>>
  %b = opc.reshape %x -> tensor<?x?x2xf32, #opc.dims<?, K, 2>>
  %s = opc.sqrt %b
  return %r, %s : tensor<?x4xf32, #opc.dims<?, 4>>, tensor<?x?x2xf32, #opc.dims<?, K, 2>>
}""",
    "reshape and transpose": """
func.func @main(%x: tensor<6x35xf32>) -> tensor<7x30xf32> {
  %a = opc.reshape %x -> tensor<10x21xf32>
  %b = opc.transpose %a {permutation = [1, 0]}
  %c = opc.exp %b
  %d = opc.reshape %c -> tensor<30x7xf32>
  %e = opc.neg %d
  %r = opc.transpose %e {permutation = [1, 0]}
  return %r : tensor<7x30xf32>
}""",
    "extent": """
func.func @main(%x: tensor<?x3xf32, #opc.dims<N, 3>>) -> (tensor<i64>, tensor<?x3xf32, #opc.dims<N, 3>>) {
  %n = opc.extent <N*3> : tensor<i64>
  %f = opc.cast %n -> tensor<f32>
  %r = opc.div %x, %f
  return %n, %r : tensor<i64>, tensor<?x3xf32, #opc.dims<N, 3>>
}""",
    "run-time axes": """
func.func @main(%x: tensor<2x3x4xf32>, %axes: tensor<?xi32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %r = opc.reduce_sum %x, %axes {keepdims = true} : tensor<2x3x4xf32>, tensor<?xi32> -> tensor<?x?x?xf32>
  %s = opc.reduce_max %x, %axes {keepdims = true, empty_axes = "all"} : tensor<2x3x4xf32>, tensor<?xi32> -> tensor<?x?x?xf32>
  return %r, %s : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}""",
    "run-time axes, packed": """
func.func @main(%x: tensor<?x?x4xf32>, %axes: tensor<2xui8>) -> tensor<?xf32> {
  %a = opc.reduce_mean %x, %axes : tensor<?x?x4xf32>, tensor<2xui8> -> tensor<?xf32>
  %r = opc.exp %a
  return %r : tensor<?xf32>
}""",
    "constants": """
func.func @main(%x: tensor<3xi1>, %y: tensor<3xf16>, %z: tensor<3xi64>, %w: tensor<3xui8>, %v: tensor<3xf64>)
    -> (tensor<3xi1>, tensor<3xf16>, tensor<3xi64>, tensor<3xui8>, tensor<3xf64>) {
  %a = opc.constant dense<[true, false, true]> : tensor<3xi1>
  %b = opc.constant dense<[1.0, -0.5, 6.0e-8]> : tensor<3xf16>
  %c = opc.constant dense<[-9223372036854775808, -1, 2]> : tensor<3xi64>
  %d = opc.constant dense<[255, 0, 7]> : tensor<3xui8>
  %e = opc.constant dense<[0x7ff0000000000000, 0x7ff8000000000000, -4.9e-324]> : tensor<3xf64>
  %r = opc.and %x, %a
  %s = opc.add %y, %b
  %t = opc.max %z, %c
  %u = opc.sub %w, %d
  %p = opc.mul %v, %e
  return %r, %s, %t, %u, %p : tensor<3xi1>, tensor<3xf16>, tensor<3xi64>, tensor<3xui8>, tensor<3xf64>
}""",
    "numbers": """
func.func @main(%x: tensor<3xf32>, %y: tensor<3xf64>, %z: tensor<3xi64>, %w: tensor<3xui32>, %v: tensor<3xi16>)
    -> (tensor<3xf32>, tensor<3xf64>, tensor<3xi64>, tensor<3xui32>, tensor<3xi16>) {
  %a = opc.constant dense<-3.4028234663852886e38> : tensor<f32>
  %b = opc.constant dense<0xfff0000000000000> : tensor<f64>
  %c = opc.constant dense<-9223372036854775808> : tensor<i64>
  %d = opc.constant dense<4294967295> : tensor<ui32>
  %e = opc.constant dense<-32768> : tensor<i16>
  %r = opc.sub %x, %a
  %s = opc.min %y, %b
  %t = opc.sub %z, %c
  %u = opc.mul %w, %d
  %p = opc.div %v, %e
  return %r, %s, %t, %u, %p : tensor<3xf32>, tensor<3xf64>, tensor<3xi64>, tensor<3xui32>, tensor<3xi16>
}""",
    "column sums": """
func.func @main(%x: tensor<300x7xf32>, %y: tensor<?x?x33xf64>) -> (tensor<7xf32>, tensor<?xf64>, tensor<33xf64>) {
  %r = opc.reduce_sum %x {axes = [0]}
  %s = opc.reduce_sum %y {axes = [0, 2]}
  %t = opc.reduce_sum %y {axes = [0, 1]}
  return %r, %s, %t : tensor<7xf32>, tensor<?xf64>, tensor<33xf64>
}""",
    "workspace": """
func.func @main(%x: tensor<40x30xf32>, %y: tensor<?xf32>) -> (tensor<40x40xf32>, tensor<?xf32>) {
  %a = opc.exp %x
  %b = opc.transpose %a {permutation = [1, 0]}
  %c = opc.sin %b
  %r = opc.matmul %a, %c
  %s = opc.reduce_sum %y {keepdims = true}
  %t = opc.exp %y
  %u = opc.div %t, %s
  return %r, %u : tensor<40x40xf32>, tensor<?xf32>
}""",
    "indices": """
func.func @main(%x: tensor<?x4xf32, #opc.dims<N, 4>>, %h: tensor<5x7xf16>, %u: tensor<3x4xf32>, %v: tensor<2x3xf16>,
    %i: tensor<3xi64>, %j: tensor<2x3xui8>, %k: tensor<3xi32>)
    -> (tensor<3x4xf32>, tensor<2x3xf16>, tensor<2x3xf32>, tensor<?x4xf32, #opc.dims<N, 4>>, tensor<5x7xf16>, tensor<5x7xf16>) {
  %a = opc.gather %x, %i {axes = [0]} : tensor<?x4xf32, #opc.dims<N, 4>>, tensor<3xi64> -> tensor<3x4xf32>
  %b = opc.gather_elements %h, %j {axis = 1} : tensor<5x7xf16>, tensor<2x3xui8> -> tensor<2x3xf16>
  %c = opc.gather %x, %j, %k {axes = [0, 1]} : tensor<?x4xf32, #opc.dims<N, 4>>, tensor<2x3xui8>, tensor<3xi32> -> tensor<2x3xf32>
  %y = opc.neg %x : tensor<?x4xf32, #opc.dims<N, 4>> -> tensor<?x4xf32, #opc.dims<N, 4>>
  %d = opc.scatter %y, %u, %i {axes = [0], reduction = "max"} : tensor<?x4xf32, #opc.dims<N, 4>>, tensor<3x4xf32>, tensor<3xi64> -> tensor<?x4xf32, #opc.dims<N, 4>>
  %e = opc.scatter_elements %h, %v, %j {axis = 0, reduction = "mul"} : tensor<5x7xf16>, tensor<2x3xf16>, tensor<2x3xui8> -> tensor<5x7xf16>
  %f = opc.scatter_elements %h, %v, %j {axis = 1} : tensor<5x7xf16>, tensor<2x3xf16>, tensor<2x3xui8> -> tensor<5x7xf16>
  return %a, %b, %c, %d, %e, %f : tensor<3x4xf32>, tensor<2x3xf16>, tensor<2x3xf32>, tensor<?x4xf32, #opc.dims<N, 4>>, tensor<5x7xf16>, tensor<5x7xf16>
}""",
    "names": """
func.func @main(%int: tensor<?x?xf32, #opc.dims<while, n0>>, %in0: tensor<?x?xf32, #opc.dims<n0, i0>>, %out0: tensor<?xf32, #opc.dims<workspace>>)
    -> tensor<?x?xf32, #opc.dims<while, i0>> {
  %acc0 = opc.matmul %int, %in0
  return %acc0 : tensor<?x?xf32, #opc.dims<while, i0>>
}""",
}


def elementwise(type: ElementType, length: int | str = 67) -> str:
    """Every elementwise operator that admits a type, each as a result."""

    def body(emit: Emit, *inputs: SSAValue) -> list[SSAValue]:
        return [case.emit(emit, list(inputs)) for case in cases(type)]

    shape = tensor(type, length)
    return graph([shape, shape, shape, tensor(el.I1, length)], body)


REDUCTIONS = (
    red.ReduceSumOp, red.ReduceProdOp, red.ReduceMaxOp, red.ReduceMinOp, red.ReduceMeanOp,
    red.ReduceL1Op, red.ReduceL2Op, red.ReduceLogSumOp, red.ReduceLogSumExpOp,
    red.ReduceSumSquareOp, red.ReduceAnyOp, red.ReduceAllOp,
)  # fmt: skip


def reductions(type: ElementType, *shape: int | str) -> str:
    """Every reduction that admits a type: rows, columns and all, and positions."""

    def body(emit: Emit, x: SSAValue) -> list[SSAValue]:
        found: list[SSAValue] = []
        for op in REDUCTIONS:
            if type in op.types:
                found += [emit(op(x, axes=axes)) for axes in ((1,), (0,), (0, 1))]
        for op in (red.ArgMaxOp, red.ArgMinOp):
            if type in op.types:
                found += [emit(op(x, axis=axis, select_last_index=bool(axis))) for axis in (0, 1)]
        return found

    return graph([tensor(type, *shape)], body)


def _weights() -> str:
    w = np.random.default_rng(0).standard_normal((40, 30)).astype(np.float32)

    def body(emit: Emit, x: SSAValue) -> list[SSAValue]:
        return [emit(AddOp(emit(ConstantOp.of(w, el.F32)), x))]

    return graph([tensor(el.F32, 30)], body)


def corpus() -> Iterator[tuple[str, str]]:
    """Names and texts."""
    yield from SPECIAL.items()
    for type in el.ELEMENTS:
        yield f"elementwise {type}", elementwise(type)
    for type in el.ELEMENTS:
        yield f"reductions {type}", reductions(type, 5, 300)
    yield "reductions f32, symbolic", reductions(el.F32, "M", "N")
    yield "weights", _weights()


GRAPHS = dict(corpus())


@cache
def lowered(name: str) -> Lowered:
    """The C of a graph of the corpus, whose functions start with ``g<number>``."""
    prefix = f"g{list(GRAPHS).index(name)}"
    return lower(load(GRAPHS[name]), Options(prefix=prefix, verify_each=True))
