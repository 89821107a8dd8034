"""Large constants, stored beside the text of the IR.

``#opc.blob<tensor<4096x1024xf32>, "model.bin", 64, 16777216, "9f86d0...">`` are bytes 64 to
16777280 of a file in the folder of the text, little-endian and in row-major order.  The last
parameter is their SHA-256 digest.  A blob in memory has no file: it prints ``""`` and cannot be
parsed back.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, TensorType
from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from opc.support.safe_open import DataFile

from .element import ElementType, element_of
from .shape import Tensor

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"


@dataclass(frozen=True)
class Derived:
    """Computes elements from constants; those of equal keys are equal."""

    key: Hashable
    """The constants and all else that the elements depend on."""
    compute: Callable[[], Array] = field(compare=False)

    def __call__(self) -> Array:
        """The elements."""
        return self.compute()


@dataclass(frozen=True, eq=False)
class Blob:
    """An array, its type in IR, and its file and offset in bytes, if it has these.

    ``load`` returns the array; it reads a file at each call.
    """

    type: Tensor
    load: Callable[[], Array]
    file: str = ""
    offset: int = 0
    alike: Blob | None = None
    """A blob of the same elements in another shape."""

    @property
    def array(self) -> Array:
        """The elements.  Raises :class:`opc.errors.InputError` if the file has changed."""
        array = self.load()
        self.__dict__.setdefault("sample", _sampled(array))
        return array

    @property
    def size(self) -> int:
        """The number of bytes."""
        element = element_of(self.type.element_type)
        assert element is not None
        return math.prod(self.type.get_shape()) * element.bytes

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal."""
        return hashlib.sha256(np.ascontiguousarray(self.array).view(np.uint8).data).hexdigest()

    @cached_property
    def sample(self) -> tuple[bytes, ...]:
        """The bytes of some elements, kept when all are loaded; equal blobs have equal ones."""
        return _sampled(self.load()) if self.alike is None else self.alike.sample

    @cached_property
    def is_finite(self) -> bool:
        """Whether no element is an infinity or NaN."""
        return bool(np.isfinite(self.array).all())

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Blob)
            and self.type == other.type
            and (self.load == other.load or self._has_elements_of(other))
        )

    def _has_elements_of(self, other: Blob) -> bool:
        if isinstance(self.load, Derived) and isinstance(other.load, Derived):
            return False
        return self.sample == other.sample and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.type)


@irdl_attr_definition
class BlobAttr(Data[Blob]):
    """The elements of a tensor, in an array or in a file."""

    name = "opc.blob"

    @staticmethod
    def of(array: Array, type: ElementType) -> BlobAttr:
        """The attribute of an array, which is not copied if it is contiguous."""
        data = np.ascontiguousarray(array, dtype=type.dtype)
        return BlobAttr(Blob(cast(Tensor, TensorType(type.type, array.shape)), lambda: data))

    @property
    def type(self) -> Tensor:
        """The tensor type."""
        return self.data.type

    @property
    def array(self) -> Array:
        """The elements."""
        return self.data.array

    def placed(self, file: str, offset: int) -> BlobAttr:
        """The same elements with a file and an offset in bytes."""
        return BlobAttr(replace(self.data, file=file, offset=offset))

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Blob:
        """Parse type, file, offset, size and digest, and open the file.

        The file must be in the folder of the text, and its bytes must match the digest.
        """
        with parser.in_angle_brackets():
            start = parser.pos
            type = parser.parse_type()
            parser.parse_punctuation(",")
            file = parser.parse_str_literal()
            parser.parse_punctuation(",")
            offset = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_punctuation(",")
            size = parser.parse_integer(allow_boolean=False, allow_negative=False)
            parser.parse_punctuation(",")
            digest = parser.parse_str_literal()
        shaped = cast(Tensor, type) if isinstance(type, TensorType) else None
        element = None if shaped is None else element_of(shaped.element_type)
        if shaped is None or element is None or DYNAMIC_INDEX in (shape := shaped.get_shape()):
            parser.raise_error(f"opc.blob: expected a static tensor type, found {type}", start)
        if math.prod(shape) * element.bytes != size:
            parser.raise_error(f"opc.blob: {size} bytes do not fill {type}", start)
        name = parser._parser_state.lexer.input.name  # pyright: ignore # no public way to it
        try:
            source = _opened(Path(str(name)).parent, file, offset + size)
        except ValueError as error:
            parser.raise_error(f"opc.blob: {error}", start)

        def load() -> Array:
            return source.read(offset, size).view(element.dtype).reshape(shape)

        blob = Blob(shaped, load, file, offset)
        if blob.digest != digest:
            parser.raise_error(f"opc.blob: {file} has changed: its digest is another", start)
        return blob

    def print_parameter(self, printer: Printer) -> None:
        """Print the parsed form."""
        blob = self.data
        printer.print_string("<")
        printer.print_attribute(blob.type)
        printer.print_string(", ")
        printer.print_string_literal(blob.file)
        printer.print_string(f', {blob.offset}, {blob.size}, "{blob.digest}">')


