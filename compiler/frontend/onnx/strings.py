"""Reads string tensors of ONNX models, which must be lists."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, StringAttr

from opc.dialects.onnx import NodeOp, UnknownType
from opc.errors import InputError, UnsupportedError

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
