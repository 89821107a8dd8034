"""The greatest and the least of floats by integers, which C compilers reduce in vectors.

The bits of a float, read as a signed integer, order positive floats; with all but the sign bit
flipped they order negative ones.  Zeros come as -0, +0.  NaNs lie beyond both infinities, one sign
at each end.  All integers are moved by as many as there are NaNs of a sign, around the end, so that
those of both signs win: of a greatest value they lie above infinity, of a least one below.
(Comparing floats would take a choice for NaN and one for zeros with every value, and no C compiler
reorders that.)
"""

from __future__ import annotations

import math
from typing import Protocol

from xdsl.ir import Operation, SSAValue

from opc.dialects import body
from opc.dialects import element as el
from opc.dialects.body import scalar_type
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
    """The integer that a float is compared as; ``kind`` is max or min.

    Of a float that was made of one, it is that one.
    """
    made_of = _argument("unorder", value)
    known = None if made_of is None else _less(made_of, -_moved(kind, type))
    if known is not None:
        return known
    ordered = here.add(body.ApplyOp.of("order", [value], integer_of(type)))
    return here.apply("add", ordered, here.constant(_moved(kind, type), integer_of(type)))


def float_of(here: Writer, kind: str, key: SSAValue, type: ElementType) -> SSAValue:
    """The float that an integer stands for."""
    ordered = here.apply("add", key, here.constant(-_moved(kind, type), integer_of(type)))
    return here.add(body.ApplyOp.of("unorder", [ordered], type))


def is_bound(kind: str, value: SSAValue) -> bool:
    """Whether a value, or the float that an integer stands for, is a constant that never wins."""
    match value.owner:
        case body.ApplyOp(args=[ordered, _]) if (float := _argument("order", ordered)) is not None:
            is_key = _less(value, _moved(kind, scalar_type(float))) is ordered
            return is_key and is_bound(kind, float)
        case body.ConstantOp() as constant:
            type = scalar_type(value)
            least, most = (-math.inf, math.inf) if type.is_float else (type.lowest, type.highest)
            return constant.number == (least if kind == "max" else most)
        case _:
            return False


def _argument(name: str, value: SSAValue) -> SSAValue | None:
    """What a scalar function of one argument is applied to."""
    op = value.owner
    return op.args[0] if isinstance(op, body.ApplyOp) and op.function.data == name else None


def _less(value: SSAValue, number: int) -> SSAValue | None:
    """What a constant number was added to."""
    op = value.owner
    if not isinstance(op, body.ApplyOp) or op.function.data != "add":
        return None
    added, moved = op.args
    is_number = isinstance(moved.owner, body.ConstantOp) and moved.owner.number == number
    return added if is_number else None


def _moved(kind: str, type: ElementType) -> int:
    """By how much integers are moved: as many as there are NaNs of one sign."""
    fraction = {el.F16: 10, el.BF16: 7, el.F32: 23, el.F64: 52}[type]
    nans = (1 << fraction) - 1
    return -nans if kind == "max" else nans
