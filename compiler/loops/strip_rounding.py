"""Cut a loop over a strip where it rounds to f16 or bf16, so that a strip is rounded at once.

::

    for l = 0 to 64 { y[l] = exp(round_f16(x[l] - s)) }
      -->
    for l = 0 to 64 { wide[l] = x[l] - s }
    round wide to f16
    for l = 0 to 64 { y[l] = exp(wide[l]) }

What later loops need besides goes through arrays of its own, or is loaded again (``stages``).
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from opc.dialects import body, loop
from opc.dialects.element import ElementType
from opc.dialects.strip import NARROW

from .stages import Stages, split

ROUNDINGS = {f"round_{type}": type for type in NARROW}


def rounded_to(op: Operation) -> ElementType | None:
    """The type that an operation rounds to."""
    return ROUNDINGS.get(op.function.data) if isinstance(op, body.ApplyOp) else None


def varying(op: loop.ForOp) -> set[SSAValue]:
    """The values that differ between the points of a loop."""
    found: set[SSAValue] = {op.variable}
    for inner in op.body.block.ops:
        if any(operand in found for operand in inner.operands):
            found.update(inner.results)
    return found


def roundings(op: loop.ForOp) -> list[body.ApplyOp]:
    """Where a loop rounds what differs between its points."""
    values = varying(op)
    return [
        inner
        for inner in op.body.block.ops
        if isinstance(inner, body.ApplyOp) and rounded_to(inner) and inner.result in values
    ]


class Roundings(Stages):
    """Stages that end where something is rounded."""

    def __init__(self, op: loop.ForOp) -> None:
        super().__init__(op)
        self.rounded: dict[Operation, ElementType] = {
            o: ROUNDINGS[o.function.data] for o in roundings(op)
        }
        before: dict[SSAValue, int] = {}
        """Roundings on the way to a value, itself included."""
        for o in self.ops:
            count = max((before.get(a, 0) for a in o.operands), default=0)
            if isinstance(o, body.ApplyOp | loop.StoreOp):
                self.stages[o] = count + 1
            for result in o.results:
                before[result] = count + (o in self.rounded)
        self.settle()


def cut_at_roundings(op: loop.ForOp, length: int) -> None:
    """Cut a loop from 0 over at most ``length`` points."""
    found = Roundings(op)
    if found.rounded and found.is_safe():
        split(op, length, found, found.rounded)
