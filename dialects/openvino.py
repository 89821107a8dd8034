"""The ``openvino`` dialect: the layers of an IR model as they are written there, version and all.

One operation holds every layer; what it means is said by the registry row of its type and opset
(compiler/frontend/openvino_ops).  Parameters are arguments of the function, constants are
``opc.constant``, results are what the function returns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import IntAttr, NoneType, StringAttr, TensorType
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from .element import element_of
from .shape import Tensor

NAME = "openvino.name"
"""The attribute with the name that the model gives a layer."""
TYPE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
"""What the type of a layer may look like."""
_OPSET = re.compile(r"opset([1-9][0-9]?)\Z")


def opset_number(version: str) -> int | None:
    """11 for ``opset11``; None for text that names no opset."""
    found = _OPSET.match(version)
    return int(found[1]) if found else None


def stated_element(type: Attribute) -> Attribute:
    """The element type that a port states, ``none`` if it states none; other types themselves."""
    return cast("Tensor", type).element_type if isinstance(type, TensorType) else type


@irdl_op_definition
class LayerOp(IRDLOperation):
    """A layer: an operator of an opset, its inputs, attributes and outputs.

    Attributes are the text of the model.  Result types are those that the ports state; without a
    precision there the element type is ``none``, and a port without extents is of rank 0, or of a
    rank that the model does not say::

        %r = openvino.layer "ReduceSum" opset1 (%x, %axes) {keep_dims = "true"}
             : (tensor<6x12xf32>, tensor<1xi64>) -> (tensor<6x1xf32>)
    """

    name = "openvino.layer"
    operator = prop_def(StringAttr)
    opset = prop_def(IntAttr)
    inputs = var_operand_def()
    outputs = var_result_def()
    traits = traits_def(Pure())
    DISCARDABLE: ClassVar[tuple[str, ...]] = (NAME,)

    @staticmethod
    def of(
        operator: str,
        opset: int,
        inputs: Sequence[SSAValue],
        attributes: Mapping[str, Attribute],
        types: Sequence[Attribute],
    ) -> LayerOp:
        """Build it; ``types`` are those of the outputs."""
        return LayerOp(
            operands=[list(inputs)],
            result_types=[list(types)],
            attributes=dict(attributes),
            properties={"operator": StringAttr(operator), "opset": IntAttr(opset)},
        )

    @property
    def text(self) -> dict[str, str]:
        """The attributes of the layer, as the model writes them."""
        return {
            name: attr.data
            for name, attr in self.attributes.items()
            if isinstance(attr, StringAttr) and name not in self.DISCARDABLE
        }

    def verify_(self) -> None:
        """Check the type of the layer, its attributes, and the types of its values."""
        # layer_c1: the type is a word, and there is an opset.
        if not TYPE.match(self.operator.data) or not 1 <= self.opset.data <= 99:
            raise VerifyException(
                f"openvino.layer: {self.operator.data!r} opset{self.opset.data} is no operator"
            )
        for name, attr in self.attributes.items():
            # layer_c2: attributes are text.
            if not isinstance(attr, StringAttr):
                raise VerifyException(f"openvino.layer: attribute {name} is no text, found {attr}")
        for value in self.operands:
            # layer_c3: inputs are tensors.
            if not isinstance(value.type, TensorType):
                raise VerifyException(f"openvino.layer: expected tensors, found {value.type}")
        for value in self.results:
            # layer_c4: outputs are tensors, of an element type of opc if one is stated.
            element = stated_element(value.type)
            if not isinstance(element, NoneType) and element_of(element) is None:
                raise VerifyException(f"openvino.layer: an output cannot be {value.type}")

    @classmethod
    def parse(cls, parser: Parser) -> LayerOp:
        """Parse the form shown above."""
        operator = parser.parse_str_literal(" of a layer")
        pos = parser.pos
        opset = opset_number(parser.parse_identifier(" of an opset"))
        if opset is None:
            parser.raise_error("expected an opset, such as opset1", pos)
        pos = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        values = parser.resolve_operands(operands, types, pos)
        return cls.of(operator, opset, list(values), attributes, results)

    def print(self, printer: Printer) -> None:
        """Print the form shown above."""
        printer.print_string(" ")
        printer.print_string_literal(self.operator.data)
        printer.print_string(f" opset{self.opset.data} (")
        printer.print_list(self.inputs, printer.print_ssa_value)
        printer.print_string(")")
        if self.attributes:
            printer.print_string(" ")
            printer.print_attr_dict(self.attributes)
        printer.print_string(" : (")
        printer.print_list(self.inputs, lambda v: printer.print_attribute(v.type))
        printer.print_string(") -> (")
        printer.print_list(self.outputs, lambda v: printer.print_attribute(v.type))
        printer.print_string(")")


OpenVino = Dialect("openvino", [LayerOp])
