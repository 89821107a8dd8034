"""The loops of nests with indices that are values.

Each operation stands in the outermost loop that has what it needs, so an index is loaded once for
all that lies at it, and the innermost loop copies::

    for d0 < 512 { i = load ids[d0]; for d1 < 768 { y[d0*768 + d1] = gather x[i*768 + d1] } }

Points of a gather are independent.  A scatter goes over its updates one after the other; only in
an innermost loop along which no index changes are they independent.  What it copies first is not
copied where the result lies in the same buffer.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.collapse import collapse
from opc.dialects.indirect import offsets
from opc.dialects.repeat import has_repeat
from opc.dialects.shape import Shape, shape_of

from .insertion import Insertion, NestValues
from .repeat_loops import RepeatLowering


class IndirectLowering:
    """Writes the loops of one nest."""

    def __init__(self, nest: kernel.NestOp) -> None:
        self.nest = nest
        self.values = NestValues(nest)
        self.steps: dict[Operation, list[ex.Expr]] = {}
        """By how much each value moves an access."""
        for op in nest.body.walk():
            if isinstance(op, kernel.GatherOp | kernel.ScatterOp):
                shape = shape_of(self._buffer(op).type)
                self.values.offsets[op], self.steps[op] = offsets(op, shape)

    def _buffer(self, op: kernel.GatherOp | kernel.ScatterOp) -> SSAValue:
        return op.source if isinstance(op, kernel.GatherOp) else self.nest.targets[op.number]

    def run(self, block: Block) -> None:
        """Write them into a block."""
        place = Insertion(block, [])
        if self.values.sweeps:
            # The nest of a scatter has one point.
            for sweep in self.values.sweeps:
                if not self._is_in_place(sweep):
                    self._points(list(sweep.body.block.ops), sweep.extents.data, place)
            return
        ops = list(self.nest.body.block.ops)
        if has_repeat(self.nest):
            RepeatLowering(self.values, self._write, ops).run(self.nest.extents.data, place)
        else:
            self._points(ops, self.nest.extents.data, place)

    def _is_in_place(self, sweep: kernel.SweepOp) -> bool:
        """Whether a sweep copies elements to where they are."""
        match list(sweep.body.block.ops):
            case [kernel.LoadOp() as load, kernel.StoreOp() as store, kernel.YieldOp()]:
                is_same = load.source is self.nest.targets[store.number]
                return is_same and load.index == store.index
            case _:
                return False

    def _points(self, ops: Sequence[Operation], extents: Shape, place: Insertion) -> None:
        """Loops over some dimensions, and each operation in the first one that it can be in."""
        own = [e for op, e in self.values.offsets.items() if op in ops]
        merged = collapse(0, extents, own)
        place = Insertion(place.block, [], merged.places)
        depths = self._depths(ops, place, len(merged.extents))
        kinds = self._kinds(ops, depths, place, len(merged.extents))
        for depth in range(len(merged.extents) + 1):
            if depth:
                place = place.loop(0, merged.extents[depth - 1], kinds[depth - 1])
            for op in ops:
                if depths[op] == depth:
                    self._write(op, place)

    def _depths(
        self, ops: Sequence[Operation], place: Insertion, most: int
    ) -> dict[Operation, int]:
        """How many loops are around each operation."""
        found: dict[Operation, int] = {}
        for op in ops:
            depth = 0
            if (offset := self.values.offsets.get(op)) is not None:
                dims = offset.substitute(place.at).dims()
                depth = max((d + 1 for d in dims), default=0)
            inner = [found[_owner(v)] for v in op.operands if v.owner in found]
            is_store = isinstance(op, kernel.StoreOp | kernel.ScatterOp)
            found[op] = most if is_store else max([depth, *inner])
        return found

    def _kinds(
        self, ops: Sequence[Operation], depths: dict[Operation, int], place: Insertion, count: int
    ) -> list[str]:
        """Whether rounds of each loop are independent."""
        kinds = ["serial"] * count
        if not count:
            return kinds
        scattered = [op for op in ops if isinstance(op, kernel.ScatterOp)]
        if not scattered:
            kinds[0] = "parallel"
        last = count - 1
        are_apart = all(
            last in self.values.offsets[op].substitute(place.at).dims()
            and all(depths[_owner(v)] <= last for v in op.at)
            for op in scattered
        )
        kinds[-1] = "vector" if are_apart else "serial"
        return kinds

    def _write(self, op: Operation, place: Insertion) -> None:
        match op:
            case kernel.GatherOp():
                index, dims = self._at(op, place)
                found = place.add(loop.GatherOp.of(op.source, index, dims))
                self.values.values[op.result] = found
            case kernel.ScatterOp():
                self._scatter(op, place)
            case _:
                self.values.scalar(op, place)

    def _at(
        self, op: kernel.GatherOp | kernel.ScatterOp, place: Insertion
    ) -> tuple[ex.Expr, list[SSAValue]]:
        """The offset of an access over loop variables and values."""
        index, dims = place.resolve(self.values.offsets[op])
        for value, step in zip(op.at, self.steps[op], strict=True):
            index += ex.dim(len(dims)) * step
            dims = [*dims, self.values.values[value]]
        return index, dims

    def _scatter(self, op: kernel.ScatterOp, place: Insertion) -> None:
        target, value = self._buffer(op), self.values.values[op.value]
        index, dims = self._at(op, place)
        if op.reduction is not None:
            there = place.add(loop.GatherOp.of(target, index, dims))
            value = self._together(op.reduction.data, there, value, place)
        place.block.add_op(loop.ScatterOp.of(value, target, index, dims))

    def _together(self, name: str, there: SSAValue, value: SSAValue, place: Insertion) -> SSAValue:
        """What is there and a value, rounded once to their type."""
        type = body.scalar_type(value)
        if not type.is_small_float:
            return place.apply(name, there, value)
        wide = [place.add(body.ApplyOp.of("cast", [v], el.F32)) for v in (there, value)]
        return place.add(body.ApplyOp.of("cast", [place.apply(name, *wide)], type))


def _owner(value: SSAValue) -> Operation:
    assert isinstance(value.owner, Operation)
    return value.owner
