"""Base classes of passes that rewrite one function at a time."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from opc.support.target import Target
from opc.support.targets import target as target_of


@dataclass(frozen=True)
class FunctionPass(ModulePass):
    """A pass that rewrites each function that has a body."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite each function."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp) and not function.is_declaration:
                self.rewrite(function)

    @abstractmethod
    def rewrite(self, function: FuncOp) -> None:
        """Rewrite one function."""


@dataclass(frozen=True)
class MachinePass(FunctionPass):
    """A function pass for a machine, which ``target`` names."""

    target: str = "native"

    @property
    def machine(self) -> Target:
        """The description of the machine."""
        return target_of(self.target)
