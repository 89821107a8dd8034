"""Loops that append, as often as only a run knows: what they append is stacked.

::

    Loop(M, cond, SequenceEmpty, x) { ..., SequenceInsert(s, t), ... }
      --> Loop(M, cond, x) { ..., t stacked, ... }

The sequence is then the elements of one tensor along its first axis, which all have one shape.  So
it is of a tensor that grows, ``Concat(s, t)``, of which nothing else of the body takes a part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, OpResult, SSAValue

from opc.dialects.element import ElementType
from opc.dialects.onnx import NodeOp, YieldOp
from opc.dialects.shape import element, shape_of, tensor_of
from opc.frontend.models.bodies import joined
from opc.frontend.models.known import Held, Ragged, Stacked
from opc.frontend.models.op_builder import Result

from .growing import one_behind_the_other
from .node import Node


def taken_apart(node: Node) -> Callable[[Sequence[Result]], tuple[Result, ...]] | None:
    """Let a Loop stack what it appends to sequences and tensors, which it no longer carries.

    Gives the function that makes its results of those of the loop that is left, or None unless it
    appends to some, and to all sequences that it carries, which are empty at first.
    """
    states = [value for value in node.inputs[2:] if value is not None]
    body = node.op.graphs.get("body")
    if body is None or {len(body.block.args), len(node.inputs)} != {2 + len(states)}:
        return None
    block = body.block
    end = block.last_op
    if not isinstance(end, YieldOp) or len(end.operands) < 1 + len(states):
        return None
    appended: dict[int, NodeOp] = {}
    for k, value in enumerate(states):
        operator = "SequenceInsert" if isinstance(value, Held) else "Concat"
        found = _appended(end.operands[1 + k], block.args[2 + k], operator)
        is_filled = isinstance(value, Stacked) or (isinstance(value, Held) and bool(value.items))
        if is_filled or (found is None and isinstance(value, Held)):
            return None
        if found is not None:
            appended[k] = found
    if not appended:
        return None
    values = list(end.operands)
    kept = [v for k, v in enumerate(values) if k - 1 not in appended]
    parts = [op.values[1] for op in appended.values()]
    axes = {k: _axis(op) for k, op in appended.items()}
    block.erase_op(end)
    block.add_op(YieldOp(operands=[[*kept, *parts]]))
    for k in reversed(list(appended)):
        _erase(values[1 + k])
        block.erase_arg(block.args[2 + k])
        del node.inputs[2 + k]
    count = len(states)

    def results(found: Sequence[Result]) -> tuple[Result, ...]:
        given, wholes = iter(found), found[len(found) - len(parts) :]
        made: dict[int, Result] = {}
        for k, whole in zip(appended, wholes, strict=True):
            state = states[k]
            if isinstance(whole, Ragged):
                made[k] = _of_many_shapes(node, state, whole, axes[k])
                continue
            stacked = node.tensor(whole)
            if isinstance(state, Held):
                made[k] = _stacked(node, state, stacked)
            else:
                axis = axes[k] % len(shape_of(tensor_of(stacked))[1:])
                made[k] = node.concat([node.tensor(state), joined(node, stacked, axis)], axis)
        first = [made[k] if k in made else next(given) for k in range(count)]
        return (*first, *list(given)[: len(values) - 1 - count])

    return results


def _of_many_shapes(node: Node, state: Result, parts: Ragged, axis: int) -> Result:
    """A sequence of parts that differ in an extent, or a tensor behind which they stand."""
    if isinstance(state, Held):
        _check_type(node, state, parts.type)
        return parts
    rank = len(shape_of(tensor_of(node.tensor(state))))
    if axis % rank != parts.axis:
        raise node.unsupported("the parts that are appended differ in another extent")
    return node.concat([node.tensor(state), one_behind_the_other(node, parts)], parts.axis)


def _axis(op: NodeOp) -> int:
    """Along which axis it appends."""
    axis = op.attributes.get("axis")
    return int(cast("IntegerAttr", axis).value.data) if axis is not None else 1


def _appended(value: SSAValue, state: BlockArgument, operator: str) -> NodeOp | None:
    """The node that appends to a state what it carries on, and that alone."""
    op = value.owner
    while isinstance(op, NodeOp) and op.operator.data == "Identity" and value.has_one_use():
        value = op.values[0]
        op = value.owner
    if not isinstance(op, NodeOp) or op.operator.data != operator:
        return None
    before = op.values[0]
    while isinstance(before, OpResult) and isinstance(same := before.owner, NodeOp):
        # A conversion in front is one to the same type: states keep theirs.
        if same.operator.data not in ("Identity", "Cast") or not before.has_one_use():
            return None
        before = same.values[0]
    is_end = len(op.values) == 2 and before is state
    return op if is_end and state.has_one_use() and value.has_one_use() else None


def _erase(value: SSAValue) -> None:
    """Erase what made a sequence that nothing needs: an insertion, and what repeats it."""
    op = cast(NodeOp, value.owner)
    before = op.values[0]
    op.detach()
    op.erase()
    if not isinstance(before, BlockArgument):
        _erase(before)


def _check_type(node: Node, held: Held, type: ElementType) -> None:
    if type is not held.type:
        raise node.error(f"{type} does not go into a sequence of {held.type}")


def _stacked(node: Node, held: Held, whole: SSAValue) -> Held:
    _check_type(node, held, element(tensor_of(whole)))
    return Stacked(np.empty(0, object), held.type, (), whole)
