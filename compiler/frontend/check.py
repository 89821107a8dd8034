"""Checks of a module before it is compiled.

Modules at later stages, as ``opc compile --emit`` prints them, are accepted too.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from opc.dialects.opc.base import check_size
from opc.dialects.shape import element
from opc.dialects.stages import printed_stage
from opc.errors import InputError, UnsupportedError
from opc.support.locations import location_of

from .verify import shorten, verify, verify_operation

SOURCES = ("opc", "onnx", "openvino", "stablehlo")
"""Dialects of source graphs."""


def check_source(module: ModuleOp) -> None:
    """Check that a module is functions over tensors, made of operators of the ``opc`` dialect, or
    functions at a later stage, and verify it.

    Raises :class:`InputError` where it is no sound module, :class:`UnsupportedError` where it is
    more than opc compiles.
    """
    _check_names(module)
    verify_operation(module)
    is_later = printed_stage(module) is not None
    for op in module.body.ops:
        if not isinstance(op, FuncOp):
            raise UnsupportedError(
                f"{op.name}: only func.func can stand in a module", location_of(op)
            )
        verify_operation(op)
        _check_block(op)
        if not is_later:
            _check_graph(op)
    if not module.body.blocks or module.body.block.is_empty:
        raise InputError("there is no function in this module", location_of(module))
    verify(module)
    if is_later:
        # Imported late: modules at a later stage are rare.
        from .def_before_use import check_written

        for op in module.body.ops:
            if isinstance(op, FuncOp):
                check_written(op)


def _check_names(module: ModuleOp) -> None:
    """Check that function names differ; this error, unlike the verifier's, locates both."""
    seen: dict[Attribute, FuncOp] = {}
    for op in (op for region in module.regions for block in region.blocks for op in block.ops):
        name = op.properties.get("sym_name")
        if name is None or not isinstance(op, FuncOp):
            continue
        if name in seen:
            place = location_of(seen[name])
            raise InputError(
                f"function @{op.sym_name.data} is defined twice; first at {place}", location_of(op)
            )
        seen[name] = op


def _check_block(func: FuncOp) -> None:
    label, place = f"function @{func.sym_name.data}", location_of(func)
    if not func.body.blocks:
        raise UnsupportedError(f"{label} has no body", place)
    if len(func.body.blocks) > 1:
        raise UnsupportedError(
            f"{label} has {len(func.body.blocks)} blocks; control flow is not supported", place
        )
    if not isinstance(func.body.block.last_op, ReturnOp):
        raise InputError(f"{label} does not end in func.return", place)


def _check_graph(func: FuncOp) -> None:
    label, place = f"function @{func.sym_name.data}", location_of(func)
    for position, type in enumerate(func.function_type.inputs):
        _check_type(f"{label}: argument {position}", type, place)
    dialects = {op.dialect_name() for op in func.body.block.ops}
    for position, type in enumerate(func.function_type.outputs):
        # Models may leave result types open.
        if dialects <= {"opc", "func"}:
            _check_type(f"{label}: result {position}", type, place)
    for op in func.body.block.ops:
        if not isinstance(op, ReturnOp) and op.dialect_name() not in SOURCES:
            raise UnsupportedError(
                f"{op.name}: a function holds operators of the opc dialect, nodes of a model, "
                "and func.return",
                location_of(op),
            )


def _check_type(what: str, type: Attribute, place: str) -> None:
    if not isinstance(type, TensorType):
        raise UnsupportedError(f"{what}: expected a ranked tensor, found {type}", place)
    try:
        element(type)  # pyright: ignore[reportUnknownArgumentType]
        check_size(type)  # pyright: ignore[reportUnknownArgumentType]
    except VerifyException as error:
        raise UnsupportedError(f"{what}: {shorten(str(error))}", place) from error
