"""Loops that append to sequences, as often as only a run knows: what they append is stacked.

::

    Loop(M, cond, SequenceEmpty, x) { ..., SequenceInsert(s, t), ... }
      --> Loop(M, cond, x) { ..., t stacked, ... }

The sequence is then the elements of one tensor along its first axis, which all have one shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
from xdsl.ir import BlockArgument, SSAValue

from opc.dialects.onnx import NodeOp, YieldOp
from opc.dialects.shape import element, tensor_of
from opc.frontend.models.known import Held, Stacked
from opc.frontend.models.op_builder import Result

from .node import Node


def taken_apart(node: Node) -> Callable[[Sequence[Result]], tuple[Result, ...]] | None:
    """Let a Loop stack what it appends to sequences, which it no longer carries.

    Gives the function that makes its results of those of the loop that is left, or None unless all
    sequences that it carries are empty at first and only appended to.
    """
    states = list(node.inputs[2:])
    held = {k: value for k, value in enumerate(states) if isinstance(value, Held)}
    if not held:
        return None
    block = node.op.graphs["body"].block
    end = block.last_op
    if not isinstance(end, YieldOp) or len(end.operands) < 1 + len(states):
        return None
    appended: list[NodeOp] = []
    for k, value in held.items():
        found = _insertion(end.operands[1 + k], block.args[2 + k])
        if found is None or value.items or isinstance(value, Stacked):
            return None
        appended.append(found)
    values = list(end.operands)
    kept = [v for k, v in enumerate(values) if k - 1 not in held]
    parts = [op.values[1] for op in appended]
    block.erase_op(end)
    block.add_op(YieldOp(operands=[[*kept, *parts]]))
    for k in reversed(list(held)):
        _erase(values[1 + k])
        block.erase_arg(block.args[2 + k])
        del node.inputs[2 + k]
    count = len(states)

    def results(found: Sequence[Result]) -> tuple[Result, ...]:
        given, wholes = iter(found), found[len(found) - len(parts) :]
        sequences = {
            k: _stacked(node, value, node.tensor(whole))
            for (k, value), whole in zip(held.items(), wholes, strict=True)
        }
        first = [sequences[k] if k in sequences else next(given) for k in range(count)]
        return (*first, *list(given)[: len(values) - 1 - count])

    return results


def _insertion(value: SSAValue, state: BlockArgument) -> NodeOp | None:
    """The node that appends to a state what it carries on, and that alone."""
    op = value.owner
    while isinstance(op, NodeOp) and op.operator.data == "Identity" and value.has_one_use():
        value = op.values[0]
        op = value.owner
    if not isinstance(op, NodeOp) or op.operator.data != "SequenceInsert":
        return None
    is_end = len(op.values) == 2 and op.values[0] is state
    return op if is_end and state.has_one_use() and value.has_one_use() else None


def _erase(value: SSAValue) -> None:
    """Erase what made a sequence that nothing needs: an insertion, and what repeats it."""
    op = cast(NodeOp, value.owner)
    before = op.values[0]
    op.detach()
    op.erase()
    if not isinstance(before, BlockArgument):
        _erase(before)


def _stacked(node: Node, held: Held, whole: SSAValue) -> Held:
    if element(tensor_of(whole)) is not held.type:
        raise node.error(f"{element(tensor_of(whole))} does not go into a sequence of {held.type}")
    return Stacked(np.empty(0, object), held.type, (), whole)
