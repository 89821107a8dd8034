"""Replaces scalar functions by cheaper ones with the same bits, using facts about arguments.

The argument is never positive, as in a softmax with ``m = max(x)``::

    exp(x - m)  -->  exp_neg(m - x)

``exp_neg(x)`` is e^-x for x >= 0, which cannot overflow.  Also recognized are negatives of squares
and absolute values, and their products with constants.

The argument is a constant: for floats, neither NaN nor -0 (of ``min``: +0), for integers, neither 0
nor -1::

    max(x, 2.0)  -->  at_least(x, 2.0)          min(x, 2.0)  -->  at_most(x, 2.0)
    div(i, 3)    -->  quotient(i, 3)            fmod(i, 3)   -->  remainder(i, 3)
    mod(i, 3)    -->  residue(i, 3), for positive constants

A limit that f32 represents moves behind a conversion to f32, since rounding is monotonic::

    cast(at_least(x, 2.0))  -->  at_least(cast(x), 2.0)

A rounding to f16 or bf16 before a limit is dropped if the same rounding follows, and the type
represents the limit::

    round(at_least(round(x), 0.0))  -->  round(at_least(x, 0.0))

A whole number that is quantized and dequantized is limited as a float, since 8-bit integers between
floats keep C compilers from filling vectors::

    cast(cast(x) : ui8) : f32  -->  at_most(above(x, 0.0), 255.0)
    cast(cast(x) : i8) : f32  -->  at_most(above(x, 0.0), 127.0) - at_most(above(-x, 0.0), 128.0)

``max`` becomes ``max_number`` where NaNs do not matter (``max_numbers``).  Needs form-kernels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from opc.dialects import body, kernel
from opc.dialects import element as el
from opc.dialects.body import scalar_type
from opc.dialects.budgets import FOLLOWED
from opc.dialects.walking import walk

from .kernel_forms import before
from .max_numbers import is_same, sweep_around, use_max_numbers

NARROWED = {"exp": "exp_neg", "exp_softmax": "exp_softmax_neg"}
"""Functions of arguments that are never positive, and those of the negated argument."""
CONSTANT = {
    **{"max": "at_least", "min": "at_most"},
    **{"div": "quotient", "fmod": "remainder", "mod": "residue"},
}
"""Functions, and their versions for a constant second argument."""
LIMITS = ("at_least", "at_most")
SMALL = tuple(el.BY_NAME[name] for name in ("ui8", "ui16", "i8", "i16"))
"""Types whose numbers f32 represents."""


def _apply(value: SSAValue, name: str) -> body.ApplyOp | None:
    """The operation that computes a value, if it applies that function."""
    op = value.owner
    return op if isinstance(op, body.ApplyOp) and op.function.data == name else None


class Signs:
    """Infers the signs of values."""

    def __init__(self) -> None:
        self.known: dict[SSAValue, int] = {}

    def of(self, value: SSAValue, depth: int = FOLLOWED) -> int:
        """-1 for a float that is never positive, 1 if never negative, else 0; NaN is allowed."""
        if value not in self.known:
            self.known[value] = self._infer(value, depth) if depth else 0
        return self.known[value]

    def _infer(self, value: SSAValue, depth: int) -> int:
        op = value.owner
        if isinstance(op, body.ConstantOp):
            return -1 if op.number <= 0 else 1
        if not isinstance(op, body.ApplyOp) or not scalar_type(value).is_float:
            return 0
        name = op.function.data
        if name in ("abs", "exp", "exp_softmax", "sqrt"):
            return 1
        if name == "sub":
            return -1 if _is_at_most(*op.args) else 0
        if name not in ("cast", "neg", "mul", "div", "add"):
            return 0
        a, b = op.args[0], op.args[-1]
        if name in ("mul", "div") and a is b:
            return 1
        signs = self.of(a, depth - 1), self.of(b, depth - 1)
        match name:
            case "cast":
                return signs[0]
            case "neg":
                return -signs[0]
            case "add":
                return signs[0] if signs[0] == signs[1] else 0
            case "div" if not isinstance(b.owner, body.ConstantOp) or b.owner.number == 0:
                # A divisor may be a zero of either sign.
                return 0
            case _:
                return signs[0] * signs[1]


def _is_at_most(a: SSAValue, b: SSAValue) -> bool:
    """Whether ``b`` is the maximum of values that include ``a``, perhaps at least some other."""
    if limited := _apply(b, "max") or _apply(b, "at_least"):
        return any(_is_at_most(a, arg) for arg in limited.args)
    rounded = _apply(b, "cast")
    narrow = _apply(rounded.args[0], "cast") if rounded else None
    if rounded and narrow:
        # Numbers of the narrower type stay below the maximum when it is rounded to that type.
        widened = _apply(a, "cast")
        if widened is None or widened.args[0].type != narrow.result.type:
            return False
        b = narrow.args[0]
    sweep, own = b.owner, sweep_around(a)
    if not isinstance(sweep, kernel.SweepOp) or own is None:
        return False
    kinds = zip(sweep.yielded, sweep.kinds, sweep.outputs, strict=True)
    taken = next((v for v, kind, r in kinds if r is b and kind.data == "max"), None)
    return taken is not None and sweep.extents == own.extents and is_same(a, taken)


@dataclass(frozen=True)
class NarrowDomainsPass(ModulePass):
    """exp(x - max(x))  -->  exp_neg(max(x) - x), and so on."""

    name: ClassVar[str] = "narrow-domains"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the nests of all functions."""
        for rewrite in (_widen, _use_constant, _round_later, _limit_later, _stay_float):
            for inner in _applied(op):
                rewrite(inner)
        signs = Signs()
        for inner in _applied(op):
            narrowed = NARROWED.get(inner.function.data)
            if narrowed is not None and signs.of(inner.args[0]) < 0:
                argument = inner.args[0]
                inner.operands = [_negative(argument, inner)]
                inner.properties["function"] = StringAttr(narrowed)
                drop(argument)
        use_max_numbers(op)


