"""Sequences and optional values whose structure is known when compiling: nothing is left of them.

A graph that takes or gives one is refused.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects.opc.indexing import GatherOp
from opc.dialects.shape import element, shape_of, tensor_of, tensor_type
from opc.frontend.models import known as kn
from opc.frontend.models.indexed import Numbers
from opc.frontend.models.known import Held, Known, Nothing, Ragged, Stacked
from opc.frontend.models.op_builder import Result

from .control import run_scan
from .loop_state import element_at, is_ragged, one_behind_the_other, uniform
from .node import Node
from .schema import BOOL, CLASSIC, INDEX, INT64, add, element_numbered, everything


def _whole(node: Node) -> SSAValue | None:
    """The tensor that has the values of a sequence, where only a run knows their number."""
    value = node.inputs[0]
    if isinstance(value, Ragged):
        return uniform(node, value)
    return value.whole if isinstance(value, Stacked) else None


Items: TypeAlias = "list[SSAValue | Known | None]"
OUTSIDE = 1 << 40
"""An index that is in no sequence."""


def _items(node: Node) -> Items:
    """The values of the sequence that is the first input."""
    value = node.inputs[0]
    if not isinstance(value, Held):
        raise node.error("input 0 is a tensor, expected a sequence")
    if isinstance(value, Stacked):
        raise node.unsupported("only a run knows how many values the sequence has")
    return list(value.items)


def _place(node: Node, position: int, count: int, most: int) -> int | None:
    """A place in a sequence of so many values, counted from the front; None if a run decides."""
    known = node.known(position)
    if known is None or known.array.size != 1 or (found := known.exprs[0].constant) is None:
        return None
    if not -count <= found <= most:
        raise node.error(f"position {found} is outside [{-count}, {most}]")
    return found + count if found < 0 else found


def _stack(node: Node, items: Items) -> SSAValue:
    """The values of a sequence, of one shape, along a new axis: there a run finds the one it asks
    for."""
    values = [node.tensor(v) for v in items if v is not None]
    if not values or len(values) < len(items) or len({v.type for v in values}) > 1:
        raise node.unsupported(
            "the position in the sequence is not known when compiling, and its shapes differ"
        )
    return node.stack(values, 0)


class _Place:
    """A place in a sequence of so many values that only a run knows, of which the last is ``most``.

    Where there is no such place, what is chosen by it is outside: the run says so.
    """

    def __init__(self, node: Node, position: int, count: int, most: int) -> None:
        self.node, self.n = node, Numbers(node)
        given = node.cast(node.reshape(node[position], ()), el.I64)
        self.place = self.n.where(self.n.less(given, 0), self.n.add(given, count), given)
        too_far = self.n.where(self.n.less(most, self.place), OUTSIDE, 0)
        self.outside = self.n.where(self.n.less(self.place, 0), OUTSIDE, too_far)

    def choose(self, stack: SSAValue, number: int, before: int, at: int, behind: int) -> SSAValue:
        """Of a stack the value ``before`` if this number is before the place, and so on."""
        n = self.n
        found = n.where(n.less(self.place, number), behind, at)
        found = n.add(n.where(n.less(number, self.place), before, found), self.outside)
        return self.node.add(GatherOp(stack, found, axes=[0]))


def construct(node: Node) -> Result:
    """SequenceConstruct(x, ...) --> what it holds."""
    return Held.of(v for v in node.inputs if v is not None)


def empty(node: Node) -> Result:
    """SequenceEmpty --> nothing."""
    number = node.attr("dtype")
    type = el.F32 if number is None else element_numbered(number)
    if type is None:
        raise node.unsupported(f"a sequence of element type {number}")
    return Held.of((), type)


def at(node: Node) -> Result:
    """SequenceAt(s, position) --> the value there."""
    value = node.inputs[0]
    if isinstance(value, Ragged):
        return element_at(node, value, node.cast(node.reshape(node[1], ()), el.I64))
    whole, items, place = _whole(node), list[Any](), None
    if whole is None:
        items = _items(node)
        place = _place(node, 1, len(items), len(items) - 1)
    if place is None:
        whole = _stack(node, items) if whole is None else whole
        chosen = node.cast(node.reshape(node[1], ()), el.I64)
        return node.add(GatherOp(whole, chosen, axes=[0]))
    found = items[place]
    if found is None:
        raise node.unsupported("the lengths of the parts are not known when compiling")
    return found


def insert(node: Node) -> Result:
    """SequenceInsert(s, x, position) --> a sequence with x in it, at the end by default."""
    items = _items(node)
    place = _place(node, 2, len(items), len(items)) if node.has(2) else len(items)
    held = node.inputs[0]
    assert isinstance(held, Held)
    if node.element(1) is not held.type:
        raise node.error(f"{node.element(1)} does not go into a sequence of {held.type}")
    if place is None:
        count, stack = len(items), _stack(node, [*items, node[1]])
        chosen = _Place(node, 2, count, count)
        return Held.of(chosen.choose(stack, k, k, count, k - 1) for k in range(count + 1))
    return Held.of([*items[:place], node.value(1), *items[place:]])


def erase(node: Node) -> Result:
    """SequenceErase(s, position) --> a sequence without a value, the last by default."""
    items = _items(node)
    if not items:
        raise node.error("the sequence is empty")
    place = _place(node, 1, len(items), len(items) - 1) if node.has(1) else -1
    if place is None:
        chosen, stack = _Place(node, 1, len(items), len(items) - 1), _stack(node, items)
        found = [chosen.choose(stack, k, k, k + 1, k + 1) for k in range(len(items) - 1)]
        return Held.of(found, node.element())
    del items[place]
    return Held.of(items, node.element())


def length(node: Node) -> Result:
    """SequenceLength(s) --> how many values it holds."""
    value = node.inputs[0]
    if isinstance(value, Stacked) and value.whole is not None:
        return kn.of([shape_of(tensor_of(value.whole))[0]], ())
    return kn.of([len(_items(node))], ())


def concat(node: Node) -> Result:
    """ConcatFromSequence(s) {axis, new_axis} --> opc.concat."""
    value = node.inputs[0]
    if isinstance(value, Ragged) and value.whole is not None and not node.attr("new_axis"):
        rank = len(shape_of(tensor_of(value.whole))) - 1
        if node.axis(node.attr("axis"), rank) == value.axis:
            return one_behind_the_other(node, value)
    whole = _whole(node)
    if whole is not None:
        count, *shape = shape_of(tensor_of(whole))
        axis = node.axis(node.attr("axis"), len(shape) + bool(node.attr("new_axis")))
        order = [*range(1, axis + 1), 0, *range(axis + 1, len(shape) + 1)]
        transposed = node.transpose(whole, order)
        if node.attr("new_axis"):
            return transposed
        return node.reshape(transposed, (*shape[:axis], count * shape[axis], *shape[axis + 1 :]))
    items = _items(node)
    if not items or None in items:
        raise node.unsupported("the values of the sequence are not known when compiling")
    values = [node.tensor(v) for v in items if v is not None]
    rank, axis = len(shape_of(tensor_of(values[0]))), node.attr("axis")
    if node.attr("new_axis"):
        return node.stack(values, node.axis(axis, rank + 1))
    return node.concat(values, node.axis(axis, rank))


def mapped(node: Node) -> tuple[Result, ...]:
    """SequenceMap(s, ...) {body} --> the body for the values at each place, or opc.scan of it."""
    if isinstance(node.inputs[0], Stacked):
        return _mapped_over(node)
    lists = [list(v.items) if isinstance(v, Held) else None for v in node.inputs]
    count = len(_items(node))
    if any(items is not None and len(items) != count for items in lists):
        raise node.error("the sequences differ in length")
    rows: list[list[Result]] = []
    for k in range(count):
        given: list[Result] = []
        for value, items in zip(node.inputs, lists, strict=True):
            found = value if items is None else items[k]
            if found is None:
                raise node.unsupported("the values of the sequence are not known when compiling")
            given.append(found)
        rows.append(node.inline("body", given))
    return tuple(Held.of(row[k] for row in rows) for k in range(len(node.op.outputs)))


def _mapped_over(node: Node) -> tuple[Result, ...]:
    """The results of the body for each value of sequences whose number only a run knows."""
    scanned: list[SSAValue] = []
    for k, value in enumerate(node.inputs):
        if isinstance(value, Held) and not isinstance(value, Stacked):
            raise node.unsupported("only a run knows how many values the first sequence has")
        if isinstance(value, Ragged):
            raise node.unsupported("the values of a sequence differ in an extent")
        whole = value.whole if isinstance(value, Stacked) else None
        if whole is None:
            # What is the same for all is repeated, so that inputs stay in their order.
            count = shape_of(tensor_of(scanned[0]))[0]
            whole = node.broadcast(node[k], (count, *node.shape(k)))
        scanned.append(whole)
    count = shape_of(tensor_of(scanned[0]))[0]
    for x in scanned[1:]:
        node.require("equal", shape_of(tensor_of(x))[0], count, "the sequences differ in length")
    types = [tensor_type(tensor_of(x).element_type, shape_of(x.type)[1:]) for x in scanned]
    body = node.outline("body", types)
    if is_ragged(body, 0):
        raise node.unsupported("the body computes extents of what it gives")
    found = run_scan(node, body, count, [], scanned, body.captured)
    return tuple(Stacked(np.empty(0, object), element(tensor_of(x)), (), x) for x in found)


_S = {"S": frozenset[str]()}
_T = {**_S, "T": CLASSIC}
add("SequenceConstruct", 11, "inputs*:T -> output_sequence:S", _T, construct)
add("SequenceEmpty", 11, "-> output:S", _S, empty, "dtype:int")
for _name, _signature, _types, _legalize in (
    ("SequenceAt", "input_sequence:S position:I -> tensor:T", {**_T, "I": INDEX}, at),
    (
        "SequenceInsert",
        "input_sequence:S tensor:T position?:I -> output_sequence:S",
        {**_T, "I": INDEX},
        insert,
    ),
    (
        "SequenceErase",
        "input_sequence:S position?:I -> output_sequence:S",
        {**_S, "I": INDEX},
        erase,
    ),
    ("SequenceLength", "input_sequence:S -> length:I", {**_S, "I": INT64}, length),
):
    add(_name, 11, _signature, _types, _legalize, held="S")
add(
    "ConcatFromSequence",
    11,
    "input_sequence:S -> concat_result:T",
    _T,
    concat,
    "axis:int! new_axis:int=0",
    held="S",
)
add(
    "SequenceMap",
    17,
    "input_sequence:S additional_inputs*:V -> out_sequence*:S",
    {**_S, "V": CLASSIC},
    mapped,
    "body:graph!",
    fewest=1,
    held="S V",
)


def optional(node: Node) -> Result:
    """Optional(x) --> x, or nothing."""
    if not node.has(0):
        return Nothing()
    return node.value(0)


def get_element(node: Node) -> Result:
    """OptionalGetElement(x) --> x, which must be there."""
    if not node.has(0):
        raise node.error("the optional value holds nothing")
    return node.value(0)


def has_element(node: Node) -> Result:
    """OptionalHasElement(x) --> whether there is an input: what is there is known."""
    return kn.of([int(node.has(0))], (), el.I1)


for _since in (15, 28):
    _v = CLASSIC if _since < 28 else everything(28)
    _none = frozenset[str]()
    add(
        "Optional",
        _since,
        "input?:V -> output:O",
        {"V": _v, "O": _none},
        optional,
        "type:type_proto",
        held="V",
    )
for _since in (15, 18, 28):
    _v = CLASSIC if _since < 28 else everything(28)
    _o = frozenset[str]() if _since == 15 else _v
    add(
        "OptionalGetElement",
        _since,
        "input:O -> output:V",
        {"O": _o, "V": _v},
        get_element,
        held="O",
    )
    _signature = "input:O -> output:B" if _since == 15 else "input?:O -> output:B"
    add("OptionalHasElement", _since, _signature, {"O": _o, "B": BOOL}, has_element, held="O")
