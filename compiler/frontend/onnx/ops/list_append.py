"""Loops that append a data-dependent number of values, which become stacked outputs.

::

    Loop(M, cond, s0, x) { ..., SequenceInsert(s, t), ... }
      --> Loop(M, cond, x) { ..., t stacked, ... }, behind the values of s0

The sequence then consists of the elements of one tensor along its first axis.  A tensor that grows
by ``Concat(s, t)`` and has no other use in the body is treated alike.  If the body reads the last
value of a sequence, ``SequenceAt(s, -1)``, the loop carries that value instead.
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
from opc.frontend.models.bodies import joined
from opc.frontend.models.containers import Held, Ragged, Stacked, listed
from opc.frontend.models.known_values import constant
from opc.frontend.models.op_builder import Result
from opc.frontend.models.parts import BACKWARDS, sliced
from opc.graph.rewriting import erase

from .loop_state import one_behind_the_other
from .node import Node, decode

SHAPES = "values of several shapes are in a sequence that a loop appends to"


@dataclass
class _Appended:
    """What an iteration appends to a state, in order."""

    end: list[NodeOp] = field(default_factory=list[NodeOp])
    front: list[NodeOp] = field(default_factory=list[NodeOp])
    """Nodes that insert at the front of a sequence."""
    reads: list[tuple[NodeOp, SSAValue | None]] = field(
        default_factory=list[tuple[NodeOp, SSAValue | None]]
    )
    """Nodes that read the last value, and that value; None if it is the state's."""

    @property
    def parts(self) -> list[SSAValue]:
        """The appended values, which are stacked."""
        return [op.values[1] for op in (*self.end, *self.front)]

    @property
    def carries_last(self) -> bool:
        """Whether the loop carries the last value instead of the sequence."""
        return any(value is None for _, value in self.reads)

    @property
    def axis(self) -> int:
        """The axis along which a tensor grows."""
        axis = self.end[0].attributes.get("axis")
        return int(cast("IntegerAttr", axis).value.data) if axis is not None else 1


