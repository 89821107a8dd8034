"""Reductions of every shape have the bits of the interpreter, in the one order of sums.

One function reduces many operands, so that many shapes are one C file.  What is reduced is an
argument, a product with a row, a column or each place, or what a function gives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

import opc
from opc.dialects import element as el
from tests.unit.common.graphs import oracle
from tests.unit.common.samples import between_guards, is_untouched
from tests.unit.common.tolerance import assert_same_bits

pytestmark = [pytest.mark.level("-O0"), pytest.mark.sample(192)]

Array = np.ndarray[Any, np.dtype[Any]]
KINDS = ("reduce_prod", "reduce_max", "reduce_min", "argmax", "argmin", "reduce_mean", "reduce_l1")
"""Beside a sum, each operand has one of these."""
AROUND = (*range(1, 18), 23, 31, 32, 33, 47, 63, 64, 65, 100, 127, 128, 129, 255, 511, 512, 513)


@dataclass(frozen=True)
class Shape:
    """An operand, the axes that are reduced, and a shape to multiply it by first."""

    extents: tuple[int, ...]
    axes: tuple[int, ...]
    beside: tuple[int, ...] | None = None


ROW_AND_COLUMN = ((1, 0), (0, 1), (0, 0))
"""Which extents of a factor are 1."""


def factors(extents: tuple[int, ...], axes: tuple[int, ...], which: int) -> Shape:
    """A shape whose operand is multiplied by one of each row, of each column, or of each place."""
    single = ROW_AND_COLUMN[which % 3]
    *outer, rows, columns = extents
    pairs = zip((rows, columns), single, strict=True)
    return Shape(extents, axes, (*outer, *(1 if one else n for n, one in pairs)))


SHAPES: dict[str, tuple[Shape, ...]] = {
    "rows": tuple(Shape((5, n), (1,)) for n in AROUND),
    "blocks of rows": tuple(Shape((m, n), (1,)) for m in (16, 37, 300) for n in (1, 3, 8, 31, 40)),
    "products along rows": tuple(factors((37, n), (1,), k) for k, n in enumerate(AROUND[::2])),
    "few columns": tuple(
        Shape((m, n), (0,))
        for n in (1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17)
        for m in (1, 7, 33, 300, 2500)
        if m * n < 20_000
    ),
    "columns": tuple(
        Shape((m, n), (0,)) for n in (31, 32, 33, 63, 64, 65, 100, 600) for m in (1, 2, 9, 25, 140)
    ),
    "products down columns": tuple(
        factors((m, n), (0,), m + n) for m in (5, 24, 131) for n in (2, 7, 31, 33, 100, 300)
    ),
    "blocks": tuple(
        Shape(extents, axes)
        for extents, axes in (
            *(((1, n), (1,)) for n in (1023, 1025, 4096, 8191, 8193, 25_000, 40_000)),
            *(((m, 3), (0,)) for m in (511, 2049, 9001)),
            *(((m, 65), (0,)) for m in (127, 128, 129, 256, 385, 1000)),
            ((3, 9001), (0,)),
            ((9, 1100), (0, 1)),
        )
    ),
    "groups of columns that a factor keeps apart": tuple(
        Shape((m, p, n), (0,), (m, p, 1))
        for m, p, n in ((40, 300, 3), (9, 20, 2), (130, 70, 12), (17, 600, 2), (5, 100, 15))
    ),
    "several runs": tuple(
        Shape(extents, axes)
        for extents, axes in (
            ((35, 2, 70), (0, 2)),
            ((3, 20, 150), (0, 2)),
            ((2, 3, 3000), (0, 2)),
            ((40, 5, 7), (0, 2)),
            ((40, 5, 7), (0, 1)),
            ((40, 5, 7), (1, 2)),
            ((9, 5, 30), (1,)),
            ((9, 300, 5), (1,)),
            ((6, 130, 40), (1,)),
            ((3, 4, 5, 6), (0, 2)),
            ((3, 4, 5, 6), (1, 3)),
            ((3, 4, 5, 6), (0, 1, 2, 3)),
            ((1, 9, 1, 200), (1, 2)),
            ((8, 1, 1), (0,)),
        )
    ),
    "nothing": tuple(
        Shape(extents, axes)
        for extents, axes in (((3, 0), (1,)), ((0, 3), (0,)), ((0, 3), (1,)), ((3, 0), (0,)))
    ),
}


def tensor(extents: Sequence[int], type: str, is_symbolic: bool, of: int) -> str:
    """The type of an array; its extents of more than one place have a name each."""
    if not is_symbolic:
        return f"tensor<{'x'.join([*map(str, extents), type])}>"
    names = [str(n) if n == 1 else f"N{of}_{k}" for k, n in enumerate(extents)]
    marks = ["?" if name[0] == "N" else name for name in names]
    return f"tensor<{'x'.join([*marks, type])}, #opc.dims<{', '.join(names)}>>"


def text(shapes: Sequence[Shape], type: str, is_symbolic: bool) -> str:
    """One function that reduces operands of all shapes: a sum of each, and one more."""
    given, lines, results, types = list[str](), list[str](), list[str](), list[str]()
    for k, shape in enumerate(shapes):
        whole = tensor(shape.extents, type, is_symbolic, k)
        given.append(f"%x{k}: {whole}")
        operand = f"%x{k}"
        if shape.beside is not None:
            given.append(f"%y{k}: {tensor(shape.beside, type, is_symbolic, k)}")
            operand = f"%p{k}"
            lines.append(f"  %p{k} = opc.mul %x{k}, %y{k}")
        kept = [1 if j in shape.axes else n for j, n in enumerate(shape.extents)]
        for name in ("reduce_sum", KINDS[k % len(KINDS)]):
            result, of = f"%{name}{k}", type
            attributes = f"axes = {list(shape.axes)}"
            if name.startswith("arg"):
                if len(shape.axes) > 1 or 0 in shape.extents:
                    continue
                of, last = "i64", "true" if k % 2 else "false"
                attributes = f"axis = {shape.axes[0]} : i64, select_last_index = {last}"
            lines.append(f"  {result} = opc.{name} {operand} {{{attributes}, keepdims = true}}")
            results.append(result)
            types.append(tensor(kept, of, is_symbolic, k))
    head = f"func.func @main({', '.join(given)}) -> ({', '.join(types)}) {{"
    end = f"  func.return {', '.join(results)} : {', '.join(types)}"
    return "\n".join([head, *lines, end, "}"])


def inputs(shapes: Sequence[Shape], type: str) -> list[Array]:
    """Values whose sums depend on the order; of every third operand some are no numbers."""
    dtype, rng, found = el.BY_NAME[type].dtype, np.random.default_rng(len(shapes)), list[Array]()
    for k, shape in enumerate(shapes):
        for extents in (shape.extents, shape.beside):
            if extents is None:
                continue
            if KINDS[k % len(KINDS)] == "reduce_prod":
                x = np.exp(rng.normal(size=extents) * 0.5 / max(1, np.prod(extents)) ** 0.5)
            else:
                x = rng.normal(size=extents) * np.exp2(rng.integers(-4, 5, extents) / 2)
            if k % 3 == 2 and x.size > 6 and el.BY_NAME[type].is_float:
                x.flat[:: x.size // 3] = [np.nan, -0.0, np.inf, 0.0][: len(x.flat[:: x.size // 3])]
            if not el.BY_NAME[type].is_float:
                x = rng.integers(-100, 100, extents)
            found.append(x.astype(dtype))
    return found


@cache
def expected(family: str, type: str) -> list[Array]:
    """What the interpreter computes of the static graph as it is written."""
    shapes = SHAPES[family]
    return oracle(text(shapes, type, False), inputs(shapes, type))


def run(function: opc.Function, given: Sequence[Array], results: Sequence[Array]) -> list[Array]:
    """The results, between bytes that nothing may change."""
    outs = [between_guards(r.shape, r.dtype) for r in results]
    function(*given, out=tuple(o for o, _ in outs) if len(outs) > 1 else outs[0][0])
    assert all(is_untouched(around) for _, around in outs)
    return [o for o, _ in outs]


@pytest.mark.parametrize("is_symbolic", [False, True], ids=["static", "symbolic"])
@pytest.mark.parametrize("type", ["f32", "f64", "f16", "bf16", "i8"])
@pytest.mark.parametrize("family", SHAPES)
def test_bits(family: str, type: str, is_symbolic: bool) -> None:
    shapes = SHAPES[family]
    function = opc.compile(text(shapes, type, is_symbolic), cache=None)
    wanted = expected(family, type)
    found = run(function, inputs(shapes, type), wanted)
    for k, (a, b) in enumerate(zip(found, wanted, strict=True)):
        assert_same_bits(a, b, f"result {k}, of the shape {a.shape}")


LARGE = (
    Shape((500_000,), (0,)),
    Shape((400, 1025), (1,)),
    Shape((60_000, 7), (0,)),
    Shape((60_000, 7), (1,)),
    Shape((900, 500), (0,)),
    Shape((70, 5001), (0,)),
    Shape((90, 30, 100), (0, 2)),
)
"""Operands that threads share."""


@pytest.mark.parametrize("is_symbolic", [False, True], ids=["static", "symbolic"])
@pytest.mark.parametrize("type", ["f32", "f16"])
def test_threads(type: str, is_symbolic: bool) -> None:
    given = inputs(LARGE, type)
    wanted = oracle(text(LARGE, type, False), given)
    for threads in (1, 2, 3):
        function = opc.compile(text(LARGE, type, is_symbolic), threads=threads)
        for a, b in zip(run(function, given, wanted), wanted, strict=True):
            assert_same_bits(a, b, f"{threads} threads, of the shape {a.shape}")


KEPT = {
    "quotients": "%s = opc.reduce_sum %e {{axes = [{axis}], keepdims = true}}\n"
    "  %r = opc.div %e, %s",
    "moments": "%m = opc.reduce_mean %e {{axes = [{axis}], keepdims = true}}\n"
    "  %d = opc.sub %e, %m\n"
    "  %q = opc.mul %d, %d\n"
    "  %v = opc.reduce_mean %q {{axes = [{axis}], keepdims = true}}\n"
    "  %r = opc.div %d, %v",
    "extremes": "%g = opc.reduce_max %e {{axes = [{axis}], keepdims = true}}\n"
    "  %d = opc.sub %g, %e\n"
    "  %s = opc.reduce_sum %d {{axes = [{axis}], keepdims = true}}\n"
    "  %r = opc.mul %d, %s",
}
"""Sweeps that use what an earlier one has computed: the values are kept, or computed again."""
KEPT_SHAPES = ((40, 5), (37, 33), (9, 130), (5, 1025), (300, 7), (2, 3, 31), (50, 24, 5))


@pytest.mark.parametrize("is_symbolic", [False, True], ids=["static", "symbolic"])
@pytest.mark.parametrize("type", ["f32", "f64", "f16"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("body", KEPT)
def test_kept_values(body: str, axis: int, type: str, is_symbolic: bool) -> None:
    """The exponentials are those of a function of its own, all else is interpreted."""
    for shape in KEPT_SHAPES:
        whole, static = (tensor(shape, type, s, 0) for s in (is_symbolic, False))
        lines = KEPT[body].format(axis=axis)
        line = "  %e = opc.exp %x\n  "
        x = np.random.default_rng(axis).normal(size=shape).astype(el.BY_NAME[type].dtype)
        exp = opc.compile(
            f"func.func @main(%x: {static}) -> {static} {{\n{line}return %e : {static}\n}}"
        )
        argument = (
            f"func.func @main(%e: {static}) -> {static} {{\n  {lines}\n  return %r : {static}\n}}"
        )
        (wanted,) = oracle(argument, [np.asarray(exp(x))])
        function = opc.compile(
            f"func.func @main(%x: {whole}) -> {whole} {{\n{line}{lines}\n  return %r : {whole}\n}}"
        )
        (found,) = run(function, [x], [wanted])
        assert_same_bits(found, wanted, f"{body} of the shape {shape}")


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_more_points_in_a_row_than_lanes_follow_from(type: str) -> None:
    """Memory runs on from one group of columns to the next, along a run of rows or of one value."""
    turned = f"""
