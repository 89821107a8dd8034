"""The value of a symbolic extent as a tensor."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..shape import DimsAttr, Tensor, tensor_type
from .base import OpcOp, Params, attribute, expect_operands


class ExtentOp(OpcOp):
    """An extent as a rank-0 i64 tensor: ``opc.extent <N*128> : tensor<i64>``."""

    name = "opc.extent"
    params = (attribute("extent", "the expression over symbols"),)

    @staticmethod
    def of(extent: ex.Expr) -> ExtentOp:
        """The operator for an expression."""
        return ExtentOp(extent=DimsAttr((extent,)))

    @property
    def extent(self) -> ex.Expr:
        """The expression."""
        attr = self.attributes["extent"]
        assert isinstance(attr, DimsAttr)
        return attr.data[0]

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """A rank-0 i64 tensor."""
        expect_operands(types, 0)
        value = params["extent"]
        # extent_c1: there is one expression.
        if not isinstance(value, DimsAttr) or len(value.data) != 1:
            raise VerifyException(f"expected one extent, found {value}")
        return tensor_type(el.I64, ())

    @classmethod
    def parse_attributes(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse ``<expression>`` and further attributes."""
        extent = DimsAttr(DimsAttr.parse_parameter(parser))
        return {"extent": extent, **parser.parse_optional_attr_dict()}

    def print_attributes(self, printer: Printer) -> None:
        """Print ``<expression>`` and further attributes."""
        printer.print_string(f" <{self.extent}>")
        rest = {n: a for n, a in self.attributes.items() if n != "extent"}
        if rest:
            printer.print_string(" ")
            printer.print_attr_dict(rest)
