"""Operators for parts of tensors: slice, concat, windows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, i64
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from .. import expr as ex
from ..bounds import is_extent
from ..extent_text import extent_text
from ..shape import (
    MAX_SIZE,
    DimsAttr,
    Requirement,
    Shape,
    Tensor,
    normalize_axis,
    shape_of,
    shape_text,
    tensor_type,
)
from .attributes import Coded, Params, decode_ints, integer, ints
from .base import SOME, TENSOR, OpcOp

TO_THE_END = (1 << 63) - 1
"""A stop that is beyond every extent."""


def _decode(attr: Attribute) -> Shape:
    if isinstance(attr, DimsAttr):
        return attr.data
    return tuple(ex.const(n) for n in decode_ints(attr))


def _encode(places: Sequence[ex.Expr | int]) -> Attribute:
    known = [ex.Expr.of(e).constant for e in places]
    numbers = [n for n in known if n is not None]
    if len(numbers) == len(known):
        return DenseArrayBase.from_list(i64, numbers)
    return DimsAttr(tuple(ex.Expr.of(e) for e in places))


def _show(places: Shape) -> str:
    text = ", ".join(map(str, places))
    return f"[{text}]" if all(e.constant is not None for e in places) else f"#opc.dims<{text}>"


def places(meaning: str) -> Coded[DenseArrayBase | ArrayAttr[Attribute] | DimsAttr]:
    """A list of expressions over symbols, an entry for each axis."""
    return Coded(_decode, _encode, _show, meaning)


def _clamped(place: ex.Expr, extent: ex.Expr, shift: int) -> ex.Expr:
    """A bound plus shift (0 or 1), clamped to 0 and the extent."""
    known, from_end = place.constant, (place - extent).constant
    if known is not None and known >= TO_THE_END - 1:
        return extent
    if known is None and from_end is not None and from_end < 0:
        known = from_end
    if known is None or known >= 0:
        return ex.minimum(place + shift, extent)
    if known <= 1 - TO_THE_END:
        return ex.const(0)
    return extent - ex.minimum(-known - shift, extent)


def is_bound(place: ex.Expr | int, extent: ex.Expr) -> bool:
    """Whether it is known if a bound counts from the start or from the end."""
    place = ex.Expr.of(place)
    is_number = place.constant is not None or (place - extent).constant is not None
    return is_number or is_extent(place)


def run(
    start: ex.Expr | int, stop: ex.Expr | int, step: int, extent: ex.Expr
) -> tuple[ex.Expr, ex.Expr]:
    """The first position of ``start:stop:step`` along an axis, and the number of positions."""
    shift, by = (0 if step > 0 else 1), min(abs(step), MAX_SIZE)
    first, last = (_clamped(ex.Expr.of(e), extent, shift) for e in (start, stop))
    low, high = (first, last) if step > 0 else (last, first)
    width = high - ex.minimum(low, high)
    return first - shift, ex.floordiv(width + (by - 1), by)


class SliceOp(OpcOp, name="opc.slice"):
    """Every step-th element of each axis from its start to before its stop, as in Python.

    A negative number counts from the end, bounds are clamped to the axis, and a negative step
    reverses it::

        opc.slice %x {starts = [0, -1], stops = [2, -9], steps = [1, -2]}   // x[0:2, -1:-9:-2]
    """

    operand = operand_def(TENSOR)
    starts = prop_def(places("the first position along each axis, an extent or a number"))
    stops = prop_def(places("the position after the last one along each axis"))
    steps = prop_def(ints("the distance of elements along each axis, not 0"))

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The number of positions along each axis."""
        shape = shape_of(types[0])
        # slice_c1: each axis has a start, a stop and a step.
        for name in ("starts", "stops", "steps"):
            if len(params[name]) != len(shape):
                raise VerifyException(f"{len(params[name])} {name} for rank {len(shape)}")
        # slice_c2: no step is 0.
        if 0 in params["steps"]:
            raise VerifyException("a step is 0")
        # slice_c3: a bound is a number, the extent plus a number, or certainly not negative.
        for bound, extent in (
            (e, n) for name in ("starts", "stops") for e, n in zip(params[name], shape, strict=True)
        ):
            if not is_bound(bound, extent):
                raise VerifyException(
                    f"the bound {extent_text(bound)} of an extent {extent_text(extent)} "
                    "may be negative"
                )
        return tensor_type(types[0].element_type, [count for _, count in cls._runs(shape, params)])

    @classmethod
    def _runs(cls, shape: Shape, params: Params) -> list[tuple[ex.Expr, ex.Expr]]:
        bounds = zip(params["starts"], params["stops"], params["steps"], shape, strict=True)
        return [run(*bound) for bound in bounds]

    def bounds(self, name: str) -> Shape:
        """The starts or stops as in Python: N - 2 of an extent N is -2."""
        pairs = zip(self.values()[name], shape_of(self.tensor_types[0]), strict=True)
        return tuple(
            ex.const(k) if e.constant is None and (k := (e - n).constant or 0) < 0 else e
            for e, n in pairs
        )

    def is_whole(self) -> bool:
        """Whether the result is certainly the operand."""
        shape, steps = shape_of(self.tensor_types[0]), self.values()["steps"]
        is_forward = all(step == 1 for step in steps)
        return (
            is_forward
            and self.type == self.tensor_types[0]
            and not any("?" in e.symbols() for e in shape)
        )

    def places(self) -> Shape:
        """The index into the operand for d0, d1, ... of the result."""
        params = self.values()
        runs = self._runs(shape_of(self.tensor_types[0]), params)
        return tuple(
            ex.dim(k) * max(-MAX_SIZE, min(step, MAX_SIZE)) + first
            for k, ((first, _), step) in enumerate(zip(runs, params["steps"], strict=True))
        )


