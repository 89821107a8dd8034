"""``opc ops --irdl``: what the operations of every dialect take and give, in MLIR's ``irdl``.

Attributes of the dialects themselves, such as ``#opc.dims``, are not in it: they hold values of
Python, and IRDL knows only those that are made of other attributes.
"""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.irdl import AnyOp, AttributesOp, DialectOp
from xdsl.dialects.irdl.pyrdl_to_irdl import op_def_to_irdl
from xdsl.ir import Block, Dialect, Region
from xdsl.irdl import IRDLOperation
from xdsl.rewriter import InsertPoint

from opc.dialects.registry import DIALECTS, resolve


def text() -> str:
    """The definitions of all dialects, as a module that other tools can parse."""
    own = (resolve(reference) for reference in DIALECTS.values() if reference.startswith("opc."))
    return str(ModuleOp([dialect_to_irdl(dialect) for dialect in own])) + "\n"


def dialect_to_irdl(dialect: Dialect) -> DialectOp:
    """The definition of a dialect: every operation with operands, results and properties."""
    block = Block()
    for op in dialect.operations:
        assert issubclass(op, IRDLOperation), f"{op.name} has no definition"
        definition = op_def_to_irdl(op)
        # xDSL leaves properties out.
        body = Builder(InsertPoint.at_end(definition.body.block))
        names = op.get_irdl_definition().properties
        if names:
            body.insert(AttributesOp.get({name: body.insert(AnyOp()).output for name in names}))
        block.add_op(definition)
    return DialectOp(dialect.name, Region(block))
