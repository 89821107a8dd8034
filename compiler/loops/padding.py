"""Copy an operand into a buffer with its padding, from which tiles read.

The padding is written first, over the whole buffer and what a tile may read behind it, then the
source.  If the source runs along the axis before the innermost one, blocks of it are transposed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from xdsl.ir import SSAValue

from opc.dialects import body, schedule
from opc.dialects import expr as ex
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.layout import linearize
from opc.dialects.matrix_ops import BESIDE, PRODUCTS
from opc.dialects.schedule import Axis
from opc.schedule.contraction import Contraction, Operand
from opc.schedule.nest_trees import block_of
from opc.schedule.product_groups import matrix_chain, type_of
from opc.schedule.unpadded import cut
from opc.schedule.window import Window
from opc.support.target import PHASES, TURNED_WINDOW

from .chains import left_in
from .insertion import ZERO, Insertion
from .packing import Packing, Panels, Ranges, left_of


@dataclass(frozen=True)
class Padded:
    """The layout of an operand with its padding."""

    operand: Operand
    window: Window
    within: frozenset[int]
    """Axes of the source along which every window is inside."""
    steps: Mapping[Axis, ex.Expr | None]
    """The step of rows and of columns; None where it differs."""
    spare: ex.Expr
    """Values behind, for a tile that goes on beyond the last row, column or group."""
    type: ElementType
    """The type of values in the buffer."""
    is_part: bool
    """Whether it has only the part that loops around read."""

    @property
    def is_converted(self) -> bool:
        """Whether the buffer has another type than the source."""
        return scalar_type(self.window.load.result) is not self.type

    @property
    def elements(self) -> ex.Expr:
        """The number of values."""
        return self.window.elements + self.spare


def pads(
    c: Contraction, pad: schedule.PadOp, tree: schedule.TreeOp, around: Ranges | None = None
) -> Padded:
    """The layout that a pad makes inside the loops around it."""
    operand = c.operand(pad.operand.data)
    full = c.window(operand)
    assert full is not None
    if pad.count == PRODUCTS and len(matrix_chain(c)) > 1:
        # Steps go on from one value of the axis before to the next.
        full = replace(full, gap=-(c.extent(c.reduced[-1]).constant or 0) % BESIDE)
    left = around or Ranges()
    part = full.part(
        {axis[-1]: (begin, c.extent(axis) - size) for axis, (begin, _, size) in left.of.items()}
    )
    window = cut(full, part, left_in(c, tree).values())
    # Strides are those of the part; offsets have only dimensions as variables.
    at, spare = replace(window, origin=full.origin).at, ZERO
    steps = {axis: at.coefficient(axis[-1]) for axis in (c.row, c.column) if axis}
    for axis in steps:
        count, size = left_of(c, axis, left).constant, block_of(tree, axis)
        spare += _reach(window, axis, size - 1 if count is None else -count % size)
    # A group of many has what is left over of the axis at its end, in fours.
    group = min(pad.count, BESIDE)
    if group > 1 and ex.mod(c.extent(c.reduced[-1]), group) != 0:
        spare += group - 1
    type = type_of(c, operand, pad.count)
    within = full.within | window.within
    return Padded(operand, window, within, steps, spare, type, around is not None)


def _reach(window: Window, axis: Axis, count: int) -> ex.Expr:
    """How far behind a window ``count`` more values of an axis read, at most."""
    reach = ZERO
    for k, e in enumerate(window.index):
        ahead = (e.coefficient(axis[-1]) or ZERO) * count
        if k == window.inner:
            # Neighbours in a phase are ``phases`` values apart.
            ahead = ex.floordiv(ahead + (window.phases - 1), window.phases)
        reach += ahead * window.strides[k]
    return reach


@dataclass(frozen=True)
class Padding(Padded):
    """A padded operand in a buffer, and the loops that write it."""

    buffer: SSAValue

    def offset(self, at: Mapping[int, ex.Expr]) -> ex.Expr:
        """The offset of a value, from the dimensions of the nest."""
        return self.window.offset(tuple(e.substitute(at) for e in self.window.index))

    def from_first(self, counts: Mapping[Axis, ex.Expr]) -> ex.Expr:
        """The distance of a point from the first one of its tile, by its index along axes."""
        return sum((count * (self.steps[axis] or ZERO) for axis, count in counts.items()), ZERO)

    def write(self, here: Insertion) -> None:
        """Write the loops that lay the operand out."""
        window, at = self.window, dict[int, ex.Expr]()
        if self.spare != 0:
            # Tiles drop what they compute of it, but must not read memory that was never written.
            behind = here.loop(window.elements, self.elements, "vector")
            self._fill(behind, behind.variable())
        if window.elements == 0:
            return
        if window.load.default is not None or window.phases > 1 or 0 < window.gap < BESIDE:
            here = self._fill_around(here, at)
        if not window.is_padding:
            self._copy(here, at)

    def _fill_around(self, here: Insertion, at: dict[int, ex.Expr]) -> Insertion:
        """Write the padding along all axes but the last one, or two if they are transposed.

        At each index along these axes, values are filled, then copied to while they are in a cache.
        Where extents are known, only values that are not copied to are filled.  Bounds of loops are
        numbers then: C compilers see how few iterations there are.
        """
        window, first = self.window, ZERO
        for axis in window.order[: -2 if self._is_transposed else -1]:
            step, extent, origin = window.strides[axis], window.extents[axis], window.origin[axis]
            begin, end = (e - origin for e in window.inside(axis))
            # A window may end before the source begins, or begin behind it.
            before = ex.minimum(begin, extent)
            for a, b in ((ZERO, before), (ex.maximum(end, before), extent)):
                if a != b and axis not in self.within:
                    outside = here.loop(a * step, b * step, "vector")
                    self._fill(outside, first + outside.variable())
            here = self._along(axis, here, at)
            first += (at[axis] - origin) * step
        for a, b in self._margins(window.strides[window.order[len(at) - 1]] if at else None):
            if (b - a).constant == 1:
                self._fill(here, first + a)
                continue
            margin = here.loop(a, b, "vector")
            self._fill(margin, first + margin.variable())
        return here

    def _margins(self, size: ex.Expr | None) -> list[tuple[ex.Expr, ex.Expr]]:
        """The ranges of a row, or of rows that are transposed, that no copy writes.

        That is ``size`` values along the innermost axis, or two, or all.
        """
        window, copied = self.window, _copied(self.window)
        every = (ZERO, window.elements if size is None else size)
        if self._is_transposed:
            rows = _known(window, window.order[-2])
            # No tile reads a gap of whole cache lines.
            end = window.pitch - (window.gap if window.gap >= BESIDE else 0)
            if rows is None or copied is None or end != copied[1] or copied[0]:
                return [every]
            first, last = (row * window.pitch for row in rows)
            return [(a, b) for a, b in ((ZERO, first), (last, every[1])) if a != b]
        if copied is None:
            return [every]
        phase = window.phase
        ends = [phase * (k + 1) for k in range(window.phases - 1)] + [window.pitch]
        margins = list[tuple[ex.Expr, ex.Expr]]()
        for k, end in enumerate(ends):
            first, last = (-(-(e - k) // window.phases) for e in copied)
            margins += [(phase * k, phase * k + first), (phase * k + last, end)]
        return [(a, b) for a, b in margins if a != b]

    def _along(self, axis: int, here: Insertion, at: dict[int, ex.Expr]) -> Insertion:
        """A loop over the values of the source along an axis, whose index goes into ``at``."""
        if axis in self.within and self.window.extents[axis] == 1:
            at[axis] = self.window.origin[axis]
            return here
        is_outermost = all(self.window.extents[k] == 1 for k in at)
        is_shared = is_outermost and not self.is_part
        here = here.loop(*self.window.inside(axis), "parallel" if is_shared else "serial")
        at[axis] = here.variable()
        return here

    @property
    def _is_transposed(self) -> bool:
        """Whether the source runs along the axis before the innermost one."""
        window, last = self.window, len(self.window.source) - 1
        return window.phases == 1 and window.inner != last and window.order[-2] == last

    def _fill(self, here: Insertion, index: ex.Expr) -> None:
        """Write the padding, or 0."""
        load, number = self.window.load, 0
        if load.default is not None:
            default = {"value": load.default}
            number = body.ConstantOp(properties=default, result_types=[load.result.type]).number
        here.write(here.add(body.ConstantOp.of(number, self.type)), self.buffer, index)

    def _copy(self, here: Insertion, at: dict[int, ex.Expr]) -> None:
        """Copy the source, along all axes that have no index in ``at`` yet."""
        window, is_converted = self.window, self.is_converted
        is_known = not is_converted or bool(window.extents[window.inner].constant)
        is_transposed = self._is_transposed and is_known
        for axis in window.order[: -2 if is_transposed else -1]:
            if axis not in at:
                here = self._along(axis, here, at)
        if is_transposed:
            (self._transpose_converted if is_converted else self._transpose)(here, at)
            return
        for inside, innermost in _along_inner(window, here):
            index = {**at, window.inner: innermost}
            self._store(inside.read(window.load.source, self._source(index)), inside, index)

    def _source(self, at: Mapping[int, ex.Expr]) -> ex.Expr:
        """The offset in the source, from the index along each of its axes."""
        return linearize(_in_order(at), self.window.source)

    def _store(self, value: SSAValue, here: Insertion, at: Mapping[int, ex.Expr]) -> None:
        here.write(here.cast(value, self.type), self.buffer, self.window.offset(_in_order(at)))

    def _transpose(self, here: Insertion, at: dict[int, ex.Expr]) -> None:
        """Transpose the last axis of the source and the innermost one."""
        window, last = self.window, len(self.window.source) - 1
        bounds = {axis: _block(window, axis) for axis in (window.inner, last)}
        at |= {axis: begin for axis, (begin, _) in bounds.items()}
        to = window.offset(_in_order(at)), window.strides[last]
        counts = (count for _, count in bounds.values())
        index = self._source(at), _apart(window), *to, *counts
        here.transpose(window.load.source, self.buffer, index)

    def _transpose_converted(self, here: Insertion, at: dict[int, ex.Expr]) -> None:
        """The same into another type: blocks are transposed to an array and converted there."""
        window, last = self.window, len(self.window.source) - 1
        (begin, height), (first, behind) = _block(window, window.inner), window.inside(last)
        depth = window.extents[window.inner].constant
        assert depth
        size = max(1, TURNED_WINDOW // depth)
        here = here.loop(first, behind, "serial", size)
        at |= {window.inner: begin, last: here.variable()}
        columns = ex.minimum(behind - at[last], size)
        tile = here.local(scalar_type(window.load.result), depth * size)
        index = self._source(at), _apart(window), ZERO, ex.const(depth), height, columns
        here.transpose(window.load.source, tile, index)
        here = here.loop(0, columns, "serial")
        column = here.variable()
        here = here.loop(0, height, "vector")
        value = here.read(tile, column * depth + here.variable())
        at |= {window.inner: begin + here.variable(), last: at[last] + column}
        self._store(value, here, at)


def _in_order(at: Mapping[int, ex.Expr]) -> tuple[ex.Expr, ...]:
    """The index along each axis of the source."""
    return tuple(at[k] for k in range(len(at)))


def _apart(window: Window) -> ex.Expr:
    """The step of the innermost axis in the source."""
    return ex.product(window.source[window.inner + 1 :])


def _block(window: Window, axis: int) -> tuple[ex.Expr, ex.Expr]:
    """The begin of a block in the source along an axis, and its number of values.

    An empty block begins in the source, too, or right behind it.
    """
    begin, end = window.inside(axis)
    return ex.minimum(begin, window.source[axis]), ex.maximum(end - begin, 0)


def _copied(window: Window) -> tuple[int, int] | None:
    """The begin and the end of the source in a window along the innermost axis, if both are known.

    None, too, if there are so many phases that a statement for each would be much text.
    """
    return _known(window, window.inner) if window.phases <= PHASES else None


def _known(window: Window, axis: int) -> tuple[int, int] | None:
    """The begin and the end of the source in a window along an axis, if both are known."""
    least, (begin, end) = window.origin[axis], window.inside(axis)
    first, last = (begin - least).constant, (end - least).constant
    return None if first is None or last is None or first >= last else (first, last)


def _along_inner(window: Window, here: Insertion) -> list[tuple[Insertion, ex.Expr]]:
    """Insertion points, in loops or not, that cover the innermost axis, and the index at each."""
    begin, end = window.inside(window.inner)
    apart, least = window.phases, window.origin[window.inner]
    if apart == 1:
        here = here.loop(begin, end, "vector")
        return [(here, here.variable())]
    copied = _copied(window)
    if copied is None:
        here = here.loop(0, apart, "serial")
        phase = here.variable()
        first, last = (ex.floordiv(e - least + (apart - 1) - phase, apart) for e in (begin, end))
        here = here.loop(first, last, "vector")
        return [(here, here.variable() * apart + phase + least)]
    # A loop copies to all phases, so that it reads in order; values at the ends stand alone.
    first, last = copied
    groups = range(-(-first // apart), max(last // apart, -(-first // apart)))
    ends = [*range(first, groups.start * apart), *range(groups.stop * apart, last)]
    points = [(here, least + k) for k in ends if first <= k < last]
    if groups:
        inside = here.loop(groups.start, groups.stop, "vector")
        points += [(inside, inside.variable() * apart + k + least) for k in range(apart)]
    return points


def in_buffer(layout: Panels | Padded, buffer: SSAValue) -> Packing | Padding:
    """An operand with a layout, in a buffer."""
    laid_out = Packing if isinstance(layout, Panels) else Padding
    return laid_out(**vars(layout), buffer=buffer)
