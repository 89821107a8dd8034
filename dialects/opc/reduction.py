"""Reductions over a set of axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from .. import order
from ..extent_text import extent_text
from ..shape import (
    UNKNOWN,
    Requirement,
    Tensor,
    element,
    normalize_axis,
    shape_of,
    tensor_type,
    type_text,
)
from .attributes import FALSE, Coded, Params, boolean, choice, integer, ints
from .base import TENSOR, OpcOp, same_element


def reduced_axes(axes: Sequence[int], rank: int) -> tuple[int, ...]:
    """The axes from the front, sorted.  VerifyException if one is outside or repeated."""
    # reduce_c1: axes are within [-rank, rank - 1].
    normalized = sorted(normalize_axis(axis, rank) for axis in axes)
    # reduce_c2: axes are unique.
    if len(set(normalized)) != len(normalized):
        raise VerifyException(f"axes [{', '.join(map(str, axes))}] name an axis twice")
    return tuple(normalized)


class Reduction(OpcOp):
    """Reduces the elements along some axes to one.

    ``axes`` is an attribute, or a second operand: a scalar or 1-D integer tensor.  Without
    either, all axes are reduced.  An empty list reduces none, or all if ``empty_axes`` is "all".
    """

    types = el.NUMERIC
    reduction: ClassVar[str] = "sum"
    """The row of ``scalar.REDUCTIONS`` that combines values."""
    operand = operand_def(TENSOR)
    run_time_axes = opt_operand_def(TENSOR)
    axes_attr = opt_prop_def(
        ints("axes to reduce, negative from the back; all if absent"), prop_name="axes"
    )
    keepdims = prop_def(boolean("whether the result has reduced axes, of extent 1"), FALSE)
    empty_axes = prop_def(
        choice(("identity", "all"), "what an empty list of axes means"), StringAttr("identity")
    )

    @classmethod
    def axes(cls, rank: int, params: Params) -> tuple[int, ...]:
        """The reduced axes from the front, sorted, unless they are an operand."""
        axes = params["axes"]
        if axes is None or (not axes and params["empty_axes"] == "all"):
            return tuple(range(rank))
        return reduced_axes(axes, rank)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The operand's shape with the reduced axes dropped, or 1 under keepdims."""
        same_element(types[:1], cls.types)
        shape = shape_of(types[0])
        if len(types) == 2:
            return cls._infer_run_time(types, params)
        axes = cls.axes(len(shape), params)
        if params.get("order") is not None:
            cls._check_order(types[0], axes, params["order"])
        if params["keepdims"]:
            kept = [ex.const(1) if k in axes else e for k, e in enumerate(shape)]
        else:
            kept = [e for k, e in enumerate(shape) if k not in axes]
        return tensor_type(cls.result_element(types[0]), kept)

    @classmethod
    def _infer_run_time(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        # reduce_c3: axes come as an attribute or as an operand, not both.
        if params["axes"] is not None:
            raise VerifyException("axes are given as an attribute and as an operand")
        # reduce_c4: axes as an operand are a scalar or 1-D tensor of integers.
        lengths = shape_of(types[1])
        if element(types[1]) not in el.INTEGER or len(lengths) > 1:
            raise VerifyException(
                f"axes must be a scalar or 1-D integer tensor, found {type_text(types[1])}"
            )
        shape, rank = shape_of(types[0]), len(shape_of(types[0]))
        count = lengths[0].constant if lengths else 1
        if count == 0:
            return cls.infer(types[:1], {**params, "axes": ()})
        # reduce_c6: there are at most as many axes as the operand has.
        if count is not None and count > rank:
            raise VerifyException(f"{count} axes given for a tensor of rank {rank}")
        if params["keepdims"]:
            kept = [e if e == 1 else UNKNOWN for e in shape]
        elif count is None:
            # reduce_c5: the rank of the result is known.
            raise VerifyException(
                "the number of run-time axes must be known unless keepdims is set"
            )
        else:
            kept = [UNKNOWN] * (rank - count)
        return tensor_type(cls.result_element(types[0]), kept)

    @classmethod
    def _check_order(cls, type: Tensor, axes: Sequence[int], lanes: ex.Expr) -> None:
        # reduce_c7: an order is for floats, along one segment of axes.
        if not order.is_ordered(cls.reduction, element(type)) or len(order.runs(axes)) != 1:
            raise VerifyException(
                f"no order along axes [{', '.join(map(str, axes))}] of {type_text(type)}"
            )
        # reduce_c8: the number of lanes follows from the shape.
        wanted = order.lanes(order.kept_behind(shape_of(type), axes), element(type))
        if lanes != wanted:
            raise VerifyException(f"the order has {extent_text(wanted)} lanes, found {lanes}")

    @classmethod
    def result_element(cls, type: Tensor) -> el.ElementType:
        """The element type of the result."""
        return element(type)


class Ordered(Reduction):
    """A reduction whose order matters for floats; fix-orders sets ``order``."""

    order_attr = opt_prop_def(
        Coded(
            order.decode,
            order.OrderAttr,
            lambda v: f"#opc.order<lanes {v}>",
            "lanes of the only segment of axes; absent before fix-orders, and for integers",
        ),
        prop_name="order",
    )


ReduceSumOp = Ordered.leaf("reduce_sum", "Sum; 0 over nothing.")
ReduceProdOp = Ordered.leaf("reduce_prod", "Product; 1 over nothing.", reduction="prod")
ReduceMaxOp = Reduction.leaf(
    "reduce_max",
    "Greatest value; NaN if any is NaN; the least value of the type over nothing.",
    reduction="max",
)
ReduceMinOp = Reduction.leaf(
    "reduce_min",
    "Least value; NaN if any is NaN; the greatest value of the type over nothing.",
    reduction="min",
)
ReduceMeanOp = Reduction.leaf(
    "reduce_mean",
    "Sum divided by the number of elements; NaN (integers: 0) over nothing; integers truncate.",
)
ReduceL1Op = Reduction.leaf("reduce_l1", "Sum of absolute values.")
ReduceL2Op = Reduction.leaf(
    "reduce_l2",
    "Square root of the sum of squares; for integers in f64, truncated.",
)
ReduceLogSumOp = Reduction.leaf(
    "reduce_log_sum", "Logarithm of the sum; for integers in f64, truncated."
)
ReduceLogSumExpOp = Reduction.leaf(
    "reduce_log_sum_exp",
    "Logarithm of the sum of e**x, without overflow; for integers in f64, truncated.",
)
ReduceSumSquareOp = Reduction.leaf("reduce_sum_square", "Sum of squares.")
ReduceAnyOp = Reduction.leaf(
    "reduce_any", "Whether any element is true; false over nothing.", reduction="any", types=el.BOOL
)
ReduceAllOp = Reduction.leaf(
    "reduce_all",
    "Whether all elements are true; true over nothing.",
    reduction="all",
    types=el.BOOL,
)


class ArgReduction(OpcOp):
    """The i64 index of an extreme value along an axis; NaNs are more extreme than numbers.

    Ties give the lowest index, or the highest with ``select_last_index``.
    """

    types = el.NUMERIC
    reduction: ClassVar[str] = ""
    operand = operand_def(TENSOR)
    axis = prop_def(integer("the axis to search, negative from the back"), IntegerAttr(0, 64))
    keepdims = prop_def(boolean("whether the result has the searched axis, of extent 1"), FALSE)
    select_last_index = prop_def(boolean("whether ties give the highest index"), FALSE)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The operand's shape without the axis, in i64."""
        same_element(types, cls.types)
        shape = list(shape_of(types[0]))
        axis = normalize_axis(params["axis"], len(shape))
        # arg_c1: the axis is not empty.
        if shape[axis] == 0:
            raise VerifyException(f"axis {axis} is empty")
        shape[axis : axis + 1] = [ex.const(1)] if params["keepdims"] else []
        return tensor_type(el.I64, shape)

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """A symbolic axis is not empty."""
        shape = shape_of(types[0])
        extent = shape[normalize_axis(params["axis"], len(shape))]
        return [Requirement("divides", ex.const(0), extent, f"{cls.name}: the axis is empty")]


class ArgMaxOp(ArgReduction, name="opc.argmax", reduction="argmax"):
    """Index of the greatest value along an axis."""


class ArgMinOp(ArgReduction, name="opc.argmin", reduction="argmin"):
    """Index of the least value along an axis."""
