"""Tensors of strings in ONNX models: tables of names, in one row."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr, StringAttr

from opc.dialects.onnx import NodeOp, UnknownType
from opc.errors import InputError, UnsupportedError

STRING = 8
"""The number of strings in ``TensorProto.DataType``."""


def is_text(tensor: Any) -> bool:
    """Whether an initializer has strings for elements."""
    return not hasattr(tensor, "indices") and tensor.data_type == STRING


def text_of(tensor: Any, what: str, place: str) -> NodeOp:
    """A list of strings as the node that gives it, ``Constant {value_strings}``.

    Raises InputError for what is no UTF-8 text, UnsupportedError for another rank than 1.
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
        raise InputError(f"{what} is no UTF-8 text", place) from None
    return NodeOp.of("Constant", 13, [], {"value_strings": ArrayAttr(names)}, [UnknownType()])
