"""Write the loops of a tile fusion, and its nests for one tile, over views that begin at the tile.

::

    schedule.tile_fusion by [1, 36] over [d1, d2], ... { nest [1, 12, 128, 256] ... }
      -->
    loop.for %h = 0 to 12 parallel {
      loop.for %i = 0 to 108 step 36 serial {
        %tile = loop.local : memref<9216xf32>            // private to tiles
        %rows = loop.view %q[d0*8192 + d1*64](%h, %i)    // a view of another buffer
        nest [1, 1, 36, 256] ... }
      nest [1, 1, 20, 256] ... }                         // the partial tile

A nest of a tile is one like any other.  Views stand in the outermost loop that their offsets allow,
so that copies of them may stay there, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body, kernel, loop
from opc.dialects import expr as ex
from opc.dialects.buffer import LocalOp, buffer_of, element_in, root, start_of
from opc.dialects.collapse import offsets_of
from opc.dialects.element import I64
from opc.dialects.shape import Buffer, DimsAttr, IndexAttr, buffer_type, shape_of, tensor_type
from opc.dialects.tile_fusion import TileFusionOp
from opc.dialects.walking import walk

from .tile_fusion import Spread, part, private


@dataclass(frozen=True)
class Level:
    """A loop of a tile fusion: its block, and the variables known there by dimension."""

    block: Block
    variables: Mapping[int, SSAValue]


def write(fusion: TileFusionOp) -> tuple[Block, list[dict[kernel.NestOp, kernel.NestOp]]]:
    """The block that replaces a tile fusion, and for each of its nests the nest of a tile.

    The nests of whole tiles come first, then those of a partial tile, if there is one.
    """
    block = Block()
    levels = [Level(block, {})]
    views: dict[tuple[SSAValue, ex.Expr], SSAValue] = {}
    *outer, (extent, by) = zip(fusion.extents, fusion.tile, strict=True)
    _enter_outer(levels, outer)
    end = ex.floordiv(extent, by) * by
    tiles: list[dict[kernel.NestOp, kernel.NestOp]] = []
    own = private(fusion)
    last = len(outer)
    sizes = dict(enumerate(fusion.tile))
    if end != 0:
        inside = list(levels)
        start = ex.const(0)
        if end != by:
            _enter(inside, last, end, by)
            start = ex.dim(last)
        tiles.append(Tile(fusion, inside, start, sizes, own, views).write())
    if end != extent:
        sizes[last] = ex.mod(extent, by)
        inside = levels
        if extent.constant is None:
            # Copies for a tile without points would cost time.
            choice = loop.IfOp.of(ex.atleast(sizes[last], 1), [], then := Block())
            levels[-1].block.add_op(choice)
            inside = [*levels[:-1], Level(then, levels[-1].variables)]
        tiles.append(Tile(fusion, inside, end, sizes, own, views).write())
    return block, tiles


def _enter_outer(levels: list[Level], outer: Sequence[tuple[ex.Expr, ex.Expr]]) -> None:
    """Add one parallel loop over all dimensions but the last, and one of one iteration for each.

    The latter give the dimensions their variables.
    """
    counts = {k: ex.floordiv(n, by) for k, (n, by) in enumerate(outer) if n != by}
    if len(counts) == 1:
        ((k, _),) = counts.items()
        _enter(levels, k, *outer[k])
    elif counts:
        op = loop.ForOp.of(ex.const(0), ex.product(counts.values()), [], "parallel")
        block, variables = op.body.block, dict[int, SSAValue]()
        levels[-1].block.add_op(op)
        size = ex.product(counts.values())
        for k, count in counts.items():
            at = ex.mod(ex.dim(0), size) if variables else ex.dim(0)
            size = ex.floordiv(size, count)
            start = ex.floordiv(at, size) * outer[k][1]
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
    """Writes the nests of a whole or a partial tile."""

    fusion: TileFusionOp
    levels: Sequence[Level]
    start: ex.Expr
    """Its start along the last dimension."""
    sizes: Mapping[int, ex.Expr]
    """Its points along each dimension."""
    private: Mapping[SSAValue, Spread]
    """The buffers private to tiles, and how the points of the tile fusion lie in them."""
    views: dict[tuple[SSAValue, ex.Expr], SSAValue]
    """The views so far, by buffer and offset."""
    arrays: dict[SSAValue, SSAValue] = field(default_factory=dict["SSAValue", "SSAValue"])
    """The tile's array for a private buffer."""
    locals: dict[SSAValue, SSAValue] = field(default_factory=dict["SSAValue", "SSAValue"])
    """The view of that array for a buffer, or for a view of one."""
    variables: dict[int, SSAValue] = field(default_factory=dict[int, "SSAValue"])

    @property
    def most(self) -> dict[int, ex.Expr]:
        """Its points along each dimension, if they are known, else those of a whole tile."""
        tile = enumerate(self.fusion.tile)
        return {k: by if (n := self.sizes[k]).constant is None else n for k, by in tile}

    def write(self) -> dict[kernel.NestOp, kernel.NestOp]:
        """Write them; the new nest for each nest of the tile fusion."""
        nests = {nest: nest.clone() for nest in self.fusion.nests}
        for nest, new in nests.items():
            self._place(nest, new)
        self.levels[-1].block.add_ops(nests.values())
        return nests

    def _place(self, nest: kernel.NestOp, new: kernel.NestOp) -> None:
        """Let the clone of a nest compute the points of a tile."""
        dims = self.fusion.dims(nest)
        size = {d: self.sizes[k] for k, d in enumerate(dims)}
        new.extents = DimsAttr(tuple(size.get(d, e) for d, e in enumerate(nest.extents.data)))
        offsets, seen = offsets_of(nest), dict[SSAValue, SSAValue]()
        pairs = list(zip(walk(nest.body), walk(new.body), strict=True))
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
        """The part of an offset that is due to the start of the tile.

        It is over the dimensions of the tile fusion.
        """
        total = ex.const(0)
        for k, d in enumerate(dims):
            step = offset.coefficient(d)
            assert step is not None
            inner = ex.dim(k) if k in self.levels[-1].variables else ex.const(0)
            total += step * (self.start if k == len(dims) - 1 else inner)
        return total

    def _seen(self, buffer: SSAValue, start: ex.Expr) -> SSAValue:
        """The buffer that a nest of the tile accesses in place of another."""
        if (source := root(buffer)) in self.private:
            if buffer not in self.locals:
                self.locals[buffer] = self._own(buffer, source)
            return self.locals[buffer]
        key = (buffer, start)
        if start != 0 and key not in self.views:
            level = next(lv for lv in self.levels if start.dims() <= lv.variables.keys())
            dims = sorted(start.dims())
            offset = start.substitute({d: ex.dim(k) for k, d in enumerate(dims)})
            variables = [level.variables[d] for d in dims]
            view = loop.ViewOp.of(buffer, buffer_of("fusion", buffer), offset, variables)
            # In front of the loops of the block.
            first = next((o for o in level.block.ops if isinstance(o, loop.ForOp)), None)
            at_end = InsertPoint.at_end(level.block)
            Rewriter.insert_op(view, at_end if first is None else InsertPoint.before(first))
            self.views[key] = view.result
        return self.views.get(key, buffer)

    def _own(self, buffer: SSAValue, source: SSAValue) -> SSAValue:
        """A view of the tile's array for a private buffer, or for a view of it."""
        spread, block = self.private[source], self.levels[-1].block
        if source not in self.arrays:
            local = LocalOp.of(element_in(source), part(spread, self.most))
            block.add_op(local)
            self.arrays[source] = local.result
        view = loop.ViewOp.of(self.arrays[source], self._seen_as(buffer, spread), start_of(buffer))
        block.add_op(view)
        return view.result

    def _seen_as(self, buffer: SSAValue, spread: Spread) -> Buffer:
        """The type of a buffer for one tile: it has the rows of the tile, if it has rows."""
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
        """Add the start of a tile, read from a variable, to an index that is a value."""
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
        Rewriter.insert_op(added, InsertPoint.after(op))

    def _variable(self, k: int) -> SSAValue:
        """A variable in memory with the index of a loop of the tile fusion."""
        if k not in self.variables:
            variable = self.levels[-1].variables[k]
            local, number = LocalOp.of(I64), body.IndexOp.of(ex.dim(0), [variable])
            store = loop.StoreOp.of(number.result, local.result, ex.const(0), [])
            self.levels[-1].block.add_ops([local, number, store])
            self.variables[k] = local.result
        return self.variables[k]
