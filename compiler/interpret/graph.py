"""Interprets functions of the opc dialect over NumPy arrays: the oracle for everything below.

It reads the dialect in every form: as written, after infer-shapes, and in normal form.  It knows
nothing of kernels, loops or C.  Results of exact scalar functions, sums and products are those of
compiled code bit for bit; elementary functions are within half an ULP of the true result, or little
more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects.named import has_form
from opc.dialects.opc.base import OpcOp, Params
from opc.dialects.opc.contraction import ContractOp
from opc.dialects.opc.control import ControlOp
from opc.dialects.opc.data_extent import DataExtentOp, RequireRangeOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.parts import SliceOp
from opc.dialects.opc.reduction import Reduction
from opc.dialects.opc.symbols import RequireOp, SymbolSource
from opc.dialects.shape import UNKNOWN, Shape, element, shape_of
from opc.errors import ArgumentError, DTypeError, InputError, UnsupportedError

from . import control, elementwise, indexing, labelled, reduction, transposed, window
from .elementwise import Meaning
from .extents import (
    bind_inputs,
    check_extents,
    check_requirement,
    define_data_extent,
    define_symbols,
    extent,
    require,
    sufficient,
)
from .precision import Array, Call

MEANINGS: dict[str, Meaning] = {
    **elementwise.MEANINGS,
    **reduction.MEANINGS,
    **window.MEANINGS,
    **transposed.MEANINGS,
    **labelled.MEANINGS,
    **indexing.MEANINGS,
}
"""What each operator computes, by name."""


def evaluate(
    function: func.FuncOp,
    inputs: Sequence[Array],
    symbols: Mapping[str, int] | None = None,
) -> list[Array]:
    """Run a function.  Extents of symbols come from the shapes of ``inputs``.

    Raises ArgumentError where inputs do not fit the function or a requirement fails,
    UnsupportedError for an operation of another dialect.
    """
    arrays = list(map(np.asarray, inputs))
    return sufficient(function, symbols, lambda known: Walk().run(function, arrays, known)[0])


class Walk:
    """Computes a graph operation by operation, over arrays or over the values of a subclass."""

    def array(self, value: Any, op: Operation) -> Array:
        """A value as an array that an operation takes extents or indices from."""
        return value

    def apply(self, op: OpcOp, operands: list[Any], symbols: Mapping[str, int]) -> Any:
        """The result of an operator."""
        return apply_op(op, operands, symbols)

    def control(self, op: ControlOp, operands: list[Any], symbols: Mapping[str, int]) -> list[Any]:
        """The results of control flow."""
        return control.run(op, operands, symbols)

    def run(
        self, function: func.FuncOp, inputs: Sequence[Any], symbols: Mapping[str, int] | None
    ) -> tuple[list[Any], dict[SSAValue, Any]]:
        """The results of a function, and all values; raises what ``evaluate`` does."""
        known, block = dict(symbols or {}), function.body.block
        bind_inputs(block.args, [self.array(x, function) for x in inputs], known)
        values: dict[SSAValue, Any] = dict(zip(block.args, inputs, strict=True))
        for op in operations_read(block):
            operands = [values[v] for v in op.operands]
            match op:
                case func.ReturnOp():
                    return operands, values
                case OpcOp():
                    values[op.result] = self.apply(op, operands, known)
                case ControlOp():
                    values.update(zip(op.results, self.control(op, operands, known), strict=True))
                case RequireRangeOp():
                    indexing.require_range(op, self.array(operands[0], op), known)
                case RequireOp():
                    require(op, known)
                case SymbolSource():
                    define_symbols(op, [self.array(x, op) for x in operands], known)
                case DataExtentOp():
                    define_data_extent(op, self.array(operands[0], op), known)
                case _:
                    raise UnsupportedError(f"{op.name} cannot be interpreted in a graph")
        raise InputError(f"function {function.sym_name.data} does not return")


def operations_read(block: Block) -> list[Operation]:
    """The operations without operators whose results nothing reads: these are not computed."""
    read = set[SSAValue]()
    needed: list[Operation] = []
    for op in reversed(list(block.ops)):
        if not isinstance(op, OpcOp | ControlOp) or any(value in read for value in op.results):
            read.update(op.operands)
            needed.append(op)
    return needed[::-1]


def apply_op(op: OpcOp, arrays: Sequence[Array], symbols: Mapping[str, int] | None = None) -> Array:
    """The result of one operator.

    Raises ArgumentError where the arrays do not fit it.
    """
    known = symbols or {}
    try:
        params = op.values()
    except VerifyException as e:
        raise InputError(f"{op.name}: {e}") from None
    declared = _shape(op, params, known)
    if isinstance(op, ConstantOp):
        params["value"] = op.array()
    if isinstance(op, ExtentOp):
        params["extent"] = extent(op.extent, known)
    if isinstance(op, SliceOp):
        for name in ("starts", "stops"):
            params[name] = [extent(e, known) for e in op.bounds(name)]
    if isinstance(op, Reduction):
        params["is_apart"] = reduction.is_apart(op)
    if isinstance(op, ContractOp):
        params["shapes"] = labelled.shapes_of(op, arrays)
    shape = tuple(extent(e, known) for e in declared)
    params.pop("result_type", None)
    call = Call(op.name, arrays, params, element(op.type), shape, has_form(op, "products"))
    try:
        with np.errstate(all="ignore"):
            result = np.asarray(MEANINGS[op.name](call))
    except (ValueError, IndexError) as e:
        raise e if isinstance(e, ArgumentError) else ArgumentError(f"{op.name}: {e}") from None
    if result.dtype != call.element.dtype:
        raise DTypeError(f"{op.name}: computed {result.dtype}, declared {op.type}")
    check_extents(op.result, result, known, op.name)
    return result


def _shape(op: OpcOp, params: Params, symbols: Mapping[str, int]) -> Shape:
    """The extents of the result: one that the type leaves open follows from the operands' types."""
    types = op.tensor_types
    if UNKNOWN not in shape_of(op.type) or any(UNKNOWN in shape_of(t) for t in types):
        return shape_of(op.type)
    for need in op.requirements(types, params):
        check_requirement(need.relation, need.left, need.right, need.message, symbols)
    return shape_of(op.infer(types, params))
