"""The greatest and the least of floats by integers, which C compilers reduce in vectors.

The bits of a float, read as a signed integer, order positive floats; with all but the sign bit
flipped they order negative ones.  Zeros come as -0, +0.  NaNs lie beyond both infinities, one sign
at each end.  All integers are moved by as many as there are NaNs of a sign, around the end, so that
those of both signs win: of a greatest value they lie above infinity, of a least one below.
(Comparing floats would take a choice for NaN and one for zeros with every value, and no C compiler
reorders that.)
"""

from __future__ import annotations

from typing import Protocol

from xdsl.ir import Operation, SSAValue

from opc.dialects import body
from opc.dialects import element as el
from opc.dialects.element import ElementType


class Writer(Protocol):
    """Where scalar operations are written."""

    def add(self, op: Operation) -> SSAValue:
        """Add an operation; its first result."""
        ...

    def apply(self, name: str, *args: SSAValue) -> SSAValue:
        """A scalar function."""
        ...

    def constant(self, value: int | float | bool, type: ElementType) -> SSAValue:
        """A scalar constant."""
        ...


def integer_of(type: ElementType) -> ElementType:
    """The integers that floats are compared as."""
    return el.BY_NAME[f"i{type.bits}"]


def key_of(here: Writer, kind: str, value: SSAValue, type: ElementType) -> SSAValue:
    """The integer that a float is compared as; ``kind`` is max or min."""
    ordered = here.add(body.ApplyOp.of("order", [value], integer_of(type)))
    return here.apply("add", ordered, here.constant(_moved(kind, type), integer_of(type)))


def float_of(here: Writer, kind: str, key: SSAValue, type: ElementType) -> SSAValue:
    """The float that an integer stands for."""
    ordered = here.apply("add", key, here.constant(-_moved(kind, type), integer_of(type)))
    return here.add(body.ApplyOp.of("unorder", [ordered], type))


def _moved(kind: str, type: ElementType) -> int:
    """By how much integers are moved: as many as there are NaNs of one sign."""
    fraction = {el.F16: 10, el.BF16: 7, el.F32: 23, el.F64: 52}[type]
    nans = (1 << fraction) - 1
    return -nans if kind == "max" else nans
