"""Moves constant operands of control flow into its bodies.

::

    opc.scan @step <T> carry (%h) over (%x) with (%w)  -->  opc.scan @step <T> carry (%h) over (%x)
    func @step(%h, %x, %w)                             -->  func @step(%h, %x) { %w = constant ...

Slices, reshapes, transposes and concatenations of constants are evaluated for that.  Weights are
then constants of the body, which contractions pack at compile time and not in each iteration.  Runs
before split-zero-points, which adds up constant weights, and once more behind fold-constants, for
what that made constant.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.passes import ModulePass

from opc.dialects.opc.control import ControlOp, IfOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.scan import ScanOp
from opc.dialects.walking import walk

from .constant_chains import MOVED, computed
from .rewriting import Builder


def _captured(op: ControlOp) -> list[tuple[FuncOp, list[SSAValue]]]:
    """Each body with the captured values, which are its last arguments."""
    if isinstance(op, IfOp):
        return [(body, list(values)) for body, values in op.arms]
    assert isinstance(op, ScanOp)
    return [(op.bodies()[0], list(op.captured))]


def _evaluate(op: ControlOp) -> None:
    """Evaluate what captured values move of constants."""
    owners = dict.fromkeys(v.owner for _, values in _captured(op) for v in values)
    for owner in owners:
        if isinstance(owner, MOVED):
            builder = Builder(owner)
            value = computed(owner, builder)
            if value is not None:
                builder.replace(value)


def _with(op: ControlOp, kept: list[list[SSAValue]]) -> ControlOp:
    """The same operation with only some of the captured values."""
    properties = {k: v for k, v in op.properties.items() if k != "operandSegmentSizes"}
    types = [[v.type for v in op.results]]
    if isinstance(op, IfOp):
        operands = [op.condition, *kept, list(op.into)]
        return IfOp(operands=operands, result_types=types, properties=properties)
    assert isinstance(op, ScanOp)
    operands = [list(op.carried), list(op.scanned), *kept, op.trip, list(op.into), list(op.scratch)]
    return ScanOp(operands=operands, result_types=types, properties=properties)


def _takes(body: FuncOp, arg: BlockArgument, value: SSAValue) -> bool:
    """Replace an argument of a body by a constant of the same type; whether that is possible."""
    constant = value.owner
    if not isinstance(constant, ConstantOp) or arg.type != value.type or body.arg_attrs is not None:
        return False
    block = body.body.block
    inside = constant.clone()
    assert block.first_op is not None
    block.insert_op_before(inside, block.first_op)
    arg.replace_all_uses_with(inside.result)
    block.erase_arg(arg)
    return True


def sink(op: ControlOp, calls: Counter[str]) -> None:
    """Move constants into bodies that have no other caller."""
    _evaluate(op)
    kept: list[list[SSAValue]] = []
    for body, values in _captured(op):
        kept.append(values)
        if calls[body.sym_name.data] == 1:
            args = body.body.block.args[len(body.body.block.args) - len(values) :]
            pairs = zip(args, values, strict=True)
            kept[-1] = [value for arg, value in pairs if not _takes(body, arg, value)]
            body.update_function_type()
    if kept != [values for _, values in _captured(op)]:
        new = _with(op, kept)
        new.location = op.location
        block = op.parent
        assert block is not None
        block.insert_op_before(new, op)
        for old, result in zip(op.results, new.results, strict=True):
            result.name_hint = old.name_hint
            old.replace_all_uses_with(result)
        owners = {v.owner for _, values in _captured(op) for v in values}
        op.detach()
        op.erase()
        for owner in owners:
            if isinstance(owner, ConstantOp) and owner.result.first_use is None:
                owner.detach()
                owner.erase()


@dataclass(frozen=True)
class SinkConstantsPass(ModulePass):
    """scan @f with (constant)  -->  scan @f, with the constant in @f."""

    name = "sink-constants"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on all control flow, callers before their bodies."""
        controls = [o for o in walk(op) if isinstance(o, ControlOp)]
        calls = Counter(name for control in controls for name in control.callees)
        for control in controls:
            sink(control, calls)