def taken_apart(node: Node) -> Callable[[Sequence[Result]], tuple[Result, ...]] | None:
    """Rewrite a Loop to stack the values it appends instead of carrying sequences and tensors.

    Returns a function from the results of the rewritten loop to the original ones.  Returns None if
    the loop appends nothing, or if a sequence of data-dependent length cannot be stacked.
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
        chain = _appended(end.operands[1 + k], block.args[2 + k], isinstance(value, Held))
        if isinstance(value, Held) and not _is_collected(value, chain):
            return None
        if chain is not None:
            appended[k] = chain
    if not appended:
        return None
    values = list(end.operands)
    carried = {k: chain.end[-1].values[1] for k, chain in appended.items() if chain.carries_last}
    gone = {1 + k for k in appended if k not in carried}
    kept = [carried.get(k - 1, v) for k, v in enumerate(values) if k not in gone]
    block.erase_op(end)
    parts = [v for chain in appended.values() for v in chain.parts]
    block.add_op(YieldOp(operands=[[*kept, *parts]]))
    for k, chain in appended.items():
        for op, value in chain.reads:
            last = block.args[2 + k] if value is None else value
            op.results[0].replace_all_uses_with(last)
    for op in reversed(list(block.ops)):
        if isinstance(op, NodeOp) and all(v.first_use is None for v in op.results):
            erase(op)
    for k in reversed(appended):
        if k in carried:
            node.inputs[2 + k] = cast(Held, states[k]).items[-1]
        else:
            block.erase_arg(block.args[2 + k])
            del node.inputs[2 + k]
    count = len(states)

    def results(outputs: Sequence[Result]) -> tuple[Result, ...]:
        rest, stacks = iter(outputs), iter(outputs[len(outputs) - len(parts) :])
        originals: list[Result] = []
        for k in range(count):
            last = next(rest) if k not in appended or k in carried else None
            if k in appended:
                originals.append(_final_state(node, states[k], appended[k], stacks))
            elif last is not None:
                originals.append(last)
        return (*originals, *list(rest)[: len(values) - 1 - count])

    return results


def _is_collected(state: Held, chain: _Appended | None) -> bool:
    """Whether a sequence can be stacked, or keeps its length."""
    sequence = listed(state)
    if chain is None:
        return sequence is not None and bool(sequence.items)
    if isinstance(state, Ragged) or (sequence is None and not isinstance(state, Stacked)):
        return False
    return not chain.carries_last or (
        sequence is not None and bool(sequence.items) and bool(chain.end)
    )


def _appended(value: SSAValue, state: BlockArgument, is_sequence: bool) -> _Appended | None:
    """The nodes that append to a state; None if a state is changed or used otherwise."""
    chain, operator = _Appended(), "SequenceInsert" if is_sequence else "Concat"
    user: Operation | None = state.owner.last_op
    while True:
        op = value.owner
        others = [use.operation for use in value.uses if use.operation is not user]
        if user is not None and list(user.operands).count(value) > 1:
            return None
        appends = isinstance(op, NodeOp) and op.operator.data == operator and len(op.values) > 1
        part = op.values[1] if isinstance(op, NodeOp) and appends else None
        for other in others:
            # Other users may only read the last value.
            if not isinstance(other, NodeOp) or not is_sequence:
                return None
            if other.operator.data != "SequenceAt" or _number(other.values[1]) != -1:
                return None
            chain.reads.append((other, part))
        if value is state:
            break
        if not isinstance(op, NodeOp):
            return None
        # States keep their type, so a Cast among appends is an identity.
        if op.operator.data == "Identity" or (op.operator.data == "Cast" and chain.end):
            if others:
                return None
        elif not appends or len(op.values) > 2 + is_sequence:
            return None
        elif len(op.values) == 3:
            if _number(op.values[2]) != 0 or others:
                return None
            chain.front.insert(0, op)
        else:
            chain.end.insert(0, op)
        user, value = op, op.values[0]
    if not chain.end and not chain.front:
        return None
    return chain if is_sequence or len(chain.end) == 1 else None


def _number(value: SSAValue) -> int | None:
    """The value of a constant integer."""
    op = value.owner
    if isinstance(op, NodeOp) and op.operator.data == "Constant":
        attribute = op.attributes.get("value_int", op.attributes.get("value"))
        array = None if attribute is None else np.asarray(decode(attribute))
        is_one = array is not None and array.size == 1 and array.dtype.kind == "i"
        return int(array.reshape(-1)[0]) if array is not None and is_one else None
    known = constant(value)
    numbers = None if known is None else known.constants()
    return numbers[0] if numbers is not None and len(numbers) == 1 else None


def _final_state(
    node: Node, state: Result, appended: _Appended, stacks: Iterator[Result]
) -> Result:
    """A state joined with the stacked values of the iterations."""
    ends = [next(stacks) for _ in appended.end]
    fronts = [next(stacks) for _ in appended.front]
    ragged = next((w for w in (*ends, *fronts) if isinstance(w, Ragged)), None)
    if ragged is not None:
        if len(ends) != 1 or fronts:
            raise node.unsupported(SHAPES)
        return _of_many_shapes(node, state, ragged, appended.axis)
    if not isinstance(state, Held):
        stacked = node.tensor(ends[0])
        axis = appended.axis % len(shape_of(tensor_of(stacked))[1:])
        return node.concat([node.tensor(state), joined(node, stacked, axis)], axis)
    segments: list[SSAValue] = []
    if fronts:
        segments.append(sliced(node, _in_turn(node, fronts), [0], [BACKWARDS]))
    if isinstance(state, Stacked):
        segments.append(state.stack)
    elif state.items:
        first = [node.tensor(v) for v in state.items if v is not None]
        segments.append(_stacked(node, first, 0))
    if ends:
        segments.append(_in_turn(node, ends))
    for segment in segments:
        _check_type(node, state, element(tensor_of(segment)))
    if len({shape_of(tensor_of(v))[1:] for v in segments}) > 1:
        raise node.unsupported(SHAPES)
    return Stacked(state.type, stack=node.concat(segments, 0))


def _in_turn(node: Node, stacks: Sequence[Result]) -> SSAValue:
    """Stacked values of several appending nodes, interleaved in order of execution."""
    stacked = _stacked(node, [node.tensor(w) for w in stacks], 1)
    times, count, *shape = shape_of(tensor_of(stacked))
    return node.reshape(stacked, (times * count, *shape))


def _stacked(node: Node, values: Sequence[SSAValue], axis: int) -> SSAValue:
    if len({v.type for v in values}) > 1:
        raise node.unsupported(SHAPES)
    return node.stack(values, axis)


def _of_many_shapes(node: Node, state: Result, parts: Ragged, axis: int) -> Result:
    """The sequence of parts that differ in an extent, or a tensor joined with them."""
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
        raise node.error(f"{type} cannot be in a sequence of {held.type}")
