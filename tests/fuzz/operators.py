"""How each family of operators is drawn.  An operator that no entry covers fails a test."""

from __future__ import annotations

import math
import string
from collections.abc import Callable
from typing import Any

import numpy as np

from opc.dialects import element as el
from opc.dialects.expr import Expr, const, sym
from opc.dialects.opc import (
    OPERATORS,
    binary,
    contraction,
    cumulative,
    extent,
    indexing,
    movement,
    parts,
    reduction,
    unary,
    walk,
)
from opc.dialects.opc.apply import FUNCTIONS, ApplyOp
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.elementwise import Elementwise, Nary
from opc.dialects.opc.symbols import RELATIONS, RequireOp, SplitAxesOp
from opc.dialects.scalar import ROUND_MODES, SCALARS
from opc.dialects.shape import DimsAttr, Requirement, tensor_type
from opc.errors import ArgumentError
from opc.interpret.extents import define
from opc.interpret.extents import require as holds
from tests.unit.common.elementwise_cases import ATTRIBUTES

from . import indexing as indices
from . import moving, walks
from .graph import Extent, Value
from .maker import Maker, Unfit

Draw = Callable[[Maker, Any], Value]


def elementwise(m: Maker, op: type[Elementwise]) -> Value:
    least, most = op.operand_count
    count = int(m.rng.integers(1, 5)) if issubclass(op, Nary) else least
    assert count <= most
    first = m.pick(op.types)
    params = m.one(ATTRIBUTES.get(op.name, [{}]))
    rest = [first if m.chance(0.08) else m.partner(first) for _ in range(count - 1)]
    operands = [first, *rest]
    if m.chance(0.3):
        operands.reverse()
    return m.add(op, *operands, **params)


def where(m: Maker, op: type[OpcOp]) -> Value:
    chosen = m.pick(op.types)
    pair = [chosen, m.partner(chosen)]
    if m.chance(0.5):
        pair.reverse()
    return m.add(op, m.partner(chosen, el.I1), *pair)


def apply(m: Maker, op: type[ApplyOp]) -> Value:
    row = SCALARS[m.one(FUNCTIONS)]
    first = m.pick(row.types)
    operands = [first, *(m.partner(first) for _ in range(row.arity - 1))]
    if row.name == "select":
        operands[0] = m.partner(first, el.I1)
    return m.add(op, *operands, function=row.name)


