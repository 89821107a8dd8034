"""The loops of a sweep, and with them the order in which a reduction combines its values.

The order depends on extents and element type alone, never on threads, vector width, compiler or
optimisation level, so the bits of a result are the same everywhere:

* Along the innermost dimension, value j goes to lane j mod W, for W lanes (a power of two, at most
  256 bytes); dimensions further out go on with the same lanes, perhaps in turns (``lane_groups``).
* What is left of a row after full groups of W values is one more group: the last W values of the
  row, of which those that were there already count as the neutral value.
* At the end the lanes are combined pairwise, halving: lane k with lane k + W/2.
* A sum of floats over more than ``CHAIN`` values for each lane is cut into blocks of that many.
  Blocks are added in pairs, pairs of pairs, and so on (``loop.cascade``), which keeps the error
  below (16 + 2 log2 n) units in the last place of the sum of magnitudes.
* Positions (argmax, argmin) need no order either: see ``positions``.
* Integers and booleans need no order, so they have no lanes: the C compiler may vectorize the plain
  loop.  (gcc 12 also takes lanes of integers for a reduction of its own and gets the tail wrong.)
* The greatest and the least of floats are integer reductions too: see ``Extremes``.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.lanes import LANE_REDUCTIONS
from opc.dialects.layout import linearize
from opc.dialects.scalar import REDUCTIONS

from .accumulators import MOST_LEVELS, Accumulator, lanes_for
from .chunks import goes_in_chunks, is_one_chunk, may_go_apart, take_chunks, take_row
from .collapse import collapse
from .extremes import Extremes, half_of
from .lane_groups import groups, rows_in_turns
from .loop_places import FEW, VECTOR, NestValues, Place, leaves_over
from .positions import Position, search
from .prefetching import fresh_loads, helps, is_wide, page, prefetch
from .search_loops import goes_in_blocks, search_all, search_blocks
from .split_loops import is_split, run_split, spanned

CHAIN = 32


class SweepLowering:
    """Lowers one sweep in one place."""

    def __init__(self, nest: NestValues, sweep: kernel.SweepOp) -> None:
        self.nest = nest
        self.sweep = sweep
        extents, rank = sweep.extents.data, len(nest.nest.extents.data)
        inside = [nest.offsets[op] for op in sweep.body.block.ops if op in nest.offsets]
        inside += [nest.kept[r][1] for r in sweep.outputs if r in nest.kept]
        self.position = linearize([ex.dim(rank + k) for k in range(len(extents))], extents)
        matters = any(k.data == kernel.KEEP or "arg" in k.data for k in sweep.kinds)
        self.space = space = collapse(
            rank, extents, [*inside, *([self.position] if matters else [])], 0
        )
        self.kinds = [k.data for k in sweep.kinds]
        self.kept: list[tuple[SSAValue, SSAValue, ex.Expr]] = []
        """What is kept: the value, where, and at which offset."""
        self.accumulators: list[Accumulator] = []
        self.inner = space.extents[-1] if space.extents else ex.const(1)
        if self.inner.constant is not None and self.inner.constant < FEW:
            # One group of lanes is no loop, which what follows a row's maximum would wait for.
            self.kinds = ["max" if k == "max_number" else k for k in self.kinds]
        self.extremes: dict[SSAValue, Extremes] = {}
        self.positions: list[Position] = []
        reduced = [
            scalar_type(v).bytes
            for v, k in zip(sweep.yielded, self.kinds, strict=True)
            if k in LANE_REDUCTIONS and scalar_type(v).is_float
        ]
        n = self.inner.constant
        self.least, self.most = (nest.least, nest.most) if n is None else (n, n)
        """What the innermost dimension has at least, and at most if there is a limit."""
        self.lanes = lanes_for(self.most, max(reduced)) if reduced else 1
        self.turns = rows_in_turns(self)
        fresh = fresh_loads(nest, sweep, self.lanes == 1, self.inner)
        self.fresh = [op for op in fresh if self._runs_along(op)]
        self.spanned = spanned(space.extents)
        self.levels: dict[int, SSAValue] = {}
        self.count: SSAValue | None = None

    def run(self, here: Place) -> None:
        """Write the loops and what follows them."""
        self.here = here
        self.fresh = [op for op in self.fresh if self._helps(op)]
        if is_split(self.nest.nest.extents.data, self.sweep, self.nest.kept):
            run_split(self, here)
        else:
            self.reduce(here, None)

    def reduce(
        self,
        here: Place,
        span: tuple[ex.Expr, ex.Expr] | None,
        is_last: ex.Expr | None = None,
    ) -> None:
        """Reduce everything, or a span of the dimension ``spanned``.

        Of the innermost dimension a span consists of full groups of lanes, and what is left after
        all of them goes to the span for which ``is_last`` is 1; for others it is 0.
        """
        self._start(here)
        cascading = [a for a in self.accumulators if a.cascades] if self._is_long() else []
        if cascading:
            self._declare_cascade(here, cascading)
        deepest = here
        kind = "serial" if self._reduces() else "parallel"
        for k, extent in enumerate(self.space.extents[:-1]):
            bounds = span if span and k == self.spanned else (ex.const(0), extent)
            step = self.turns if k == len(self.space.extents) - 2 else 1
            deepest = deepest.loop(*bounds, kind, step)
        is_inner = self.spanned == len(self.space.extents) - 1
        inner = span if span and is_inner else (ex.const(0), self._full())
        if not cascading and not span and is_one_chunk(self):
            take_row(self, deepest)
            self._finish(here, cascading)
            return
        if cascading:
            self._blocks(deepest, cascading, *inner)
        elif goes_in_blocks(self):
            search_blocks(self, deepest)
        else:
            self._steps(deepest, *inner)
        rest = self._rest() * is_last if is_last and inner is span else self._rest()
        if self.lanes > 1 and rest != 0:
            if rest.constant is None:
                # A loop that runs once, or where nothing is left not at all.
                deepest = deepest.loop(ex.const(0), rest, "serial", self.lanes)
            self._next(deepest, cascading)
            again = self._is_idempotent()
            groups(self, deepest, self.inner - self.lanes if again else self._full(), rest, again)
        if self.positions and not goes_in_blocks(self):
            search_all(self, here)
        for value, array in self.late.items():
            inside = here.loop(ex.const(0), ex.product(self.sweep.extents.data), "serial")
            self.extremes[value].take(inside, inside.read(array, inside.variable()))
        self._finish(here, cascading)

    def _start(self, here: Place) -> None:
        self.accumulators, self.extremes, self.positions = [], {}, []
        self.kept, self.levels = [], {}
        first = len(here.variables)
        self.outer = [ex.dim(first + k) for k in range(len(self.space.extents) - 1)]
        self._declare(here)
        self.late = self._late()

    def _late(self) -> dict[SSAValue, SSAValue]:
        """Values that lie in a local array, row after row, from which extremes are taken at last.

        Rows that are short leave vectors half empty, all of them together do not.
        """
        n = self.inner.constant
        if len(self.space.extents) == 1 or n is None or n >= FEW:
            return {}
        arrays = {v: array for v, array, _ in self.kept if isinstance(array.owner, loop.LocalOp)}
        return {v: arrays[v] for v, e in self.extremes.items() if v in arrays and e.taken is v}

    def end(self) -> ex.Expr:
        """The extent of the spanned dimension; of the innermost one, where full groups end."""
        is_inner = self.spanned == len(self.space.extents) - 1
        return self._full() if is_inner else self.space.extents[self.spanned]

    def unit(self) -> int:
        """What a span must be a multiple of."""
        inner = len(self.space.extents) - 1
        return {inner: CHAIN * self.lanes, inner - 1: self.turns}.get(self.spanned, 1)

    def _rest(self) -> ex.Expr:
        return ex.mod(self.inner, ex.const(self.lanes))

    def _reduces(self) -> bool:
        return bool(self.accumulators or self.extremes or self.positions)

    def _is_repeatable(self) -> bool:
        """Whether the body can be computed again: not where it overwrites what it reads."""
        stores = any(isinstance(op, kernel.StoreOp) for op in self.sweep.body.block.ops)
        return not stores and kernel.KEEP not in self.kinds

    def _is_long(self) -> bool:
        rounds = ex.product(self.space.extents[:-1]).constant
        return rounds is None or self.most is None or rounds * -(-self.most // self.lanes) > CHAIN

    def _full(self) -> ex.Expr:
        """Where the last full group of lanes ends."""
        return self.inner - ex.mod(self.inner, ex.const(self.lanes))

    def _declare(self, here: Place) -> None:
        for value, kind, result in zip(
            self.sweep.yielded, self.kinds, self.sweep.outputs, strict=True
        ):
            type = scalar_type(value)
            if result in self.nest.kept:
                self.kept.append((value, *self.nest.kept[result]))
                continue
            if kind == kernel.KEEP:
                size = ex.product(self.sweep.extents.data).constant
                assert size is not None
                array = here.add(loop.LocalOp.of(type, max(size, 1)))
                self.kept.append((value, array, self.position))
                self.nest.arrays[result] = array
                continue
            if kind in ("max", "min") and type.is_float:
                if value not in self.extremes:
                    self.extremes[value] = Extremes.of(here, value, apart=may_go_apart(self))
                continue
            if REDUCTIONS[kind].is_arg and self._is_repeatable():
                count = ex.product(self.sweep.extents.data).constant
                row = REDUCTIONS[kind]
                self.positions.append(Position.of(here, row, value, result, count))
                continue
            in_lanes = self.lanes > 1 and kind in LANE_REDUCTIONS and type.is_float
            a = Accumulator.of(here, kind, value, result, self.lanes if in_lanes else None)
            if a.position is not None:
                here.write(here.constant(0, el.I64), a.position)
            self.accumulators.append(a)
            self._reset(here, a)

    def _reset(self, here: Place, a: Accumulator) -> None:
        identity = here.constant(a.row.identity(a.type), a.type)
        if a.lanes is None:
            here.write(identity, a.state)
        else:
            here.block.add_op(loop.FillOp.of(identity, a.state))

    def _declare_cascade(self, here: Place, cascading: list[Accumulator]) -> None:
        self.count = here.add(loop.LocalOp.of(el.I64))
        here.write(here.constant(0, el.I64), self.count)
        n = ex.product(self.space.extents).constant
        # Every row ends in a block of its own, so there can be as many blocks as values.
        levels = MOST_LEVELS if n is None else max(1, n.bit_length())
        for k, a in enumerate(cascading):
            self.levels[k] = here.add(loop.LocalOp.of(a.type, levels * self.lanes))

    def _blocks(
        self, here: Place, cascading: list[Accumulator], lower: ex.Expr, upper: ex.Expr
    ) -> None:
        """The innermost dimension in blocks, each added to the cascade."""
        size = CHAIN // self.turns * self.lanes
        block = here.loop(lower, upper, "serial", size)
        start = block.variable()
        self._next(block, cascading)
        span = (upper - lower).constant
        even = span is not None and span % size == 0
        self._steps(block, start, start + size if even else ex.minimum(start + size, upper))

    def _next(self, here: Place, cascading: list[Accumulator]) -> None:
        """Begin a block."""
        if not cascading:
            return
        assert self.count is not None
        for k, a in enumerate(cascading):
            here.block.add_op(loop.CascadeOp.of("next", a.state, self.levels[k], self.count))
        one = here.constant(1, el.I64)
        here.write(here.apply("add", here.read(self.count), one), self.count)

    def _steps(self, here: Place, lower: ex.Expr, upper: ex.Expr) -> None:
        """Full groups of lanes from lower to upper."""
        if not self.space.extents:
            self.values(here, None)
            return
        kind = "serial" if self._reduces() else "vector"
        if goes_in_chunks(self):
            take_chunks(self, here, lower, upper)
            return
        if self.lanes > 1:
            inside = here.loop(lower, upper, kind, self.lanes)
            groups(self, inside, inside.variable())
            return
        half = half_of(self.inner.constant)
        if half is not None and self._folds():
            inside = here.loop(ex.const(0), ex.const(half), kind)
            self.body_at(inside, inside.variable())
            first = {e.taken: self.nest.values[e.taken] for e in self.extremes.values()}
            self.body_at(inside, inside.variable() + (self.inner - half))
            for e in self.extremes.values():
                e.take(inside, first[e.taken], self.nest.values[e.taken])
            return
        again = self._overlap(lower, upper)
        upper = upper - again
        around = here
        if self.fresh and is_wide(self.inner, self.fresh):
            size = min(page(op) for op in self.fresh)
            if self.inner.constant is not None and self.inner.constant <= size:
                self.ahead(here, lower, self.inner)
            else:
                here = here.loop(lower, upper, "serial", size)
                lower = here.variable()
                self.ahead(here, lower, ex.const(size))
                upper = ex.minimum(lower + size, upper)
        inside = here.loop(lower, upper, kind)
        self.values(inside, inside.variable())
        if again != 0:
            # A loop over one vector only C compilers unroll before they could make one of it.
            last = VECTOR * ex.minimum(ex.const(1), again) if again.constant is None else 2 * VECTOR
            inside = around.loop(self.inner - last, self.inner, kind)
            self.values(inside, inside.variable())

    def _overlap(self, lower: ex.Expr, upper: ex.Expr) -> ex.Expr:
        """How many values at the end of a row go in full vectors that overlap, not singly."""
        n, rest = self.inner.constant, ex.mod(self.inner, ex.const(VECTOR))
        # Of long rows of unknown extent, the last sweep goes with the first one of the next row.
        few = self.least < VECTOR or self.most is None
        few = few or (n is not None and (n <= 2 * VECTOR or not leaves_over(n)))
        whole = lower == 0 and upper == self.inner and not self._reduces()
        return rest if whole and not few and self._is_idempotent() else ex.const(0)

    def _folds(self) -> bool:
        """Whether a row of extremes may be taken from both of its ends at once."""
        ops = self.sweep.body.block.ops
        long = any(isinstance(op, body.ApplyOp) and op.is_long for op in ops)
        only = self.extremes and not self.accumulators and not self.positions
        return bool(only) and not long and self._is_repeatable()

    def _runs_along(self, op: kernel.LoadOp) -> bool:
        """Whether a load goes through memory in order."""
        return self.inner_step(self.nest.offsets[op]) == 1

    def _helps(self, op: kernel.LoadOp) -> bool:
        """Whether it helps to read ahead along the innermost dimension."""
        first, rank = len(self.here.variables), len(self.space.extents)
        points = [*(ex.dim(first + k) for k in range(rank - 1)), ex.const(0)]
        start = self.nest.offsets[op].substitute({**self.here.at, **self._placed(points)}, {})
        return helps(op, start, self.inner, first + rank - 2, self.lanes == 1)

    def inner_step(self, offset: ex.Expr) -> ex.Expr | None:
        """By how much an offset grows along the innermost dimension."""
        inner = ex.dim(len(self.space.extents) - 1)
        atoms = [atom for atom, place in self.space.places.items() if place == inner]
        return offset.coefficient(int(atoms[0].args[0])) if atoms else None

    def ahead(self, here: Place, at: ex.Expr, block: ex.Expr | None) -> None:
        """Read ahead for a block that starts at ``at``; for a group of lanes without ``block``."""
        there = Place(here.block, here.variables, {**self.here.at, **self.places(at)})
        for op in self.fresh:
            ahead, count = (page(op), self.lanes) if block is None else (block, block)
            prefetch(there, op, self.nest.offsets[op], ahead, count)

    def _is_idempotent(self) -> bool:
        """Whether the last values of a row can be computed twice without harm."""
        ops = self.sweep.body.block.ops
        stored = {self.nest.nest.targets[op.number] for op in ops if isinstance(op, kernel.StoreOp)}
        stored |= {array for _, array, _ in self.kept}
        loads = (op for op in ops if isinstance(op, kernel.LoadOp))
        return (
            self.least >= self.lanes
            and all(a.lanes is not None for a in self.accumulators)
            and not any(self.nest.buffer(load) in stored for load in loads)
        )

    def places(self, at: ex.Expr | None) -> dict[ex.Atom, ex.Expr]:
        """Dimensions of the sweep, in terms of the loop variables."""
        return self._placed([*self.outer, *([at] if at is not None else [])])

    def _placed(self, points: list[ex.Expr]) -> dict[ex.Atom, ex.Expr]:
        collapsed = {ex.Atom("dim", (k,)): e for k, e in enumerate(points)}
        return {atom: e.substitute(collapsed, {}) for atom, e in self.space.places.items()}

    def body_at(self, here: Place, at: ex.Expr | None) -> None:
        """The body at one point."""
        here.at.update(self.places(at))
        for op in self.sweep.body.block.ops:
            self.nest.scalar(op, here)

    def values(self, here: Place, at: ex.Expr | None) -> None:
        """The body at one point, and what happens to its values outside of lanes."""
        self.body_at(here, at)
        self.keep(here)
        for p in self.positions:
            p.take(here, self.nest.values[p.value])
        for value, extremes in self.extremes.items():
            if value not in self.late:
                extremes.take(here, self.nest.values[extremes.taken])
        for a in self.accumulators:
            value = self.nest.values[a.yielded]
            if a.position is not None:
                search(here, a, value, self.position)
            elif a.lanes is None:
                here.write(here.apply(a.row.combine, here.read(a.state), value), a.state)

    def keep(self, here: Place) -> None:
        """Store the values of a point that are kept."""
        for value, array, offset in self.kept:
            e, dims = here.resolve(offset)
            here.block.add_op(loop.StoreOp.of(self.nest.values[value], array, e, dims))

    def _finish(self, here: Place, cascading: list[Accumulator]) -> None:
        for k, a in enumerate(cascading):
            assert self.count is not None
            here.block.add_op(loop.CascadeOp.of("finish", a.state, self.levels[k], self.count))
        for value, kind, result in zip(
            self.sweep.yielded, self.kinds, self.sweep.outputs, strict=True
        ):
            if value in self.extremes and kind in ("max", "min") and result.uses:
                self.nest.values[result] = self.extremes[value].finish(here, kind)
        for p in self.positions:
            self.nest.values[p.result] = p.finish(here)
        for a in self.accumulators:
            if a.position is not None:
                self.nest.values[a.result] = here.read(a.position)
            elif a.lanes is not None:
                self.nest.values[a.result] = here.add(loop.CombineOp.of(a.state, a.row.name))
            else:
                self.nest.values[a.result] = here.read(a.state)
