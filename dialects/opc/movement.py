"""Operators that move or hold data: constant, reshape, broadcast, transpose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import AnyFloat, BytesAttr, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import expr as ex
from ..blob import BlobAttr, array_of
from ..element import ElementType
from ..extent_text import extent_text
from ..shape import UNKNOWN, Requirement, Tensor, shape_of, shape_text, tensor_type
from .attributes import Params, attribute, ints
from .base import TENSOR, OpcOp, print_discardable

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"


def _data_type(value: Attribute) -> Attribute | None:
    """The type of a dense or blob attribute, None for others."""
    if isinstance(value, DenseIntOrFPElementsAttr):
        return cast("DenseIntOrFPElementsAttr[AnyFloat]", value).type
    return value.type if isinstance(value, BlobAttr) else None


class ConstantOp(OpcOp, name="opc.constant"):
    """A tensor known at compile time: ``opc.constant dense<1.0> : tensor<4xf32>``."""

    value = prop_def(attribute("the elements, or one that fills the tensor"))

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The type of the value."""
        value = params["value"]
        # constant_c1: the value is a dense array or blob of a tensor type.
        type = _data_type(value)
        if not isinstance(type, TensorType):
            raise VerifyException(f"expected dense<...> : tensor<...>, found {value}")
        return cast("Tensor", type)

    @staticmethod
    def of(array: Array, type: ElementType) -> ConstantOp:
        """The constant with these elements."""
        data = np.ascontiguousarray(array, dtype=type.dtype)
        shaped = cast(Tensor, TensorType(type.type, array.shape))
        # xDSL keeps i1 as signed bytes, in which true is -1.
        packed = np.negative(data.astype(np.int8)) if type.bits == 1 else data
        value = DenseIntOrFPElementsAttr(shaped, BytesAttr(packed.tobytes()))  # pyright: ignore
        return ConstantOp(value=value)

    def array(self) -> Array:
        """The elements as a NumPy array of the element type."""
        return array_of(self.value)

    @classmethod
    def parse_attributes(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse the value, which carries the type, and further attributes."""
        pos = parser.pos
        value = parser.parse_attribute()
        if not isinstance(value, DenseIntOrFPElementsAttr | BlobAttr):
            parser.raise_error(
                f"opc.constant: expected dense<...> : tensor<...>, found {value}", pos
            )
        return {"value": value, **parser.parse_optional_attr_dict()}

    def print(self, printer: Printer) -> None:
        """Print the value, which carries the type."""
        printer.print_string(" ")
        printer.print_attribute(self.value)
        print_discardable(printer, self)


class ReshapeOp(OpcOp, name="opc.reshape"):
    """The same elements, in row-major order, in another shape.

    One extent of the result type may be ``?``; it is inferred from the number of elements.
    """

    takes_result_type = True
    operand = operand_def(TENSOR)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The declared shape with its unknown extent inferred."""
        source, target = shape_of(types[0]), list(shape_of(params["result_type"]))
        holes = [k for k, e in enumerate(target) if e == UNKNOWN]
        size = ex.product(source)
        if "?" not in size.symbols():
            # reshape_c1: at most one extent is inferred.
            if len(holes) > 1:
                raise VerifyException(
                    f"{len(holes)} extents of the result are unknown, at most 1 can be"
                )
            rest = ex.product(e for e in target if e != UNKNOWN)
            if holes:
                if rest == 0:
                    raise VerifyException("an extent cannot be inferred beside an extent of 0")
                target[holes[0]] = ex.floordiv(size, rest)
            elif size.constant is not None and rest.constant is not None and size != rest:
                rest = ex.const(-1)
            # reshape_c2: the number of elements is the same.
            if (size.constant is not None and rest.constant is not None) and (
                size.constant % rest.constant if holes else rest.constant < 0
            ):
                raise VerifyException(
                    f"{shape_text(source)} has {extent_text(size)} elements, which do not fill "
                    f"{shape_text(shape_of(params['result_type']))}"
                )
        return tensor_type(types[0].element_type, target)

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """The number of elements is the same."""
        source, target = ex.product(shape_of(types[0])), shape_of(params["result_type"])
        rest = ex.product(e for e in target if e != UNKNOWN)
        relation = "divides" if UNKNOWN in target else "equal"
        return [Requirement(relation, source, rest, "opc.reshape: the number of elements differs")]


class BroadcastOp(OpcOp, name="opc.broadcast"):
    """The operand stretched to the result shape by NumPy's rule: aligned at the last axis."""

    takes_result_type = True
    operand = operand_def(TENSOR)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The declared shape; unknown extents are the operand's."""
        source, target = shape_of(types[0]), list(shape_of(params["result_type"]))
        # broadcast_c1: the rank does not shrink.
        if len(source) > len(target):
            raise VerifyException(f"rank {len(source)} cannot be broadcast to rank {len(target)}")
        for k, extent in enumerate(source, start=len(target) - len(source)):
            if target[k] == UNKNOWN and extent != 1:
                target[k] = extent
            a, b = extent.constant, target[k].constant
            # broadcast_c2: an extent is the same, or stretched from 1.
            if a is not None and b is not None and a not in (1, b):
                raise VerifyException(
                    f"{shape_text(source)} cannot be broadcast to {shape_text(target)}"
                )
        return tensor_type(types[0].element_type, target)

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """Symbolic extents are the same, or stretched from 1."""
        source, target = shape_of(types[0]), shape_of(cls.infer(types, params))
        pairs = zip(source, target[len(target) - len(source) :], strict=True)
        message = "opc.broadcast: extents do not fit"
        return [Requirement("stretch", a, b, message) for a, b in pairs]


class TransposeOp(OpcOp, name="opc.transpose"):
    """Axes in another order: axis k of the result is axis permutation[k] of the operand."""

    operand = operand_def(TENSOR)
    permutation = prop_def(ints("axis of the operand for each axis of the result"))

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The permuted shape."""
        shape = shape_of(types[0])
        order: tuple[int, ...] = params["permutation"]
        # transpose_c1: every axis occurs once.
        if sorted(order) != list(range(len(shape))):
            raise VerifyException(f"permutation {list(order)} does not order {len(shape)} axes")
        return tensor_type(types[0].element_type, [shape[k] for k in order])
