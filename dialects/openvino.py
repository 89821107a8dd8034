"""The ``openvino`` dialect: the layers of a model as the model has them, with opsets.

One operation represents every layer; the registry has the meaning of each type and opset
(compiler/frontend/openvino/ops).  Parameters are arguments of the function, constants are
``opc.constant``, results are returned by the function.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneType, StringAttr, TensorType
from xdsl.ir import Attribute, Dialect, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from .effects import OfModel
from .element import element_of
from .openvino_ports import Ports
from .shape import Tensor

NAME = "openvino.name"
"""The attribute with the name that the model gives a layer."""
CHOSEN = "openvino.chosen"
"""The attribute of a Squeeze in a branch with the axes of extent 1."""
TYPE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
"""The form of a layer's type."""
_OPSET = re.compile(r"opset([1-9][0-9]?)\Z")


def opset_number(version: str) -> int | None:
    """11 for ``opset11``; None for text that names no opset."""
    match = _OPSET.match(version)
    return int(match[1]) if match else None


def stated_element(type: Attribute) -> Attribute:
    """The element type that a port states, ``none`` if it states none; other types themselves."""
    return cast("Tensor", type).element_type if isinstance(type, TensorType) else type


@irdl_op_definition
class LayerOp(IRDLOperation):
    """A layer: an operator of an opset with its inputs, attributes and outputs.

    Attributes are the model's text.  Result types are those that the ports state: the element type
    is ``none`` without a precision, and the rank is 0, or unknown, without extents::

        %r = openvino.layer "ReduceSum" opset1 (%x, %axes) {keep_dims = "true"}
             : (tensor<6x12xf32>, tensor<1xi64>) -> (tensor<6x1xf32>)

    Bodies of control flow are regions with names and bindings (``opc.dialects.openvino_ports``),
    which end in ``openvino.yield``::

        %r = openvino.layer "If" opset8 (%c, %x) : (tensor<i1>, tensor<3xf32>) -> (tensor<3xf32>)
             body "then_body" "1 -> 0" {
             ^bb0(%a: tensor<3xf32>):
               openvino.yield %a : tensor<3xf32>
             }
             body "else_body" "1 -> 0" {
             ^bb0(%b: tensor<3xf32>):
               openvino.yield %b : tensor<3xf32>
             }
    """

    name = "openvino.layer"
    operator = prop_def(StringAttr)
    opset = prop_def(IntAttr)
    inputs = var_operand_def()
    outputs = var_result_def()
    names = opt_prop_def(ArrayAttr[StringAttr])
    """The names of the regions."""
    ports = opt_prop_def(ArrayAttr[StringAttr])
    """The bindings of the regions."""
    regions_given = var_region_def("single_block")
    traits = traits_def(OfModel())
    DISCARDABLE: ClassVar[tuple[str, ...]] = (NAME, CHOSEN)

    @staticmethod
    def of(
        operator: str,
        opset: int,
        inputs: Sequence[SSAValue],
        attributes: Mapping[str, Attribute],
        types: Sequence[Attribute],
        bodies: Mapping[str, tuple[Region, Ports]] | None = None,
    ) -> LayerOp:
        """The layer; ``types`` are those of the outputs."""
        bodies = bodies or {}
        properties: dict[str, Attribute] = {
            "operator": StringAttr(operator),
            "opset": IntAttr(opset),
        }
        if bodies:
            properties["names"] = ArrayAttr([StringAttr(name) for name in bodies])
            texts = [StringAttr(str(ports)) for _, ports in bodies.values()]
            properties["ports"] = ArrayAttr(texts)
        return LayerOp(
            regions=[[region for region, _ in bodies.values()]],
            operands=[list(inputs)],
            result_types=[list(types)],
            attributes=dict(attributes),
            properties=properties,
        )

    @property
    def bodies(self) -> dict[str, tuple[Region, Ports]]:
        """The bodies by name, with their bindings."""
        names = [n.data for n in self.names] if self.names is not None else []
        texts = [t.data for t in self.ports] if self.ports is not None else []
        entries = zip(names, self.regions_given, texts, strict=False)
        return {name: (region, Ports.parse(text)) for name, region, text in entries}

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
        # layer_c5: each body has a name of its own and a binding, and ends in a yield.
        lengths = [len(v) if v is not None else 0 for v in (self.names, self.ports)]
        if lengths != [len(self.regions_given)] * 2 or len(set(self.names or ())) != lengths[0]:
            raise VerifyException(
                f"openvino.layer: found {len(self.regions_given)} bodies, {lengths[0]} names and "
                f"{lengths[1]} bindings, expected one name and one binding for each body"
            )
        try:
            bodies = self.bodies
        except ValueError as error:
            raise VerifyException(f"openvino.layer: {error}") from None
        for name, (region, ports) in bodies.items():
            end = region.block.last_op
            if not isinstance(end, YieldOp):
                raise VerifyException(f"openvino.layer: {name} does not end in openvino.yield")
            counts = (len(self.inputs), len(region.block.args), len(end.values), len(self.outputs))
            # layer_c6: the inputs, arguments and results of a binding exist.
            wrong = ports.check(*counts)
            if wrong is not None:
                raise VerifyException(f"openvino.layer: {name}: {wrong}")

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
        bodies: dict[str, tuple[Region, Ports]] = {}
        while parser.parse_optional_keyword("body") is not None:
            name = parser.parse_str_literal(" of a body")
            pos = parser.pos
            text = parser.parse_str_literal(" how it is bound")
            try:
                ports = Ports.parse(text)
            except (ValueError, IndexError) as error:
                parser.raise_error(str(error), pos)
            bodies[name] = parser.parse_region(), ports
        return cls.of(operator, opset, list(values), attributes, results, bodies)

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
        for name, (region, ports) in self.bodies.items():
            printer.print_string(" body ")
            printer.print_string_literal(name)
            printer.print_string(" ")
            printer.print_string_literal(str(ports))
            printer.print_string(" ")
            printer.print_region(region)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a body with its results."""

    name = "openvino.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), HasParent(LayerOp), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"


OpenVino = Dialect("openvino", [LayerOp, YieldOp])
