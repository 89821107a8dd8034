"""The loops of a tile fusion, and its nests for one tile, over buffers that begin at the tile.

::

    schedule.tile_fusion by [1, 36] over [d1, d2], ... { nest [1, 12, 128, 256] ... }
      -->
    loop.for %h = 0 to 12 parallel {
      loop.for %i = 0 to 108 step 36 serial {
        %tile = loop.local : memref<9216xf32>            // what only tiles need
        %rows = loop.view %q[d0*8192 + d1*64](%h, %i)    // what lies outside of them
        nest [1, 1, 36, 256] ... }
      nest [1, 1, 20, 256] ... }                         // the same for what is left

A nest of a tile is one like any other.  Views stand as far outside as their offsets allow, so that
what is made of one may stay there, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.buffer import LocalOp, buffer_of, element_in, root, start_of
from opc.dialects.collapse import offsets_of
from opc.dialects.element import I64
from opc.dialects.shape import Buffer, DimsAttr, IndexAttr, buffer_type, shape_of, tensor_type
from opc.dialects.tile_fusion import TileFusionOp

from .tile_fusion import Spread, part, private


@dataclass(frozen=True)
class Level:
    """A loop of a tile fusion: its block, and the variables that are known there by dimension."""

    block: Block
    variables: Mapping[int, SSAValue]


def write(fusion: TileFusionOp) -> tuple[Block, list[dict[kernel.NestOp, kernel.NestOp]]]:
    """What stands in place of a tile fusion, and the nest of a tile for each nest of it.

    The nests of whole tiles come first, then those of a part of one, if there is any.
    """
    block = Block()
    levels = [Level(block, {})]
    views: dict[tuple[SSAValue, ex.Expr], SSAValue] = {}
    *outer, (extent, by) = zip(fusion.extents, fusion.tile, strict=True)
    _enter_outer(levels, outer)
    whole = ex.floordiv(extent, by) * by
    found: list[dict[kernel.NestOp, kernel.NestOp]] = []
    own = private(fusion)
    last = len(outer)
    sizes = dict(enumerate(fusion.tile))
    if whole != 0:
        inside = list(levels)
        start = ex.const(0)
        if whole != by:
            _enter(inside, last, whole, by)
            start = ex.dim(last)
        found.append(Tile(fusion, inside, start, sizes, own, views).write())
    if whole != extent:
        sizes[last] = extent - whole
        found.append(Tile(fusion, levels, whole, sizes, own, views).write())
    return block, found


def _enter_outer(levels: list[Level], outer: Sequence[tuple[ex.Expr, ex.Expr]]) -> None:
    """Add one loop over all dimensions but the last, for threads to share, and one of a round each.

    The latter give the dimensions their names.
    """
    counts = {k: ex.floordiv(n, by) for k, (n, by) in enumerate(outer) if n != by}
    if len(counts) == 1:
        ((k, _),) = counts.items()
        _enter(levels, k, *outer[k])
    elif counts:
        op = loop.ForOp.of(ex.const(0), ex.product(counts.values()), [], "parallel")
        block, variables = op.body.block, dict[int, SSAValue]()
        levels[-1].block.add_op(op)
        rest = ex.product(counts.values())
        for k, count in counts.items():
            at = ex.mod(ex.dim(0), rest) if variables else ex.dim(0)
            rest = ex.floordiv(rest, count)
            start = ex.floordiv(at, rest) * outer[k][1]
            inner = loop.ForOp.of(start, start + 1, [op.variable], "serial")
            block.add_op(inner)
            block, variables[k] = inner.body.block, inner.variable
        levels.append(Level(block, variables))


def _enter(levels: list[Level], k: int, extent: ex.Expr, by: ex.Expr) -> None:
    """Add the loop over a dimension of a tile fusion."""
    outer = levels[-1]
    kind = "serial" if outer.variables else "parallel"
    op = loop.ForOp.of(ex.const(0), extent, [], kind, by.constant or 1)
    outer.block.add_op(op)
    levels.append(Level(op.body.block, {**outer.variables, k: op.variable}))


@dataclass
class Tile:
    """Writes the nests of one tile, or of a part of one."""

    fusion: TileFusionOp
    levels: Sequence[Level]
    start: ex.Expr
    """Where it begins along the last dimension."""
    sizes: Mapping[int, ex.Expr]
    """Its points along each dimension."""
    private: Mapping[SSAValue, Spread]
    """What only tiles need, and how the points of the tile fusion lie in it."""
    views: dict[tuple[SSAValue, ex.Expr], SSAValue]
    """What there is of views, by the buffer and the offset."""
    arrays: dict[SSAValue, SSAValue] = field(default_factory=dict["SSAValue", "SSAValue"])
    """What the tile has of such a buffer."""
    locals: dict[SSAValue, SSAValue] = field(default_factory=dict["SSAValue", "SSAValue"])
    """As what it is seen for a buffer, or a view of one."""
    variables: dict[int, SSAValue] = field(default_factory=dict[int, "SSAValue"])

    def write(self) -> dict[kernel.NestOp, kernel.NestOp]:
        """Write them; the new nest for each one of the tile fusion."""
        found: dict[kernel.NestOp, kernel.NestOp] = {}
        for nest in self.fusion.nests:
            new = found[nest] = nest.clone()
            self._place(nest, new)
        self.levels[-1].block.add_ops(found.values())
        return found

    def _place(self, nest: kernel.NestOp, new: kernel.NestOp) -> None:
        """Let the clone of a nest compute the points of a tile."""
        dims = self.fusion.dims(nest)
        size = {d: self.sizes[k] for k, d in enumerate(dims)}
        new.extents = DimsAttr(tuple(size.get(d, e) for d, e in enumerate(nest.extents.data)))
        offsets, seen = offsets_of(nest), dict[SSAValue, SSAValue]()
        pairs = list(zip(nest.body.walk(), new.body.walk(), strict=True))
        for op, _ in pairs:
            if isinstance(op, kernel.StoreOp):
                target = nest.targets[op.number]
                seen[target] = self._seen(target, self._start(offsets[op], dims))
        for op, copy in pairs:
            if isinstance(copy, body.IndexOp):
                self._shift(copy, self._start(offsets[op], dims))
            elif isinstance(op, kernel.LoadOp) and not isinstance(op.source.owner, kernel.SweepOp):
                known = seen.get(op.source)
                start = self._start(offsets[op], dims)
                copy.operands[0] = known or self._seen(op.source, start)
        new.operands = [seen.get(v, v) for v in nest.targets]

    def _start(self, offset: ex.Expr, dims: Sequence[int]) -> ex.Expr:
        """By how much an offset is greater in a tile than at the start of the nest.

        It is over the dimensions of the tile fusion.
        """
        found = ex.const(0)
        for k, d in enumerate(dims):
            step = offset.coefficient(d)
            assert step is not None
            inner = ex.dim(k) if k in self.levels[-1].variables else ex.const(0)
            found += step * (self.start if k == len(dims) - 1 else inner)
        return found

    def _level(self, e: ex.Expr) -> Level:
        """The outermost loop in which all dimensions of an expression are known."""
        return next(level for level in self.levels if e.dims() <= level.variables.keys())

    def _seen(self, buffer: SSAValue, start: ex.Expr) -> SSAValue:
        """What a nest of the tile reads or writes for a buffer."""
        whole = root(buffer)
        if whole in self.private:
            if buffer not in self.locals:
                self.locals[buffer] = self._own(buffer, whole)
            return self.locals[buffer]
        key = (buffer, start)
        if start != 0 and key not in self.views:
            level = self._level(start)
            view = loop.ViewOp.of(buffer, buffer_of("fusion", buffer), *_over(start, level))
            _add(level, view)
            self.views[key] = view.result
        return self.views.get(key, buffer)

    def _own(self, buffer: SSAValue, whole: SSAValue) -> SSAValue:
        """An array of a tile's size, seen as a buffer of which it is a part."""
        spread, block = self.private[whole], self.levels[-1].block
        if whole not in self.arrays:
            count = part(spread, self.sizes).constant
            assert count is not None
            local = LocalOp.of(element_in(whole), count)
            block.add_op(local)
            self.arrays[whole] = local.result
        view = loop.ViewOp.of(self.arrays[whole], self._seen_as(buffer, spread), start_of(buffer))
        block.add_op(view)
        return view.result

    def _seen_as(self, buffer: SSAValue, spread: Spread) -> Buffer:
        """The type of a buffer for one tile: its rows are those of the tile, where it has such."""
        type, shape = buffer_of("schedule.tile_fusion", buffer), shape_of(buffer.type)
        last = len(self.sizes) - 1
        if any(self.sizes[k] != 1 for k in range(last)):
            return type
        for axis in range(len(shape)):
            if ex.product(shape[axis + 1 :]) == spread.steps[last] and shape[axis] != 1:
                rows = *(ex.const(1) for _ in range(axis)), self.sizes[last], *shape[axis + 1 :]
                return buffer_type(tensor_type(type.element_type, rows))
        return type

    def _shift(self, op: body.IndexOp, start: ex.Expr) -> None:
        """Add the start of a tile to an index that is a value: it is read from a variable."""
        total, added = op.result, list[Operation]()
        for k in sorted(start.dims()):
            step = start.coefficient(k)
            assert step is not None and step.constant is not None
            start = start - step * ex.dim(k)
            number = kernel.LoadOp.of(self._variable(k), ())
            factor = body.ConstantOp.of(step.constant, I64)
            times = body.ApplyOp.of("mul", [number.result, factor.result])
            last = body.ApplyOp.of("add", [total, times.result])
            added += [number, factor, times, last]
            total = last.result
        op.properties["index"] = IndexAttr((op.expr + start,))
        own = set(added)
        op.result.replace_uses_with_if(total, lambda use: use.operation not in own)
        assert op.parent is not None
        op.parent.insert_ops_after(added, op)

    def _variable(self, k: int) -> SSAValue:
        """A variable in memory that holds the number of a loop of the tile fusion."""
        if k not in self.variables:
            variable = self.levels[-1].variables[k]
            local, number = LocalOp.of(I64), body.IndexOp.of(ex.dim(0), [variable])
            store = loop.StoreOp.of(number.result, local.result, ex.const(0), [])
            self.levels[-1].block.add_ops([local, number, store])
            self.variables[k] = local.result
        return self.variables[k]


def _over(e: ex.Expr, level: Level) -> tuple[ex.Expr, list[SSAValue]]:
    used = sorted(e.dims())
    places = {d: ex.dim(k) for k, d in enumerate(used)}
    return e.substitute(places), [level.variables[d] for d in used]


def _add(level: Level, op: Operation) -> None:
    """Put a view in front of the loops of a block."""
    first = next((o for o in level.block.ops if isinstance(o, loop.ForOp)), None)
    if first is None:
        level.block.add_op(op)
    else:
        level.block.insert_op_before(op, first)
