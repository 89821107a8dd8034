"""Loops that carry tensors of changing shape, as padded buffers with their sizes.

::

    carried x [N]  -->  x padded to [c], c a capacity, and N as an i64

    body: s = data-dependent extent of the size; x[:s]; ...; y [2*s] padded to [c], and 2*s

Axes that have equal extents at first and later share a size.  Stacked results with an extent that
the body computes are padded alike; the extent must be the same in every iteration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from xdsl.ir import Operation, SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.data_extent import DataExtentOp, data_extents
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import Shape, Tensor, element, shape_of, tensor_of, tensor_type
from opc.frontend.models import known as kn
from opc.frontend.models.bodies import Outlined, change_results
from opc.frontend.models.compaction import kept
from opc.frontend.models.containers import Held, Ragged
from opc.frontend.models.op_builder import Builder, Result
from opc.frontend.models.parts import beginning, filled
from opc.frontend.models.traced import NodeTrace, gathered

from .node import Node

Axis: TypeAlias = "tuple[int, int]"
"""The index of a carried value, and one of its axes."""
AHEAD = 1
"""The number of arguments of a body before the carried ones: the iteration number."""
Within: TypeAlias = "tuple[ex.Expr, ex.Expr]"
"""An extent, and the capacity for it."""


@dataclass(frozen=True)
class Size:
    """A changing extent: its axes, first value, symbol and capacity."""

    axes: tuple[Axis, ...]
    first: ex.Expr
    symbol: ex.Expr
    capacity: ex.Expr
    name: str
    """The name of the capacity in the public function."""

    def bounded(self, capacity: ex.Expr, name: str) -> Size:
        """The size with a capacity."""
        return replace(self, capacity=capacity, name=name)

    def data_extent(self, builder: Builder, symbol: str, number: SSAValue) -> ex.Expr:
        """Define ``symbol`` as the extent that ``number`` holds."""
        builder.insert(DataExtentOp.of(number, self.capacity, symbol, self.name))
        return ex.sym(symbol)

    def later(self, results: Sequence[Tensor]) -> set[ex.Expr]:
        """The extents of its axes after an iteration: one unless they diverge."""
        return {shape_of(results[k])[axis] for k, axis in self.axes}


@dataclass(frozen=True)
class Growing:
    """A loop rewritten to carry buffers and sizes."""

    body: Outlined
    carried: list[SSAValue]
    """Initial values: the condition, buffers, then sizes."""
    shapes: list[Shape]
    """Shapes of the original carried values, with the symbols of sizes."""
    sizes: list[Size]
    ragged: list[Size]
    """Computed extents of stacked results, one axis each."""

    def results(self, node: Node, outputs: Sequence[SSAValue], *, apart: bool) -> list[Result]:
        """The results of the original loop; ``outputs`` lacks the condition.

        With ``apart``, stacked values that may differ in an extent become a sequence.
        """
        shapes = self.shapes[1:]
        count = len(shapes)
        last = {
            size.symbol: node.data_extent_within(outputs[count + k], size.capacity, size.name)
            for k, size in enumerate(self.sizes)
        }
        values = [cut(node, v, shape, last) for v, shape in zip(outputs, shapes, strict=False)]
        stacked: list[Result] = list(outputs[count + len(self.sizes) :])
        every = [node.tensor(stacked.pop()) for _ in self.ragged][::-1]
        for size, numbers in zip(self.ragged, every, strict=True):
            ((k, axis),) = size.axes
            k -= len(self.shapes)
            buffer = stacked[k]
            if isinstance(buffer, Ragged) or not isinstance(buffer, SSAValue):
                raise node.unsupported("values of a sequence differ in several extents")
            type = element(tensor_of(buffer))
            value = Ragged(type, stack=buffer, sizes=numbers, axis=axis, capacity=size.name)
            stacked[k] = value if apart else uniform(node, value)
        return [*values, *stacked]


def uniform(node: Node, value: Ragged) -> SSAValue:
    """The values of a sequence stacked; their extents must be equal at run time."""
    most = shape_of(tensor_of(value.stack))[1 + value.axis]
    own = node.data_extent_within(_one_of(node, value.sizes), most, value.capacity)
    return beginning(node, value.stack, {1 + value.axis: own})


def element_at(node: Node, value: Ragged, index: SSAValue) -> SSAValue:
    """The value of a sequence at an index, an i64 of rank 0."""
    most = shape_of(tensor_of(value.stack))[1 + value.axis]
    size = node.add(GatherOp(value.sizes, index, axes=[0]))
    own = node.data_extent_within(size, most, value.capacity)
    return beginning(node, node.add(GatherOp(value.stack, index, axes=[0])), {value.axis: own})


def one_behind_the_other(node: Node, value: Ragged) -> SSAValue:
    """The values of a sequence concatenated along the axis in which they differ."""
    stack, sizes = map(node.trace.array, (value.stack, value.sizes))
    lines = onp.moveaxis(stack, 1 + value.axis, 1)
    count, room, *shape = lines.extents
    marks = node.trace.positions(room) < sizes.reshape((count, 1))
    places = kept(marks.reshape((count * room,)))
    packed = gathered(lines.reshape((count * room, *shape)), [0], places)
    return onp.moveaxis(packed, 0, value.axis).value


def _one_of(builder: Builder, numbers: SSAValue) -> SSAValue:
    """The common value of numbers: 0 if there are none, -1 if they differ."""
    values: Any = NodeTrace(builder).array(numbers)
    most = onp.max(onp.concatenate([values.trace.constant([0], el.I64), values]), 0)
    return onp.where(onp.all(values == most, 0), most, -1).value


def is_ragged(body: Outlined, count: int) -> bool:
    """Whether a body computes extents of stacked results, those from ``count`` on."""
    return bool(_ragged(body, count, set()))


def _ragged(body: Outlined, count: int, names: set[str]) -> list[Axis]:
    """The axes of stacked results whose extents are data-dependent or use ``names``."""
    from_data = names | {op.defined for op in data_extents(body.body.body.block)}
    return [
        (k, axis)
        for k, type in enumerate(body.results)
        for axis, e in enumerate(shape_of(type))
        if k >= count and e.symbols() & from_data
    ]


def growing(
    node: Node, carried: list[SSAValue], body: Outlined, sequences: Sequence[Held | None]
) -> Growing | None:
    """The rewritten loop; None unless its body changes extents, and only these.

    ``sequences`` are the sequences among the states, whose values are carried one by one.
    """
    if len(body.types) < len(carried):
        return None
    outlined, sizes, shapes = body, list[Size](), [shape_of(tensor_of(v)) for v in carried]
    changed, together = _changed(carried, body.types, {}), True
    while changed:
        sizes = _sizes(node, carried, changed, together)
        symbols = {axis: size.symbol for size in sizes for axis in size.axes}
        shapes = [_shape(v, k, symbols) for k, v in enumerate(carried)]
        pairs = [(tensor_of(v).element_type, s) for v, s in zip(carried, shapes, strict=True)]
        types = [tensor_type(type, shape) for type, shape in pairs]
        types.insert(0, tensor_type(el.I64, ()))
        outlined = node.outline("body", types, [None, None, *sequences])
        more = _changed(carried, outlined.types, symbols)
        if more == changed and all(len(size.later(outlined.results)) == 1 for size in sizes):
            break
        if not more:
            return None
        together &= more != changed
        changed = more
    axes = _ragged(outlined, len(carried), {n for size in sizes for n in size.symbol.symbols()})
    if not sizes and not axes:
        return None
    ragged = [_size(node, [axis], ex.const(0)) for axis in axes]
    sizes, ragged = ([s.bounded(*node.capacity()) for s in group] for group in (sizes, ragged))
    first = _first(node, carried, shapes, sizes)
    buffered = _buffered(node, outlined, len(carried), sizes, ragged)
    return Growing(buffered, first, shapes, sizes, ragged)


def _changed(
    carried: Sequence[SSAValue], types: Sequence[Tensor], known: Mapping[Axis, ex.Expr]
) -> set[Axis]:
    """The axes whose extents change; empty if element types or ranks change."""
    axes = set(known)
    for k, (value, later) in enumerate(zip(carried, types, strict=False)):
        first = tensor_of(value)
        if first.element_type != later.element_type or len(shape_of(first)) != len(shape_of(later)):
            return set()
        pairs = enumerate(zip(shape_of(first), shape_of(later), strict=True))
        axes |= {(k, axis) for axis, (a, b) in pairs if a != b}
    return axes


def _sizes(
    node: Node, carried: Sequence[SSAValue], changed: set[Axis], together: bool
) -> list[Size]:
    """Sizes of axes: shared by those with one first extent if ``together``, else one each."""
    groups: dict[object, list[Axis]] = {}
    for k, axis in sorted(changed):
        key = shape_of(tensor_of(carried[k]))[axis] if together else (k, axis)
        groups.setdefault(key, []).append((k, axis))
    firsts = [shape_of(tensor_of(carried[axes[0][0]]))[axes[0][1]] for axes in groups.values()]
    return [_size(node, axes, e) for axes, e in zip(groups.values(), firsts, strict=True)]


def _size(node: Node, axes: Sequence[Axis], first: ex.Expr) -> Size:
    """A size without a capacity."""
    return Size(tuple(axes), first, ex.sym(node.symbol()), ex.const(0), "")


def _shape(value: SSAValue, k: int, symbols: Mapping[Axis, ex.Expr]) -> Shape:
    return tuple(symbols.get((k, axis), e) for axis, e in enumerate(shape_of(tensor_of(value))))


def _first(
    node: Node, carried: Sequence[SSAValue], shapes: Sequence[Shape], sizes: Sequence[Size]
) -> list[SSAValue]:
    numbers = [node.tensor(kn.of([size.first], ())) for size in sizes]
    extents = {
        size.symbol: (node.data_extent_within(number, size.capacity, size.name), size.capacity)
        for size, number in zip(sizes, numbers, strict=True)
    }
    buffers = [room(node, v, s, extents) for v, s in zip(carried, shapes, strict=True)]
    return [*buffers, *numbers]


def room(
    builder: Builder, x: SSAValue, shape: Shape, extents: Mapping[ex.Expr, Within]
) -> SSAValue:
    """x padded with zeros where ``extents`` has the extents of ``shape``."""
    x = cut(builder, x, shape, {e: own for e, (own, _) in extents.items()})
    for axis, e in enumerate(shape):
        if e in extents:
            own, capacity = extents[e]
            zero = builder.constant(0, element(tensor_of(x)))
            x = filled(builder, x, axis, 0, capacity - own, zero)
    return x


def cut(
    builder: Builder, x: SSAValue, shape: Shape, extents: Mapping[ex.Expr, ex.Expr]
) -> SSAValue:
    """x sliced where ``extents`` has the extents of ``shape``."""
    return beginning(builder, x, {k: extents[e] for k, e in enumerate(shape) if e in extents})


def _buffered(
    node: Node, body: Outlined, count: int, sizes: Sequence[Size], ragged: Sequence[Size]
) -> Outlined:
    """The body over buffers, with sizes behind the ``count`` carried values."""
    block = body.body.body.block
    first, back = block.first_op, block.last_op
    assert first is not None and back is not None

    def insert(op: Operation) -> None:
        op.location = back.location
        block.insert_op_before(op, first)

    opening = Builder(insert)
    sizes = [size.bounded(ex.sym(node.symbol()), size.name) for size in sizes]
    symbols = {axis: size.symbol for size in sizes for axis in size.axes}
    for k, size in enumerate(sizes):
        # The symbol in argument shapes is now defined by the size.
        number = block.insert_arg(tensor_type(el.I64, ()), AHEAD + count + k)
        size.data_extent(opening, str(size.symbol.symbol()), number)
    shapes = [_shape(block.args[AHEAD + k], k, symbols) for k in range(count)]
    own = {size.symbol: size.symbol for size in sizes}
    extents = {size.symbol: size.capacity for size in sizes}
    # Before results are computed: a result may be another argument.
    for k, shape in enumerate(shapes):
        if not extents.keys().isdisjoint(shape):
            argument = block.args[AHEAD + k]
            type = tensor_type(tensor_of(argument).element_type, [extents.get(e, e) for e in shape])
            buffer = block.insert_arg(type, AHEAD + k)
            argument.replace_all_uses_with(cut(opening, buffer, shape, own))
            block.erase_arg(argument)

    def filled_up(closing: Builder, results: list[SSAValue]) -> list[SSAValue]:
        """Results in buffers, then sizes; sizes of stacked results are behind them."""
        # Empty tensors, the last arguments of the body, carry the capacities of stacked results.
        for size in ragged:
            inside = size.bounded(ex.sym(node.symbol()), size.name)
            block.insert_arg(tensor_type(el.I1, (inside.capacity, 0)), len(block.args))
            ((k, axis),) = size.axes
            shape = list(shape_of(tensor_of(results[k])))
            number = closing.tensor(kn.of([shape[axis]], ()))
            shape[axis] = size.symbol
            within = (inside.data_extent(closing, node.symbol(), number), inside.capacity)
            results[k] = room(closing, results[k], tuple(shape), {size.symbol: within})
            results.append(number)
        later: dict[ex.Expr, Within] = {}
        numbers: list[SSAValue] = []
        for size in sizes:
            (extent,) = size.later([tensor_of(v) for v in results])
            numbers.append(closing.tensor(kn.of([extent], ())))
            extent = size.data_extent(closing, node.symbol(), numbers[-1])
            later[size.symbol] = extent, size.capacity
        for k, shape in enumerate(shapes):
            results[k] = room(closing, results[k], shape, later)
        return [*results[:count], *numbers, *results[count:]]

    change_results(body.body, filled_up)
    captured = [*body.captured, *(node.without_elements([size.capacity]) for size in ragged)]
    return replace(body, captured=captured, types=body.results)
