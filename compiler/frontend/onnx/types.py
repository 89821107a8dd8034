"""Converts types and symbolic extents of ONNX values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from xdsl.dialects.builtin import UnrankedTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.onnx import UnknownType
from opc.dialects.opc.base import check_size
from opc.dialects.shape import UNKNOWN, Tensor, shape_of, tensor_type
from opc.errors import InputError, UnsupportedError
from opc.frontend.onnx.ops.schema import DATA_TYPES, element_named, element_numbered
from opc.frontend.verify import shown

LONGEST = 64
UNKNOWN_NAMES = frozenset(
    {"none", "null", "nil", "nan", "unk", "unknown", "undefined", "undef", "-1"}
)
"""Names that exporters give to all unknown extents, in lower case.

``?`` of Paddle and empty names count too.  ``DynamicDimension.0`` of Paddle does not: it is the
name of one extent.
"""
_NUMBERED = re.compile(r"unk__[0-9]+")
"""Numbered names that tf2onnx and ONNX's shape inference give to unknown extents.

Merged graphs may have one twice, for unrelated axes.  Such an extent can still be fixed by name.
"""


def is_identifier(name: str) -> bool:
    """Whether a name is an identifier in C and MLIR."""
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,62}", name) is not None


def is_unknown(name: str) -> bool:
    """Whether the name of an extent means unknown, so that axes of this name may differ."""
    text = name.strip().lower()
    return text in UNKNOWN_NAMES or not any(c.isalnum() for c in text)


def element_type(number: int, what: str, place: str) -> el.ElementType:
    """The element type of a ``TensorProto.DataType``."""
    name = DATA_TYPES.get(number)
    if name is None:
        raise InputError(f"{what} has element type {number}, which does not exist", place)
    type = element_named(name)
    if type is None:
        raise UnsupportedError(f"{what} has element type {name}, which is not supported", place)
    return type


class Types:
    """Converts ``ValueInfoProto`` to types and names of extents to symbols."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.symbols: dict[str, str] = {}
        self.names: dict[str, str] = {}
        """Names in the model by symbol."""

    def input(self, info: Any) -> Tensor:
        """The type of a model input, which must be a tensor of known rank."""
        what = f"input {shown(info.name)!r}"
        kind = info.type.WhichOneof("value")
        if kind != "tensor_type":
            if kind is None:
                raise InputError(f"{what} has no type", self.place)
            raise UnsupportedError(
                f"{what} is a {kind.removesuffix('_type')}, not a tensor", self.place
            )
        tensor = info.type.tensor_type
        element = element_type(tensor.elem_type, what, self.place)
        if not tensor.HasField("shape"):
            raise UnsupportedError(
                f"{what} has no shape: its rank must be known when compiling", self.place
            )
        type = tensor_type(element, [self.extent(d, what, True) for d in tensor.shape.dim])
        try:
            check_size(type)
        except VerifyException as error:
            raise UnsupportedError(f"{what}: {error}", self.place) from None
        return type

    def value(self, info: Any) -> Attribute:
        """The declared type of another value, as far as known."""
        if info.type.WhichOneof("value") != "tensor_type":
            return UnknownType()
        tensor, what = info.type.tensor_type, f"value {shown(info.name)!r}"
        if tensor.elem_type == 0:
            return UnknownType()
        element = element_numbered(tensor.elem_type)
        if element is None:
            return UnknownType()
        if not tensor.HasField("shape"):
            return UnrankedTensorType(element.type)
        return tensor_type(element, self.extents(tensor, what))

    def extents(self, tensor: Any, what: str) -> list[ex.Expr]:
        """The extents of a type."""
        return [self.extent(d, what) for d in tensor.shape.dim]

    def extent(self, dim: Any, what: str, is_input: bool = False) -> ex.Expr:
        """One extent: a number, a symbol, or unknown."""
        if dim.WhichOneof("value") == "dim_value":
            # Some exporters write -1 for an unknown extent.
            if dim.dim_value == -1:
                return UNKNOWN
            if dim.dim_value < 0:
                raise InputError(f"{what} has extent {dim.dim_value}", self.place)
            return ex.const(dim.dim_value)
        name = dim.dim_param
        if is_unknown(name):
            return UNKNOWN
        if _NUMBERED.fullmatch(name):
            return ex.sym(self._new(name)) if is_input else UNKNOWN
        if name not in self.symbols:
            self.symbols[name] = self._new(name)
        return ex.sym(self.symbols[name])

    def extent_names(self, values: Iterable[SSAValue]) -> dict[str, str]:
        """Names of extents of some values by symbol, where the two differ."""
        used = {name for value in values for e in shape_of(value.type) for name in e.symbols()}
        return {s: name for s, name in self.names.items() if s in used and s != name}

    def _new(self, name: str) -> str:
        """A symbol for the name of an extent: a unique identifier."""
        text = re.sub(r"[^A-Za-z0-9_]", "_", name)[: LONGEST - 8]
        if not re.match(r"[A-Za-z_]", text) or ex.DIM.match(text) or text in ex.FUNCTIONS:
            text = f"n_{text}"
        stem, k = text, 1
        while text in self.names:
            k += 1
            text = f"{stem}_{k}"
        self.names[text] = name
        return text