class ConcatOp(OpcOp, name="opc.concat"):
    """Tensors joined along an axis; their other extents are equal."""

    inputs = var_operand_def(SOME)
    axis = prop_def(integer("the axis along which they are joined"))

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The sum of the extents along the axis."""
        shapes = [shape_of(t) for t in types]
        for t in types[1:]:
            # concat_c1: element types and ranks are equal.
            if t.element_type != types[0].element_type:
                raise VerifyException(
                    f"element types differ: {types[0].element_type} and {t.element_type}"
                )
            if t.get_num_dims() != types[0].get_num_dims():
                raise VerifyException(
                    f"ranks differ: {shape_text(shapes[0])} and {shape_text(shape_of(t))}"
                )
        # concat_c2: the axis is one of theirs.
        axis = normalize_axis(params["axis"], len(shapes[0]))
        result = list(shapes[0])
        for shape in shapes[1:]:
            for k, extent in enumerate(shape):
                known = extent.constant, result[k].constant
                if k == axis:
                    result[k] = result[k] + extent
                # concat_c3: the other extents are equal.
                elif None not in known and known[0] != known[1]:
                    raise VerifyException(
                        f"{shape_text(shapes[0])} and {shape_text(shape)} differ beside axis {axis}"
                    )
                elif known[1] is None and (known[0] is not None or "?" in result[k].symbols()):
                    result[k] = extent
        return tensor_type(types[0].element_type, result)

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Symbolic extents beside the axis are equal."""
        first, *rest = (shape_of(t) for t in types)
        axis = normalize_axis(params["axis"], len(first))
        return [
            Requirement("equal", a, b, "opc.concat: extents beside the axis differ")
            for shape in rest
            for k, (a, b) in enumerate(zip(first, shape, strict=True))
            if k != axis
        ]


class WindowsOp(OpcOp, name="opc.windows"):
    """Sliding windows along the last axes: axes of positions, then axes within a window.

    ``r[..., o, k] = x[..., o*stride + k*dilation]``, for all positions of windows inside the
    tensor.  It is a view, as NumPy's ``sliding_window_view``::

        opc.windows %x {sizes = [3, 3], strides = [2, 2], dilations = [1, 1]}
            : tensor<1x4x9x9xf32> -> tensor<1x4x4x4x3x3xf32>
    """

    operand = operand_def(TENSOR)
    sizes = prop_def(ints("elements of a window along each of the last axes"))
    strides = prop_def(ints("the distance of windows"))
    dilations = prop_def(ints("the distance of the elements of a window"))

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The leading axes, then positions, then elements of a window."""
        shape, count = shape_of(types[0]), len(params["sizes"])
        for name in ("sizes", "strides", "dilations"):
            # windows_c1: there is a positive number for each windowed axis.
            if len(params[name]) != count or any(n < 1 for n in params[name]):
                raise VerifyException(f"{name} {list(params[name])} are not {count} positive ones")
            # windows_c3: they do not exceed the size of a tensor.
            if any(n > MAX_SIZE for n in params[name]):
                raise VerifyException(f"{name} {list(params[name])}: one exceeds 2^48")
        # windows_c2: the operand has these axes.
        if count > len(shape):
            raise VerifyException(f"{count} windowed axes for rank {len(shape)}")
        lead = len(shape) - count
        for size, dilation in zip(params["sizes"], params["dilations"], strict=True):
            if (size - 1) * dilation > MAX_SIZE:
                raise VerifyException(f"a window of {size} by {dilation} covers more than 2^48")
        positions = [
            positions_of(extent, (size - 1) * dilation + 1, stride)
            for extent, size, stride, dilation in zip(
                shape[lead:], params["sizes"], params["strides"], params["dilations"], strict=True
            )
        ]
        return tensor_type(types[0].element_type, [*shape[:lead], *positions, *params["sizes"]])

    def places(self) -> Shape:
        """The index into the operand for d0, d1, ... of the result."""
        params, rank = self.values(), len(shape_of(self.tensor_types[0]))
        count = len(params["sizes"])
        windowed = zip(params["strides"], params["dilations"], strict=True)
        return (
            *(ex.dim(k) for k in range(rank - count)),
            *(
                ex.dim(rank - count + k) * stride + ex.dim(rank + k) * dilation
                for k, (stride, dilation) in enumerate(windowed)
            ),
        )


def positions_of(extent: ex.Expr, reach: int, stride: int) -> ex.Expr:
    """The number of positions of a window of ``reach`` elements inside an axis.

    If windows do not overlap, the division gives 0 for an axis that is too short, and the extent
    occurs once in the result.  So the extents of repeated pooling stay short.
    """
    if stride >= reach:
        return ex.floordiv(extent + (stride - reach), stride)
    first = extent - ex.minimum(extent, reach - 1)
    return ex.floordiv(first + (stride - 1), stride)
