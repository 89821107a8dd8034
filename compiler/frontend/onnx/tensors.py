"""Converts types, symbolic extents and tensors of ONNX values: ``TensorProto`` in every form."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, StringAttr, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import array_of, deferred, dense
from opc.dialects.onnx import NodeOp, UnknownType
from opc.dialects.opc.base import check_size
from opc.dialects.shape import UNKNOWN, Tensor, shape_of, tensor_type
from opc.errors import InputError, UnsupportedError
from opc.frontend.onnx.ops.schema import DATA_TYPES, element_named, element_numbered
from opc.frontend.verify import shown
from opc.support.safe_open import DataFile, decimal

from .embedded import Content, Embedded

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
        return tensor_type(element, [self.extent(d, what) for d in tensor.shape.dim])

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


Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

EXTERNAL = 1
"""``TensorProto.DataLocation.EXTERNAL``."""

FIELDS = {
    "f32": "float_data",
    "f64": "double_data",
    "i64": "int64_data",
    "ui64": "uint64_data",
    "ui32": "uint64_data",
}
"""Fields of single elements by type; all other types use ``int32_data``."""


class Tensors:
    """Reads ``TensorProto``; external data are in files of ``folder``, or ``embedded``."""

    def __init__(self, folder: Path | None, place: str, embedded: Embedded | None = None) -> None:
        self.folder = folder
        self.place = place
        self.files: dict[str, Content] = {}
        if embedded is not None:
            self.files[embedded.name] = embedded.content

    def read(self, tensor: Any, what: str) -> Attribute:
        """The elements as an attribute.  InputError if they do not fill the shape."""
        type, shape = self.type(tensor.data_type, tensor.dims, what)
        if tensor.HasField("segment"):
            raise InputError(f"{what} is given in segments, which are deprecated", self.place)
        count = math.prod(shape)
        if tensor.data_location == EXTERNAL:
            file, offset, size = self._external(tensor, what)
            self._check(size, type, shape, what)
            return deferred(lambda: _raw(file.read(offset, size), type, shape), type, shape)
        if tensor.HasField("raw_data"):
            self._check(len(tensor.raw_data), type, shape, what)
            return dense(_raw(np.frombuffer(tensor.raw_data, np.uint8), type, shape), type)
        values = getattr(tensor, FIELDS.get(type.name, "int32_data"))
        per_value = 8 // type.bits if type.bits in (2, 4) else 1
        if len(values) != -(-count // per_value):
            raise InputError(
                f"{what} has {len(values)} elements in {FIELDS.get(type.name, 'int32_data')}, "
                f"which do not fill {list(shape)}",
                self.place,
            )
        return dense(_typed(values, type, count).reshape(shape), type)

    def type(self, number: int, dims: Any, what: str) -> tuple[el.ElementType, tuple[int, ...]]:
        """The element type and extents.  InputError or UnsupportedError for invalid ones."""
        type = element_type(number, what, self.place)
        shape = tuple(int(n) for n in dims)
        if any(n < 0 for n in shape):
            raise InputError(f"{what} has shape {list(shape)[:20]}", self.place)
        try:
            check_size(TensorType(type.type, shape))
        except VerifyException as error:
            raise UnsupportedError(f"{what}: {error}", self.place) from None
        return type, shape

    def _check(self, size: int, type: el.ElementType, shape: tuple[int, ...], what: str) -> None:
        count = math.prod(shape)
        expected = -(-count * type.bits // 8) if type.bits in (2, 4) else count * type.bytes
        if size != expected:
            raise InputError(
                f"{what} has {size} bytes, expected {expected} for {list(shape)}", self.place
            )

    def _external(self, tensor: Any, what: str) -> tuple[Content, int, int]:
        """The file, offset and size of external data."""
        info = {e.key: e.value for e in tensor.external_data}
        if not info.get("location"):
            raise InputError(f"{what} has external data without a location", self.place)
        if self.folder is None and info["location"] not in self.files:
            raise InputError(
                f"{what} has external data, and the folder of the model is not known; "
                "compile the path of the model",
                self.place,
            )
        location = info["location"]
        try:
            numbers = {k: decimal(info[k]) for k in ("offset", "length") if info.get(k)}
            if location not in self.files:
                assert self.folder is not None
                self.files[location] = DataFile(self.folder, location)
        except ValueError as error:
            raise InputError(f"{what}: external data: {error}", self.place) from None
        file, offset = self.files[location], numbers.get("offset", 0)
        length = numbers.get("length", max(file.size - offset, 0))
        if offset + length > file.size:
            raise InputError(
                f"{what}: external data: {location!r} has {file.size} bytes, "
                f"expected {offset} to {offset + length}",
                self.place,
            )
        return file, offset, length


def _typed(values: Any, type: el.ElementType, count: int) -> Array:
    """Elements from a field of numbers, which for small types are their bits."""
    if type.bits in (2, 4):
        return unpacked(np.array(values, np.int64).astype(np.uint8), type, count)
    if type.is_small_float or type.is_small:
        bits = np.uint16 if type.bits == 16 else np.uint8
        return np.array(values, np.int64).astype(bits).view(type.dtype)
    return np.array(values).astype(type.dtype)


def _raw(data: Array, type: el.ElementType, shape: tuple[int, ...]) -> Array:
    """Elements from their bytes, which fill the shape."""
    if type.bits in (2, 4):
        return unpacked(data, type, math.prod(shape)).reshape(shape)
    if type.bits == 1:
        return (data != 0).reshape(shape)
    array = data.view(type.dtype)
    if sys.byteorder == "big":
        array = array.byteswap()
    return array.reshape(shape)


def unpacked(data: Array, type: el.ElementType, count: int) -> Array:
    """Elements of 2 or 4 bits, the first in the lowest bits, one to a byte."""
    per_byte = 8 // type.bits
    shifts = np.arange(per_byte, dtype=np.uint8) * type.bits
    fields = (data.reshape(-1, 1) >> shifts) & ((1 << type.bits) - 1)
    values = fields.reshape(-1)[:count]
    if type.small == "signed":
        sign = 1 << (type.bits - 1)
        return ((values ^ sign).astype(np.int8) - sign).astype(type.dtype)
    return values.view(type.dtype) if type.small == "float" else values.astype(type.dtype)


def dense_of(tensors: Tensors, sparse: Any, what: str) -> Attribute:
    """A ``SparseTensorProto`` as a dense attribute.  InputError for indices out of range.

    Indices are row-major offsets [n], or [n, rank].
    """
    type, shape = tensors.type(sparse.values.data_type, sparse.dims, what)
    values = _read(tensors, sparse.values, what)
    indices = _read(tensors, sparse.indices, f"{what}, its indices")
    count, rank = values.size, len(shape)
    if values.ndim != 1 or indices.shape not in ((count,), (count, rank)):
        raise InputError(
            f"{what} has values {list(values.shape)} and indices {list(indices.shape)}, expected "
            f"[n] and [n] or [n, {rank}]",
            tensors.place,
        )
    if indices.dtype != np.int64:
        raise InputError(f"{what} has indices of {indices.dtype}, expected int64", tensors.place)
    bounds = np.array(shape if indices.ndim == 2 else [math.prod(shape)], np.int64)
    if indices.size and not ((indices >= 0) & (indices < bounds)).all():
        raise InputError(f"{what} has an index outside of shape {list(shape)}", tensors.place)
    array = np.zeros(shape, type.dtype)
    if count:
        at = tuple(indices.T) if indices.ndim == 2 else np.unravel_index(indices, shape)
        array[at] = values
    return dense(array, type)


def _read(tensors: Tensors, tensor: Any, what: str) -> Array:
    return array_of(tensors.read(tensor, what))


def held(tensors: Tensors, tensor: Any, what: str) -> Attribute:
    """The elements of an initializer, sparse or not."""
    if hasattr(tensor, "indices"):
        return dense_of(tensors, tensor, what)
    return tensors.read(tensor, what)


def named_initializers(graph: Any) -> list[tuple[str, Any]]:
    """The initializers of a graph by name; a sparse one has the name of its values."""
    sparse = ((t.values.name, t) for t in graph.sparse_initializer)
    return [*((t.name, t) for t in graph.initializer), *sparse]


STRING = 8
"""``TensorProto.DataType.STRING``."""


def is_text(tensor: Any) -> bool:
    """Whether an initializer is a tensor of strings."""
    return not hasattr(tensor, "indices") and tensor.data_type == STRING


def text_of(tensor: Any, what: str, place: str) -> NodeOp:
    """A list of strings as a node ``Constant {value_strings}``.

    Raises InputError for invalid UTF-8, UnsupportedError for ranks other than 1.
    """
    if len(tensor.dims) != 1 or tensor.dims[0] != len(tensor.string_data):
        raise UnsupportedError(
            f"{what} is a tensor of strings of shape {list(tensor.dims)[:16]}, of which only lists "
            "are supported",
            place,
        )
    try:
        names = [StringAttr(text.decode("utf-8")) for text in tensor.string_data]
    except UnicodeDecodeError:
        raise InputError(f"{what} is not UTF-8 text", place) from None
    return NodeOp.of("Constant", 13, [], {"value_strings": ArrayAttr(names)}, [UnknownType()])