def _applied(module: ModuleOp) -> list[body.ApplyOp]:
    return [op for op in walk(module) if isinstance(op, body.ApplyOp)]


def _widen(cast: body.ApplyOp) -> None:
    """cast(f16 constant) : f32  -->  f32 constant; bf16 likewise."""
    constant = cast.args[0].owner
    if cast.function.data != "cast" or not isinstance(constant, body.ConstantOp):
        return
    if not scalar_type(constant.result).is_small_float or scalar_type(cast.result) is not el.F32:
        return
    replace_cast(cast, before(cast, body.ConstantOp.of(constant.number, el.F32)))


def _use_constant(op: body.ApplyOp) -> None:
    """max(x, constant)  -->  at_least(x, constant), and so on."""
    name, args = op.function.data, list(op.args)
    is_float = scalar_type(op.result).is_float
    if name not in CONSTANT or (name in ("max", "min")) != is_float:
        return
    if is_float and isinstance(args[0].owner, body.ConstantOp):
        args.reverse()
    constant = args[1].owner
    if not isinstance(constant, body.ConstantOp) or isinstance(args[0].owner, body.ConstantOp):
        return
    number = constant.number
    if is_float:
        lesser = -1.0 if name == "max" else 1.0
        if number != number or (number == 0 and math.copysign(1.0, number) == lesser):
            return
    elif number in (0, -1) or (name == "mod" and number < 0):
        return
    op.operands = args
    op.properties["function"] = StringAttr(CONSTANT[name])


def _round_later(limit: body.ApplyOp) -> None:
    """round(at_least(round(x), c))  -->  round(at_least(x, c))."""
    if limit.function.data not in LIMITS:
        return
    wide = _apply(limit.args[0], "cast")
    narrow = _apply(wide.args[0], "cast") if wide is not None else None
    if wide is None or narrow is None or wide.result.has_more_than_one_use():
        return
    type, x = scalar_type(narrow.result), narrow.args[0]
    if type.is_small_float and x.type == limit.result.type and _is_rounded(limit, type):
        limit.operands = [x, limit.args[1]]
        drop(wide.result)


def _is_rounded(limit: body.ApplyOp, type: el.ElementType) -> bool:
    """Whether a type represents a limit, and all users round the result to that type.

    Other such limits may come in between.
    """
    users = [use.operation for use in limit.result.uses]
    return _bound(limit, type) is not None and all(
        isinstance(user, body.ApplyOp)
        and (
            (user.function.data == "cast" and scalar_type(user.result) is type)
            or (user.function.data in LIMITS and _is_rounded(user, type))
        )
        for user in users
    )


def _bound(limit: body.ApplyOp, type: el.ElementType) -> float | None:
    """The constant of a limit, if a type represents it."""
    bound = limit.args[1].owner
    assert isinstance(bound, body.ConstantOp)
    with np.errstate(over="ignore"):
        rounded = float(np.asarray(bound.number).astype(type.dtype))
    return bound.number if rounded == bound.number else None


