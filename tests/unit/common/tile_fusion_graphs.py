"""Graphs of which tile fusions are made, and their inputs and results."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp

from opc.dialects.registry import context
from opc.dialects.tile_fusion import TileFusionOp
from opc.passes import pipeline
from tests.unit.common.graphs import parse

MACHINE = "baseline"
"""Tile fusions of small graphs are of few rows, as the tiles of this machine are."""


def tensor(*shape: int) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def attention(
    batch: int, heads: int, rows: int, columns: int, size: int, mask: str = "", keys: int = 0
) -> str:
    """softmax(q k^T / 8 + mask) v; ``keys`` are the heads of k and v, if there are fewer."""
    groups = keys or heads
    q, k = tensor(batch, heads, rows, size), tensor(batch, groups, columns, size)
    rows_of_group = heads // groups * rows
    grouped = tensor(batch, groups, rows_of_group, size)
    turned, wide = (
        tensor(batch, groups, size, columns),
        tensor(batch, groups, rows_of_group, columns),
    )
    s, one = tensor(batch, heads, rows, columns), tensor(batch, heads, rows, 1)
    more = f", %m: {tensor(rows, columns)}" if mask == "added" else ""
    masks = {
        "": f"%y = opc.relu %x : {s}",
        "added": f"%y = opc.add %x, %m : {s}, {tensor(rows, columns)} -> {s}",
        "causal": f"""
  %i0 = opc.iota : tensor<{rows}xi64>
  %i = opc.reshape %i0 : tensor<{rows}xi64> -> tensor<{rows}x1xi64>
  %j = opc.iota : tensor<{columns}xi64>
  %seen = opc.less_equal %j, %i : tensor<{columns}xi64>, tensor<{rows}x1xi64>
  %low = opc.constant dense<-1.0e4> : tensor<f32>
  %y = opc.where %seen, %x, %low""",
    }
    return f"""
func.func @main(%q: {q}, %k: {k}, %v: {k}{more}) -> {q} {{
  %g = opc.reshape %q : {q} -> {grouped}
  %t = opc.transpose %k {{permutation = [0, 1, 3, 2]}} : {k} -> {turned}
  %w = opc.matmul %g, %t : {grouped}, {turned} -> {wide}
  %z = opc.reshape %w : {wide} -> {s}
  %c = opc.constant dense<0.125> : tensor<f32>
  %x = opc.mul %z, %c : {s}, tensor<f32> -> {s}
  {masks[mask]}
  %top = opc.reduce_max %y {{axes = [3], keepdims = true}} : {s} -> {one}
  %d = opc.sub %y, %top : {s}, {one} -> {s}
  %e = opc.exp %d : {s} -> {s}
  %sum = opc.reduce_sum %e {{axes = [3], keepdims = true}} : {s} -> {one}
  %p = opc.div %e, %sum : {s}, {one} -> {s}
  %pg = opc.reshape %p : {s} -> {wide}
  %o = opc.matmul %pg, %v : {wide}, {k} -> {grouped}
  %r = opc.reshape %o : {grouped} -> {q}
  func.return %r : {q}
}}"""


GRAPHS: dict[str, dict[str, Any]] = {
    "even": {"batch": 1, "heads": 2, "rows": 96, "columns": 96, "size": 16},
    "odd": {"batch": 1, "heads": 3, "rows": 101, "columns": 67, "size": 9},
    "batches": {"batch": 2, "heads": 3, "rows": 53, "columns": 70, "size": 8},
    "one head": {"batch": 1, "heads": 1, "rows": 130, "columns": 90, "size": 8},
    "mask": {"batch": 1, "heads": 2, "rows": 77, "columns": 80, "size": 8, "mask": "added"},
    "causal": {"batch": 2, "heads": 2, "rows": 65, "columns": 65, "size": 8, "mask": "causal"},
    "shared keys": {"batch": 1, "heads": 6, "rows": 45, "columns": 50, "size": 8, "keys": 2},
}
LAYER = f"""
func.func @main(%x: {tensor(300, 40)}, %w: {tensor(40, 24)}, %u: {tensor(40, 24)})
    -> ({tensor(300, 24)}, {tensor(300, 24)}) {{
  %m = opc.reduce_mean %x {{axes = [1], keepdims = true}} : {tensor(300, 40)} -> {tensor(300, 1)}
  %y = opc.sub %x, %m : {tensor(300, 40)}, {tensor(300, 1)} -> {tensor(300, 40)}
  %a = opc.matmul %y, %w : {tensor(300, 40)}, {tensor(40, 24)} -> {tensor(300, 24)}
  %b = opc.matmul %y, %u : {tensor(300, 40)}, {tensor(40, 24)} -> {tensor(300, 24)}
  func.return %a, %b : {tensor(300, 24)}, {tensor(300, 24)}
}}"""
"""Rows that two products read: the ends of both are equal but for what they read and write."""


def block(
    images: int,
    channels: int,
    high: int,
    wide: int,
    *,
    expanded: int = 1,
    groups: int = 0,
    kernel: int = 3,
    stride: int = 1,
    pad: int = 1,
) -> str:
    """A convolution by single points, a bias and a limit, and one through a window.

    The latter is depthwise, or has so many ``groups``.
    """
    middle = channels * expanded
    groups = groups or middle
    size = [(n + 2 * pad - kernel) // stride + 1 for n in (high, wide)]
    x, a = tensor(images, channels, high, wide), tensor(images, middle, high, wide)
    w, b = tensor(middle, channels, 1, 1), tensor(middle, 1, 1)
    d, y = tensor(middle, middle // groups, kernel, kernel), tensor(images, middle, *size)
    how = f"pads = [{', '.join([str(pad)] * 4)}], strides = [{stride}, {stride}], groups = {groups}"
    return f"""
