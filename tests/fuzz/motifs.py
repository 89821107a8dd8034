"""Subgraphs that people write, and those that fusion has to be careful with."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from opc.dialects import element as el
from opc.dialects.expr import const, sym
from opc.dialects.opc import binary, contraction, extent, indexing, movement, reduction, unary
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.symbols import GivenExtentsOp
from opc.dialects.shape import tensor_type

from . import moving, operators
from .graph import Value
from .maker import LATE, Maker, Unfit

FUNCTIONS: tuple[type[OpcOp], ...] = (
    unary.ExpOp, unary.AcoshOp, unary.TanhOp, unary.ErfOp, unary.SigmoidOp, unary.Log1pOp,
    unary.SqrtOp, unary.SinOp, unary.GeluOp,
)  # fmt: skip
PAIRS: tuple[type[OpcOp], ...] = (
    binary.AddOp, binary.SubOp, binary.MulOp, binary.DivOp, binary.MaxOp, binary.LessOp,
    binary.EqualOp,
)  # fmt: skip
SUMS: tuple[type[OpcOp], ...] = (
    reduction.ReduceSumOp, reduction.ReduceMaxOp, reduction.ReduceMeanOp, reduction.ReduceMinOp,
    reduction.ReduceSumSquareOp, reduction.ReduceLogSumExpOp, reduction.ReduceL2Op,
)  # fmt: skip


def large(m: Maker) -> Value:
    """A float with axes, of which many elements are finite."""
    x = m.pick(el.FLOAT, lambda v: moving.is_known(v) and v.array.size > 1)
    if not x.shape:
        x = m.input(
            m.one([t for t in m.types if t.is_float] or [el.F32]), m.extents(m.one((1, 2, 3)))
        )
    return x


def costly(m: Maker, x: Value) -> Value:
    """A value that fusion would rather keep than compute twice."""
    for _ in range(m.one((1, 1, 2))):
        x = m.add(m.one(FUNCTIONS), x)
    return m.add(m.one(PAIRS[:5]), x, m.partner(x)) if m.chance(0.4) else x


def some_reduction(m: Maker, x: Value, keepdims: bool) -> Value:
    axes = operators.some_axes(m, len(x.shape))
    return m.add(m.one(SUMS), x, axes=axes, keepdims=keepdims)


def softmax(m: Maker) -> Value:
    x = large(m)
    axes = [m.one(range(len(x.shape)))]
    top = m.add(reduction.ReduceMaxOp, x, axes=axes, keepdims=True)
    power = m.add(unary.ExpOp, m.add(binary.SubOp, x, top))
    total = m.add(reduction.ReduceSumOp, power, axes=axes, keepdims=True)
    return m.add(binary.DivOp, power, total)


def normalization(m: Maker) -> Value:
    x = large(m)
    axes = operators.some_axes(m, len(x.shape))
    mean = m.add(reduction.ReduceMeanOp, x, axes=axes, keepdims=True)
    centred = m.add(binary.SubOp, x, mean)
    variance = m.add(
        reduction.ReduceMeanOp, m.add(binary.MulOp, centred, centred), axes=axes, keepdims=True
    )
    return m.add(binary.DivOp, centred, m.add(unary.SqrtOp, variance))


def reduced_and_used(m: Maker) -> Value:
    """A costly value, its reduction, and both together."""
    value = costly(m, large(m))
    total = some_reduction(m, value, keepdims=True)
    return m.add(m.one(PAIRS), value, total)


def reduced_and_moved(m: Maker) -> Value:
    """A costly value that is reduced, and used in another order or a higher rank."""
    value = costly(m, large(m))
    some_reduction(m, value, keepdims=m.chance(0.5))
    if m.chance(0.5) and len(value.shape) > 1:
        order = m.rng.permutation(len(value.shape)).tolist()
        moved = m.add(movement.TransposeOp, value, permutation=order)
    else:
        one = (1, const(1))
        front = [one if m.chance(0.6) else m.dim() for _ in range(m.one((1, 1, 2)))]
        moved = m.add(
            movement.BroadcastOp,
            value,
            result_type=tensor_type(value.type, [e for _, e in [*front, *value.extents]]),
        )
    return m.add(m.one(PAIRS), moved, value if m.chance(0.5) else m.partner(moved))


def several_sweeps(m: Maker) -> Value:
    """Reductions of the same data over different axes, which wait for each other."""
    value = large(m)
    if m.chance(0.5):
        value = costly(m, value)
    for _ in range(m.one((2, 2, 3))):
        total = some_reduction(m, value, keepdims=True)
        value = m.add(m.one(PAIRS[:5]), value, total)
    return value


def movements(m: Maker) -> Value:
    """A chain of transpositions, broadcasts and reshapes, and something that reads it."""
    for _ in range(m.one((2, 3, 4))):
        op = m.one((movement.TransposeOp, movement.BroadcastOp, movement.ReshapeOp))
        try:
            operators.FAMILIES[op](m, op)
        except Unfit:
            continue
    x = m.values[-1]
    return m.add(m.one(PAIRS[:5]), x, m.partner(x)) if x.type in el.NUMERIC else x


def conditions(m: Maker) -> Value:
    """Comparisons, logic over them, and a choice by it."""
    x = large(m)
    condition = m.add(m.one(PAIRS[5:]), x, m.partner(x))
    if m.chance(0.6):
        condition = m.add(unary.NotOp, condition)
    if m.chance(0.6):
        m.add(
            m.one((reduction.ReduceAnyOp, reduction.ReduceAllOp)),
            condition,
            axes=operators.some_axes(m, len(condition.shape)),
            keepdims=m.chance(0.5),
        )
    other = m.partner(condition, el.I1)
    condition = m.add(m.one((binary.AndOp, binary.OrOp, binary.XorOp)), condition, other)
    return m.add(binary.WhereOp, condition, x, m.partner(x))


def narrow_product(m: Maker) -> Value:
    """A product of matrices of 8 bits, less their zero points, added up in 32 bits."""
    i32 = el.BY_NAME["i32"]
    types = [el.BY_NAME[name] for name in ("i8", "ui8")]
    rows, shared, columns = m.extents(3)
    sides: list[Value] = []
    for extents, own in (([rows, shared], [rows, (1, const(1))]), ([shared, columns], [columns])):
        narrow = m.one(types)
        side = m.input(narrow, extents)
        wide = m.add(unary.CastOp, side, result_type=tensor_type(i32, [e for _, e in extents]))
        if m.chance(0.6):
            zero = m.input(narrow, own)
            zero = m.add(unary.CastOp, zero, result_type=tensor_type(i32, [e for _, e in own]))
            wide = m.add(binary.SubOp, wide, zero)
        sides.append(wide)
    return m.add(contraction.MatmulOp, *sides)


def dequantized(m: Maker) -> Value:
    """A product of dequantized matrices, one scale for each or one for each column; quantized."""
    rows, shared, columns = m.extents(3)
    sides: list[Value] = []
    for extents in ([rows, shared], [shared, columns]):
        narrow = el.BY_NAME[m.one(("i8", "ui8"))]
        x = m.cast(m.input(narrow, extents), el.F32)
        if m.chance(0.6):
            zero = m.put(movement.ConstantOp.of(np.asarray(m.one((0, 1, 100))), narrow))
            x = m.add(binary.SubOp, x, m.cast(zero, el.F32))
        count, e = extents[1]
        several = sides and e.constant is not None and count <= 64 and m.chance(0.5)
        scales = 2.0 ** m.rng.integers(-9, 3, count if several else ())
        x = m.add(binary.MulOp, x, m.put(movement.ConstantOp.of(scales, el.F32)))
        sides.append(x)
    y = m.add(contraction.MatmulOp, *sides)
    if m.chance(0.4):
        y = m.add(binary.AddOp, y, m.input(el.F32, [columns]))
    if m.chance(0.4):
        scale = m.put(movement.ConstantOp.of(np.asarray(m.one((0.5, 4.0, 0.1))), el.F32))
        y = m.cast(m.add(unary.RoundOp, m.add(binary.DivOp, y, scale)), el.BY_NAME["i8"])
    return y


def products(m: Maker) -> Value:
    """Products of the same rows one after the other, which are normalized or added up between."""
    kind = m.one([t for t in (el.F32, el.F64, el.BY_NAME["f16"]) if t in m.types] or [el.F32])
    batch = m.extents(m.one((0, 0, 1, 2)))
    size = m.one((m.one(range(1, 350)), 96, 192, 384))
    rows = m.dim() if m.chance(0.2) else (size, const(size))
    widths = [m.one(range(1, most)) for most in (12, 50)]
    counts = [widths[k % 2] if m.chance(0.7) else m.one(range(1, 30)) for k in range(m.one((3, 5)))]
    work = math.prod(n for n, _ in (*batch, rows)) * widths[0] * widths[1] * len(counts)
    if work > (20_000 if kind is el.F64 else 1_500_000):
        raise Unfit("too much to interpret")
    shared = m.chance(0.5)
    x = m.input(kind, [*batch, rows, (counts[0], const(counts[0]))])
    seen = [costly(m, x) if m.chance(0.3) else x]
    for before, after in pairwise(counts):
        sides = [(n, const(n)) for n in (before, after)]
        x = m.add(
            contraction.MatmulOp, seen[-1], m.input(kind, sides if shared else [*batch, *sides])
        )
        if m.chance(0.5):
            axis = len(x.shape) - (1 if m.chance(0.9) else 2)
            by = m.add(m.one(SUMS), x, axes=[axis], keepdims=True)
            x = m.add(m.one(PAIRS[:5]), x, by)
        others = [v for v in seen if v.shape == x.shape]
        if others and m.chance(0.7):
            x = m.add(m.one(PAIRS[:5]), x, m.one(others))
        seen.append(x)
    return m.add(m.one(PAIRS[:5]), x, m.partner(x)) if m.chance(0.4) else x


def first_parts(m: Maker) -> Value:
    """As many parts of a tensor along an axis, from its start, as an argument has marks."""
    x = m.pick(el.STORED, lambda v: bool(v.shape))
    if not x.shape:
        return x
    axis = m.one(range(len(x.shape)))
    n, e = x.extents[axis]
    marks = m.input(el.I1, [(n, e if e.symbols() <= m.bound else const(n))])
    most = marks.extents[0][1]
    each = m.add(unary.CastOp, marks, result_type=tensor_type(el.I64, [most]))
    count = m.add(reduction.ReduceSumOp, each, axes=[0])
    name, capacity = f"{LATE}{len(m.symbols)}", None
    if m.chance(0.4):
        # As if nothing bounded it: calls find out how much room it needs.
        most = sym(capacity := f"room_{name}")
        given = GivenExtentsOp.of([capacity])
        m.other(given)
        given.detach()
        first = m.block.first_op
        assert first is not None
        m.block.insert_op_before(given, first)
    m.other(DataExtentOp.of(count.ssa, most, name, capacity))
    m.symbols[name] = int(count.array)
    places = m.add(extent.IotaOp, result_type=tensor_type(el.I64, [sym(name)]))
    return m.add(indexing.GatherOp, x, places, axes=[axis], from_end=False)


MOTIFS = (
    softmax, normalization, reduced_and_used, reduced_and_moved, reduced_and_moved, several_sweeps,
    movements, conditions, narrow_product, dequantized, products, products, first_parts,
)  # fmt: skip