def _limit_later(cast: body.ApplyOp) -> None:
    """cast(at_least(x, c))  -->  at_least(cast(x), c), from f64 to f32."""
    if cast.function.data != "cast" or scalar_type(cast.result) is not el.F32:
        return
    limits: list[body.ApplyOp] = []
    value = cast.args[0]
    while (limit := _apply(value, LIMITS[0]) or _apply(value, LIMITS[1])) is not None:
        if value.has_more_than_one_use() or _bound(limit, el.F32) is None:
            break
        limits.append(limit)
        value = limit.args[0]
    if scalar_type(value) is not el.F64 or not limits:
        return
    result = before(cast, body.ApplyOp.of("cast", [value], el.F32))
    for limit in reversed(limits):
        number = _bound(limit, el.F32)
        assert number is not None
        constant = before(cast, body.ConstantOp.of(number, el.F32))
        result = before(cast, body.ApplyOp.of(limit.function.data, [result, constant]))
    replace_cast(cast, result)


def replace_cast(cast: body.ApplyOp, value: SSAValue) -> None:
    """Replace a conversion by a value, and drop operations that only it needed."""
    argument = cast.args[0]
    Rewriter.replace_op(cast, [], [value])
    drop(argument)


def _stay_float(cast: body.ApplyOp) -> None:
    """cast(cast(x) : ui8) : f32  -->  at_most(above(x, 0), 255), for whole x.

    Of signed types, negative numbers are limited by themselves.
    """
    small = _apply(cast.args[0], "cast") if cast.function.data == "cast" else None
    if small is None or scalar_type(cast.result) is not el.F32:
        return
    type, value = scalar_type(small.result), small.args[0]
    if type not in SMALL or value.type != cast.result.type or not is_whole(value):
        return
    limited = _limited(value, int(type.highest), cast)
    if type.lowest < 0:
        negative = _limited(_negative(value, cast), -int(type.lowest), cast)
        limited = before(cast, body.ApplyOp.of("sub", [limited, negative]))
    replace_cast(cast, limited)


def _limited(value: SSAValue, highest: int, at: Operation) -> SSAValue:
    """A whole number, but 0 for negative ones and NaN, and at most the highest; +0 for -0."""
    for name, number in (("above", 0), ("at_most", highest)):
        constant = before(at, body.ConstantOp.of(float(number), el.F32))
        value = before(at, body.ApplyOp.of(name, [value, constant]))
    return value


def is_whole(value: SSAValue, depth: int = FOLLOWED) -> bool:
    """Whether a float is a whole number, infinite or NaN."""
    op = value.owner
    if isinstance(op, body.ConstantOp):
        return float(op.number).is_integer()
    if not isinstance(op, body.ApplyOp) or not depth:
        return False
    match op.function.data:
        case "round":
            return True
        case "neg" | "add" | "sub" | "max" | "min" | "at_least" | "at_most":
            # A sum that is rounded is so large that it is whole.
            return all(is_whole(arg, depth - 1) for arg in op.args)
        case _:
            return False


def _negative(value: SSAValue, at: Operation) -> SSAValue:
    """The negative of a value, inserted before an operation; rounding is symmetric."""
    op = value.owner
    if isinstance(op, body.ConstantOp):
        return before(at, body.ConstantOp.of(-op.number, scalar_type(value)))
    name, args = (op.function.data, op.args) if isinstance(op, body.ApplyOp) else ("", ())
    new: body.ApplyOp
    match name, *args:
        case "neg", x:
            return x
        case "sub", a, b:
            new = body.ApplyOp.of("sub", [b, a])
        case "cast", x if scalar_type(x).is_float:
            new = body.ApplyOp.of("cast", [_negative(x, at)], scalar_type(value))
        case "mul", a, b if isinstance(a.owner, body.ConstantOp):
            new = body.ApplyOp.of("mul", [_negative(a, at), b])
        case (("mul" | "div"), a, b) if isinstance(b.owner, body.ConstantOp):
            new = body.ApplyOp.of(name, [a, _negative(b, at)])
        case _:
            new = body.ApplyOp.of("neg", [value])
    return before(at, new)


def drop(value: SSAValue) -> None:
    """Erase the operations that compute a value, if it is unused."""
    op = value.owner
    if isinstance(op, body.ApplyOp | body.ConstantOp) and not value.uses:
        args = list(op.operands)
        Rewriter.erase_op(op)
        for arg in args:
            drop(arg)
