"""The base of passes that legalize what a frontend has read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from opc.dialects.registry import resolve
from opc.graph.rewriting import functions


@dataclass(frozen=True)
class LegalizePass(ModulePass):
    """Legalizes each function that has operations of a format."""

    operation: ClassVar[type[Operation]]
    """The operation of the format."""
    legalizer: ClassVar[str]
    """``module:Class`` of what legalizes a function and its block; imported where it is needed."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Legalize the functions of a module."""
        pending = [
            (function, block)
            for function, block in functions(op)
            if any(isinstance(o, self.operation) for o in block.ops)
        ]
        if not pending:
            return
        # Imports some 70 modules, which other graphs do not need.
        from .legalize_graphs import drop_unused

        legalizer: Any = resolve(self.legalizer)
        for function, block in pending:
            legalizer(function, block).run()
        drop_unused(op)