def cast(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(el.STORED)
    every = list(el.BY_NAME.values())
    to = m.one(every if m.chance(0.15) else m.types if m.chance(0.5) else list(el.ELEMENTS))
    params: dict[str, Any] = {}
    if to.small == "float":
        params = {"saturate": m.chance(0.5), "round_mode": m.one(ROUND_MODES)}
    return m.add(op, x, result_type=tensor_type(to, [e for _, e in x.extents]), **params)


def bitcast(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(el.STORED)
    if x.type.is_float:
        # Which NaN an operator gives is not promised, so none may become an integer.
        one = m.put(movement.ConstantOp.of(np.asarray(1.5), x.type))
        x = m.add(binary.WhereOp, m.add(unary.IsNanOp, x), one, x)
    options = [t for t in el.BY_NAME.values() if t.bits == x.type.bits]
    return m.add(op, x, result_type=tensor_type(m.one(options), [e for _, e in x.extents]))


def reduce(m: Maker, op: type[reduction.Reduction]) -> Value:
    x = m.pick(op.types)
    rank = len(x.shape)
    params: dict[str, Any] = {"keepdims": m.chance(0.5)}
    if m.chance(0.1):
        params["empty_axes"] = "all"
    axes = some_axes(m, rank)
    # Extents that are computed are not there yet when run-time axes are read.
    is_bound = all(e.symbols() <= m.bound for _, e in x.extents)
    if m.chance(0.05) and rank <= 8 and is_bound:
        return run_time_axes(m, op, x, axes, params)
    if m.chance(0.9):
        params["axes"] = axes
    return m.add(op, x, **params)


def some_axes(m: Maker, rank: int) -> list[int]:
    """Outer, inner, middle, all or any axes; some from the back, some out of order."""
    if rank == 0 or m.chance(0.03):
        return []
    cut, other = sorted(int(k) for k in m.rng.integers(0, rank + 1, 2))
    ways = [range(cut), range(cut, rank), range(cut, other), range(rank), range(rank - 1, rank)]
    axes = list(m.one(ways)) or [m.one(range(rank))] if m.chance(0.7) else m.some(range(rank), 1)
    if m.chance(0.1):
        axes = [int(k) for k in m.rng.permutation(axes)]
    return [a - rank if m.chance(0.25) else a for a in axes]


def run_time_axes(
    m: Maker, op: type[OpcOp], x: Value, axes: list[int], params: dict[str, Any]
) -> Value:
    type = m.one(
        sorted(el.INTEGER, key=str) if all(a >= 0 for a in axes) else sorted(el.SIGNED, key=str)
    )
    scalar = len(axes) == 1 and m.chance(0.5)
    given = np.asarray(axes[0] if scalar else axes, dtype=type.dtype)
    shape: list[Extent] = [] if scalar else [(len(axes), const(len(axes)))]
    listed = m.argument(given, type, shape)
    if axes and moving.is_known(x) and m.chance(0.4):
        return split_axes(m, op, x, listed, params["keepdims"])
    return m.add(op, x, listed, **params)


def split_axes(m: Maker, op: type[OpcOp], x: Value, axes: Value, keepdims: bool) -> Value:
    """A reduction of the axes that an argument lists, written with the extents that it defines."""
    rank, count = len(x.shape), axes.array.size
    numbers = (("e", rank), ("r", rank), ("k", 0 if keepdims else rank - count))
    stem = f"A{len(m.symbols)}"
    names = [[f"{stem}{letter}{k}" for k in range(n)] for letter, n in numbers]
    made = SplitAxesOp.of(axes.ssa, DimsAttr(tuple(e for _, e in x.extents)), names, m.chance(0.3))
    m.other(made)
    m.symbols.update(define(made, axes.array, x.shape))
    outer, inner, kept = made.split
    pairs = [e for pair in zip(outer, inner, strict=True) for e in pair]
    x = m.add(movement.ReshapeOp, x, result_type=tensor_type(x.type, pairs))
    found = m.add(op, x, axes=list(range(1, 2 * rank, 2)), keepdims=False)
    if keepdims:
        return found
    return m.add(movement.ReshapeOp, found, result_type=tensor_type(found.type, kept))


def require(m: Maker) -> None:
    """State something about extents that is so, if there is anything to state."""
    known = [sym(name) for name in sorted(m.bound & m.symbols.keys())]
    if not known:
        return
    left: Expr = m.one(known)
    right: Expr = m.one([*known, const(m.one((1, 2, 4)))])
    if m.chance(0.4):
        left = left * m.one([*known, const(2), const(4)])
    op = RequireOp.of(Requirement(m.one(RELATIONS), left, right, "what the fuzzer states"))
    try:
        holds(op, m.symbols)
    except ArgumentError:
        return
    m.other(op)


def search(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(op.types, lambda v: any(v.shape))
    axes = [k for k, n in enumerate(x.shape) if n]
    if not axes:
        raise Unfit("no axis to search")
    axis = m.one(axes) - (len(x.shape) if m.chance(0.3) else 0)
    return m.add(op, x, axis=axis, keepdims=m.chance(0.4), select_last_index=m.chance(0.3))


def cumulate(m: Maker, op: type[cumulative.Cumulative]) -> Value:
    x = m.pick(op.types, lambda v: len(v.shape) > 0)
    rank = len(x.shape)
    if not rank:
        raise Unfit("no axis to go along")
    flags = {name: m.chance(0.3) for name in ("exclusive", "reverse")}
    return m.add(op, x, axis=m.one(range(-rank, rank)), **flags)


def matmul(m: Maker, op: type[OpcOp]) -> Value:
    a = m.pick(op.types, lambda v: len(v.shape) > 0)
    if not a.shape:
        raise Unfit("no axis to contract")
    found = [v for v in m.values if v.type is a.type and v.shape and v.shape[-2:][0] == a.shape[-1]]
    if found and m.chance(0.4):
        b = m.recent(found)
    elif len(a.shape) > 1 and m.chance(0.3):
        order = list(range(len(a.shape)))
        order[-2:] = reversed(order[-2:])
        b = m.add(movement.TransposeOp, a, permutation=order)
    else:
        batch = a.extents[:-2] if m.chance(0.5) else []
        columns = m.extents(1) if m.chance(0.85) else []
        b = m.input(a.type, [*(batch if columns else []), a.extents[-1], *columns])
    # The interpreter computes products one by one, those of f64 in Python.
    try:
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    except ValueError:
        raise Unfit("batches that do not broadcast") from None
    results = math.prod((*batch, *a.shape[-2:-1], *(b.shape[-1:] if len(b.shape) > 1 else ())))
    # What sums nothing has results, too.
    work = results * max(a.shape[-1], 1)
    if work > (10_000 if a.type is el.F64 else 3_000_000):
        raise Unfit("too much to interpret")
    return m.add(op, a, b)


def contract(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(op.types, lambda v: len(v.shape) <= 5)
    if len(x.shape) > 5:
        raise Unfit("too many axes")
    extents: dict[str, Extent] = {}

    def label(extent: Extent) -> str:
        same = [name for name, e in extents.items() if e == extent]
        if same and m.chance(0.3):
            return m.one(same)
        extents[name := string.ascii_letters[len(extents)]] = extent
        return name

    operands, terms = [x], ["".join(map(label, x.extents))]
    for _ in range(m.one((0, 1, 1, 1, 1, 2, 3))):
        term = m.some(list(extents))[:4] + [label(e) for e in m.extents(m.one((0, 1, 1, 2)))]
        term = [term[int(k)] for k in m.rng.permutation(len(term))]
        # Where others are longer, an operand may be the same for all.
        shape = [
            (1, const(1)) if m.chance(0.1) and term.count(k) == 1 else extents[k] for k in term
        ]
        # The interpreter computes products one by one, those of f64 in Python.
        work = math.prod(max(n, 1) for n, _ in extents.values())
        many = math.prod(n for n, _ in shape) > m.limit
        if many or work > (10_000 if x.type is el.F64 else 1_000_000):
            raise Unfit("too much to interpret")
        operands.append(m.input(x.type, shape))
        terms.append("".join(term))
    result = [str(k) for k in m.rng.permutation(m.some(list(extents)))]
    return m.add(op, *operands, equation=f"{','.join(terms)}->{''.join(result)}")


def conv(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(op.types, lambda v: 3 <= len(v.shape) <= 5)
    if not 3 <= len(x.shape) <= 5:
        raise Unfit("no spatial axes")
    rank, channels = len(x.shape) - 2, x.extents[1][1].constant
    options = [g for g in (1, 2, channels) if channels and channels % g == 0]
    groups = m.one(options) if options and m.chance(0.5) else 1
    seen = x.extents[1] if groups == 1 else (x.shape[1] // groups, const(x.shape[1] // groups))
    kernel = [m.one((1, 2, 3, 3, 5)) for _ in range(rank)]
    strides, dilations = ([m.one((1, 1, 2, 3)) for _ in range(rank)] for _ in range(2))
    pads = [m.one((0, 0, 1, 2)) for _ in range(2 * rank)]
    for k, n in enumerate(x.shape[2:]):
        reach = (kernel[k] - 1) * dilations[k] + 1
        pads[k] += max(0, reach - n - pads[k] - pads[rank + k])
    filters = groups * m.one((1, 2, 3))
    places = math.prod(
        n + a + b for n, a, b in zip(x.shape[2:], pads[:rank], pads[rank:], strict=True)
    )
    work = x.shape[0] * x.shape[1] * places * filters // groups * math.prod(kernel)
    if work > (10_000 if x.type is el.F64 else 1_000_000):
        raise Unfit("too much to interpret")
    w = m.input(x.type, [(filters, const(filters)), seen, *((k, const(k)) for k in kernel)])
    return m.add(op, x, w, strides=strides, dilations=dilations, pads=pads, groups=groups)


def conv_transpose(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(op.types, lambda v: 3 <= len(v.shape) <= 5)
    if not 3 <= len(x.shape) <= 5:
        raise Unfit("no spatial axes")
    rank, channels = len(x.shape) - 2, x.extents[1][1].constant
    options = [g for g in (1, 2, channels) if channels and channels % g == 0]
    groups = m.one(options) if options and m.chance(0.5) else 1
    kernel = [m.one((1, 2, 3, 3, 4, 5)) for _ in range(rank)]
    strides, dilations = ([m.one((1, 2, 2, 3)) for _ in range(rank)] for _ in range(2))
    pads = [m.one((0, 0, 1, 2, 4)) for _ in range(2 * rank)]
    more = [m.one((0, 0, 1, 3)) for _ in range(rank)]
    for k, n in enumerate(x.shape[2:]):
        whole = (n - 1) * strides[k] + (kernel[k] - 1) * dilations[k] + 1
        more[k] += max(0, pads[k] + pads[rank + k] - whole - more[k])
    each = m.one((1, 2, 3))
    work = math.prod(x.shape) * each * math.prod(kernel)
    places = math.prod((n + 5) * s for n, s in zip(x.shape[2:], strides, strict=True))
    if max(work, places) > (10_000 if x.type is el.F64 else 1_000_000):
        raise Unfit("too much to interpret")
    filters = [x.extents[1], (each, const(each)), *((k, const(k)) for k in kernel)]
    w = m.input(x.type, filters)
    return m.add(
        op,
        x,
        w,
        strides=strides,
        dilations=dilations,
        pads=pads,
        output_padding=more,
        groups=groups,
    )


def constant(m: Maker, op: type[OpcOp]) -> Value:
    return m.constant(m.one(m.types), [n for n, _ in m.extents()])


def read_extent(m: Maker, op: type[OpcOp]) -> Value:
    known = [sym(name) for name in sorted(m.bound & m.symbols.keys())] or [const(3)]
    return m.put(extent.ExtentOp.of(m.one(known) * m.one([*known, const(2)])))


def positions(m: Maker, op: type[OpcOp]) -> Value:
    known = [sym(name) for name in sorted(m.bound & m.symbols.keys())]
    return m.put(extent.IotaOp.of(m.one([*known, const(m.one((0, 1, 5, 64)))])))


FAMILIES: dict[type[OpcOp], Draw] = {
    Elementwise: elementwise,
    ApplyOp: apply,
    binary.WhereOp: where,
    unary.CastOp: cast,
    unary.BitcastOp: bitcast,
    reduction.Reduction: reduce,
    reduction.ArgReduction: search,
    cumulative.Cumulative: cumulate,
    contraction.ContractOp: contract,
    contraction.MatmulOp: matmul,
    contraction.ConvOp: conv,
    contraction.ConvTransposeOp: conv_transpose,
    movement.ConstantOp: constant,
    movement.ReshapeOp: moving.reshape,
    movement.BroadcastOp: moving.broadcast,
    movement.TransposeOp: moving.transpose,
    parts.SliceOp: moving.slice_parts,
    parts.ConcatOp: moving.concat,
    parts.WindowsOp: moving.windows,
    indexing.GatherOp: indices.gather,
    indexing.GatherElementsOp: indices.gather_elements,
    indexing.Scatter: indices.scatter,
    walk.WalkOp: walks.walk,
    extent.ExtentOp: read_extent,
    extent.IotaOp: positions,
}
"""The entry of each family, or of an operator that differs from its family."""

WEIGHTS = {
    reduction.Reduction: 20, movement.TransposeOp: 8, movement.BroadcastOp: 7,
    movement.ReshapeOp: 5, contraction.MatmulOp: 3, contraction.ConvOp: 2,
    contraction.ConvTransposeOp: 2, contraction.ContractOp: 3,
    reduction.ArgReduction: 5, cumulative.Cumulative: 4, unary.CastOp: 5, binary.WhereOp: 5,
    movement.ConstantOp: 2, extent.ExtentOp: 0.5, extent.IotaOp: 1.5, unary.BitcastOp: 1,
    ApplyOp: 2, parts.SliceOp: 6, parts.ConcatOp: 5, parts.WindowsOp: 3,
    walk.WalkOp: 1, indexing.GatherOp: 3, indexing.GatherElementsOp: 1, indexing.Scatter: 3,
}  # fmt: skip
"""How often a family is drawn, beside the elementwise operators."""
ELEMENTWISE = 25
"""The same for those together: there are many of them."""


def family(op: type[OpcOp]) -> type[OpcOp]:
    """The entry for an operator: its own, or that of its family.  KeyError if there is none."""
    for base in op.__mro__:
        if base in FAMILIES:
            return base
    raise KeyError(f"{op.name}: the fuzzer has no entry for its family; add one to FAMILIES")


MEMBERS: dict[type[OpcOp], list[type[OpcOp]]] = {}
for _op in OPERATORS:
    MEMBERS.setdefault(family(_op), []).append(_op)


def draw(m: Maker) -> Value:
    """One more operator of any kind.  Unfit if what was drawn does not fit."""
    if m.symbols and m.chance(0.1):
        require(m)
    way = float(m.rng.random()) * (sum(WEIGHTS.values()) + ELEMENTWISE)
    for base, share in WEIGHTS.items():
        way -= share
        if way < 0:
            return FAMILIES[base](m, m.one(MEMBERS[base]))
    return elementwise(m, m.one(MEMBERS[Elementwise]))