func.func @main(%x: tensor<?x?x?x{type}, #opc.dims<N, B, C>>)
    -> (tensor<?x1x?x{type}, #opc.dims<B, 1, C>>, tensor<1x?x1x?x{type}, #opc.dims<1, B, 1, C>>) {{
  %t = opc.transpose %x {{permutation = [1, 0, 2]}}
  %r = opc.reduce_sum %t {{axes = [1], keepdims = true}}
  %y = opc.reshape %x -> tensor<?x?x1x?x{type}, #opc.dims<N, B, 1, C>>
  %s = opc.reduce_sum %y {{axes = [0, 2], keepdims = true}}
  func.return %r, %s
    : tensor<?x1x?x{type}, #opc.dims<B, 1, C>>, tensor<1x?x1x?x{type}, #opc.dims<1, B, 1, C>>
}}"""
    function = opc.compile(turned)
    for shape in ((5, 40, 1), (5, 129, 5), (700, 3, 5), (700, 2, 40), (9, 1, 2)):
        x = np.random.default_rng(0).normal(size=shape).astype(el.BY_NAME[type].dtype)
        wanted = oracle(turned, [x])
        for a, b in zip(run(function, [x], wanted), wanted, strict=True):
            assert_same_bits(a, b, f"of the shape {shape}")
