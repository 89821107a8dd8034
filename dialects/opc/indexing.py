"""Operators whose indices are data: gather, gather_elements, scatter, scatter_elements.

A negative index counts from the end unless ``from_end`` is false.  An index outside of its axis is
an error: at compile time if it is constant, else at run time by the ``opc.require_range`` that
require-ranges puts before these operators.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, prop_def, var_operand_def
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..shape import (
    Requirement,
    Shape,
    Tensor,
    broadcast_shapes,
    element,
    normalize_axis,
    shape_of,
    shape_text,
)
from ..shape import tensor_type as typed
from .attributes import TRUE, Params, boolean, choice, integer, ints
from .base import SOME, TENSOR, OpcOp

REDUCTIONS = ("none", "add", "mul", "max", "min")
"""How an update changes an element: replaces it, or is combined with it."""


_AXES = ints("the axes of x that are indexed, ascending; indices for each follow")
_AXIS = integer("the axis that is indexed")
_FROM_END = boolean("whether negative indices count from the end")
_REDUCTION = choice(REDUCTIONS, "how an update is combined with the element")
_NONE = StringAttr("none")


class IndexingOp(OpcOp):
    """An operator whose operands from ``FIRST`` on are tensors of indices."""

    FIRST: ClassVar[int] = 1
    operand = operand_def(TENSOR)

    @classmethod
    def axes(cls, rank: int, params: Params) -> tuple[int, ...]:
        """The axis of each tensor of indices, from the front."""
        axes: tuple[int, ...] = params["axes"] if "axes" in params else (params["axis"],)
        normalized = tuple(normalize_axis(axis, rank) for axis in axes)
        # indexing_c1: axes ascend.
        if not normalized or any(a >= b for a, b in itertools.pairwise(normalized)):
            raise VerifyException(f"axes {list(axes)} do not ascend, or there is none")
        return normalized

    def indexed(self) -> list[tuple[int, SSAValue]]:
        """The axes of the first operand that are indexed, and the indices for each."""
        axes = self.axes(len(shape_of(self.tensor_types[0])), self.values())
        return list(zip(axes, self.operands[self.FIRST :], strict=True))

    @classmethod
    def _indices(cls, types: Sequence[Tensor], count: int) -> list[Shape]:
        indices = types[cls.FIRST :]
        # indexing_c2: each axis has a tensor of integers.
        if len(indices) != count:
            raise VerifyException(f"{len(indices)} tensors of indices for {count} axes")
        for type in indices:
            if not element(type).is_integer:
                raise VerifyException(f"indices are {element(type)}, expected integers")
        return [shape_of(t) for t in indices]


def _around(shape: Shape, axes: Sequence[int], indices: Shape) -> Shape:
    """A shape with the axes of the indices at the position of the first indexed axis."""
    behind = (e for k, e in enumerate(shape) if k > axes[0] and k not in axes)
    return (*shape[: axes[0]], *indices, *behind)


def _meet(name: str, sides: str, a: Shape, b: Shape) -> list[Requirement]:
    """Requirements that two shapes are equal."""
    message = f"{name}: {sides} differ"
    return [Requirement("equal", x, y, message) for x, y in zip(a, b, strict=True)]


def _differ(a: Shape, b: Shape) -> bool:
    return len(a) != len(b) or any(
        x.constant is not None and y.constant is not None and x != y
        for x, y in zip(a, b, strict=True)
    )


class GatherOp(IndexingOp, name="opc.gather"):
    """Parts of a tensor at indices along some axes.

    Indices broadcast against each other.  Their axes replace the first indexed axis.  The first
    ``batch`` axes of x and of the indices are the same axes::

        opc.gather %x, %i {axes = [0]} : tensor<9x4xf32>, tensor<2x3xi64> -> tensor<2x3x4xf32>
    """

    indices = var_operand_def(SOME)
    axes_attr = prop_def(_AXES, prop_name="axes")
    batch = prop_def(
        integer("how many leading axes x and the indices have in common"), IntegerAttr(0, 64)
    )
    from_end = prop_def(_FROM_END, TRUE)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The shape of x with the axes of the indices at the position of the first indexed axis."""
        shape, batch = shape_of(types[0]), params["batch"]
        axes = cls.axes(len(shape), params)
        indices = broadcast_shapes(cls._indices(types, len(axes)))
        # gather_c1: batch axes are before indexed axes.
        if not 0 <= batch <= min(axes[0], len(indices)):
            raise VerifyException(
                f"{batch} axes in common, for axes {list(axes)} and indices {shape_text(indices)}"
            )
        # gather_c2: extents of batch axes are equal.
        if _differ(shape[:batch], indices[:batch]):
            raise VerifyException(
                f"{shape_text(shape)} and indices {shape_text(indices)} differ in the first {batch}"
            )
        return typed(types[0].element_type, _around(shape, axes, indices[batch:]))

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Indices broadcast, and batch axes have equal extents."""
        shape, batch = shape_of(types[0]), params["batch"]
        shapes = [shape_of(t) for t in types[1:]]
        indices = broadcast_shapes(shapes)
        return [
            *_stretched(cls.name, shapes),
            *_meet(cls.name, "extents in common", shape[:batch], indices[:batch]),
        ]


def _stretched(name: str, shapes: Sequence[Shape]) -> list[Requirement]:
    """Requirements that shapes broadcast against each other."""
    needs: list[Requirement] = []
    common = shapes[0]
    for shape in shapes[1:]:
        for a, b in zip(reversed(common), reversed(shape), strict=False):
            needs.append(Requirement("broadcast", a, b, f"{name}: indices do not broadcast"))
        common = broadcast_shapes([common, shape])
    return needs


class GatherElementsOp(IndexingOp, name="opc.gather_elements"):
    """For each index the element at its position, with the index along one axis.

    ``r[i, j] = x[i, indices[i, j]]`` for axis 1.  Indices may be shorter than x along other axes.
    """

    indices = operand_def(TENSOR)
    axis = prop_def(_AXIS)
    from_end = prop_def(_FROM_END, TRUE)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The shape of the indices."""
        shape = shape_of(types[0])
        cls.axes(len(shape), params)
        (indices,) = cls._indices(types, 1)
        check_inside(shape, indices, params["axis"])
        return typed(types[0].element_type, indices)

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Along other axes, indices are not longer than x."""
        return inside(cls.name, shape_of(types[0]), shape_of(types[1]), params["axis"])


def check_inside(shape: Shape, indices: Shape, axis: int) -> None:
    """VerifyException unless indices have the tensor's rank and fit along all axes but one."""
    # elements_c1: indices have the rank of the tensor, and are not longer along other axes.
    known = [(a.constant, b.constant) for a, b in zip(shape, indices, strict=False)]
    beyond = [
        k
        for k, (a, b) in enumerate(known)
        if k != axis % len(shape) and a is not None and b is not None and b > a
    ]
    if len(shape) != len(indices) or beyond:
        raise VerifyException(
            f"indices {shape_text(indices)} do not fit in {shape_text(shape)} beside axis {axis}"
        )


