"""Quantizes sums of integers by a product of integers, on machines that compute floats in software.

::

    cast(round(max(cast(%sum : f32) * %s + %b, 0) / 0.1) + 3) : ui8

    -->  %r = requantize(%s, %b, 0.1, %sum, %m, %c, 17, 11, 4)
         cast(min(max(%r + 3, 3), 255)) : ui8

``requantize`` has the bits of the floats, but seldom computes them.  ``%m`` is 2^29 * %s / 0.1 of
each channel as a whole number, ``%c`` 2^11 * (%b / 0.1 + 1/2).  So integers give 2^11 times the
quotient and a half, which rounds as the floats do unless it is within 4 of a multiple of 2^11: the
floats and the integers together differ by less from the exact quotient.  Sums from 2^17 on are
beyond the limits of 8 bits, which follow.  Needs narrow-domains.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from opc.dialects import body, kernel
from opc.dialects.body import scalar_type
from opc.dialects.budgets import QUOTIENT, QUOTIENT_BITS, USUAL_EXPONENTS
from opc.dialects.element import BY_NAME, ElementType
from opc.dialects.opc.movement import Array, ConstantOp
from opc.dialects.walking import walk
from opc.passes.function_pass import MachinePass

from .kernel_forms import before

I8, UI8, I32, F32 = (BY_NAME[name] for name in ("i8", "ui8", "i32", "f32"))
UNIT = float(np.finfo(np.float32).eps)
"""The errors of two operations in f32, relative to their results."""
LOWER, UPPER = ("max", "at_least", "above"), ("min", "at_most")


def _constant(value: SSAValue) -> Array | None:
    """The numbers of a constant, or of one that is loaded; None if a value is neither."""
    op = value.owner
    if isinstance(op, body.ConstantOp):
        return np.asarray(op.number, np.float64)
    if isinstance(op, kernel.LoadOp) and isinstance(op.source.owner, ConstantOp):
        return op.source.owner.array().astype(np.float64)
    return None


@dataclass
class _Chain:
    """``(cast(sum) * scale + bias) / step``, rounded, and a zero point; limits in between."""

    zero: float = 0.0
    limits: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])
    """Functions and their second arguments as limits of the result, the outermost one first."""
    step: float = 1.0
    sum: SSAValue | None = None
    scale: SSAValue | None = None
    bias: SSAValue | None = None

    def read(self, value: SSAValue) -> bool:
        """Read what computes a float before it is converted; whether it is such a chain."""
        is_rounded = is_divided = False
        while isinstance(op := value.owner, body.ApplyOp) and scalar_type(value) is F32:
            name, args = op.function.data, list(op.args)
            value = args[0]
            if name == "cast":
                self.sum = value
                return scalar_type(value) is I32 and self.scale is not None
            if name == "round" and not is_rounded:
                is_rounded = True
                continue
            if name in ("add", "mul") and _constant(args[0]) is not None:
                args.reverse()
                value = args[0]
            numbers = _constant(args[1]) if len(args) == 2 else None
            if numbers is None or not numbers.size or not np.isfinite(numbers).all():
                return False
            number = float(numbers) if numbers.ndim == 0 else None
            is_usual = bool(
                (abs(np.frexp(numbers)[1]) < USUAL_EXPONENTS).all() and (numbers > 0).all()
            )
            if name in (*LOWER, *UPPER) and number is not None:
                self.limits.append((name, self._limit(number, is_rounded)))
            elif name == "add" and number is not None and not is_rounded and not self.zero:
                self.zero = number
            elif name == "div" and number is not None and is_usual and is_rounded > is_divided:
                self.step, is_divided = number, True
            elif name == "add" and is_divided and self.bias is None:
                self.bias = args[1]
            elif name == "mul" and is_divided and is_usual and self.scale is None:
                self.scale = args[1]
            else:
                return False
        return False

    def _limit(self, limit: float, is_rounded: bool) -> float:
        """A limit of the result that follows from one of what is divided or rounded."""
        quotient = np.float32(limit) / np.float32(self.step)
        return (float(np.rint(quotient)) if is_rounded else limit) + self.zero

    def range(self, type: ElementType) -> tuple[float, float]:
        """The least and the greatest result."""
        low, high = -math.inf, math.inf
        for name, limit in reversed(self.limits):
            choose = max if name in LOWER else min
            low, high = choose(low, limit), choose(high, limit)
        least, most = float(type.lowest), float(type.highest)
        return min(max(low, least), most), max(min(high, most), least)


def _quantized(op: body.ApplyOp) -> SSAValue | None:
    """The result of a conversion to 8 bits as a product of integers; None where it is none."""
    chain, type = _Chain(), scalar_type(op.result)
    if not chain.read(op.args[0]) or chain.sum is None or chain.scale is None:
        return None
    low, high = chain.range(type)
    if abs(chain.zero) > QUOTIENT / 2 or {low % 1, high % 1, chain.zero % 1} != {0.0}:
        return None
    scales, bias = _constant(chain.scale), np.zeros(())
    if chain.bias is not None:
        bias = _constant(chain.bias)
    assert scales is not None and bias is not None
    factor, start = scales / chain.step, bias / chain.step
    largest = float(abs(start).max()) + abs(chain.zero) + 1
    # Sums from 2^held on are limited in all channels.  Products are below 2^30 then, and what is
    # added below 2^29.
    held = math.ceil(math.log2((QUOTIENT + 2 * largest) / factor.min() + 1))
    room = 30 - held - math.log2(factor.max()), 29 - math.log2(largest)
    bits = min(QUOTIENT_BITS[1], *(math.ceil(n) - 1 for n in room))
    # Of floats, then of the rounded factor, the rounded start and the lower half of the product.
    error = math.ceil(UNIT * (2 * QUOTIENT + largest) * 2.0**bits + 0.25 + 0.5 + 1) + 1
    if bits < QUOTIENT_BITS[0] or 4 * error > 1 << bits or not 0 < held < I32.bits - 1:
        return None

    def number(value: float, type: ElementType = I32) -> SSAValue:
        return before(op, body.ConstantOp.of(value, type))

    def apply(name: str, *args: SSAValue) -> SSAValue:
        return before(op, body.ApplyOp.of(name, args))

    floats = chain.scale, chain.bias or number(0.0, F32), number(chain.step, F32)
    linear = (
        _beside(op, chain.scale, factor * 2.0 ** (bits + held + 1)),
        _beside(op, chain.bias, (start + 0.5) * 2.0**bits),
    )
    result = apply("requantize", *floats, chain.sum, *linear, *map(number, (held, bits, error)))
    if chain.zero:
        result = apply("add", result, number(int(chain.zero)))
    return apply("min", apply("max", result, number(int(low))), number(int(high)))


def _beside(op: body.ApplyOp, value: SSAValue | None, numbers: Array) -> SSAValue:
    """Whole numbers as a constant, or loaded as another constant is."""
    integers = np.rint(numbers).astype(np.int32)
    load = None if value is None else value.owner
    if not isinstance(load, kernel.LoadOp):
        return before(op, body.ConstantOp.of(int(integers), I32))
    source = load.source.owner
    assert isinstance(source, ConstantOp) and source.parent is not None
    constant = ConstantOp.of(integers, I32)
    source.parent.insert_op_after(constant, source)
    return before(op, kernel.LoadOp.of(constant.result, load.index.data))


class RequantizeIntegersPass(MachinePass):
    """cast(round(cast(%sum : f32) * %s)) : ui8  -->  cast(requantize(%s, %sum, %m, ...)) : ui8.

    On machines without floats; ``target`` names the machine.
    """

    name: ClassVar[str] = "requantize-integers"

    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""
        if self.machine.has_floats:
            return
        for op in list(walk(function.body)):
            if not isinstance(op, body.ApplyOp) or op.function.data != "cast":
                continue
            if scalar_type(op.result) in (I8, UI8):
                value = _quantized(op)
                op.operands[0] = op.args[0] if value is None else value
