"""Extents of data in random graphs: lengths that running totals say, and pads of any sign."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation, SSAValue

from opc.dialects import element as el
from opc.dialects.expr import Expr, const, sym
from opc.dialects.opc import binary, cumulative, extent, indexing, movement, parts, reduction
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.shape import Requirement, Shape, tensor_type
from opc.frontend.models.op_builder import Builder
from opc.frontend.models.pads import padded, padded_at_run_time
from opc.frontend.models.traced import NodeTrace

from .graph import Array, Value
from .maker import LATE, Maker
from .moving import is_known

SHARE = 0.08
"""How many graphs have one of these."""
MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def draw(m: Maker) -> Value:
    """One of them, of a value of the graph."""
    x = m.pick(el.STORED, lambda v: is_known(v) and bool(v.shape) and 0 not in v.shape)
    axis = int(m.rng.integers(len(x.shape))) if x.shape else 0
    if not x.shape or m.chance(0.5):
        return _as_long_as_a_total(m, x, axis)
    return _padded(m, x, axis)


def _read(m: Maker, values: Value) -> Expr:
    """What a list of one integer says, as an extent."""
    name = f"{LATE}{len(m.symbols)}"
    m.other(ReadExtentsOp.of("plain", values.ssa, (), [name]))
    m.symbols[name] = int(values.array[0])
    return sym(name)


def _as_long_as_a_total(m: Maker, x: Value, axis: int) -> Value:
    """Elements of x, over and over, as many as the last of some totals says."""
    lengths = m.index_input(el.I64, [m.dim()], const(0), const(3))
    totals = m.add(cumulative.CumSumOp, lengths, axis=0)
    last = m.add(parts.SliceOp, totals, starts=[-1], stops=[parts.TO_THE_END], steps=[1])
    # Of no lengths there is no last total.
    total = m.add(reduction.ReduceSumOp, last, axes=[0])
    count = _read(m, m.add(movement.ReshapeOp, total, result_type=tensor_type(el.I64, [1])))
    places = m.add(extent.IotaOp, result_type=tensor_type(el.I64, [count]))
    if not x.shape:
        return places
    length = m.put(extent.ExtentOp.of(x.extents[axis][1]))
    places = m.add(binary.ModOp, places, length)
    return m.add(indexing.GatherOp, x, places, axes=[axis], from_end=False)


class _Builder(Builder):
    """Puts what a frontend builds into a graph."""

    def __init__(self, m: Maker) -> None:
        super().__init__(self._put)
        self.m = m
        self.known = {v.ssa: v for v in m.values}

    def _put(self, op: Operation) -> None:
        assert isinstance(op, OpcOp)
        found = self.m.put(op, *(self.known[v] for v in op.operands))
        self.known[found.ssa] = found

    def require(self, relation: str, a: Expr, b: Expr, what: str) -> None:
        """State it."""
        need = Requirement(relation, a, b, what)
        if need.decided() is None:
            self.m.other(RequireOp.of(need))

    def read(self, rule: str, values: SSAValue) -> Shape:
        """The extents that values say."""
        return (_read(self.m, self.known[values]),)


def _padded(m: Maker, x: Value, axis: int) -> Value:
    """x with pads of any sign, which are known or which an argument holds."""
    n, mode = x.shape[axis], m.one(MODES)
    least = 0 if mode == "constant" else 1
    before = int(m.rng.integers(-min(n - least, 4), 6))
    after = int(m.rng.integers(-min(n - least + min(before, 0), 4), 6))
    value = m.constant(x.type, ())
    given = m.argument(np.array([before, after]), el.I64, [(2, const(2))])
    builder = _Builder(m)
    array, filling, numbers = map(NodeTrace(builder).array, (x.ssa, value.ssa, given.ssa))
    if m.chance(0.4):
        found = padded(array, axis, before, after, filling, mode)
    else:
        pads = [(axis, numbers[0], numbers[1])]
        found = padded_at_run_time(array, pads, filling, mode, None, builder.read)
    result = builder.known[found.value]
    if result is not x:
        wanted = by_numpy(x.array, axis, (before, after), value.array, mode)
        ours, theirs = (np.ascontiguousarray(a).view(np.uint8) for a in (result.array, wanted))
        assert np.array_equal(ours, theirs), f"pads {before}, {after} of {x.shape}: mode {mode}"
    return result


def by_numpy(x: Array, axis: int, pads: Sequence[int], value: Array, mode: str) -> Array:
    """The same by NumPy, on the numbers of the elements."""
    (before, after), n = pads, x.shape[axis]
    width = max(before, 0), max(after, 0)
    if mode == "constant":
        places = np.pad(np.arange(n), width, constant_values=n)
        places = places[max(-before, 0) : len(places) - max(-after, 0)]
    else:
        kept = np.arange(max(-before, 0), n - max(-after, 0))
        places = np.pad(kept, width, mode=mode)  # pyright: ignore[reportCallIssue, reportArgumentType]
    filler = np.full_like(np.take(x, [0], axis), value)
    return np.take(np.concatenate([x, filler], axis), places, axis)
