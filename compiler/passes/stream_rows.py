"""Rows that start and end within cache lines, written past the caches line by line.

Part of a line cannot go past them.  So the end of a row waits for the beginning of the next one::

    for i = 0 to 30000 { for j = 0 to 300 { y[i, j] = x[i, j] - b[j] } }
      -->
    for i = 0 to 30000 step 16            # as many rows as whole lines hold, or more
      for k = i to i + 16
        for j = the first points of row k, up to a whole line { edge[...] = x[k, j] - b[j] }
        stream the line that edge is to y[k, 0 ...]
        for j = points of whole lines step 128 { row[...] = x[k, j] - b[j];  stream row to y[k, j] }
        for j = the last points of row k { edge[...] = x[k, j] - b[j] }

What no row follows is written as it is.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from opc.dialects import expr as ex
from opc.dialects import loop
from opc.dialects.buffer import element_in

from .loop_parts import PLAIN, insert, joined, moved, part_of, put
from .prefetching import LINE
from .stream_loops import in_blocks, is_even, start_of, store_to, stream_block

ROWS = 16
"""Rows of a block: so many of four bytes, or more, end where a cache line does."""
BLOCKS = 8
"""Blocks that are wanted for threads to share: where there are fewer, rows go one by one, and of an
unknown number fewer go together."""
SHORTEST = 256
"""Fewest bytes of a row for which it is worth it."""


def follow_one_another(op: loop.ForOp, store: loop.StoreOp) -> bool:
    """Whether a loop is over the points of rows that follow one another in memory."""
    rows, (lower, upper, _) = op.parent_op(), op.bounds
    if not isinstance(rows, loop.ForOp) or rows.bounds[2] != 1 or rows.variable not in store.dims:
        return False
    if not all(o is op or isinstance(o, PLAIN) for o in rows.body.block.ops):
        return False
    step = store.index.data[0].coefficient(list(store.dims).index(rows.variable))
    return not op.dims and step == upper - lower


def stream_rows(op: loop.ForOp, store: loop.StoreOp, points: int) -> loop.ForOp:
    """Let rows that follow one another go past the caches, so many points at a time.

    The new loop over blocks of rows, or the old one over rows if another one is around that.
    """
    rows = op.parent_op()
    assert isinstance(rows, loop.ForOp)
    top = rows
    if not isinstance(rows.parent_op(), loop.ForOp):
        top, rows = _in_blocks(rows)
        op = next(o for o in rows.body.block.ops if isinstance(o, loop.ForOp))
        store = store_to(store.target, op)
    else:
        # One row leaves points to the next, so no other thread may have that.
        rows.properties["kind"] = StringAttr("serial")
    _Row(rows, op, store).write(points)
    return top


def _in_blocks(rows: loop.ForOp) -> tuple[loop.ForOp, loop.ForOp]:
    """A loop over rows as one over blocks of them, and one over the rows of a block."""
    (lower, upper, _), dims, kind = rows.bounds, list(rows.dims), rows.kind.data
    count = upper - lower
    size = ex.minimum(ROWS, ex.floordiv(count, BLOCKS) + 1)
    if size.constant is not None:
        known = ROWS if size == ROWS else 1
        size, blocks = ex.const(known), loop.ForOp.of(lower, upper, dims, kind, known)
        start, every = ex.dim(0), [blocks.variable]
    else:
        blocks = loop.ForOp.of(ex.const(0), ex.floordiv(count + size - 1, size), dims, kind)
        size, every = joined(size, dims, [blocks.variable])
        first, every = joined(lower, dims, every)
        start = first + ex.dim(0) * size
    end, every = joined(upper, dims, every)
    inner = loop.ForOp.of(start, ex.minimum(start + size, end), every)
    inner.location = rows.location
    rows.variable.replace_all_uses_with(inner.variable)
    for o in list(rows.body.block.ops):
        o.detach()
        inner.body.block.add_op(o)
    blocks.body.block.add_op(inner)
    put(blocks, rows)
    return blocks, inner


class _Row:
    """A row: its first points up to the end of a line, whole lines, and its last points."""

    def __init__(self, rows: loop.ForOp, op: loop.ForOp, store: loop.StoreOp) -> None:
        self.rows, self.op, self.store = rows, op, store
        self.line = LINE // element_in(store.target).bytes
        lower, upper, _ = op.bounds
        self.start, self.dims = start_of(op, store)
        if rows.variable not in self.dims:
            self.dims = [*self.dims, rows.variable]
        self.kept = ex.mod(self.start, self.line)
        """Points that the row before left over: in front of the first ones of this row."""
        self.head = ex.mod(self.line - self.kept, self.line)
        self.tail = ex.mod(self.start + (upper - lower), self.line)

    def write(self, points: int) -> None:
        """Put the new loops in place of the old one."""
        rows, op, (lower, upper, _) = self.rows, self.op, self.op.bounds
        edge = loop.LocalOp.of(element_in(self.store.target), self.line)
        insert(edge, rows)
        number = ex.dim(self.dims.index(rows.variable))
        start, every = joined(rows.bounds[0], list(rows.dims), self.dims)
        stop, every = joined(rows.bounds[1], list(rows.dims), every)
        before, is_last = ex.atleast(number, start + 1), ex.atleast(number + 1, stop)
        first, dims = moved(self.start, self.dims, rows.variable, (rows.bounds[0], list(rows.dims)))
        if is_even(first, dims, self.line):
            before = ex.const(1)
        else:
            self._part(ex.const(0), self.head * (1 - before), every, None)
        self._part(ex.const(0), self.head * before, every, (edge.result, self.kept))
        whole = (self.kept + self.head) * before
        at = (ex.const(0), self.start - self.kept, whole, whole)
        insert(loop.StreamOp.of(edge.result, self.store.target, at, every).in_lines(), op)
        end = upper - lower - self.tail
        last = self._part(end, self.tail * is_last, every, None)
        left = self._part(end, self.tail * (1 - is_last), every, (edge.result, ex.const(0)))
        inside, store = in_blocks(
            op, self.store, points, (self.head, self.dims), (self.tail, self.dims)
        )
        stream_block(inside, store, points, lines=True)
        around = rows.body.block
        for part in (left, last):
            part.detach()
            around.add_op(part)

    def _part(
        self,
        start: ex.Expr,
        count: ex.Expr,
        dims: list[SSAValue],
        to: tuple[SSAValue, ex.Expr] | None,
    ) -> loop.ForOp:
        """Some points of the row, before the loop over all of them; in another place, if given."""
        part = part_of(self.op, (self.op.bounds[0] + start, dims), (count, dims))
        insert(part, self.op)
        if to is not None:
            store = store_to(self.store.target, part)
            index, every = joined(to[1], dims, [part.variable])
            put(loop.StoreOp.of(store.value, to[0], ex.dim(0) + index, every), store)
        return part
