"""Contractions: einsum, matrix products and convolutions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.irdl import operand_def, opt_prop_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from .. import einsum_plan
from .. import element as el
from .. import expr as ex
from ..extent_text import extent_text
from ..shape import Requirement, Shape, Tensor, broadcast_shapes, shape_of, shape_text, tensor_type
from .attributes import Params, integer, ints, text
from .base import SOME, TENSOR, OpcOp, check_size, same_element
from .movement import BroadcastOp, ConstantOp, ReshapeOp, TransposeOp
from .parts import ConcatOp, SliceOp


class ContractOp(OpcOp, name="opc.contract"):
    """NumPy's einsum: sums of products by labels, one letter for each axis of each operand.

    ``"bij,bjk->bik"`` is a matrix product for each b.  Labels that the result lacks are summed; a
    label that an operand has twice takes its diagonal.  Axes of one label have one extent, but
    constant extents of 1 broadcast.  Operands are combined from the left, two at a time, and the
    sum is rounded once.  For booleans the result is whether any product is true.
    """

    types = el.NUMERIC | el.BOOL
    inputs = var_operand_def(SOME)
    equation = prop_def(text("labels of the operands, then those of the result: ij,jk->ik"))

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The extents of the labels of the result."""
        common = same_element(types, cls.types)
        # contract_c1: the equation is valid.
        terms, result = einsum_plan.split(params["equation"])
        # contract_c2: the equation has a term for each operand.
        if len(terms) != len(types):
            raise VerifyException(
                f'expected {len(terms)} operands for "{params["equation"]}", found {len(types)}'
            )
        shapes = [shape_of(t) for t in types]
        for term, shape in zip(terms, shapes, strict=True):
            # contract_c3: each axis has a label.
            if len(term) != len(shape):
                raise VerifyException(f'labels "{term}" for {len(shape)} axes {shape_text(shape)}')
        # contract_c4: axes of one label have one extent.
        for message, left, right in cls._meetings(terms, shapes):
            if Requirement("equal", left, right, message).decided() is False:
                raise VerifyException(f"{message}: {extent_text(left)} and {extent_text(right)}")
        plan = einsum_plan.plan(terms, result, shapes)
        extents = plan.extents
        for product in plan.products:
            # contract_c5: intermediate products are within the limits of a tensor.
            check_size(tensor_type(common, [extents[label] for label in product.labels]))
        return tensor_type(common, [extents[label] for label in result])

    @classmethod
    def _meetings(
        cls, terms: Sequence[str], shapes: Sequence[Shape]
    ) -> Iterator[tuple[str, ex.Expr, ex.Expr]]:
        """Extents that must be equal, each pair with the message if they differ."""
        for term, shape in zip(terms, shapes, strict=True):
            first: dict[str, ex.Expr] = {}
            for label, extent in zip(term, shape, strict=True):
                message = f"extents of the diagonal '{label}' differ"
                yield message, first.setdefault(label, extent), extent
        plan, first = einsum_plan.plan(terms, "", shapes), {}
        for term, shape in zip(plan.terms, plan.shapes, strict=True):
            for label, extent in zip(term, shape, strict=True):
                message = f"contracted extents of axis '{label}' differ"
                yield message, first.setdefault(label, extent), extent

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Axes of one label have one extent."""
        terms, _ = einsum_plan.split(params["equation"])
        return [
            Requirement("equal", left, right, f"{cls.name}: {message}")
            for message, left, right in cls._meetings(terms, [shape_of(t) for t in types])
        ]


class MatmulOp(OpcOp, name="opc.matmul"):
    """NumPy's matmul: products of the matrices in the last two axes; the axes before broadcast.

    A 1-D operand is a row on the left, a column on the right, and the result lacks its axis.
    """

    types = el.NUMERIC
    lhs = operand_def(TENSOR)
    rhs = operand_def(TENSOR)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The broadcast batch axes, the rows of the left and the columns of the right operand."""
        common = same_element(types, cls.types)
        a, b = (shape_of(t) for t in types)
        # matmul_c1: both operands have an axis to contract.
        if not a or not b:
            raise VerifyException("operands must have rank 1 or more")
        left, right = a[-1], b[-min(2, len(b))]
        # matmul_c2: contracted extents are equal.
        if None not in (left.constant, right.constant) and left != right:
            raise VerifyException(
                f"contracted extents differ: {extent_text(left)} and {extent_text(right)}"
            )
        rows, columns = a[-2:-1], b[-1:] if len(b) > 1 else ()
        return tensor_type(common, (*broadcast_shapes([a[:-2], b[:-2]]), *rows, *columns))

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Contracted extents are equal, batch extents broadcast."""
        a, b = (shape_of(t) for t in types)
        right = b[-min(2, len(b))]
        yield Requirement("equal", a[-1], right, "opc.matmul: contracted extents differ")
        for x, y in zip(reversed(a[:-2]), reversed(b[:-2]), strict=False):
            yield Requirement("broadcast", x, y, "opc.matmul: batch extents do not broadcast")


MOST = 2**31 - 1
"""The greatest stride, dilation and pad."""


@dataclass(frozen=True)
class Window:
    """The window of a filter along a spatial axis: extent, stride, dilation and pads."""

    kernel: ex.Expr
    stride: int
    dilation: int
    begin: int
    end: int

    @property
    def reach(self) -> ex.Expr:
        """The number of values that the filter covers, gaps included."""
        return (self.kernel - 1) * self.dilation + 1

    def positions(self, extent: ex.Expr) -> ex.Expr:
        """The number of its positions along an axis."""
        return ex.floordiv(extent + (self.begin + self.end - self.reach), self.stride) + 1


def _check_ranks(x: Shape, filters: Shape) -> None:
    if len(x) != len(filters) or not 3 <= len(x) <= 5:
        raise VerifyException(
            f"expected input and filters of one rank from 3 to 5, found {len(x)} and {len(filters)}"
        )


def _window_lists(params: Params, rank: int) -> list[Sequence[int]]:
    """Strides, dilations, pads before and pads after, for each spatial axis."""
    steps = [_checked(name, params, rank, 1) for name in ("strides", "dilations")]
    pads = _checked("pads", params, 2 * rank, 0)
    return [*steps, pads[:rank], pads[rank:]]


def _checked(name: str, params: Params, count: int, least: int) -> Sequence[int]:
    """``count`` integers from ``least`` to ``MOST``; all are ``least`` if the attribute is absent.

    VerifyException for other lists.
    """
    values: Sequence[int] = params[name] or (least,) * count
    if len(values) != count or not all(least <= v <= MOST for v in values):
        raise VerifyException(
            f"{name} must be {count} integers from {least} to {MOST}, found {list(values)}"
        )
    return values


class ConvOp(OpcOp, name="opc.conv"):
    """Convolution: filters [F, C / groups, kernel...] over an input [N, C, spatial...].

    The result is [N, F, positions...].  ``pads`` zeros surround the input and are multiplied like
    other values.  Filters of a group see the channels of that group.
    """

    types = el.NUMERIC
    input = operand_def(TENSOR)
    filters = operand_def(TENSOR)
    strides = opt_prop_def(ints("steps of the filter along each spatial axis; 1 if absent"))
    dilations = opt_prop_def(ints("distance of the values of a window; 1 if absent"))
    pads = opt_prop_def(ints("zeros before each spatial axis, then after each; 0 if absent"))
    groups = prop_def(
        integer("into how many groups channels and filters are divided"), IntegerAttr(1, 64)
    )

    @classmethod
    def windows(cls, filters: Shape, params: Params) -> tuple[Window, ...]:
        """The window along each spatial axis."""
        kernel = filters[2:]
        # conv_c2: no extent of a filter is 0.
        if any(e == 0 for e in kernel):
            raise VerifyException(f"filter extents must be positive, found {shape_text(kernel)}")
        # conv_c3: each spatial axis has a stride, a dilation and two pads.
        strides, dilations, *pads = _window_lists(params, len(kernel))
        every = zip(kernel, strides, dilations, *pads, strict=True)
        return tuple(Window(*values) for values in every)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """Batch, filters, and the positions along each spatial axis."""
        common = same_element(types, cls.types)
        x, w = (shape_of(t) for t in types)
        # conv_c1: both operands have 1 to 3 spatial axes.
        _check_ranks(x, w)
        windows, groups = cls.windows(w, params), params["groups"]
        # conv_c4: groups divide the filters.
        if not 1 <= groups <= MOST or (w[0].constant or 0) % groups:
            raise VerifyException(
                f"{extent_text(w[0])} filters cannot be divided into {groups} groups"
            )
        # conv_c5: the filters of all groups see all channels.
        channels, seen = x[1].constant, w[1].constant
        if channels is not None and seen is not None and channels != seen * groups:
            raise VerifyException(
                f"{groups} groups of {seen} channels see {extent_text(x[1])} channels"
            )
        positions: list[ex.Expr] = []
        for extent, window in zip(x[2:], windows, strict=True):
            padded, least = extent + (window.begin + window.end), window.reach.constant
            # conv_c6: a filter is not larger than the padded input.
            if padded.constant is not None and least is not None and padded.constant < least:
                raise VerifyException(
                    f"a filter covers {window.reach} values of {extent_text(padded)}"
                )
            positions.append(window.positions(extent))
        return tensor_type(common, (x[0], w[0], *positions))

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Channels agree, and filters are not larger than the padded input."""
        x, w = (shape_of(t) for t in types)
        groups = ex.const(params["groups"])
        yield Requirement("equal", x[1], w[1] * groups, "opc.conv: the number of channels differs")
        yield Requirement("divides", w[0], groups, "opc.conv: groups divide the filters")
        for extent, window in zip(x[2:], cls.windows(w, params), strict=True):
            padded = extent + (window.begin + window.end)
            fits = ex.atleast(padded, window.reach)
            message = "opc.conv: a filter is larger than the padded input"
            yield Requirement("equal", fits, ex.const(1), message)
            some = ex.atleast(window.kernel, 1)
            yield Requirement("equal", some, ex.const(1), "opc.conv: a filter has no elements")


