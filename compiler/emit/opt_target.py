"""C as a target of ``opc-opt -t c``: the files of all public functions of a module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.target import Target

from .source import emit


@dataclass(frozen=True)
class CTarget(Target):
    """Prints loop IR as C."""

    name: ClassVar[str] = "c"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the C of each function."""
        for op in module.body.block.ops:
            if isinstance(op, FuncOp) and not op.is_declaration and op.sym_visibility is None:
                output.write(emit(op, op.sym_name.data).source)
