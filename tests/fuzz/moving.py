"""How operators are drawn that move data."""

from __future__ import annotations

import math

import numpy as np

from opc.dialects import element as el
from opc.dialects.element import ElementType
from opc.dialects.expr import Expr, const, product, sym
from opc.dialects.opc import binary, extent, movement, unary
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.parts import TO_THE_END
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.shape import UNKNOWN, tensor_type
from opc.interpret.extents import define

from .graph import Array, Extent, Value
from .maker import LATE, Maker, Unfit

READ = "R"
"""What the symbols begin with that are read from arguments."""


def is_known(x: Value) -> bool:
    """Whether the type says what the extents are."""
    return not any("?" in e.symbols() for _, e in x.extents)


def reshape(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(el.STORED, is_known)
    if m.chance(0.1):
        return read_reshape(m, op, x)
    target = x.extents
    for _ in range(int(m.rng.integers(1, 4))):
        target = changed(m, target)
    extents = [e for _, e in target]
    if extents and m.chance(0.15) and 0 not in x.shape:
        extents[int(m.rng.integers(len(extents)))] = UNKNOWN
    return m.add(op, x, result_type=tensor_type(x.type, extents))


def changed(m: Maker, shape: list[Extent]) -> list[Extent]:
    """Two axes merged, one split, or a one put in or left out."""
    k = int(m.rng.integers(len(shape) + 1))
    way = m.rng.random()
    if way < 0.45 and k + 1 < len(shape):
        (a, e), (b, f) = shape[k : k + 2]
        return [*shape[:k], (a * b, product([e, f])), *shape[k + 2 :]]
    if way < 0.75 and k < len(shape) and shape[k][1].constant is not None and shape[k][0] > 1:
        n = shape[k][0]
        factor = m.one([d for d in range(1, n + 1) if n % d == 0])
        return [
            *shape[:k],
            (factor, const(factor)),
            (n // factor, const(n // factor)),
            *shape[k + 1 :],
        ]
    ones = [i for i, (_, e) in enumerate(shape) if e.constant == 1]
    if ones and way < 0.9:
        gone = m.one(ones)
        return [e for i, e in enumerate(shape) if i != gone]
    return [*shape[:k], (1, const(1)), *shape[k:]]


def symbols_read(m: Maker, rule: str, listed: list[int], x: Value) -> list[Extent]:
    """Extents that an argument holds, or that are computed from one."""
    if any(n.startswith(LATE) for _, e in x.extents for n in e.symbols()):
        raise Unfit("opc reads extents before it computes others")
    type = m.one((el.I64, el.I64, el.BY_NAME["i32"]))
    array = np.asarray(listed, type.dtype)
    if m.chance(0.4):
        given = computed_from(m, array, type)
    else:
        given = m.argument(array, type, [(len(listed), const(len(listed)))])
    rank = ReadExtentsOp.rank(rule, len(listed), len(x.shape))
    names = [f"{READ}{len(m.symbols)}_{k}" for k in range(rank)]
    made = ReadExtentsOp.of(rule, given.ssa, tuple(e for _, e in x.extents), names)
    m.other(made)
    m.symbols.update(define(made, given.array, x.shape))
    return [(m.symbols[n], sym(n)) for n in names]


def computed_from(m: Maker, wanted: Array, type: ElementType) -> Value:
    """What gives this list, computed from an argument."""
    ways = (
        (binary.AddOp, 3, wanted - 3),
        (binary.SubOp, 5, wanted + 5),
        (binary.MulOp, -1, -wanted),
    )
    op, number, array = m.one(ways)
    extents = [(len(wanted), const(len(wanted)))]
    if (read := [name for name in m.symbols if name.startswith(READ)]) and m.chance(0.5):
        # From one that was read before.
        known = m.put(extent.ExtentOp.of(sym(m.one(read))))
        if type is not el.I64:
            known = m.add(unary.CastOp, known, result_type=tensor_type(type, []))
        return m.add(binary.AddOp, m.argument(wanted - known.array, type, extents), known)
    argument = m.argument(array, type, extents)
    return m.add(op, argument, m.put(movement.ConstantOp.of(np.asarray(number, type.dtype), type)))


def read_reshape(m: Maker, op: type[OpcOp], x: Value) -> Value:
    target = [n for n, _ in changed(m, changed(m, x.extents))]
    if 0 in target or not target:
        raise Unfit("nothing to infer beside an empty axis")
    if m.chance(0.5):
        target[int(m.rng.integers(len(target)))] = -1
    found = symbols_read(m, "reshape", target, x)
    y = m.add(op, x, result_type=tensor_type(x.type, [e for _, e in found]))
    return read_reshape(m, op, y) if m.chance(0.4) else y


def broadcast(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(el.STORED, is_known)
    extents = [m.dim() if n == 1 and m.chance(0.5) else (n, e) for n, e in x.extents]
    front = [
        m.one([m.dim(), m.dim(), (1, const(1)), (2, const(2))])
        for _ in range(m.one((0, 0, 1, 1, 2)))
    ]
    target = [*front, *extents]
    if math.prod(n for n, _ in target) > m.limit or len(target) > 16:
        raise Unfit("too large")
    if m.chance(0.05):
        target = symbols_read(m, "expand", [n for n, _ in target], x)
    return m.add(op, x, result_type=tensor_type(x.type, [e for _, e in target]))


def transpose(m: Maker, op: type[OpcOp]) -> Value:
    # Of two axes there is one other order: to be composed wrongly it takes three.
    turned = [v for v in m.values if isinstance(v.ssa.owner, op) and len(v.shape) > 2]
    again = bool(turned) and m.chance(0.3)
    x = m.recent(turned) if again else m.pick(el.STORED, lambda v: len(v.shape) > 1)
    order = m.rng.permutation(len(x.shape)).tolist()
    return m.add(op, x, permutation=order)


def slice_parts(m: Maker, op: type[OpcOp]) -> Value:
    """Any bounds on both sides of both ends, whole axes among them."""
    x = m.pick(el.STORED, is_known)
    bounds: list[tuple[int | Expr, int | Expr, int]] = []
    for n, e in x.extents:
        step = m.one((1, 1, 1, 2, 3, -1, -1, -2))
        ends = [int(v) for v in m.rng.integers(-n - 2, n + 3, 2)]
        start, stop = sorted(ends, reverse=step < 0) if m.chance(0.7) else ends
        if m.chance(0.3):
            start = 0 if step > 0 else -1
        if m.chance(0.3):
            stop = TO_THE_END if step > 0 else -TO_THE_END
        is_symbolic = e.constant is None and m.chance(0.3)
        # An argument is not known to have the extent that its type says in other symbols.
        is_symbolic &= bool(e.symbol()) or not m.has_expressions
        bounds.append((e - start if is_symbolic else start, stop, step))
    starts, stops, steps = ([b[k] for b in bounds] for k in range(3))
    return m.add(op, x, starts=starts, stops=stops, steps=steps)


def concat(m: Maker, op: type[OpcOp]) -> Value:
    """Tensors that agree beside an axis: some that are there, and new ones."""
    x = m.pick(el.STORED, lambda v: is_known(v) and len(v.shape) > 0)
    if not x.shape:
        raise Unfit("no axis to put tensors together along")
    axis = int(m.rng.integers(len(x.shape)))
    beside = x.extents[:axis] + x.extents[axis + 1 :]
    found = [
        v
        for v in m.values
        if v.type is x.type
        and len(v.shape) == len(x.shape)
        and is_known(v)
        and v.extents[:axis] + v.extents[axis + 1 :] == beside
    ]
    pieces = [x]
    for _ in range(m.one((0, 1, 1, 1, 2, 4))):
        if m.chance(0.6):
            pieces.append(m.recent(found))
            continue
        extents = list(x.extents)
        extents[axis] = m.dim() if m.chance(0.7) else (1, const(1))
        if math.prod(n for n, _ in extents) > m.limit:
            raise Unfit("too large")
        if any(not e.symbols() <= m.bound for _, e in extents):
            pieces.append(m.recent(found))
        else:
            pieces.append(m.input(x.type, extents))
    pieces = [pieces[k] for k in m.rng.permutation(len(pieces))]
    if sum(v.array.size for v in pieces) > m.limit:
        raise Unfit("too large")
    return m.add(op, *pieces, axis=axis - (len(x.shape) if m.chance(0.3) else 0))


def windows(m: Maker, op: type[OpcOp]) -> Value:
    x = m.pick(el.STORED, lambda v: is_known(v) and len(v.shape) > 0)
    count = int(m.rng.integers(0, min(len(x.shape), 3) + 1))
    sizes, strides, dilations = (
        [m.one(some) for _ in range(count)]
        for some in ((1, 2, 2, 3, 3, 5), (1, 1, 1, 2, 3), (1, 1, 1, 2))
    )
    if x.array.size * math.prod(sizes) > 4 * m.limit:
        raise Unfit("too large")
    return m.add(op, x, sizes=sizes, strides=strides, dilations=dilations)
