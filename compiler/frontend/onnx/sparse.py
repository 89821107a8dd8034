"""Reads sparse tensors of ONNX models as dense attributes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from xdsl.ir import Attribute

from opc.dialects.blob import dense, elements
from opc.errors import InputError

from .tensors import Array, Tensors


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
    array = elements(tensors.read(tensor, what))
    assert array is not None
    return array


def held(tensors: Tensors, tensor: Any, what: str) -> Attribute:
    """The elements of an initializer, sparse or not."""
    if hasattr(tensor, "indices"):
        return dense_of(tensors, tensor, what)
    return tensors.read(tensor, what)


def named_initializers(graph: Any) -> list[tuple[str, Any]]:
    """The initializers of a graph by name; a sparse one has the name of its values."""
    sparse = ((t.values.name, t) for t in graph.sparse_initializer)
    return [*((t.name, t) for t in graph.initializer), *sparse]
