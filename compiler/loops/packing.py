"""Pack an operand: copy it into panels (see ``loops.contraction``).

The last panel is filled up with its last row or column.  Where memory runs along the contracted
axis, blocks of it are transposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from xdsl.ir import SSAValue

from opc.dialects import body, kernel, loop, schedule
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.matrix_ops import BESIDE, PRODUCTS
from opc.dialects.memory_ops import NARROW
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand
from opc.schedule.product_groups import matrix_block, type_of
from opc.support.target import VECTOR, WIDEST

from .insertion import ZERO, Insertion, NestValues


@dataclass(frozen=True)
class Ranges:
    """The part of each axis inside loops: begin, end, and the size of a block."""

    of: Mapping[Axis, tuple[ex.Expr, ex.Expr, int]] = field(
        default_factory=dict[Axis, tuple[ex.Expr, ex.Expr, int]]
    )

    def begin(self, axis: Axis | None) -> ex.Expr:
        """The first value of an axis."""
        return self.of[axis][0] if axis is not None and axis in self.of else ZERO

    def block(self, axis: Axis | None) -> int:
        """The values of an axis in the innermost block."""
        return self.of[axis][2] if axis is not None and axis in self.of else 1


@dataclass(frozen=True)
class Panels:
    """The layout of a packed operand."""

    c: Contraction
    operand: Operand
    axis: Axis | None
    """The axis that panels split; None if all tiles read the same values."""
    size: int
    """Values of the axis in a panel."""
    outer: tuple[Axis, ...]
    """Axes of the operand that are neither its own nor contracted."""
    extents: Mapping[Axis, ex.Expr]
    """The most values along each axis: full panels along its own, full groups along the last
    contracted one."""
    reduced: tuple[Axis, ...]
    type: ElementType
    """The type of values in panels."""
    group: int
    """How many neighbours along the last contracted axis lie side by side."""
    around: Ranges
    """The part of each axis that is packed, inside loops."""
    is_full: bool
    """Whether each tile has one panel that it fills: the last tile begins early."""

    @property
    def length(self) -> ex.Expr:
        """Values along the contracted axes."""
        return ex.product(self.extents[axis] for axis in self.reduced)

    def count(self, axis: Axis) -> ex.Expr:
        """The number of values along an axis."""
        return self.c.extent(axis)

    def step(self, axis: Axis) -> int:
        """Indices along an axis from one of these to the next."""
        return 1

    @property
    def point_size(self) -> ex.Expr:
        """Values of all panels for one point of the outer axes."""
        return (self.extents[self.axis] if self.axis else ex.const(self.size)) * self.length

    @property
    def elements(self) -> ex.Expr:
        """Values of all panels."""
        return ex.product(self.extents[axis] for axis in self.outer) * self.point_size

    def span(self, axis: Axis | None) -> tuple[ex.Expr, ex.Expr]:
        """The begin and the end of an axis."""
        if axis is not None and axis in self.around.of:
            return self.around.of[axis][:2]
        return ZERO, self.c.extent(axis)

    def offset(self, here: Insertion, begin: ex.Expr) -> ex.Expr:
        """The offset of the values of a panel that begins at ``begin``, at the contracted indices.

        With groups, the last one of these begins a group.
        """
        outer, k = (
            flat((here.at[a[-1]] - self.around.begin(a), self.extents[a]) for a in axes)
            for axes in (self.outer, self.reduced)
        )
        first = begin - self.around.begin(self.axis) if self.axis else ZERO
        return outer * self.point_size + first * self.length + k * self.size


def left_of(c: Contraction, axis: Axis, around: Ranges) -> ex.Expr:
    """The most values of an axis inside loops."""
    return ex.const(around.block(axis)) if axis in around.of else c.extent(axis)


def panels(c: Contraction, pack: schedule.PackOp, around: Ranges | None = None) -> Panels:
    """The panels that a pack makes inside the loops around it."""
    around = around or Ranges()
    operand = c.operand(pack.operand.data)
    axis = own if (own := c.own(operand)) in operand.axes else None
    outer, group = tuple(a for a in c.outer if a in operand.axes), pack.count
    extents = {a: left_of(c, a, around) for a in (*outer, *c.reduced)}
    if axis is not None:
        count = left_of(c, axis, around)
        extents[axis] = ex.floordiv(count + (pack.step - 1), pack.step) * pack.step
    # Columns of a matrix have fours side by side, rows all products of a step.
    fours = min(group, BESIDE)
    beside = group if operand is c.left else fours
    if group > 1:
        last = c.reduced[-1]
        extents[last] = ex.floordiv(extents[last] + (fours - 1), fours) * fours
    is_one = axis in around.of and around.block(axis) == pack.step
    most = c.extent(axis).constant
    return Panels(
        *(c, operand, axis, pack.step, outer, extents, c.reduced, type_of(c, operand, group)),
        *(beside, around, is_one and most is not None and most >= pack.step),
    )


def base_of(c: Contraction, operand: Operand, axis: Axis | None, around: Ranges) -> ex.Expr:
    """The begin of a tile that reads an operand in place: the last one is early, to stay in it."""
    begin, size, extent = around.begin(axis), around.block(axis), c.extent(axis)
    is_inside = axis not in operand.axes or ex.mod(extent, size) == 0
    return begin if is_inside else ex.minimum(begin, extent - size)


@dataclass(frozen=True)
class Packing(Panels):
    """Panels in a buffer, and the loops that write them."""

    buffer: SSAValue

    def write(self, here: Insertion) -> None:
        """Copy the operand into its panels: full ones, then one that is not.

        A panel of one tile has the values of this tile.
        """
        extent = self.c.extent(self.axis)
        is_inside = bool(self.around.of)
        kind = "serial" if is_inside else "parallel"
        for axis in self.outer:
            if not is_inside or self.extents[axis] != 1:
                here = self._along(axis, here, kind)
        if self.is_full:
            base = base_of(self.c, self.operand, self.axis, self.around)
            self._fill(here, base, self.around.begin(self.axis), True)
            return
        begin, end = self.span(self.axis)
        full = ex.floordiv(extent, self.size) * self.size
        parts = [(begin, full), (full, end)]
        if end != extent:
            parts = [(begin, ex.minimum(full, end)), (ex.maximum(begin, full), end)]
        for (lower, upper), is_full in zip(parts, (True, False), strict=True):
            if lower != upper and (is_full or full != extent):
                inside = here.loop(lower, upper, kind, self.size)
                first = inside.variable()
                self._fill(inside, first, first, is_full)

    def _fill(self, here: Insertion, first: ex.Expr, begin: ex.Expr, is_full: bool) -> None:
        """Fill the panel that begins at ``begin`` with values from ``first`` on."""
        if self.group == PRODUCTS:
            self._copy_rows(here, first, begin, is_full)
        elif self.group > 1 and self._is_computed_along_chain:
            self._compute_rows(here, first, begin, is_full)
        elif self.group > 1:
            self._copy_groups(here, first, begin, is_full)
        elif is_full and self._widens:
            self._widen(here, first, begin)
        elif self.c.runs_along_chain(self.operand):
            self._transpose(here, first, begin, is_full)
        elif is_full and self._is_computed_along_chain:
            self._compute_rows(here, first, begin, is_full)
        else:
            self._copy(here, first, begin, is_full)

    def _along(self, axis: Axis, here: Insertion, kind: str) -> Insertion:
        return here.loop(*self.span(axis), kind, along=axis)

    def _copy(self, here: Insertion, first: ex.Expr, begin: ex.Expr, is_full: bool) -> None:
        """Fill one panel value by value; its last value repeats where it is not full."""
        # Axes with longer steps in the operand are outside.
        steps = {axis: self.c.stride(self.operand, axis) for axis in self.reduced}
        for axis in sorted(steps, key=lambda a: -((s.constant or 0) if (s := steps[a]) else 0)):
            here = self._along(axis, here, "serial")
        at = self.offset(here, begin)
        for inside in self._along_panel(here, first, is_full):
            value = computed(self.c, self.operand, inside)
            inside.write(value, self.buffer, at + inside.variable())

    def _copy_groups(
        self, outside: Insertion, first: ex.Expr, begin: ex.Expr, is_full: bool
    ) -> None:
        """Fill one panel a group at a time; 0 fills up the last group."""
        *others, chain = self.reduced
        buffer, group = self.buffer, self.group
        dim, extent = chain[-1], self.c.extent(chain)
        full = ex.floordiv(extent, group) * group
        for axis in others:
            outside = self._along(axis, outside, "serial")
        here = outside.loop(0, full, "serial", group)
        k = here.at[dim] = here.variable()
        at = self.offset(here, begin)
        for inside in self._along_panel(here, first, is_full):
            for number in range(group):
                inside.at[dim] = k + number
                value = inside.cast(computed(self.c, self.operand, inside), self.type)
                inside.write(value, buffer, at + inside.variable() * group + number)
        if full == extent:
            return
        here = outside.loop(full, extent, "serial", group, along=chain)
        at = self.offset(here, begin)
        here = here.loop(0, self.size * group, "vector")
        here.write(here.constant(0, self.type), buffer, at + here.variable())
        here = outside.loop(full, extent, "serial")
        k, here.at[dim] = here.variable(), full
        at = self.offset(here, begin) + (k - full)
        here.at[dim] = k
        for inside in self._along_panel(here, first, is_full):
            value = inside.cast(computed(self.c, self.operand, inside), self.type)
            inside.write(value, buffer, at + inside.variable() * group)

    def _copy_rows(self, outside: Insertion, first: ex.Expr, begin: ex.Expr, is_full: bool) -> None:
        """Fill one panel row by row, the products of a step of each; 0 fills up the last four."""
        *others, chain = self.reduced
        start, extent, last = ZERO, self.c.extent(chain), self.extents[chain]
        for axis in others:
            outside = self._along(axis, outside, "serial")
        if (size := matrix_block(self.c)) is not None:
            outside = outside.loop(0, extent, "serial", size)
            start, extent = outside.variable(), outside.variable() + size
            last = extent
        here = outside.loop(start, extent, "serial", self.group)
        k = here.at[chain[-1]] = here.variable()
        at, width = self.offset(here, begin), ex.minimum(last - k, self.group)
        for inside in self._along_panel(here, first, is_full, "serial"):
            row, count = at + inside.variable() * width, ex.minimum(extent - k, self.group)
            copied = inside.loop(0, count, "vector")
            copied.at[chain[-1]] = k + copied.variable()
            value = copied.cast(computed(self.c, self.operand, copied), self.type)
            copied.write(value, self.buffer, row + copied.variable())
            if extent != last:
                behind = inside.loop(count, width, "vector")
                behind.write(behind.constant(0, self.type), self.buffer, row + behind.variable())

    def _along_panel(
        self, here: Insertion, first: ex.Expr, is_full: bool, kind: str = "vector"
    ) -> Iterator[Insertion]:
        """Loops over the values of a panel from ``first`` on, and over those that repeat the last.

        With a minimum in the index instead, C compilers gather values one by one.
        """
        extent, size = self.c.extent(self.axis), ex.const(self.size)
        count = size if is_full or self.axis is None else extent - first
        inside = here.loop(0, count, kind)
        if self.axis is not None:
            inside.at[self.axis[-1]] = first + inside.variable()
        yield inside
        if count != size and self.axis is not None:
            inside = here.loop(count, size, kind)
            inside.at[self.axis[-1]] = extent - 1
            yield inside

    @property
    def _widens(self) -> bool:
        """Whether values are those of f16 or bf16 that are contiguous in a panel or a chain."""
        load, axis = self.operand.load, self.axis
        if load is None or load.default is not None or scalar_type(load.result) not in NARROW:
            return False
        if self.type is not el.F32 or axis is None or len(self.reduced) != 1:
            return False
        steps = [self.c.stride(self.operand, a) for a in (axis, *self.reduced)]
        return None not in steps and 1 in [step.constant for step in steps if step is not None]

    def _widen(self, here: Insertion, first: ex.Expr, begin: ex.Expr) -> None:
        """Fill one panel with values of f16 or bf16, converted a row at a time.

        Rows along the contracted axis are transposed afterwards, some values of each at a time.
        """
        (chain,), load, axis = self.reduced, self.operand.load, self.axis
        assert load is not None and axis is not None
        start, end = self.span(chain)
        size, offset = ex.const(self.size), self.c.offsets[load]
        here.at[axis[-1]] = first
        if self.c.stride(self.operand, axis) == 1:
            here = self._along(chain, here, "serial")
            at = self.offset(here, begin)
            self._convert(here, offset.substitute(here.at), size, here.view(self.buffer, at))
            return
        rows = here.local(self.type, self.size * VECTOR)
        here = here.loop(start, end, "serial", VECTOR, along=chain)
        count = ex.minimum(end - here.variable(), VECTOR)
        stride = self.c.stride(self.operand, axis)
        assert stride is not None
        inside = here.loop(0, size, "serial")
        row, source = inside.variable(), offset.substitute(here.at)
        self._convert(inside, source + row * stride, count, inside.view(rows, row * VECTOR))
        index = (ex.const(0), ex.const(VECTOR), self.offset(here, begin), size, size, count)
        here.transpose(rows, self.buffer, index)

    @property
    def _is_computed_along_chain(self) -> bool:
        """Whether values are computed of what is contiguous in the chain and not in a panel."""
        loads = [op for op in self.operand.ops if isinstance(op, kernel.LoadOp)]
        functions = {op.function.data for op in self.operand.ops if isinstance(op, body.ApplyOp)}
        is_f32 = self.group == 1 and self.type is el.F32
        is_any = is_f32 or (self.group > 1 and not functions <= {"cast"})
        if self.axis is None or not self.reduced or not is_any or any(op.default for op in loads):
            return False
        offsets = [self.c.offsets[op] for op in loads]
        across, along = (
            [e.coefficient(a[-1]) for e in offsets] for a in (self.axis, self.reduced[-1])
        )
        is_far = None not in across and 1 not in across
        return is_far and 1 in along and all(s in (0, 1) for s in along)

    def _compute_rows(self, here: Insertion, first: ex.Expr, begin: ex.Expr, is_full: bool) -> None:
        """Fill one panel with values computed in vectors along the chain, which are moved then."""
        *others, chain = self.reduced
        for axis in others:
            here = self._along(axis, here, "serial")
        (start, end), size = self.span(chain), ex.const(self.size)
        step = WIDEST // self.type.bytes
        rows = here.local(self.type, self.size * step)
        here = here.loop(start, end, "serial", step)
        k = here.at[chain[-1]] = here.variable()
        is_even = ex.mod(end - start, step) == 0
        count = ex.const(step) if is_even else ex.minimum(end - k, step)
        for inside in self._along_panel(here, first, is_full, "serial"):
            row = inside.variable()
            inside = inside.loop(0, count, "vector")
            inside.at[chain[-1]] = k + inside.variable()
            value = inside.cast(computed(self.c, self.operand, inside), self.type)
            inside.write(value, rows, row * step + inside.variable())
        if self.group == 1:
            index = (ex.const(0), ex.const(step), self.offset(here, begin), size, size, count)
            here.transpose(rows, self.buffer, index)
            return
        if ex.mod(end - start, self.group) != 0:
            inside = here.loop(0, size, "serial")
            filled = ex.floordiv(count + (self.group - 1), self.group) * self.group
            row, inside = inside.variable(), inside.loop(count, filled, "vector")
            zero = inside.constant(0, self.type)
            inside.write(zero, rows, row * step + inside.variable())
        here = here.loop(0, count, "serial", self.group)
        of_group, here.at[chain[-1]] = here.variable(), k + here.variable()
        at, here = self.offset(here, begin), here.loop(0, size, "vector")
        for number in range(self.group):
            value = here.read(rows, here.variable() * step + of_group + number)
            here.write(value, self.buffer, at + here.variable() * self.group + number)

    def _convert(self, here: Insertion, source: ex.Expr, count: ex.Expr, wide: SSAValue) -> None:
        load = self.operand.load
        assert load is not None
        index, dims = here.over((source, count))
        here.block.add_op(loop.WidenOp.of((load.source, wide), index, dims))

    def _transpose(self, here: Insertion, first: ex.Expr, begin: ex.Expr, is_full: bool) -> None:
        """Fill one panel by a transposition: memory runs along the contracted axis.

        The last value of the axis repeats in a panel that is not full.
        """
        (chain,), load = self.reduced, self.operand.load
        start, end = self.span(chain)
        stride = self.c.stride(self.operand, self.axis)
        assert load is not None and self.axis is not None and stride is not None
        here.at |= {chain[-1]: start, self.axis[-1]: first}
        source, size = self.c.offsets[load].substitute(here.at), ex.const(self.size)
        last = self.c.extent(self.axis) - 1
        count = size if is_full else last + 1 - first
        index = (source, stride, self.offset(here, begin), size, count, end - start)
        here.transpose(load.source, self.buffer, index)
        if is_full:
            return
        here = self._along(chain, here, "serial")
        at, here.at[self.axis[-1]] = self.offset(here, begin), last
        value = computed(self.c, self.operand, here)
        here = here.loop(count, size, "vector")
        here.write(value, self.buffer, at + here.variable())


def computed(c: Contraction, operand: Operand, here: Insertion) -> SSAValue:
    """Write a factor, computed from its loads."""
    values = values_of(c)
    values.scalars(operand.ops, here)
    return values.values[operand.value]


def values_of(c: Contraction) -> NestValues:
    """Writes the scalars of a contraction."""
    values = NestValues(c.nest)
    values.offsets = c.offsets
    return values


def flat(axes: Iterable[tuple[ex.Expr, ex.Expr]]) -> ex.Expr:
    """The index in merged axes, from the index and the extent of each."""
    at = ZERO
    for index, extent in axes:
        at = at * extent + index
    return at


def values_ahead(
    c: Contraction, operand: Operand, here: Insertion, begin: ex.Expr, base: ex.Expr
) -> tuple[Insertion, ex.Expr]:
    """Count the values of a contracted axis before a cache line of an operand; a variable.

    ``begin`` is where the chain begins, and ``base`` where the tile does on the operand's own axis.
    """
    load, axis = operand.load, c.own(operand)
    assert load is not None and axis is not None
    at = {**here.at, c.chain[-1]: begin, axis[-1]: base}
    (index,), dims = here.over((c.offsets[load].substitute(at),))
    here = here.bind(here.add(loop.AheadOp.of(load.source, index, dims)))
    return here, here.variable()
