"""Interprets control flow, whatever its bodies are made of: graphs, kernels or loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import numpy as np
from xdsl.dialects.func import FuncOp

from opc.dialects.opc.choice import IfOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.scan import ScanOp
from opc.errors import InputError, UnsupportedError

from .extents import element_type, extent
from .precision import Array


def run(op: ControlOp, operands: Sequence[Array], symbols: Mapping[str, int]) -> list[Array]:
    """The results for these operands; raises what a body raises."""
    if isinstance(op, ScanOp):
        return _scan(op, operands, symbols)
    if isinstance(op, IfOp):
        (one, first), (other, second) = op.arms
        inputs = list(operands[1:])
        if operands[0]:
            return _call(one, inputs[: len(first)])
        return _call(other, inputs[len(first) : len(first) + len(second)])
    raise UnsupportedError(f"{op.name} cannot be interpreted")


def _call(body: FuncOp, inputs: Sequence[Array]) -> list[Array]:
    from .function import run as run_function

    return run_function(body, inputs)


def _scan(op: ScanOp, operands: Sequence[Array], symbols: Mapping[str, int]) -> list[Array]:
    (body,) = op.bodies()
    rest = iter(operands)
    carried, scanned, captured = (
        [next(rest) for _ in values] for values in (op.carried, op.scanned, op.captured)
    )
    most = extent(op.count, symbols)
    if most is None:
        raise InputError(f"{op.name}: the number of iterations has symbols without a value")
    if op.trip is not None:
        most = int(next(rest))
    targets = op.targets[len(carried) :]
    shapes = [_known(v.type, most, symbols) for v in targets]
    stacked = [
        np.zeros(shape, element_type(v).dtype) for v, shape in zip(targets, shapes, strict=True)
    ]
    for k in range(most) if op.trip is not None or not op.is_open else count():
        if op.has_condition is not None and not carried[0]:
            break
        slices = [x[most - 1 - k if n in op.inputs_reversed else k] for n, x in enumerate(scanned)]
        index = [np.asarray(k, np.int64)] if op.has_index is not None else []
        found = _call(body, [*index, *carried, *slices, *captured])
        carried = found[: len(carried)]
        for n, value in enumerate(found[len(carried) :]):
            stacked[n][most - 1 - k if n in op.outputs_reversed else k] = value
    return [*carried, *stacked]


def _known(type: object, most: int, symbols: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of what is stacked."""
    from opc.dialects.shape import shape_of

    found = [extent(e, symbols) for e in shape_of(type)[1:]]  # pyright: ignore
    known = [e for e in found if e is not None]
    if len(known) != len(found):
        raise InputError(f"the extents of {type} have symbols without a value")
    return (most, *known)
