"""Types of values in ONNX models."""

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
"""What exporters write as the name of an extent that they do not know, in lower case.

Paddle writes ``?``; what Python prints for one is ``None``, and what ONNX has for it is no name at
all.  ``DynamicDimension.0`` of Paddle is a name, of one extent.
"""
_NUMBERED = re.compile(r"unk__[0-9]+")
"""What tf2onnx and ONNX's shape inference write for an unknown extent, with the next number.

Only graphs that were put together have one twice, of axes that have nothing in common.  It can be
fixed by that name all the same.
"""


def is_identifier(name: str) -> bool:
    """Whether C and MLIR both have such identifiers."""
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,62}", name) is not None


def is_unknown(name: str) -> bool:
    """Whether the name of an extent says that nothing is known of it: axes of it may differ."""
    text = name.strip().lower()
    return text in UNKNOWN_NAMES or not any(c.isalnum() for c in text)


def element_type(number: int, what: str, place: str) -> el.ElementType:
    """The element type of a number of ``TensorProto.DataType``."""
    name = DATA_TYPES.get(number)
    if name is None:
        raise InputError(f"{what} has element type {number}, which does not exist", place)
    type = element_named(name)
    if type is None:
        raise UnsupportedError(f"{what} has element type {name}, which is not supported", place)
    return type


class Types:
    """Turns ``ValueInfoProto`` into types, and names of extents into symbols."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.symbols: dict[str, str] = {}
        self.names: dict[str, str] = {}
        """What the model calls each symbol."""

    def input(self, info: Any) -> Tensor:
        """The type of an input of the model, which must be a tensor of known rank."""
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
        """The type of another value, as far as the model says it."""
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
        """The extents that a type states."""
        return [self.extent(d, what) for d in tensor.shape.dim]

    def extent(self, dim: Any, what: str, is_input: bool = False) -> ex.Expr:
        """One extent: a number, a symbol, or unknown."""
        if dim.WhichOneof("value") == "dim_value":
            # Some exporters write -1 for an extent that they do not know.
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
        """The names of extents of some values that are no symbols, by the symbols."""
        used = {name for value in values for e in shape_of(value.type) for name in e.symbols()}
        return {s: name for s, name in self.names.items() if s in used and s != name}

    def _new(self, name: str) -> str:
        """A symbol for the name of an extent: one that nothing has, and an identifier."""
        text = re.sub(r"[^A-Za-z0-9_]", "_", name)[: LONGEST - 8]
        if not re.match(r"[A-Za-z_]", text) or ex.DIM.match(text) or text in ex.FUNCTIONS:
            text = f"n_{text}"
        stem, k = text, 1
        while text in self.names:
            k += 1
            text = f"{stem}_{k}"
        self.names[text] = name
        return text