@dataclass(frozen=True)
class Spread:
    """The reach of a transposed convolution along a spatial axis."""

    taps: int
    """Elements of the filter."""
    stride: int
    dilation: int
    begin: int
    end: int
    extra: int

    @property
    def reach(self) -> int:
        """The number of results that one input value covers, gaps included."""
        return (self.taps - 1) * self.dilation + 1

    def results(self, extent: ex.Expr) -> ex.Expr:
        """The number of results along an axis."""
        length = (extent - 1) * self.stride + self.reach + self.extra
        return length - self.begin - self.end


class ConvTransposeOp(OpcOp, name="opc.conv_transpose"):
    """Transposed convolution: filters [C, M / groups, kernel...] over an input [N, C, spatial...].

    The result is [N, M, spatial...].  Input value i times filter element k is added to the result
    at ``i * stride + k * dilation``.  ``output_padding`` extends the axes, then ``pads`` are cut
    off.  A result adds the products of all filter elements with such an i, the last element first.
    If i is outside of the input, the value is 0 and multiplied like others.  A result without such
    elements is 0.  Filters of a group see the channels of that group.
    """

    types = el.NUMERIC
    input = operand_def(TENSOR)
    filters = operand_def(TENSOR)
    strides = opt_prop_def(ints("distance of the results of two values; 1 if absent"))
    dilations = opt_prop_def(ints("distance of the results of two elements; 1 if absent"))
    pads = opt_prop_def(
        ints("results cut off before each spatial axis, then after each; 0 if absent")
    )
    output_padding = opt_prop_def(ints("results added after each spatial axis; 0 if absent"))
    groups = prop_def(
        integer("into how many groups channels and filters are divided"), IntegerAttr(1, 64)
    )

    @classmethod
    def axes(cls, filters: Shape, params: Params) -> tuple[Spread, ...]:
        """The reach along each spatial axis."""
        kernel = [e.constant or 0 for e in filters[2:]]
        # conv_transpose_c2: the extents of a filter are constant, and not 0.
        if 0 in kernel:
            raise VerifyException(
                f"filter extents must be known and positive, found {shape_text(filters[2:])}"
            )
        # conv_transpose_c3: each spatial axis has a stride, a dilation, a padding and two pads.
        lists = _window_lists(params, len(kernel))
        extra = _checked("output_padding", params, len(kernel), 0)
        axes = tuple(Spread(*values) for values in zip(kernel, *lists, extra, strict=True))
        # conv_transpose_c7: the reach of a filter and the output padding fit in 31 bits.
        if (most := max(axis.reach + axis.extra for axis in axes)) > MOST:
            raise VerifyException(
                f"a filter and its output padding cover {most} results, expected at most {MOST}"
            )
        return axes

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """Batch, filters of all groups, and the number of results along each spatial axis."""
        common = same_element(types, cls.types)
        x, w = (shape_of(t) for t in types)
        # conv_transpose_c1: both operands have 1 to 3 spatial axes.
        _check_ranks(x, w)
        axes, groups = cls.axes(w, params), params["groups"]
        # conv_transpose_c4: groups divide the channels.
        if not 1 <= groups <= MOST or any((e.constant or 0) % groups for e in (x[1], w[0])):
            raise VerifyException(
                f"{extent_text(w[0])} channels cannot be divided into {groups} groups"
            )
        # conv_transpose_c5: the input has as many channels as the filters.
        if None not in (x[1].constant, w[0].constant) and x[1] != w[0]:
            raise VerifyException(
                f"filters for {extent_text(w[0])} channels see {extent_text(x[1])}"
            )
        sizes = tuple(axis.results(e) for axis, e in zip(axes, x[2:], strict=True))
        # conv_transpose_c6: no extent of the result is negative.
        if any((e.constant or 0) < 0 for e in sizes):
            raise VerifyException(f"the result would have the extents {shape_text(sizes)}")
        return tensor_type(common, (x[0], w[1] * groups, *sizes))

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Channels agree, and pads are not longer than the result."""
        x, w = (shape_of(t) for t in types)
        message = f"{cls.name}: the channels of the input and of the filters differ"
        yield Requirement("equal", x[1], w[0], message)
        message = f"{cls.name}: groups divide the channels"
        yield Requirement("divides", w[0], ex.const(params["groups"]), message)
        for extent, axis in zip(x[2:], cls.axes(w, params), strict=True):
            size = axis.results(extent)
            if not ex.is_nonnegative(size):
                message = f"{cls.name}: pads are longer than the result"
                yield Requirement("equal", ex.atleast(size, 0), ex.const(1), message)


CONTRACTIONS = (ContractOp, MatmulOp, ConvOp, ConvTransposeOp)
"""The operators that add up products."""
MOVED_WEIGHTS = (ReshapeOp, TransposeOp, BroadcastOp, SliceOp, ConcatOp)
"""Operators that may stand between a weight and its contraction."""


def is_weight(value: SSAValue) -> bool:
    """Whether an operand of a contraction is made of constants, or may be so in a body."""
    op = value.owner
    if isinstance(op, Block):
        function = op.parent_op()
        return isinstance(function, FuncOp) and function.sym_visibility is not None
    if isinstance(op, MOVED_WEIGHTS):
        return all(map(is_weight, op.operands))
    return isinstance(op, ConstantOp)
