"""Squeeze without axes, where the extents decide the rank at run time.

::

    y = Squeeze(x: [N, 4])  -->  y = If(N == 1) {Squeeze(x, 0)} else {x}
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation
from xdsl.irdl import IRDLOperation

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.binary import EqualOp
from opc.dialects.shape import shape_text
from opc.errors import InputError
from opc.frontend.models import known as kn
from opc.frontend.models.bodies import RankError
from opc.frontend.models.op_builder import Result

from .control import BRANCHES, choose_by
from .node import Node

IS_ONE, IS_NOT, UNDECIDED = "1n?"


def ones(
    node: Node, op: Operation, attribute: str, end: type[IRDLOperation], among: Sequence[int]
) -> list[int] | tuple[Result | None, ...]:
    """The axes, ``among`` some, of extent 1, or the node's results if known only at run time.

    ``op`` is the Squeeze in the model; ``attribute`` of it has a mark for each axis.  ``end`` is
    the terminator of branches.
    """
    extents = node.shape()
    marks = op.attributes.get(attribute)
    decided = marks.data if isinstance(marks, StringAttr) else UNDECIDED * len(extents)
    for e, mark in zip(extents, decided, strict=True):
        if mark != UNDECIDED:
            node.ones.chosen[e] = mark == IS_ONE
    facts = {k: node.ones.is_one(extents[k]) for k in among}
    axis = next((k for k, fact in facts.items() if fact is None), None)
    if axis is None:
        gone = [k for k, fact in facts.items() if fact]
        for k in gone:
            node.require("equal", extents[k], ex.const(1), f"axis {k} is not 1")
        return gone

    def branch(name: str) -> Block:
        """The Squeeze with this axis marked."""
        mark = IS_ONE if name == BRANCHES[0] else IS_NOT
        inner = op.clone()
        inner.location = op.location
        inner.attributes[attribute] = StringAttr(decided[:axis] + mark + decided[axis + 1 :])
        return Block([inner, end.build(operands=[list(inner.results)])])

    extent = node.tensor(kn.of([extents[axis]], ()))
    condition = node.add(EqualOp(extent, node.constant(1, el.I64)))
    shown = extent_text(extents[axis])
    cases = (f"extent {shown} of 1", f"another extent {shown} than 1")
    undecided = node.unsupported(
        f"the rank of the result depends on the extents {shape_text(extents[k] for k in among)}; "
        "fix those of inputs (dims=, --dim)"
    )
    tail = node.tail(branch)
    try:
        return choose_by(node, condition, tail, cases, undecided.message)
    except RankError as error:
        try:
            if not tail.precede() or node.ones.is_one(extents[axis]) is None:
                raise error
        except InputError:
            raise error from None
        return ones(node, op, attribute, end, among)
