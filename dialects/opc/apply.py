"""``opc.apply``: the elementwise operator of the normal form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from ..scalar import CONVERSIONS, PARTIAL, SCALARS
from ..shape import Tensor, broadcast_shapes, element, shape_of, tensor_type
from .attributes import Params, choice
from .base import SOME, print_discardable, same_element
from .elementwise import Elementwise

if TYPE_CHECKING:
    from xdsl.ir import Attribute

FUNCTIONS = tuple(
    name for name, row in SCALARS.items() if name not in CONVERSIONS | PARTIAL and not row.operands
)
"""The rows that can be applied; conversions, which need a result type, are operators."""


class ApplyOp(Elementwise, name="opc.apply"):
    """A row of the scalar table applied to every element.

    ``%r = opc.apply max(%a, %b) : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>``.  Every
    elementwise operator but the conversions becomes this one in decompose.
    """

    function_attr = prop_def(choice(FUNCTIONS, "a row of the scalar table"), prop_name="function")
    args = var_operand_def(SOME)

    @classmethod
    def infer(cls, types: Sequence[Tensor], params: Params) -> Tensor:
        """The broadcast shape, with the result type of the row."""
        row = SCALARS[params["function"]]
        # apply_c3: the number of operands is the row's.
        if len(types) != row.arity:
            raise VerifyException(f"expected {row.arity} operands, found {len(types)}")
        values = types
        if row.name == "select":
            # apply_c1: the condition of select is boolean.
            if element(types[0]) is not el.I1:
                raise VerifyException(f"the condition must be i1, found {element(types[0])}")
            values = types[1:]
        # apply_c2: the operands have one element type that the row admits.
        common = same_element(values, row.types)
        return tensor_type(row.result or common, broadcast_shapes(shape_of(t) for t in types))

    @classmethod
    def parse(cls, parser: Parser) -> ApplyOp:
        """Parse ``function(%a, %b) : type of %a, type of %b -> type of the result``."""
        pos = parser.pos
        function = parser.parse_identifier(" of a scalar function")
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes: dict[str, Attribute] = {"function": StringAttr(function)}
        attributes |= parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation("->")
        result = parser.parse_type()
        values = list(parser.resolve_operands(operands, types, pos))
        return cls.parsed(values, result, attributes)

    def print(self, printer: Printer) -> None:
        """Print the parsed form."""
        printer.print_string(f" {self.function}(")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(")")
        print_discardable(printer, self)
        printer.print_string(" : ")
        printer.print_list(self.operands, lambda v: printer.print_attribute(v.type))
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    @property
    def function(self) -> str:
        """The name of the row."""
        return self.function_attr.data
