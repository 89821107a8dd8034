"""How operators are drawn whose indices are data."""

from __future__ import annotations

import math

from opc.dialects import element as el
from opc.dialects.expr import const
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.data_extent import RequireRangeOp
from opc.dialects.opc.indexing import REDUCTIONS as UPDATES

from .graph import Extent, Value
from .maker import Maker, Unfit
from .moving import is_known


def _known_axes(m: Maker, x: Value) -> list[int]:
    """The axes that have an element."""
    axes = [k for k, n in enumerate(x.shape) if n > 0]
    if not axes:
        raise Unfit("no axis has an element")
    return axes


def _picked(m: Maker) -> Value:
    return m.pick(el.STORED, lambda v: is_known(v) and len(v.shape) > 0)


def _few(m: Maker, most: int) -> list[Extent]:
    """Extents of indices."""
    found: list[Extent] = []
    for _ in range(m.one((0, 1, 1, 1, 2, 2))):
        n, e = m.dim() if m.chance(0.5) else (k := m.one((1, 2, 3, 5, 8, 17)), const(k))
        if n > most:
            n, e = 1, const(1)
        most //= max(n, 1)
        found.append((n, e))
    return found


def _indices(m: Maker, x: Value, axis: int, extents: list[Extent], from_end: bool) -> Value:
    """An argument of indices."""
    if m.depth:
        raise Unfit("arguments of bodies are what their callers have")
    type = m.one((el.I64, el.I64, el.BY_NAME["i32"], el.BY_NAME["ui8"], el.BY_NAME["i8"]))
    extent = x.extents[axis][1]
    if not extent.symbols() <= m.bound:
        extent = const(x.shape[axis])
    signed = type.kind == "signed" and from_end
    low = -extent if signed else const(0)
    found = m.index_input(type, extents, low, extent)
    if m.chance(0.15):
        m.other(RequireRangeOp.of(found.ssa, low, extent - 1, "what the fuzzer states"))
    return found


def _from_end(m: Maker) -> bool:
    return not m.chance(0.2)


def gather(m: Maker, op: type[OpcOp]) -> Value:
    x = _picked(m)
    axes = m.some(_known_axes(m, x), 1)[: m.one((1, 1, 1, 2, 3))]
    if not axes:
        raise Unfit("no axes")
    rest = math.prod(n for k, n in enumerate(x.shape) if k not in axes)
    extents, from_end = _few(m, m.limit // max(rest, 1)), _from_end(m)
    batch = min(m.one((0, 0, 0, 1, 2)), axes[0])
    if any(not e.symbols() <= m.bound for _, e in x.extents[:batch]):
        batch = 0
    given: list[Value] = []
    for axis in axes:
        own = extents[int(m.rng.integers(len(extents) + 1)) if m.chance(0.3) and not batch else 0 :]
        own = [(1, const(1)) if m.chance(0.1) and not batch else e for e in own]
        given.append(_indices(m, x, axis, [*x.extents[:batch], *own], from_end))
    return m.add(op, x, *given, axes=axes, batch=batch, from_end=from_end)


def gather_elements(m: Maker, op: type[OpcOp]) -> Value:
    x = _picked(m)
    axis, from_end = m.one(_known_axes(m, x)), _from_end(m)
    given = _indices(m, x, axis, _places(m, x, axis), from_end)
    return m.add(op, x, given, axis=axis, from_end=from_end)


def _places(m: Maker, x: Value, axis: int) -> list[Extent]:
    """Extents of indices: those of x but along one axis, some of them fewer."""
    found: list[Extent] = []
    for k, (n, e) in enumerate(x.extents):
        if k == axis:
            rest = max(x.array.size // max(n, 1), 1)
            (n, e), *_ = [*_few(m, m.limit // rest), (2, const(2))]
        elif n and m.chance(0.3):
            n, e = 1, const(1)
        found.append((n, e))
    if math.prod(n for n, _ in found) > m.limit:
        raise Unfit("too large")
    return [(n, e if e.symbols() <= m.bound else const(n)) for n, e in found]


def scatter(m: Maker, op: type[OpcOp]) -> Value:
    x = _picked(m)
    if any(not e.symbols() <= m.bound for _, e in x.extents):
        raise Unfit("updates would have an extent that is computed")
    reduction = m.one(UPDATES) if x.type in el.NUMERIC else "none"
    from_end = _from_end(m)
    if op.name == "opc.scatter_elements":
        axis = m.one(_known_axes(m, x))
        extents = _places(m, x, axis)
        given = [_indices(m, x, axis, extents, from_end)]
        how: dict[str, int | list[int]] = {"axis": axis}
    else:
        axes = m.some(_known_axes(m, x), 1)[: m.one((1, 1, 2))]
        if not axes:
            raise Unfit("no axes")
        own = _few(m, 64)
        given = [_indices(m, x, axis, own, from_end) for axis in axes]
        behind = [e for k, e in enumerate(x.extents) if k > axes[0] and k not in axes]
        extents = [*x.extents[: axes[0]], *own, *behind]
        how = {"axes": axes}
    if math.prod(n for n, _ in extents) > m.limit:
        raise Unfit("too large")
    updates = m.input(x.type, extents)
    return m.add(op, x, updates, *given, reduction=reduction, from_end=from_end, **how)
