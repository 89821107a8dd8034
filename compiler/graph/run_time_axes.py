"""Rewrites reductions whose axes are an operand.

Constant axes become the attribute::

    reduce_sum(x, constant [1])  -->  reduce_sum(x) {axes = [1]}

Axes from an argument of the function become extents, which ``opc.split_axes`` defines at the start
of the function.  Each axis is split in two, of which one has extent 1: the outer one where the axis
is reduced, the inner one where it stays.  With x of shape [N, M]::

    reduce_sum(x, %axes) {keepdims = true}
      -->  opc.split_axes %axes of <N, M> outer ["e0", "e1"] inner ["r0", "r1"] kept []
           reduce_sum(reshape x to [e0, r0, e1, r1]) {axes = [1, 3]}

Without keepdims a reshape from [e0, e1] to the extents that stay follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np
from xdsl.ir import BlockArgument, SSAValue

from opc.dialects import expr as ex
from opc.dialects.element import I64, ElementType
from opc.dialects.opc import reduction as red
from opc.dialects.opc.binary import EqualOp, WhereOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import Array, ConstantOp, ReshapeOp
from opc.dialects.opc.symbols import SplitAxesOp, SymbolSource
from opc.dialects.opc.unary import CastOp, IdentityOp
from opc.dialects.scalar import convert
from opc.dialects.shape import MAX_RANK, DimsAttr, Shape, element, shape_of, tensor_of
from opc.errors import UnsupportedError
from opc.support.locations import location_of

from .rewriting import Builder

UNCHANGED = frozenset(
    {
        "opc.reduce_sum",
        "opc.reduce_prod",
        "opc.reduce_max",
        "opc.reduce_min",
        "opc.reduce_mean",
        "opc.reduce_any",
        "opc.reduce_all",
    }
)
"""Reductions of a single element x that give x: over no axes, they are the identity."""


def constant_axes(value: SSAValue) -> Array | None:
    """The elements of a constant, possibly reshaped or converted, else None."""
    op = value.owner
    if isinstance(op, ConstantOp):
        return op.array()
    if not isinstance(op, ReshapeOp | CastOp | IdentityOp):
        return None
    axes = constant_axes(op.operands[0])
    if axes is not None and isinstance(op, CastOp):
        return convert(axes, element(op.type).dtype)
    return axes


def argument_behind(
    value: SSAValue, keeps: Callable[[ElementType, ElementType], bool]
) -> BlockArgument | None:
    """The argument behind reshapes and casts that ``keeps`` allows; None if there is none."""
    while not isinstance(value, BlockArgument):
        op = value.owner
        if isinstance(op, CastOp):
            if not keeps(element(op.tensor_types[0]), element(op.type)):
                return None
        elif not isinstance(op, ReshapeOp | IdentityOp):
            return None
        value = op.operands[0]
    return value


def keeps_axes(source: ElementType, target: ElementType) -> bool:
    """Whether a cast keeps all axes, which are within [-16, 15]."""
    # -1 must not become 255, nor 255 become -1.
    if not (source.is_integer and target.is_integer):
        return False
    return source.kind == target.kind or (source.kind == "unsigned" and target.bits > source.bits)


def keeps_extents(source: ElementType, target: ElementType) -> bool:
    """Whether a cast keeps all extents; a model that casts i64 to i32 has none beyond i32."""
    return keeps_axes(source, target) and target.bits >= min(source.bits, 32)


@dataclass
class RunTimeAxes:
    """Rewrites the reductions of one function; ``sources`` define symbols at its start."""

    fresh: Callable[[str], str]
    sources: list[SymbolSource] = field(default_factory=list[SymbolSource])

    def rewrite(self, op: red.Reduction, builder: Builder) -> SSAValue:
        """The value that replaces a reduction whose axes are an operand.

        Raises VerifyException for constant axes that do not fit, UnsupportedError for axes that
        are computed, and for ranks over 8 (``MAX_RANK // 2``).
        """
        x, operand = op.operands
        params = op.values()
        del params["axes"]
        known = constant_axes(operand)
        if shape_of(tensor_of(operand)) == (0,):
            known = np.zeros(0, np.int64)
        if known is not None:
            axes = tuple(int(axis) for axis in known.reshape(-1))
            return builder.add(type(op)(x, axes=axes, **params))
        argument = argument_behind(operand, keeps_axes)
        if argument is None:
            raise UnsupportedError(
                f"{op.name}: axes are computed, expected a constant or an argument of the function",
                location_of(op),
            )
        return self._reduce(op, builder, argument)

    def _reduce(self, op: red.Reduction, builder: Builder, axes: BlockArgument) -> SSAValue:
        x, params = op.operands[0], op.values()
        shape, lengths = shape_of(tensor_of(x)), shape_of(tensor_of(op.operands[1]))
        count = (
            prod(e.constant for e in lengths if e.constant is not None)
            if all(e.constant is not None for e in lengths)
            else None
        )
        empty_is_all = count is None and params["empty_axes"] == "all"
        if 2 * len(shape) > MAX_RANK and count != len(shape):
            raise UnsupportedError(
                f"{op.name}: run-time axes of a tensor of rank {len(shape)}, expected at most "
                f"{MAX_RANK // 2}",
                location_of(op),
            )
        split = self._split(op, axes, shape, count, empty_is_all)
        outer, inner, kept = split.split
        if not shape:
            # There is no axis to list; an empty list means all or none.
            return builder.add(type(op)(x)) if empty_is_all else x
        if count == len(shape):
            all_axes = tuple(range(len(shape)))
            return builder.add(type(op)(x, axes=all_axes, keepdims=params["keepdims"] or None))
        pairs = [e for pair in zip(outer, inner, strict=True) for e in pair]
        parts, inner_axes = builder.reshape(x, pairs), tuple(range(1, len(pairs), 2))
        reduced = builder.add(type(op)(parts, axes=inner_axes))
        # A sum of nothing but -0 is +0.
        is_sum = op.reduction == "sum" and element(tensor_of(x)).is_float
        if count is None and not empty_is_all and (is_sum or op.name not in UNCHANGED):
            # Over no axes, each segment has one element, which is its maximum.
            length = builder.add(ExtentOp.of(ex.product(lengths)))
            none = builder.add(ConstantOp.of(np.zeros((), np.int64), I64))
            itself = builder.add(red.ReduceMaxOp(parts, axes=inner_axes))
            reduced = builder.add(WhereOp(builder.add(EqualOp(length, none)), itself, reduced))
        return reduced if params["keepdims"] else builder.reshape(reduced, kept)

    def _split(
        self,
        op: red.Reduction,
        axes: BlockArgument,
        shape: Shape,
        count: int | None,
        empty_is_all: bool,
    ) -> SplitAxesOp:
        extents, stay = DimsAttr(shape), 0 if count is None else len(shape) - count
        for split in self.sources:
            if isinstance(split, SplitAxesOp) and (
                split.axes,
                split.extents,
                len(split.kept),
                split.empty_is_all is not None,
            ) == (axes, extents, stay, empty_is_all):
                return split
        names: Sequence[list[str]] = [
            [self.fresh(prefix) for _ in range(n)]
            for prefix, n in (("e", len(shape)), ("r", len(shape)), ("k", stay))
        ]
        split = SplitAxesOp.of(axes, extents, names, empty_is_all)
        split.location = op.location
        self.sources.append(split)
        return split


def without_definitions(size: ex.Expr, sources: Sequence[SymbolSource]) -> ex.Expr:
    """Replace products of symbols that are equal by definition: ``e0*r0 --> N``."""
    for source in reversed(sources):
        for old, new in source.equal_products:
            size = _substitute(size, ex.product(old), ex.product(new))
    return size


def _substitute(size: ex.Expr, old: ex.Expr, new: ex.Expr) -> ex.Expr:
    if old.constant is not None:
        return size
    total = ex.const(0)
    ((atoms, _),) = old.terms
    for factors, c in size.terms:
        left = list(factors)
        if all(atom in left for atom in atoms):
            for atom in atoms:
                left.remove(atom)
            total = total + ex.Expr({tuple(left): c}) * new
        else:
            total = total + ex.Expr({factors: c})
    return total
