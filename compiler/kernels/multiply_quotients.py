"""Divides by a constant by two multiplications, where the quotient is rounded to a whole number.

::

    round(div(x, 0.3))  -->  round(fma(x, h, mul(x, l)))     with h + l = 1 / 0.3

``h`` is the reciprocal cut to the bits of the type, and ``l`` the rest of it, rounded.  The sum has
the bits of the quotient (Brisebarre, Muller and Raina, 2004) but for a few numerators of some
divisors, which are tried, and for quotients far below the normal numbers, which are rounded to a
zero of the same sign.  Infinities stay what they are, since ``h`` and ``l`` have one sign.

A division takes 8 cycles or more for a vector of 16 floats, two multiplications take one.  So it is
for all machines with a fused multiply-add.  Quantized networks divide each value by a scale: what
follows a product of 64 channels, with two divisions, takes 0.73 of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects import body
from opc.dialects import element as el
from opc.dialects.body import scalar_type
from opc.dialects.element import ElementType
from opc.dialects.walking import walk
from opc.passes.function_pass import MachinePass

TYPES = el.F32, el.F64


@dataclass(frozen=True)
class MultiplyQuotientsPass(MachinePass):
    """round(div(x, constant))  -->  round(fma(x, high, mul(x, low))).

    ``target`` names the machine.
    """

    name: ClassVar[str] = "multiply-quotients"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""
        if not self.machine.fma:
            return
        for op in list(walk(function)):
            if isinstance(op, body.ApplyOp) and op.function.data == "div" and _is_rounded(op):
                divisor, type = op.args[1].owner, scalar_type(op.result)
                if isinstance(divisor, body.ConstantOp) and type in TYPES:
                    parts = reciprocal(float(divisor.number), type)
                    if parts is not None:
                        _multiply(op, parts, type)


def _is_rounded(op: body.ApplyOp) -> bool:
    """Whether a quotient is only rounded to whole numbers, to the even one of two."""
    users = [use.operation for use in op.result.uses]
    return (
        op.function.data == "div"
        and bool(users)
        and all(isinstance(user, body.ApplyOp) and user.function.data == "round" for user in users)
    )


def _multiply(op: body.ApplyOp, parts: tuple[float, float], type: ElementType) -> None:
    (x, divisor), (high, low) = op.args, (body.ConstantOp.of(part, type) for part in parts)
    rest = body.ApplyOp.of("mul", [x, low.results[0]])
    quotient = body.ApplyOp.of("fma", [x, high.results[0], rest.result])
    Rewriter.insert_op([high, low, rest, quotient], InsertPoint.before(op))
    op.result.replace_all_uses_with(quotient.result)
    Rewriter.erase_op(op)
    if not divisor.uses.get_length() and isinstance(divisor.owner, body.ConstantOp):
        Rewriter.erase_op(divisor.owner)


@cache
def reciprocal(divisor: float, type: ElementType) -> tuple[float, float] | None:
    """The two parts of a reciprocal; None where some quotients that they give are wrong."""
    if divisor != divisor or divisor in (0, float("inf"), float("-inf")):
        return None
    info, exact = np.finfo(type.dtype), Fraction(divisor)
    # No factor comes near the smallest numbers.
    bits, largest = info.nmant + 1, Fraction(2) ** (info.maxexp // 2)
    if not 1 / largest <= abs(exact) <= largest:
        return None
    high = rounded(1 / exact, bits, is_cut=True)
    low = rounded(1 / exact - high, bits)
    # A product with 0 would make no number of an infinity.
    is_right = low != 0 and all(
        rounded(x * high + rounded(x * low, bits), bits) == rounded(x / exact, bits)
        for x in _hard(exact, bits)
    )
    return (float(high), float(low)) if is_right else None


def rounded(x: Fraction, bits: int, is_cut: bool = False) -> Fraction:
    """A number rounded to so many bits, to the even one of two, or cut."""
    if x == 0:
        return x
    unit = _unit(x, bits)
    count = abs(x) / unit
    number = int(count) if is_cut else round(count)
    return number * unit if x > 0 else -number * unit


def _unit(x: Fraction, bits: int) -> Fraction:
    """The last place of a number of so many bits."""
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    exponent -= abs(x) < Fraction(2) ** exponent
    return Fraction(2) ** (exponent - bits + 1)


def _hard(divisor: Fraction, bits: int) -> list[Fraction]:
    """The numerators whose quotients are almost in the middle between two numbers.

    With whole numbers x and y of ``bits`` bits that is 2^m x = (2 n + 1) y + d with a small d.
    The exponent m is ``bits`` if x is not below y, or one more.  Both parts of a reciprocal are off
    by less than 4 / 2^bits of a unit in the last place, so quotients are right from d = 8 on.
    """
    near = 8
    y = int(abs(divisor) / _unit(divisor, bits))
    zeros = (y & -y).bit_length() - 1
    odd, hard = y >> zeros, list[Fraction]()
    for m in (bits, bits + 1):
        inverse = pow(2 ** (m - zeros), -1, odd) if odd > 1 else 0
        for d in (d for d in range(-near, near + 1) if d and d % (1 << zeros) == 0):
            first = (d >> zeros) * inverse % odd
            first += -(-((1 << (bits - 1)) - first) // odd) * odd
            for x in range(first, 1 << bits, odd):
                if (x >= y) == (m == bits) and ((x << m) - d) // y % 2:
                    hard.append(Fraction(x))
    return hard
