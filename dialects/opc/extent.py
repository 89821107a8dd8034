"""``opc.extent`` and ``opc.iota``: an extent as a tensor, and the positions along an axis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Attribute
from xdsl.irdl import prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..shape import UNKNOWN, DimsAttr, Requirement, Tensor, shape_of, tensor_type
from .attributes import Params, attribute
from .base import OpcOp, print_discardable


class ExtentOp(OpcOp, name="opc.extent"):
    """An extent as a rank-0 i64 tensor: ``opc.extent <N*128> : tensor<i64>``."""

    extent_attr = prop_def(attribute("the expression over symbols"), prop_name="extent")

    @staticmethod
    def of(extent: ex.Expr) -> ExtentOp:
        """The operator of an expression."""
        return ExtentOp(extent=DimsAttr((extent,)))

    @property
    def extent(self) -> ex.Expr:
        """The expression."""
        attr = self.extent_attr
        assert isinstance(attr, DimsAttr)
        return attr.data[0]

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """A rank-0 i64 tensor."""
        value = params["extent"]
        # extent_c1: there is one expression.
        if not isinstance(value, DimsAttr) or len(value.data) != 1:
            raise VerifyException(f"expected one extent, found {value}")
        return tensor_type(el.I64, ())

    @classmethod
    def needs(cls, types: Sequence[Tensor], params: Params) -> Iterable[Requirement]:
        """The value fits in an i64; a single extent or number always does."""
        value = params["extent"].data[0]
        need = Requirement("within", value, ex.const(el.I64.highest), "opc.extent: it exceeds i64")
        return [] if value.atom() is not None else [need]

    @classmethod
    def parse_attributes(cls, parser: Parser) -> dict[str, Attribute]:
        """Parse ``<expression>`` and further attributes."""
        extent = DimsAttr(DimsAttr.parse_parameter(parser))
        return {"extent": extent, **parser.parse_optional_attr_dict()}

    def print_attributes(self, printer: Printer) -> None:
        """Print ``<expression>`` and further attributes."""
        printer.print_string(f" <{self.extent}>")
        print_discardable(printer, self)


class IotaOp(OpcOp, name="opc.iota"):
    """The positions along an axis, 0, 1, 2, ...: ``opc.iota : tensor<5xi64>``."""

    takes_result_type = True

    @staticmethod
    def of(extent: ex.Expr) -> IotaOp:
        """The operator for an axis."""
        return IotaOp(result_type=tensor_type(el.I64, (extent,)))

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The declared type, a 1-D i64 tensor."""
        type = params["result_type"]
        # iota_c1: the result is a 1-D tensor of i64.
        if type.element_type != el.I64.type or type.get_num_dims() != 1:
            raise VerifyException(f"expected a 1-D tensor of i64 as its result, found {type}")
        # iota_c2: there is an expression for its extent.
        if UNKNOWN in shape_of(type):
            raise VerifyException("the extent of the result is unknown")
        return type
