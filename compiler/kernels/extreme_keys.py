"""Computes max and min of floats by integer keys, which C compilers vectorize.

The bits of a float, read as a signed integer, order positive floats; with all but the sign bit
flipped, they order negative ones.  -0 comes before +0.  NaNs of one sign are above infinity, those
of the other sign below.  Keys are rotated by the number of NaNs of one sign, so that all NaNs win:
for max they are greatest, for min least.  Comparing floats would take a select for NaN and another
for zeros, which no C compiler reorders.
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
    """Inserts scalar operations."""

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
    """The integer type of keys."""
    return el.BY_NAME[f"i{type.bits}"]


def key_of(here: Writer, kind: str, value: SSAValue, type: ElementType) -> SSAValue:
    """The key of a float; ``kind`` is max or min.  ``key_of(float_of(key))`` is the key itself."""
    rotated = _argument("unorder", value)
    key = None if rotated is None else _subtract(rotated, -_rotation(kind, type))
    if key is not None:
        return key
    ordered = here.add(body.ApplyOp.of("order", [value], integer_of(type)))
    return here.apply("add", ordered, here.constant(_rotation(kind, type), integer_of(type)))


def float_of(here: Writer, kind: str, key: SSAValue, type: ElementType) -> SSAValue:
    """The float of a key."""
    ordered = here.apply("add", key, here.constant(-_rotation(kind, type), integer_of(type)))
    return here.add(body.ApplyOp.of("unorder", [ordered], type))


def is_bound(kind: str, value: SSAValue) -> bool:
    """Whether a value, or the float of a key, is a constant that never wins."""
    match value.owner:
        case body.ApplyOp(args=[ordered, _]) if (float := _argument("order", ordered)) is not None:
            is_key = _subtract(value, _rotation(kind, scalar_type(float))) is ordered
            return is_key and is_bound(kind, float)
        case body.ConstantOp() as constant:
            type = scalar_type(value)
            least, most = (-math.inf, math.inf) if type.is_float else (type.lowest, type.highest)
            return constant.number == (least if kind == "max" else most)
        case _:
            return False


def _argument(name: str, value: SSAValue) -> SSAValue | None:
    """The argument of a scalar function of that name; None if the value is another."""
    op = value.owner
    return op.args[0] if isinstance(op, body.ApplyOp) and op.function.data == name else None


def _subtract(value: SSAValue, number: int) -> SSAValue | None:
    """``x + number  -->  x``; None if the value is no such sum."""
    op = value.owner
    if not isinstance(op, body.ApplyOp) or op.function.data != "add":
        return None
    x, added = op.args
    is_number = isinstance(added.owner, body.ConstantOp) and added.owner.number == number
    return x if is_number else None


def _rotation(kind: str, type: ElementType) -> int:
    """The number that rotates keys: as many as there are NaNs of one sign."""
    fraction = {el.F16: 10, el.BF16: 7, el.F32: 23, el.F64: 52}[type]
    nans = (1 << fraction) - 1
    return -nans if kind == "max" else nans
