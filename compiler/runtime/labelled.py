"""Results that stand for text or dictionaries, as Python objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from opc.support.interface import TensorSpec

from .arguments import Array


def has_tables(outputs: Sequence[TensorSpec]) -> bool:
    """Whether an output stands for text or dictionaries."""
    return any(s.labels is not None or s.keys is not None for s in outputs)


def objects(outputs: Sequence[TensorSpec], result: Any) -> Any:
    """What a call returns for the arrays that C wrote, one or a tuple, as onnxruntime does.

    An output with labels becomes an array of ``str`` with element type object, one with keys a list
    of dictionaries; any other is the array itself.
    """
    if len(outputs) == 1:
        return _object(outputs[0], result)
    return tuple(_object(spec, array) for spec, array in zip(outputs, result, strict=True))


def _object(spec: TensorSpec, array: Array) -> Any:
    if spec.labels is not None:
        # At rank 0, indexing gives the element itself.
        return np.asarray(np.array(spec.labels, object)[array], object)
    if spec.keys is not None:
        rows: Sequence[Sequence[Any]] = array.tolist()
        return [dict(zip(spec.keys, row, strict=True)) for row in rows]
    return array
