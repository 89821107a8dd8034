"""``opc.given_extents``: extents that the caller of a function passes."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.irdl import irdl_op_definition, prop_def

from ..shape import DimsAttr, Shape
from .symbols import SymbolSource, names_attr, texts_of


@irdl_op_definition
class GivenExtentsOp(SymbolSource):
    """Extents that are passed to a function beside its arguments.

    ::

        opc.given_extents ["v0", "v1"]

    For a public function they are upper bounds that the caller chooses, for data-dependent extents
    without another bound (``opc.data_extent %n most <v0> of "v0"``).  Results do not depend on
    them; if one is too small, the call fails and reports the number that is needed.

    For a private function that computes extents they are extents of its caller, of the same name,
    which are defined before the ``opc.read_extents`` that names the function.
    """

    name = "opc.given_extents"
    extents = prop_def(DimsAttr, DimsAttr(()))
    symbols = prop_def(ArrayAttr[StringAttr])
    FORMAT: ClassVar[str] = "$symbols"

    @staticmethod
    def of(symbols: list[str]) -> GivenExtentsOp:
        """The operation for some symbols."""
        properties = {"symbols": names_attr(symbols), "extents": DimsAttr(())}
        return GivenExtentsOp(properties=properties)

    @property
    def defined(self) -> tuple[str, ...]:
        """The symbols."""
        return texts_of(self.symbols)

    @property
    def equal_products(self) -> list[tuple[Shape, Shape]]:
        """Nothing is known of them."""
        return []

    def verify_(self) -> None:
        """Check the symbols."""
        self.check_symbols()


def given_extents(function: FuncOp) -> list[str]:
    """The extents that are passed to a function beside its arguments."""
    ops = (op for op in function.body.block.ops if isinstance(op, GivenExtentsOp))
    return [name for op in ops for name in op.defined]