def inside(name: str, shape: Shape, indices: Shape, axis: int) -> list[Requirement]:
    """Requirements that indices fit into a tensor along all axes but one."""
    return [
        Requirement("equal", ex.minimum(a, b), b, f"{name}: more indices than elements")
        for k, (a, b) in enumerate(zip(shape, indices, strict=True))
        if k != axis % len(shape)
    ]


class Scatter(IndexingOp):
    """The first operand, changed by the second one, the updates, at indices.

    Updates of one element apply in row-major order.
    """

    FIRST = 2
    updates = operand_def(TENSOR)

    @classmethod
    def check_elements(cls, types: Sequence[Tensor], params: Params) -> None:
        """VerifyException unless updates have x's element type, and the reduction admits it."""
        type, function = element(types[0]), params["reduction"]
        # scatter_c1: updates have the element type of x.
        if element(types[1]) is not type:
            raise VerifyException(f"updates are {element(types[1])}, expected {type}")
        # scatter_c2: the reduction admits the element type.
        if function != "none" and type not in el.NUMERIC:
            admitted = el.names(el.NUMERIC)
            raise VerifyException(f"cannot {function} {type}, expected one of {admitted}")


class ScatterOp(Scatter, name="opc.scatter"):
    """x with parts of it replaced by updates, at indices along some axes.

    Updates have the shape of ``opc.gather`` for these axes and indices::

        opc.scatter %x, %u, %i {axes = [0]}
            : tensor<9x4xf32>, tensor<2x3x4xf32>, tensor<2x3xi64> -> tensor<9x4xf32>

    Updates of one element apply in row-major order, also with threads.
    """

    indices = var_operand_def(SOME)
    axes_attr = prop_def(_AXES, prop_name="axes")
    reduction = prop_def(_REDUCTION, _NONE)
    from_end = prop_def(_FROM_END, TRUE)

    @classmethod
    def _places(cls, types: Sequence[Tensor], params: Params) -> Shape:
        shape = shape_of(types[0])
        axes = cls.axes(len(shape), params)
        return _around(shape, axes, broadcast_shapes(cls._indices(types, len(axes))))

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The type of x."""
        cls.check_elements(types, params)
        places, updates = cls._places(types, params), shape_of(types[1])
        # scatter_c3: there is an update for each place.
        if _differ(places, updates):
            raise VerifyException(
                f"updates {shape_text(updates)} for places {shape_text(places)} of "
                f"{shape_text(shape_of(types[0]))}"
            )
        return types[0]

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Indices broadcast, and each position has an update."""
        return [
            *_stretched(cls.name, [shape_of(t) for t in types[2:]]),
            *_meet(cls.name, "updates and places", shape_of(types[1]), cls._places(types, params)),
        ]


class ScatterElementsOp(Scatter, name="opc.scatter_elements"):
    """x with an element replaced for each update, at its position with an index along one axis.

    ``r[i, indices[i, j]] = updates[i, j]`` for axis 1.  Indices may be shorter than x along other
    axes.  Updates of one element apply in row-major order, also with threads.
    """

    indices = operand_def(TENSOR)
    axis = prop_def(_AXIS)
    reduction = prop_def(_REDUCTION, _NONE)
    from_end = prop_def(_FROM_END, TRUE)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The type of x."""
        cls.check_elements(types, params)
        shape, updates = shape_of(types[0]), shape_of(types[1])
        cls.axes(len(shape), params)
        (indices,) = cls._indices(types, 1)
        # scatter_elements_c1: each index has an update.
        if _differ(updates, indices):
            raise VerifyException(
                f"updates {shape_text(updates)} for indices {shape_text(indices)}"
            )
        check_inside(shape, indices, params["axis"])
        return types[0]

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Indices fit into x, and each has an update."""
        shape, updates, indices = (shape_of(t) for t in types)
        return [
            *_meet(cls.name, "updates and indices", updates, indices),
            *inside(cls.name, shape, indices, params["axis"]),
        ]
