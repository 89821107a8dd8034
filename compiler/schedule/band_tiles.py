"""The loops of a band, and its nests for one point, over buffers that begin where the point does.

::

    schedule.band over [d0], ... { nest [12, 128, 256] ... }
      -->
    loop.for %h = 0 to 12 parallel {
      %scores = loop.local : memref<32768xf32>         // what only points need
      %rows = loop.view %q[d0*8192](%h)                // what lies outside of them
      nest [1, 128, 256] ... }

A nest of a point is one like any other.  Views stand as far outside as their offsets allow, so that
what is made of one may stay there, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import expr as ex
from opc.dialects import kernel, loop
from opc.dialects.band import BandOp
from opc.dialects.buffer import LocalOp, buffer_of, element_in, root, start_of
from opc.dialects.collapse import offsets_of
from opc.dialects.shape import Buffer, DimsAttr, buffer_type, shape_of, tensor_type

from .bands import Spread, private


@dataclass(frozen=True)
class Level:
    """A loop of a band: its block, and the variables that are known there by dimension."""

    block: Block
    variables: Mapping[int, SSAValue]


def write(band: BandOp) -> tuple[Block, dict[kernel.NestOp, kernel.NestOp]]:
    """What stands in place of a band, and the nest of a point for each nest of it.

    Threads share the outermost loop.
    """
    levels = [Level(Block(), {})]
    for k, extent in enumerate(band.extents):
        if extent != 1:
            outer, kind = levels[-1], "parallel" if len(levels) == 1 else "serial"
            op = loop.ForOp.of(ex.const(0), extent, [], kind)
            outer.block.add_op(op)
            levels.append(Level(op.body.block, {**outer.variables, k: op.variable}))
    return levels[0].block, Point(band, levels).write()


class Point:
    """Writes the nests of one point."""

    def __init__(self, band: BandOp, levels: list[Level]) -> None:
        self.band, self.levels = band, levels
        self.private = private([(nest, band.dims(nest)) for nest in band.nests])
        """What only points need, and how those of the band lie in it."""
        self.views: dict[tuple[SSAValue, ex.Expr], SSAValue] = {}
        """What there is of views, by the buffer and the offset."""
        self.arrays: dict[SSAValue, SSAValue] = {}
        """What the point has of such a buffer."""

    def write(self) -> dict[kernel.NestOp, kernel.NestOp]:
        """Write them; the new nest for each one of the band."""
        found = {nest: nest.clone() for nest in self.band.nests}
        for nest, new in found.items():
            self._place(nest, new)
        self.levels[-1].block.add_ops(found.values())
        return found

    def _place(self, nest: kernel.NestOp, new: kernel.NestOp) -> None:
        """Let the clone of a nest compute one point."""
        dims, offsets, seen = self.band.dims(nest), offsets_of(nest), dict[SSAValue, SSAValue]()
        extents = enumerate(nest.extents.data)
        new.extents = DimsAttr(tuple(ex.const(1) if d in dims else e for d, e in extents))
        pairs = list(zip(nest.body.walk(), new.body.walk(), strict=True))
        for op, _ in pairs:
            if isinstance(op, kernel.StoreOp):
                target = nest.targets[op.number]
                seen[target] = self._seen(target, self._start(offsets[op], dims))
        for op, copy in pairs:
            if isinstance(op, kernel.LoadOp) and not isinstance(op.source.owner, kernel.SweepOp):
                start = self._start(offsets[op], dims)
                copy.operands[0] = seen.get(op.source) or self._seen(op.source, start)
        new.operands = [seen.get(v, v) for v in nest.targets]

    def _start(self, offset: ex.Expr, dims: tuple[int, ...]) -> ex.Expr:
        """By how much an offset is greater at a point than at the start of the nest.

        It is over the dimensions of the band.
        """
        known = [(k, d) for k, d in enumerate(dims) if k in self.levels[-1].variables]
        return ex.total_of(ex.dim(k) * (offset.coefficient(d) or 0) for k, d in known)

    def _seen(self, buffer: SSAValue, start: ex.Expr) -> SSAValue:
        """What a nest of the point reads or writes for a buffer."""
        whole = root(buffer)
        key = (buffer, ex.const(0) if whole in self.private else start)
        if key not in self.views and whole in self.private:
            self.views[key] = self._own(buffer, whole)
        elif key not in self.views and start != 0:
            level = next(level for level in self.levels if start.dims() <= level.variables.keys())
            used = sorted(start.dims())
            offset = start.substitute({d: ex.dim(k) for k, d in enumerate(used)})
            variables = [level.variables[d] for d in used]
            view = loop.ViewOp.of(buffer, buffer_of("band", buffer), offset, variables)
            _add(level.block, view)
            self.views[key] = view.result
        return self.views.get(key, buffer)

    def _own(self, buffer: SSAValue, whole: SSAValue) -> SSAValue:
        """An array of a point's size, seen as a buffer of which it is a part."""
        spread, block = self.private[whole], self.levels[-1].block
        if whole not in self.arrays:
            local = LocalOp.of(element_in(whole), spread.width.constant)
            block.add_op(local)
            self.arrays[whole] = local.result
        view = loop.ViewOp.of(self.arrays[whole], _seen_as(buffer, spread), start_of(buffer))
        block.add_op(view)
        return view.result


def _seen_as(buffer: SSAValue, spread: Spread) -> Buffer:
    """The type of a buffer for one point: without the axes of the band, where these come first."""
    type, shape = buffer_of("schedule.band", buffer), shape_of(buffer.type)
    for axis in range(len(shape)):
        if ex.product(shape[axis + 1 :]) == spread.steps[-1] and shape[axis] != 1:
            rest = *(ex.const(1) for _ in range(axis + 1)), *shape[axis + 1 :]
            return buffer_type(tensor_type(type.element_type, rest))
    return type


def _add(block: Block, op: Operation) -> None:
    """Put a view in front of the loops of a block."""
    first = next((o for o in block.ops if isinstance(o, loop.ForOp)), None)
    if first is None:
        block.add_op(op)
    else:
        block.insert_op_before(op, first)
