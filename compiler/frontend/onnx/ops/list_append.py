"""Loops that append, as often as only a run knows: what they append is stacked.

::

    Loop(M, cond, s0, x) { ..., SequenceInsert(s, t), ... }
      --> Loop(M, cond, x) { ..., t stacked, ... }, behind the values of s0

The sequence is then the elements of one tensor along its first axis, which all have one shape.  So
it is of a tensor that grows, ``Concat(s, t)``, of which nothing else of the body takes a part.  The
last value of a sequence, ``SequenceAt(s, -1)``, is carried in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from opc.dialects.element import ElementType
from opc.dialects.onnx import NodeOp, YieldOp
from opc.dialects.shape import element, shape_of, tensor_of
from opc.frontend.models import known as kn
from opc.frontend.models.bodies import joined
from opc.frontend.models.known import Held, Ragged, Stacked
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import BACKWARDS, sliced

from .loop_state import one_behind_the_other
from .node import Node, decode

SHAPES = "values of several shapes are in a sequence that a loop appends to"


@dataclass
class _Appended:
    """What an iteration appends to a state, one after the other."""

    end: list[NodeOp] = field(default_factory=list[NodeOp])
    front: list[NodeOp] = field(default_factory=list[NodeOp])
    """Those that put a value in front of a sequence."""
    reads: list[tuple[NodeOp, SSAValue | None]] = field(
        default_factory=list[tuple[NodeOp, SSAValue | None]]
    )
    """Nodes that ask for the last value: what it is, None for that of the state."""

    @property
    def parts(self) -> list[SSAValue]:
        """What is stacked."""
        return [op.values[1] for op in (*self.end, *self.front)]

    @property
    def carries_last(self) -> bool:
        """Whether the last value is carried in place of the sequence."""
        return any(value is None for _, value in self.reads)

    @property
    def axis(self) -> int:
        """Along which axis a tensor grows."""
        axis = self.end[0].attributes.get("axis")
        return int(cast("IntegerAttr", axis).value.data) if axis is not None else 1


def taken_apart(node: Node) -> Callable[[Sequence[Result]], tuple[Result, ...]] | None:
    """Let a Loop stack what it appends to sequences and tensors, which it no longer carries.

    Gives the function that makes its results of those of the loop that is left, or None unless it
    appends to some, and to all sequences of which only a run knows how many values they have.
    """
    states = [value for value in node.inputs[2:] if value is not None]
    body = node.op.graphs.get("body")
    if body is None or {len(body.block.args), len(node.inputs)} != {2 + len(states)}:
        return None
    block = body.block
    end = block.last_op
    if not isinstance(end, YieldOp) or len(end.operands) < 1 + len(states):
        return None
    appended: dict[int, _Appended] = {}
    for k, value in enumerate(states):
        found = _appended(end.operands[1 + k], block.args[2 + k], isinstance(value, Held))
        if isinstance(value, Held) and not _is_collected(value, found):
            return None
        if found is not None:
            appended[k] = found
    if not appended:
        return None
    values = list(end.operands)
    carried = {k: each.end[-1].values[1] for k, each in appended.items() if each.carries_last}
    gone = {1 + k for k in appended if k not in carried}
    kept = [carried.get(k - 1, v) for k, v in enumerate(values) if k not in gone]
    block.erase_op(end)
    parts = [v for each in appended.values() for v in each.parts]
    block.add_op(YieldOp(operands=[[*kept, *parts]]))
    for k in reversed(appended):
        argument = block.args[2 + k]
        for op, value in appended[k].reads:
            op.results[0].replace_all_uses_with(argument if value is None else value)
            op.detach()
            op.erase()
        _erase(values[1 + k])
        if k in carried:
            node.inputs[2 + k] = cast(Held, states[k]).items[-1]
        else:
            block.erase_arg(argument)
            del node.inputs[2 + k]
    count = len(states)

    def results(found: Sequence[Result]) -> tuple[Result, ...]:
        given, wholes = iter(found), iter(found[len(found) - len(parts) :])
        made: list[Result] = []
        for k in range(count):
            last = next(given) if k not in appended or k in carried else None
            if k in appended:
                made.append(_made(node, states[k], appended[k], wholes))
            elif last is not None:
                made.append(last)
        return (*made, *list(given)[: len(values) - 1 - count])

    return results


def _is_collected(state: Held, found: _Appended | None) -> bool:
    """Whether a sequence can be stacked, or has as many values in each iteration."""
    listed = kn.listed(state)
    if found is None:
        return listed is not None and bool(listed.items)
    if isinstance(state, Ragged) or (listed is None and not isinstance(state, Stacked)):
        return False
    return not found.carries_last or (listed is not None and bool(listed.items) and bool(found.end))


def _appended(value: SSAValue, state: BlockArgument, is_sequence: bool) -> _Appended | None:
    """The nodes that append to a state what it carries on, and that alone; None if others do."""
    found, operator = _Appended(), "SequenceInsert" if is_sequence else "Concat"
    user: Operation | None = state.owner.last_op
    while True:
        op = value.owner
        others = [use.operation for use in value.uses if use.operation is not user]
        if user is not None and list(user.operands).count(value) > 1:
            return None
        appends = isinstance(op, NodeOp) and op.operator.data == operator and len(op.values) > 1
        part = op.values[1] if isinstance(op, NodeOp) and appends else None
        for other in others:
            if not isinstance(other, NodeOp) or not is_sequence or not _reads_last(other):
                return None
            found.reads.append((other, part))
        if value is state:
            break
        if not isinstance(op, NodeOp):
            return None
        # A conversion is one to the same type: states keep theirs.
        if op.operator.data == "Identity" or (op.operator.data == "Cast" and found.end):
            if others:
                return None
        elif not appends or len(op.values) > 2 + is_sequence:
            return None
        elif len(op.values) == 3:
            if _number(op.values[2]) != 0 or others:
                return None
            found.front.insert(0, op)
        else:
            found.end.insert(0, op)
        user, value = op, op.values[0]
    if not found.end and not found.front:
        return None
    return found if is_sequence or len(found.end) == 1 else None


def _reads_last(op: NodeOp) -> bool:
    """Whether a node gives the last value of a sequence."""
    return op.operator.data == "SequenceAt" and _number(op.values[1]) == -1


def _number(value: SSAValue) -> int | None:
    """A number that is a constant in the text of the model."""
    op = value.owner
    if isinstance(op, NodeOp) and op.operator.data == "Constant":
        attribute = op.attributes.get("value_int", op.attributes.get("value"))
        found = None if attribute is None else np.asarray(decode(attribute)[0])
        is_one = found is not None and found.size == 1 and found.dtype.kind == "i"
        return int(found.reshape(-1)[0]) if found is not None and is_one else None
    known = kn.constant(value)
    numbers = None if known is None else known.constants()
    return numbers[0] if numbers is not None and len(numbers) == 1 else None


def _erase(value: SSAValue) -> None:
    """Erase what made a sequence that nothing needs: an insertion, and what repeats it."""
    if isinstance(value, BlockArgument):
        return
    op = cast(NodeOp, value.owner)
    before = op.values[0]
    op.detach()
    op.erase()
    _erase(before)


def _made(node: Node, state: Result, appended: _Appended, wholes: Iterator[Result]) -> Result:
    """What a state has become: itself, and what the iterations have stacked."""
    ends = [next(wholes) for _ in appended.end]
    fronts = [next(wholes) for _ in appended.front]
    ragged = next((w for w in (*ends, *fronts) if isinstance(w, Ragged)), None)
    if ragged is not None:
        if len(ends) != 1 or fronts:
            raise node.unsupported(SHAPES)
        return _of_many_shapes(node, state, ragged, appended.axis)
    if not isinstance(state, Held):
        stacked = node.tensor(ends[0])
        axis = appended.axis % len(shape_of(tensor_of(stacked))[1:])
        return node.concat([node.tensor(state), joined(node, stacked, axis)], axis)
    listed: list[SSAValue] = []
    if fronts:
        listed.append(sliced(node, _in_turn(node, fronts), [0], [BACKWARDS]))
    if isinstance(state, Stacked) and state.whole is not None:
        listed.append(state.whole)
    elif state.items:
        first = [node.tensor(v) for v in state.items if v is not None]
        listed.append(_stacked(node, first, 0))
    if ends:
        listed.append(_in_turn(node, ends))
    for whole in listed:
        _check_type(node, state, element(tensor_of(whole)))
    if len({shape_of(tensor_of(v))[1:] for v in listed}) > 1:
        raise node.unsupported(SHAPES)
    return Stacked(np.empty(0, object), state.type, (), node.concat(listed, 0))


def _in_turn(node: Node, wholes: Sequence[Result]) -> SSAValue:
    """What several nodes have appended, in the order in which they did."""
    stacked = _stacked(node, [node.tensor(w) for w in wholes], 1)
    times, count, *shape = shape_of(tensor_of(stacked))
    return node.reshape(stacked, (times * count, *shape))


def _stacked(node: Node, values: Sequence[SSAValue], axis: int) -> SSAValue:
    if len({v.type for v in values}) > 1:
        raise node.unsupported(SHAPES)
    return node.stack(values, axis)


def _of_many_shapes(node: Node, state: Result, parts: Ragged, axis: int) -> Result:
    """A sequence of parts that differ in an extent, or a tensor behind which they stand."""
    if isinstance(state, Held):
        _check_type(node, state, parts.type)
        if state.items or isinstance(state, Stacked):
            raise node.unsupported(SHAPES)
        return parts
    rank = len(shape_of(tensor_of(node.tensor(state))))
    if axis % rank != parts.axis:
        raise node.unsupported("the parts that are appended differ in another extent")
    return node.concat([node.tensor(state), one_behind_the_other(node, parts)], parts.axis)


def _check_type(node: Node, held: Held, type: ElementType) -> None:
    if type is not held.type:
        raise node.error(f"{type} does not go into a sequence of {held.type}")
