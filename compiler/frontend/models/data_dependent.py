"""Data-dependent extents: those that ``opc.read_extents`` cannot read before execution."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeAlias

from xdsl.ir import OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import ReshapeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of

from .known_values import constant
from .op_builder import Builder
from .traced import NodeTrace, quotient

Number: TypeAlias = Any
"""A computed i64 array of rank 0, or a known extent as an expression."""
DataExtentOf: TypeAlias = "Callable[[SSAValue, ex.Expr | None], ex.Expr]"
"""Makes an extent of a computed number, with an upper bound or None."""


def data_extents(
    builder: Builder,
    rule: str,
    values: SSAValue,
    extents: Shape,
    most: Shape | None,
    from_data: DataExtentOf,
) -> Shape | None:
    """The extents in ``values`` by a rule of ``opc.read_extents``; None for rules of axes.

    An extent that does not fit becomes -1, which makes the call fail.
    """
    trace = NodeTrace(builder)
    values = builder.cast(values, el.I64)
    count = ex.product(shape_of(tensor_of(values))).constant or 0
    numbers = [_number(trace, values, k, count) for k in range(count)]
    fits, target = None, list[Any]()
    if rule == "plain":
        # A known negative number fails at run time.
        target = [trace.number(x) if _is_known(x) and (x.constant or 0) < 0 else x for x in numbers]
    elif rule == "expand":
        target, fits = _expanded(trace, numbers, extents)
    elif rule in ("reshape", "reshape_allowzero"):
        target, fits = _reshaped(trace, numbers, extents, rule == "reshape")
    else:
        return None
    if fits is not None:
        # Where the values do not fit, one computed extent, or an additional one, becomes -1.
        place = next((k for k, x in enumerate(target) if not _is_known(x)), None)
        if place is None:
            from_data(onp.where(fits, trace.number(0), -1).value, ex.const(0))
        else:
            target[place] = onp.where(fits, target[place], -1)
    bounds = [None] * len(target) if most is None else most
    result: list[ex.Expr] = []
    for x, bound in zip(target, bounds, strict=True):
        result.append(x if isinstance(x, ex.Expr) else from_data(x.value, bound))
    return tuple(result)


def _is_known(x: Number) -> bool:
    return isinstance(x, ex.Expr)


def _number(trace: NodeTrace, values: SSAValue, k: int, count: int) -> Number:
    """Value k of ``count``: an extent if it is known."""
    source = _source(values, k, count)
    if isinstance(source, ex.Expr):
        return source
    values, k, count = source
    return trace.array(values).reshape((count,))[k]


def _source(values: SSAValue, k: int, count: int) -> ex.Expr | tuple[SSAValue, int, int]:
    """Value k of ``count`` if it is known, else the values that it is an element of, and where."""
    known = constant(values)
    if known is not None:
        return known.exprs[k]
    owner = values.owner if isinstance(values, OpResult) else None
    if isinstance(owner, ExtentOp):
        return owner.extent
    if isinstance(owner, ReshapeOp | CastOp) and element(tensor_of(owner.operands[0])) is el.I64:
        return _source(owner.operands[0], k, count)
    if not isinstance(owner, ConcatOp | SliceOp) or len(shape_of(tensor_of(values))) != 1:
        return values, k, count
    lengths = [shape_of(tensor_of(v))[0].constant for v in owner.operands]
    if isinstance(owner, SliceOp):
        start, step = owner.values()["starts"][0].constant, owner.values()["steps"][0]
        if start is None or lengths[0] is None:
            return values, k, count
        start = max(start + lengths[0], 0) if start < 0 else min(start, lengths[0] - (step < 0))
        return _source(owner.operands[0], start + k * step, lengths[0])
    at = k
    for part, length in zip(owner.operands, lengths, strict=True):
        if length is None:
            break
        if at < length:
            return _source(part, at, length)
        at -= length
    return values, k, count


def with_numbers(rule: str, values: SSAValue, source: Shape, extents: Shape) -> Shape:
    """Extents that are read from values, in place of which stand the numbers among these.

    Where 0 and -1 mean something else than themselves, other numbers do not.  ``source`` are the
    extents that are expanded: there 1 is what these are, and any other number is itself.
    """
    if rule not in ("plain", "expand", "reshape", "reshape_allowzero"):
        return extents
    count = ex.product(shape_of(tensor_of(values))).constant or 0
    numbers = [_source(values, k, count) for k in range(count)]
    least = 2 if rule == "expand" else 1
    wanted = [n if isinstance(n, ex.Expr) and (n.constant or 0) >= least else None for n in numbers]
    wanted = [None] * (len(extents) - count) + wanted
    if rule == "expand":
        kept = [e if (e.constant or 0) > 1 else None for e in source]
        kept = [None] * (len(extents) - len(source)) + kept
        wanted = [w if w is not None else k for w, k in zip(wanted, kept, strict=True)]
    return tuple(e if w is None else w for e, w in zip(extents, wanted, strict=True))


def _expanded(trace: NodeTrace, numbers: Sequence[Number], extents: Shape) -> tuple[Any, Any]:
    """The broadcast of two shapes, and a test that they fit (None if that is certain)."""
    rank = max(len(numbers), len(extents))
    ones: list[Number] = [ex.const(1)] * rank
    left, right = [*ones[len(numbers) :], *numbers], [*ones[len(extents) :], *extents]
    result, fits = list[Number](), None
    for x, e in zip(left, right, strict=True):
        is_known = _is_known(x)
        if is_known and x in (1, e):
            result.append(e)
        elif e == 1:
            result.append(x)
        else:
            number, other = trace.number(x) if is_known else x, trace.number(e)
            is_one = number == 1
            same = is_one | ((number == other) | (other == 1))
            fits = same if fits is None else fits & same
            if e.constant is not None:
                result.append(e)
            elif is_known and x.constant is not None:
                result.append(x)
            else:
                result.append(onp.where(is_one, other, number))
    return result, fits


def _reshaped(
    trace: NodeTrace, numbers: Sequence[Number], extents: Shape, zero_copies: bool
) -> tuple[Any, Any]:
    """The target of a reshape, with 0 and -1 resolved, and a test that the elements fit."""
    total = trace.number(ex.product(extents))
    copied = [_copied(x, k, extents) for k, x in enumerate(numbers)] if zero_copies else numbers
    holes = [k for k, x in enumerate(copied) if _is_known(x) and x == -1]
    if len(holes) > 1:
        raise VerifyException("several extents are -1")
    if holes:
        (hole,) = holes
        others = _product(trace, [x for k, x in enumerate(copied) if k != hole])
        missing = quotient(total, onp.maximum(others, 1))
        # Beside an extent of 0, -1 could be any extent.
        fits = onp.less(0, others) & (missing * others == total)
        return [missing if k == hole else x for k, x in enumerate(copied)], fits
    # Any computed number may be the -1; it stays -1 beside an extent of 0.
    others = _product(trace, [x if _is_known(x) else onp.where(x == -1, 1, x) for x in copied])
    missing = quotient(total, onp.maximum(others, 1))
    missing = onp.where(others == 0, -1, missing)
    result = [x if _is_known(x) else onp.where(x == -1, missing, x) for x in copied]
    fits = _product(trace, result) == total
    inferred = [(x == -1).astype(el.I64) for x in copied if not _is_known(x)]
    if len(inferred) > 1:
        fits = fits & (reduce(operator.add, inferred) < 2)
    return result, fits


def _copied(x: Number, k: int, extents: Shape) -> Number:
    if k >= len(extents):
        return x
    if _is_known(x):
        return extents[k] if x == 0 else x
    return onp.where(x == 0, extents[k], x)


def _product(trace: NodeTrace, values: Sequence[Number]) -> Any:
    total: Any = trace.number(ex.product(x for x in values if _is_known(x)))
    return reduce(operator.mul, (x for x in values if not _is_known(x)), total)