def _opened(folder: Path, file: str, size: int) -> DataFile:
    if not file:
        raise ValueError(
            "these elements are in no file; `opc convert` writes one, and `opc compile -o`"
        )
    source = DataFile(folder, file)
    if source.size < size:
        raise ValueError(f"{file} has fewer than {size} bytes")
    return source


def _sampled(array: Array) -> tuple[bytes, ...]:
    flat = array.reshape(-1)
    return tuple(number.tobytes() for number in flat[:: max(1, flat.size // SAMPLED)])


SAMPLED = 64
"""About how many elements of two blobs are compared before all of them."""
MOST_INLINE = 1024
"""Elements of a constant in the text, at most."""


def dense(array: Array, type: ElementType) -> DenseIntOrFPElementsAttr | BlobAttr:
    """The elements as an attribute: dense up to ``MOST_INLINE`` elements, else a blob."""
    if array.size > MOST_INLINE:
        return BlobAttr.of(array, type)
    from .opc.movement import ConstantOp

    return cast(DenseIntOrFPElementsAttr, ConstantOp.of(array, type).value)


def deferred(
    load: Callable[[], Array], type: ElementType, shape: Sequence[int]
) -> DenseIntOrFPElementsAttr | BlobAttr:
    """As :func:`dense`, for elements that ``load`` reads; a blob reads them at each use."""
    if math.prod(shape) <= MOST_INLINE:
        return dense(load(), type)
    return BlobAttr(Blob(cast(Tensor, TensorType(type.type, shape)), load))


def flat(value: Attribute) -> Attribute:
    """The attribute of the same elements in one row, to be compared; others as they are."""
    if isinstance(value, BlobAttr):
        blob = value.data
        shape = (math.prod(blob.type.get_shape()),)
        type = TensorType(blob.type.element_type, shape)
        return BlobAttr(Blob(type, blob.load, alike=blob.alike or blob))
    array = elements(value)
    if array is None:
        return value
    dense_value = cast(DenseIntOrFPElementsAttr, value)
    type = element_of(cast(Attribute, dense_value.get_element_type()))
    assert type is not None
    return BlobAttr.of(array.reshape(-1), type)


def array_of(value: Attribute) -> Array:
    """The array of an attribute that has elements."""
    array = elements(value)
    assert array is not None
    return array


def elements(value: Attribute) -> Array | None:
    """The array of an attribute, None if it has no elements."""
    if isinstance(value, BlobAttr):
        return value.array
    if not isinstance(value, DenseIntOrFPElementsAttr):
        return None
    element = element_of(cast(Attribute, value.get_element_type()))
    if element is None:
        return None
    shape = value.get_shape()
    if element.bits == 1:
        return (np.frombuffer(value.data.data, dtype=np.int8) != 0).reshape(shape)
    if element.bits < 8:
        # In text -1 and 15 are the same value of i4; an array has one form.
        codes = np.frombuffer(value.data.data, np.uint8) & np.uint8((1 << element.bits) - 1)
        return codes.view(element.dtype).reshape(shape)
    return np.frombuffer(value.data.data, dtype=element.dtype).reshape(shape)
