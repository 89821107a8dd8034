"""Sequences and optional values, which legalization eliminates.

Graphs with sequences as inputs or outputs are unsupported.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.budgets import check
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.opc.movement import BroadcastOp
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type
from opc.frontend.models import known as kn
from opc.frontend.models import shaping
from opc.frontend.models.bodies import joined
from opc.frontend.models.containers import Held, Nothing, Ragged, Stacked
from opc.frontend.models.known import Known
from opc.frontend.models.known_values import constant
from opc.frontend.models.op_builder import Result
from opc.frontend.models.traced import extended

from .loop_state import element_at, is_ragged, one_behind_the_other, uniform
from .node import Node
from .schema import element_numbered, onnx


def _stacked(node: Node) -> SSAValue | None:
    """The stacked values of a sequence of data-dependent length, else None."""
    value = node.inputs[0]
    if isinstance(value, Ragged):
        return uniform(node, value)
    return value.stack if isinstance(value, Stacked) else None


Items: TypeAlias = "list[SSAValue | Held | None]"
Place: TypeAlias = "tuple[int, int, int]"
"""Positions of values: for a number before the index, at it, and behind it."""
OUTSIDE = 1 << 40
"""An index outside of any sequence."""


def _items(node: Node) -> Items:
    """The values of the sequence in input 0."""
    value = node.inputs[0]
    if not isinstance(value, Held):
        raise node.error("input 0 is a tensor, expected a sequence")
    if isinstance(value, Stacked):
        raise node.unsupported("the length of the sequence is known only at run time")
    return list(value.items)


def _index(node: Node, position: int, count: int, most: int) -> int | None:
    """An index into ``count`` values, counted from the front; None if data-dependent."""
    known = node.known(position)
    if known is None or known.array.size != 1 or (index := known.exprs[0].constant) is None:
        return None
    if not -count <= index <= most:
        raise node.error(f"position {index} is outside [{-count}, {most}]")
    return index + count if index < 0 else index


def _stack(node: Node, items: Items) -> SSAValue:
    """The values of a sequence, of one shape, along a new axis, for data-dependent indices."""
    values = [node.tensor(v) for v in items if v is not None]
    if not values or len(values) < len(items) or len({v.type for v in values}) > 1:
        raise node.unsupported(
            "the position in the sequence is not known when compiling, and its shapes differ"
        )
    return node.stack(values, 0)


def _placed(
    node: Node, position: int, stack: SSAValue, bounds: tuple[int, int], places: Sequence[Place]
) -> list[SSAValue]:
    """A value for each place: ``before``, ``at`` or ``behind``, by where it is to an index.

    The index is data-dependent; ``bounds`` are the number of values and its greatest value.  An
    index out of range makes the lookups fail at run time.
    """
    trace, (count, most) = node.trace, bounds
    index, values = node.one(position).astype(el.I64), trace.array(stack)
    index = onp.where(index < 0, index + count, index)
    outside = onp.where((index < 0) | (index > most), OUTSIDE, 0)
    chosen: list[SSAValue] = []
    for number, (before, at, behind) in enumerate(places):
        place = onp.where(index < number, behind, onp.where(index > number, before, at))
        chosen.append(trace.emit(GatherOp, values, place + outside, axes=(0,)).value)
    return chosen


@onnx("SequenceConstruct", 11)
def construct(node: Node) -> Result:
    """SequenceConstruct(x, ...) --> a sequence of the inputs."""
    return Held.of(v for v in node.inputs if v is not None)


@onnx("SequenceEmpty", 11)
def empty(node: Node) -> Result:
    """SequenceEmpty --> an empty sequence."""
    number = node.attr("dtype")
    type = el.F32 if number is None else element_numbered(number)
    if type is None:
        raise node.unsupported(f"a sequence of element type {number}")
    return Held.of((), type)


@onnx("SequenceAt", 11)
def at(node: Node) -> Result:
    """SequenceAt(s, position) --> the value there."""
    value = node.inputs[0]
    if isinstance(value, Ragged):
        return element_at(node, value, node.cast(node.reshape(node[1], ()), el.I64))
    stack = _stacked(node)
    if stack is None:
        items = _items(node)
        index = _index(node, 1, len(items), len(items) - 1)
        item = None if index is None else items[index]
        if item is not None:
            return item
        if index is not None:
            raise node.unsupported("the lengths of the parts are not known when compiling")
        stack = _stack(node, items)
    chosen = node.cast(node.reshape(node[1], ()), el.I64)
    return node.add(GatherOp(stack, chosen, axes=[0]))


@onnx("SequenceInsert", 11)
def insert(node: Node) -> Result:
    """SequenceInsert(s, x, position) --> s with x inserted, by default at the end."""
    items = _items(node)
    index = _index(node, 2, len(items), len(items)) if node.has(2) else len(items)
    held = node.inputs[0]
    assert isinstance(held, Held)
    if node.element(1) is not held.type:
        raise node.error(f"{node.element(1)} cannot be in a sequence of {held.type}")
    if index is None:
        count, stack = len(items), _stack(node, [*items, node[1]])
        places = [(k, count, k - 1) for k in range(count + 1)]
        return Held.of(_placed(node, 2, stack, (count, count), places))
    return Held.of([*items[:index], node.value(1), *items[index:]])


@onnx("SequenceErase", 11)
def erase(node: Node) -> Result:
    """SequenceErase(s, position) --> s without a value, by default the last."""
    items = _items(node)
    if not items:
        raise node.error("the sequence is empty")
    index = _index(node, 1, len(items), len(items) - 1) if node.has(1) else -1
    if index is None:
        last = len(items) - 1
        places = [(k, k + 1, k + 1) for k in range(last)]
        values = _placed(node, 1, _stack(node, items), (len(items), last), places)
        return Held.of(values, node.element())
    del items[index]
    return Held.of(items, node.element())


@onnx("SequenceLength", 11)
def length(node: Node) -> Known:
    """SequenceLength(s) --> the number of values."""
    value = node.inputs[0]
    if isinstance(value, Stacked):
        return kn.of([shape_of(tensor_of(value.stack))[0]], ())
    return kn.of([len(_items(node))], ())


@onnx("ConcatFromSequence", 11)
def concat(node: Node) -> Result:
    """ConcatFromSequence(s) {axis, new_axis} --> opc.concat."""
    value = node.inputs[0]
    if isinstance(value, Ragged) and not node.attr("new_axis"):
        rank = len(shape_of(tensor_of(value.stack))) - 1
        if node.axis(node.attr("axis"), rank) == value.axis:
            return one_behind_the_other(node, value)
    stack = _stacked(node)
    if stack is not None:
        is_new, rank = bool(node.attr("new_axis")), len(shape_of(tensor_of(stack))) - 1
        axis = node.axis(node.attr("axis"), rank + is_new)
        x = node.trace.array(stack)
        return onp.moveaxis(x, 0, axis) if is_new else joined(node, stack, axis)
    items = _items(node)
    if not items or None in items:
        raise node.unsupported("the values of the sequence are not known when compiling")
    values = [node.tensor(v) for v in items if v is not None]
    rank, axis = len(shape_of(tensor_of(values[0]))), node.attr("axis")
    if node.attr("new_axis"):
        return node.stack(values, node.axis(axis, rank + 1))
    return node.concat(values, node.axis(axis, rank))


@onnx("SequenceMap", 17)
def mapped(node: Node) -> tuple[Result, ...]:
    """SequenceMap(s, ...) {body} --> the body inlined for each value, or opc.scan of it."""
    if isinstance(node.inputs[0], Stacked):
        return _mapped_over(node)
    lists = [list(v.items) if isinstance(v, Held) else None for v in node.inputs]
    count = len(_items(node))
    if any(items is not None and len(items) != count for items in lists):
        raise node.error("the sequences differ in length")
    rows: list[list[Result]] = []
    for k in range(count):
        arguments: list[Result] = []
        for value, items in zip(node.inputs, lists, strict=True):
            argument = value if items is None else items[k]
            if argument is None:
                raise node.unsupported("the values of the sequence are not known when compiling")
            arguments.append(argument)
        rows.append(node.inline("body", arguments))
    return tuple(Held.of(row[k] for row in rows) for k in range(len(node.op.outputs)))


def _mapped_over(node: Node) -> tuple[Result, ...]:
    """opc.scan of the body over sequences of data-dependent length."""
    scanned: list[SSAValue] = []
    for k, value in enumerate(node.inputs):
        if isinstance(value, Held) and not isinstance(value, Stacked):
            raise node.unsupported("the length of the first sequence is known only at run time")
        if isinstance(value, Ragged):
            raise node.unsupported("the values of a sequence differ in an extent")
        stack = value.stack if isinstance(value, Stacked) else None
        if stack is None:
            # A value common to all iterations is broadcast, which keeps the order of inputs.
            count = shape_of(tensor_of(scanned[0]))[0]
            stack = node.broadcast(node[k], (count, *node.shape(k)))
        scanned.append(stack)
    count = shape_of(tensor_of(scanned[0]))[0]
    for x in scanned[1:]:
        node.require("equal", shape_of(tensor_of(x))[0], count, "the sequences differ in length")
    types = [tensor_type(tensor_of(x).element_type, shape_of(x.type)[1:]) for x in scanned]
    body = node.outline("body", types)
    if is_ragged(body, 0):
        raise node.unsupported("the body computes extents of its results")
    outputs = body.scan(node, count, [], scanned)
    return tuple(Stacked(element(tensor_of(x)), stack=x) for x in outputs)


@onnx("Optional", 15, 28)
def optional(node: Node) -> Result:
    """Optional(x) --> x, or an empty optional."""
    if not node.has(0):
        return Nothing()
    return node.value(0)


@onnx("OptionalGetElement", 15, 18, 28)
def get_element(node: Node) -> Result:
    """OptionalGetElement(x) --> x, which must be present."""
    if not node.has(0):
        raise node.error("the optional value holds nothing")
    return node.value(0)


@onnx("OptionalHasElement", 15, 18, 28)
def has_element(node: Node) -> Known:
    """OptionalHasElement(x) --> a constant: whether the input is present."""
    return kn.of([int(node.has(0))], (), el.I1)


@onnx("SplitToSequence", 11, 24)
def split(node: Node) -> Result:
    """SplitToSequence(x, lengths) --> an opc.slice for each part."""
    shape = node.shape()
    axis = node.axis(node.attr("axis"), len(shape))
    extent = shape[axis]
    if not node.has(1):
        if extent.constant is None:
            return _one_by_one(node, axis, bool(node.attr("keepdims")))
        lengths, keeps = _equal_parts(node, extent, ex.const(1)), bool(node.attr("keepdims"))
    else:
        parts_of = node.value(1)
        by = parts_of.owner if isinstance(parts_of, SSAValue) else None
        one = constant(by.operands[0]) if isinstance(by, BroadcastOp) else None
        # A list of ones, of unknown length.
        if node.rank(1) == 1 and one is not None and one.constants() == [1]:
            node.require("equal", node.shape(1)[0], extent, "the lengths do not sum up")
            return _one_by_one(node, axis, True)
        known, keeps = node.known_list(1), True
        if node.shape(1):
            count = node.shape(1)[0].constant
            if known is None and count is not None:
                return Held.of([None] * count, node.element())
        if known is None:
            raise node.unsupported("the lengths are not known when compiling")
        length = None if node.shape(1) else known[0].constant
        if extent.constant is None and length is not None and length > 0:
            return _as_many_parts(node, axis, length)
        lengths = known if node.shape(1) else _equal_parts(node, extent, known[0])
    node.require("equal", ex.total_of(lengths), extent, "the lengths do not sum up")
    parts, others = shaping.split(node, axis, lengths), (*shape[:axis], *shape[axis + 1 :])
    parts = parts if keeps else [node.reshape(part, others) for part in parts]
    return Held.of(parts, node.element())


def _one_by_one(node: Node, axis: int, keeps: bool) -> Stacked:
    """The elements along an axis of unknown extent."""
    stack = onp.moveaxis(node.traced(0), axis, 0)
    stack = onp.expand_dims(stack, 1 + axis) if keeps else stack
    return Stacked(node.element(), stack=stack.value)


def _as_many_parts(node: Node, axis: int, length: int) -> Ragged:
    """Parts of equal length of an axis of unknown extent; the last may be shorter.

    x [N, 3] in parts of 2 --> x padded to [floordiv(N + 1, 2), 2, 3], and the length of each part
    """
    shape = node.shape()
    extent = shape[axis]
    count = ex.floordiv(extent + (length - 1), length)
    x = extended(node.traced(0), axis, 0, count * length - extent)
    x = x.reshape((*shape[:axis], count, length, *shape[axis + 1 :]))
    stack = onp.moveaxis(x, axis, 0)
    begin = node.trace.positions(count) * length
    sizes = onp.minimum(node.trace.number(extent) - begin, length)
    return Ragged(node.element(), stack=stack.value, sizes=sizes.value, axis=axis)


def _equal_parts(node: Node, extent: ex.Expr, size: ex.Expr) -> list[ex.Expr]:
    """The lengths of equal parts, of which the last may be shorter."""
    if extent.constant is None or size.constant is None or size.constant < 1:
        raise node.unsupported(f"parts of {extent_text(size)} of an axis of {extent_text(extent)}")
    count, rest = divmod(extent.constant, size.constant)
    check("a sequence", "parts", count)
    return [size] * count + [ex.const(rest)] * (rest > 0)
