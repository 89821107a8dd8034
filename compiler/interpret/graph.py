"""Interprets functions of the opc dialect over NumPy arrays: the oracle for everything below.

It reads the dialect in every form: as written, after infer-shapes, and in normal form.  It knows
nothing of kernels, loops or C.  Results of exact scalar functions are those of compiled code bit
for bit; sums, products and elementary functions are within half an ULP of the true result, or
little more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects.expr import Expr
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.extent import ExtentOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.symbols import RequireOp, SymbolSource
from opc.dialects.shape import element, shape_of, tensor_of
from opc.errors import ArgumentError, DTypeError, InputError, UnsupportedError

from . import elementwise, movement, reduction
from .elementwise import Meaning
from .precision import Array, Call
from .symbols import define

MEANINGS: dict[str, Meaning] = {
    **elementwise.MEANINGS,
    **reduction.MEANINGS,
    **movement.MEANINGS,
}
"""What each operator computes, by name."""

RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "equal": lambda a, b: a == b,
    "broadcast": lambda a, b: a == b or 1 in (a, b),
    "stretch": lambda a, b: a in (1, b),
    "divides": lambda a, b: b != 0 and a % b == 0,
}


def evaluate(
    function: func.FuncOp,
    inputs: Sequence[Array],
    symbols: Mapping[str, int] | None = None,
) -> list[Array]:
    """Run a function.  Extents of symbols come from the shapes of ``inputs``.

    Raises ArgumentError where inputs do not fit the function or a requirement fails,
    UnsupportedError for an operation of another dialect.
    """
    values = dict(symbols or {})
    block = function.body.block
    if len(inputs) != len(block.args):
        raise ArgumentError(f"expected {len(block.args)} inputs, found {len(inputs)}")
    arrays: dict[SSAValue, Array] = {}
    for arg, given in zip(block.args, inputs, strict=True):
        arrays[arg] = np.asarray(given)
        _bind(arg, arrays[arg], values)
    for arg in block.args:
        _check_extents(arg, arrays[arg], values, _input_name(arg))
    for op in block.ops:
        operands = [arrays[v] for v in op.operands]
        if isinstance(op, func.ReturnOp):
            return operands
        _run(op, operands, arrays, values)
    raise InputError(f"function {function.sym_name.data} does not return")


def apply_op(op: OpcOp, arrays: Sequence[Array], symbols: Mapping[str, int] | None = None) -> Array:
    """The result of one operator.

    Raises ArgumentError where the arrays do not fit it.
    """
    known = symbols or {}
    try:
        params = op.values()
    except VerifyException as e:
        raise InputError(f"{op.name}: {e}") from None
    if isinstance(op, ConstantOp):
        params["value"] = op.array()
    if isinstance(op, ExtentOp):
        params["extent"] = _extent(op.extent, known)
    shape = tuple(_extent(e, known) for e in shape_of(op.type))
    params.pop("result_type", None)
    call = Call(op.name, arrays, params, element(op.type), shape)
    try:
        with np.errstate(all="ignore"):
            result = np.asarray(MEANINGS[op.name](call))
    except ValueError as e:
        raise e if isinstance(e, ArgumentError) else ArgumentError(f"{op.name}: {e}") from None
    if result.dtype != call.element.dtype:
        raise DTypeError(f"{op.name}: computed {result.dtype}, declared {op.type}")
    _check_extents(op.result, result, known, op.name)
    return result


def _run(
    op: Operation, operands: list[Array], arrays: dict[SSAValue, Array], symbols: dict[str, int]
) -> None:
    if isinstance(op, OpcOp):
        arrays[op.result] = apply_op(op, operands, symbols)
    elif isinstance(op, RequireOp):
        _require(op, symbols)
    elif isinstance(op, SymbolSource):
        _define(op, operands[0], symbols)
    else:
        raise UnsupportedError(f"{op.name} cannot be interpreted in a graph")


def _extent(extent: Expr, symbols: Mapping[str, int]) -> int | None:
    """The value of an extent, None while one of its symbols has none."""
    if extent.symbols() <= symbols.keys():
        return int(extent.evaluate({}, symbols))
    return None


def _input_name(value: SSAValue) -> str:
    return f"input {value.name_hint or getattr(value, 'index', '')}"


def _bind(arg: SSAValue, array: Array, symbols: dict[str, int]) -> None:
    """Take the values of symbols from an input."""
    type = tensor_of(arg)
    if array.dtype != element(type).dtype:
        raise DTypeError(f"{_input_name(arg)}: found {array.dtype}, expected {element(type)}")
    extents = shape_of(type)
    if array.ndim != len(extents):
        raise ArgumentError(f"{_input_name(arg)}: found rank {array.ndim}, expected {len(extents)}")
    for extent, found in zip(extents, array.shape, strict=True):
        name = extent.symbol()
        if name is not None and name != "?":
            symbols.setdefault(name, found)


def _check_extents(value: SSAValue, array: Array, symbols: Mapping[str, int], what: str) -> None:
    extents = shape_of(tensor_of(value))
    if array.ndim != len(extents):
        raise ArgumentError(f"{what}: found rank {array.ndim}, expected {len(extents)}")
    for axis, (extent, found) in enumerate(zip(extents, array.shape, strict=True)):
        expected = _extent(extent, symbols)
        if expected is not None and expected != found:
            named = f"{extent} = {expected}" if extent.constant is None else str(expected)
            raise ArgumentError(f"{what}, axis {axis}: found extent {found}, expected {named}")


def _require(op: RequireOp, symbols: Mapping[str, int]) -> None:
    left, right = (_extent(side, symbols) for side in op.sides.data)
    if left is None or right is None:
        raise InputError(f"opc.require: {op.sides.data} has symbols without a value")
    if not RELATIONS[op.relation.data](left, right):
        raise ArgumentError(f"{op.message.data}: {left} and {right}")


def _define(op: SymbolSource, values: Array, symbols: dict[str, int]) -> None:
    extents = [_extent(e, symbols) for e in op.extents.data]
    known = [e for e in extents if e is not None]
    if len(known) != len(extents):
        raise InputError(f"{op.name}: the extents have symbols without a value")
    symbols.update(define(op, values, known))