func.func @main(%x: {x}, %w: {w}, %b: {b}, %d: {d}) -> {y} {{
  %0 = opc.conv %x, %w : {x}, {w} -> {a}
  %1 = opc.add %0, %b : {a}, {b} -> {a}
  %2 = opc.relu %1 : {a}
  %3 = opc.conv %2, %d {{{how}}} : {a}, {d} -> {y}
  %4 = opc.relu %3 : {y}
  func.return %4 : {y}
}}"""


def of_unknown(text: str, size: int) -> str:
    """The same graph with N in place of every extent of that size."""

    def renamed(found: re.Match[str]) -> str:
        extents = found[1].removesuffix("x").split("x")
        shown = ["?" if e == str(size) else e for e in extents]
        names = ["N" if e == str(size) else e for e in extents]
        if names == extents:
            return found[0]
        return f"tensor<{'x'.join(shown)}xf32, #opc.dims<{', '.join(names)}>>"

    return re.sub(r"tensor<((?:\d+x)*)f32>", renamed, text)


def of_unknown_batch(text: str) -> str:
    """The same graph with N in place of a batch of two."""
    return of_unknown(text, 2)


def residual(images: int, rows: int, size: int, inner: int) -> str:
    """A value that two products read, before and after it is written again in place."""
    x, one = tensor(images, rows, size), tensor(images, rows, inner)
    w, v = tensor(size, inner), tensor(inner, size)
    return f"""
func.func @main(%x: {x}, %q: {tensor(size, size)}, %a: {w}, %b: {v}, %c: {w}) -> {one} {{
  %1 = opc.matmul %x, %q : {x}, {tensor(size, size)} -> {x}
  %2 = opc.matmul %1, %a : {x}, {w} -> {one}
  %3 = opc.matmul %2, %b : {one}, {v} -> {x}
  %4 = opc.add %3, %1 : {x}, {x} -> {x}
  %5 = opc.matmul %4, %c : {x}, {w} -> {one}
  func.return %5 : {one}
}}"""


def arrays(text: str, unknown: int = 2) -> list[np.ndarray]:
    """Inputs of a graph."""
    rng = np.random.default_rng(3)
    function = next(op for op in parse(text).ops if isinstance(op, FuncOp))
    types = function.function_type.inputs
    shapes = [[unknown if n < 0 else n for n in t.get_shape()] for t in types]  # pyright: ignore
    dtypes = [{"f64": "f8", "f16": "f2"}.get(str(t.element_type), "f4") for t in types]  # pyright: ignore
    return [
        rng.standard_normal(shape).astype(dtype)
        for shape, dtype in zip(shapes, dtypes, strict=True)
    ]


def fusions(text: str, machine: str = MACHINE) -> list[TileFusionOp]:
    """The tile fusions that a graph has."""
    module = parse(text)
    pipeline.run(module, context(), pipeline.passes("schedule"), target=machine)
    return [op for op in module.walk() if isinstance(op, TileFusionOp)]


def results(function: Any, given: list[np.ndarray]) -> list[bytes]:
    found = function(*given)
    return [
        np.asarray(a).tobytes() for a in (found if isinstance(found, list | tuple) else [found])
    ]
