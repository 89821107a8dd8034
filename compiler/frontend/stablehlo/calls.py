"""Calls of functions become the bodies of these."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from opc.dialects.budgets import BudgetExceeded, check
from opc.dialects.shape import tensor_of
from opc.dialects.stablehlo import NodeOp, YieldOp, decoded
from opc.dialects.walking import walk
from opc.errors import InputError, UnsupportedError
from opc.frontend.verify import shown
from opc.support.locations import location_of

from .text import MAX_DEPTH

OF_XLA = ("ApproxTopK",)
"""Custom calls with a body that XLA itself has."""
CONFIG = "mhlo.backend_config"
"""The attributes of a custom call that its target reads."""


def write_calls(module: ModuleOp) -> None:
    """Write the functions that are called where they are called, and drop the private ones."""
    functions = {op.sym_name.data: op for op in module.body.ops if isinstance(op, FuncOp)}
    for op in list(walk(module)):
        _take_body(op, functions)
    count = [0]
    for function in functions.values():
        if function.sym_visibility is None:
            _write_in(function, functions, (function.sym_name.data,), count)
    for function in functions.values():
        if function.sym_visibility is not None:
            function.detach()
            function.erase()


def _take_body(op: Operation, functions: dict[str, FuncOp]) -> None:
    """custom_call @stablehlo.f {called_computations = [@g]}  -->  stablehlo.f with a body.

    What XLA knows by a name of its own is an operation of that name.
    """
    target, called = (op.attributes.get(k) for k in ("call_target_name", "called_computations"))
    if not isinstance(op, NodeOp) or target is None or called is None:
        return
    name, names = decoded(target), decoded(called)
    if name in OF_XLA:
        name = f"stablehlo.{name}"
    if not name.startswith("stablehlo.") or len(names) != 1 or names[0] not in functions:
        return
    function = functions[names[0]]
    function.sym_visibility = StringAttr("private")
    body = function.body.clone()
    end = body.block.last_op
    assert end is not None
    Rewriter.replace_op(end, YieldOp(operands=[list(end.operands)]))
    types = [tensor_of(v) for v in op.outputs]
    config = op.attributes.get(CONFIG)
    attributes = {} if config is None else {CONFIG: decoded(config)}
    new = NodeOp.of(name, op.inputs, attributes, types, [body])
    new.location = op.location
    Rewriter.replace_op(op, new)


def _callee(op: Operation) -> str | None:
    if not isinstance(op, NodeOp):
        return None
    attribute = {"func.call": "callee", "stablehlo.composite": "decomposition"}
    named = op.attributes.get(attribute.get(op.operator.data, ""))
    return None if named is None else str(getattr(named, "data", ""))


def _write_in(
    root: Operation, functions: dict[str, FuncOp], around: tuple[str, ...], count: list[int]
) -> None:
    for call in [op for op in walk(root) if _callee(op) is not None]:
        name = _callee(call) or ""
        callee, place = functions.get(name), location_of(call)
        if callee is None:
            raise InputError(f"there is no function @{shown(name)}", place)
        if name in around or len(around) > MAX_DEPTH:
            raise UnsupportedError(f"function @{shown(name)} calls itself", place)
        copy = callee.clone()
        block = copy.body.block
        count[0] += sum(isinstance(op, NodeOp) for op in walk(block))
        try:
            check("calls that are written out", "nodes", count[0])
        except BudgetExceeded as error:
            raise UnsupportedError(str(error), place) from None
        _write_in(copy, functions, (*around, name), count)
        end = block.last_op
        assert end is not None
        if len(block.args) != len(call.operands) or len(end.operands) != len(call.results):
            raise InputError(f"@{shown(name)} has other arguments or results", place)
        Rewriter.inline_block(block, InsertPoint.before(call), call.operands)
        Rewriter.replace_op(call, (), end.operands)
        Rewriter.erase_op(end)
