"""Extents that values give on the way: those that ``opc.read_extents`` cannot read at the start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import TypeAlias

from xdsl.ir import OpResult, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc import binary as b
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import ReshapeOp
from opc.dialects.opc.parts import ConcatOp, SliceOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import Shape, element, shape_of, tensor_of

from . import known as kn
from .indexed import Numbers
from .op_builder import Builder

Number: TypeAlias = "SSAValue | ex.Expr"
"""An i64 of rank 0 that is computed, or what it is known to be."""
DataExtentOf: TypeAlias = "Callable[[SSAValue, ex.Expr | None], ex.Expr]"
"""Makes an extent of a number that is computed, of at most so much if anything bounds it."""


def data_extents(
    builder: Builder,
    rule: str,
    values: SSAValue,
    extents: Shape,
    most: Shape | None,
    from_data: DataExtentOf,
) -> Shape | None:
    """The extents that values give by a rule of ``opc.read_extents``; None for rules of axes.

    An extent that does not fit is -1, which no extent is: the call fails.
    """
    n = Numbers(builder)
    if element(tensor_of(values)) is not el.I64:
        values = builder.cast(values, el.I64)
    count = ex.product(shape_of(tensor_of(values))).constant or 0
    given = [_number(builder, values, k, count) for k in range(count)]
    fits = None
    if rule == "plain":
        # A number below 0 is no extent.
        found = [n.of(x) if isinstance(x, ex.Expr) and (x.constant or 0) < 0 else x for x in given]
    elif rule == "expand":
        found, fits = _expanded(n, given, extents)
    elif rule in ("reshape", "reshape_allowzero"):
        found, fits = _reshaped(n, given, extents, rule == "reshape")
    else:
        return None
    if fits is not None:
        # One of them, or nothing else that is read, is no extent where the values do not fit.
        place = next((k for k, x in enumerate(found) if isinstance(x, SSAValue)), None)
        if place is None:
            from_data(n.where(fits, 0, -1), ex.const(0))
        else:
            found[place] = n.where(fits, found[place], -1)
    bounds = [None] * len(found) if most is None else most
    return tuple(
        x if isinstance(x, ex.Expr) else from_data(x, bound)
        for x, bound in zip(found, bounds, strict=True)
    )


def _number(builder: Builder, values: SSAValue, k: int, count: int) -> Number:
    """One of so many values: an extent where it is known to be one."""
    source = _source(values, k, count)
    if isinstance(source, ex.Expr):
        return source
    values, k, count = source
    return builder.part(builder.reshape(values, (count,)), k)


def _source(values: SSAValue, k: int, count: int) -> ex.Expr | tuple[SSAValue, int, int]:
    """What one of so many values is known to be, or which one of what other values it is."""
    known = kn.constant(values)
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


def _and(n: Numbers, x: SSAValue | None, y: SSAValue) -> SSAValue:
    return y if x is None else n.apply(b.AndOp, x, y)


def _equal(n: Numbers, x: Number, y: Number | int) -> SSAValue:
    return n.apply(b.EqualOp, x, y)


def _expanded(
    n: Numbers, given: Sequence[Number], extents: Shape
) -> tuple[list[Number], SSAValue | None]:
    """Extents broadcast against each other, and whether they can be, where that is not certain."""
    rank = max(len(given), len(extents))
    ones: list[Number] = [ex.const(1)] * rank
    left = [*ones[len(given) :], *given]
    right: Shape = (*([ex.const(1)] * (rank - len(extents))), *extents)
    found, fits = list[Number](), None
    for x, e in zip(left, right, strict=True):
        if x == 1 or x == e:
            found.append(e)
        elif e == 1:
            found.append(x)
        else:
            is_one, same = _equal(n, x, 1), n.apply(b.OrOp, _equal(n, x, e), _equal(n, e, 1))
            fits = _and(n, fits, n.apply(b.OrOp, is_one, same))
            stays = e.constant is not None or (isinstance(x, ex.Expr) and x.constant is not None)
            if stays:
                found.append(e if e.constant is not None else x)
            else:
                found.append(n.where(is_one, e, x))
    return found, fits


def _reshaped(
    n: Numbers, given: Sequence[Number], extents: Shape, zero_copies: bool
) -> tuple[list[Number], SSAValue | None]:
    """Extents of as many elements, and whether they are: 0 is the one there, one -1 is inferred."""
    total = ex.product(extents)
    copied = [_copied(n, x, k, extents) for k, x in enumerate(given)] if zero_copies else given
    holes = [k for k, x in enumerate(copied) if isinstance(x, ex.Expr) and x.constant == -1]
    if len(holes) > 1:
        raise VerifyException("several extents are -1")
    if holes:
        (hole,) = holes
        rest = [x for k, x in enumerate(copied) if k != hole]
        others = _product(n, rest)
        whole = n.apply(b.DivOp, total, n.most(others, 1))
        # What is inferred beside an extent of 0 would be anything.
        fits = n.apply(b.AndOp, n.less(0, others), _equal(n, n.mul(whole, others), total))
        found = [*copied]
        found[hole] = whole
        return found, fits
    # Any of those that are computed may be the -1, which beside an extent of 0 stays that.
    positive = [x if isinstance(x, ex.Expr) else n.where(_equal(n, x, -1), 1, x) for x in copied]
    others = _product(n, positive)
    whole = n.apply(b.DivOp, total, n.most(others, 1))
    whole = n.where(_equal(n, others, 0), -1, whole)
    found = [x if isinstance(x, ex.Expr) else n.where(_equal(n, x, -1), whole, x) for x in copied]
    fits = _equal(n, _product(n, found), total)
    inferred = [n.where(_equal(n, x, -1), 1, 0) for x in copied if not isinstance(x, ex.Expr)]
    if len(inferred) > 1:
        fits = n.apply(b.AndOp, fits, n.less(reduce(n.add, inferred), 2))
    return found, fits


def _copied(n: Numbers, x: Number, k: int, extents: Shape) -> Number:
    if k >= len(extents):
        return x
    if isinstance(x, ex.Expr):
        return extents[k] if x == 0 else x
    return n.where(_equal(n, x, 0), extents[k], x)


def _product(n: Numbers, values: Sequence[Number]) -> SSAValue:
    known = prod((x for x in values if isinstance(x, ex.Expr)), start=ex.const(1))
    total = n.of(known)
    for x in values:
        if not isinstance(x, ex.Expr):
            total = n.mul(total, x)
    return total
