"""The ``onnx`` dialect: the nodes of a model as the model has them, with operator versions.

One operation represents every node; the registry has the meaning of each operator and version
(compiler/frontend/onnx/ops).  Initializers are ``opc.constant``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntAttr,
    IntegerType,
    StringAttr,
    TensorType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
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

Operands: TypeAlias = "Sequence[SSAValue | None]"

NAME = "onnx.name"
"""The attribute with the name that the model gives a node."""
ORDINAL = "onnx.ordinal"
"""The attribute with the number of a node in the model, if it is not its number in the text."""
CHOSEN = "onnx.chosen"
"""The attribute of a Squeeze in a branch with the axes of extent 1."""


@irdl_attr_definition
class UnknownType(ParametrizedAttribute, TypeAttribute):
    """The type of a value for which the model states none."""

    name = "onnx.unknown"


@irdl_op_definition
class NodeOp(IRDLOperation):
    """A node: an operator version with its inputs, attributes and outputs.

    An operator of a domain other than ``ai.onnx`` is ``domain::operator``.

    An absent optional input is ``none``.  Result types are those that the model states,
    ``!onnx.unknown`` if it states none::

        %c = onnx.node "Sub" since 6 (%a, %b) {axis = 1 : i64, broadcast = 1 : i64}
             : (tensor<2x3x4xf32>, tensor<3xf32>) -> (!onnx.unknown)

    Graph attributes are regions with names, which may use values from outside and end in
    ``onnx.yield``::

        %r = onnx.node "If" since 13 (%c) : (tensor<i1>) -> (!onnx.unknown)
             graph "then_branch" { onnx.yield %a } graph "else_branch" { onnx.yield %b }
    """

    name = "onnx.node"
    operator = prop_def(StringAttr)
    since = prop_def(IntAttr)
    absent = opt_prop_def(DenseArrayBase)
    names = opt_prop_def(ArrayAttr[StringAttr])
    """The names of the regions."""
    values = var_operand_def()
    outputs = var_result_def()
    regions_given = var_region_def("single_block")
    traits = traits_def(OfModel())
    DISCARDABLE: ClassVar[tuple[str, ...]] = (NAME, ORDINAL, CHOSEN)

    @staticmethod
    def of(
        operator: str,
        since: int,
        inputs: Operands,
        attributes: Mapping[str, Attribute],
        types: Sequence[Attribute],
        graphs: Mapping[str, Region] | None = None,
    ) -> NodeOp:
        """The node; ``types`` are those of the outputs."""
        graphs = graphs or {}
        absent = [k for k, value in enumerate(inputs) if value is None]
        properties: dict[str, Attribute] = {
            "operator": StringAttr(operator),
            "since": IntAttr(since),
        }
        if absent:
            properties["absent"] = DenseArrayBase.from_list(i64, absent)
        if graphs:
            properties["names"] = ArrayAttr([StringAttr(name) for name in graphs])
        return NodeOp(
            regions=[list(graphs.values())],
            operands=[[value for value in inputs if value is not None]],
            result_types=[list(types)],
            properties=properties,
            attributes=dict(attributes),
        )

    @property
    def inputs(self) -> list[SSAValue | None]:
        """The inputs by position; None for absent ones."""
        present = iter(self.values)
        missing = set(self.missing)
        count = len(self.values) + len(missing)
        return [None if k in missing else next(present, None) for k in range(count)]

    @property
    def graphs(self) -> dict[str, Region]:
        """The graphs among the attributes."""
        names = [n.data for n in self.names] if self.names is not None else []
        return dict(zip(names, self.regions_given, strict=False))

    @property
    def missing(self) -> list[int]:
        """The positions of absent inputs."""
        if self.absent is None:
            return []
        absent = cast("DenseArrayBase[IntegerType]", self.absent)
        return [int(k) for k in absent.get_values()]

    def verify_(self) -> None:
        """Check the types and the list of absent inputs."""
        for value in (*self.operands, *self.results):
            # node_c1: values are tensors, of known rank or not, or of unknown type.
            if not isinstance(value.type, TensorType | UnrankedTensorType | UnknownType):
                raise VerifyException(f"onnx.node: expected tensors, found {value.type}")
        # node_c2: absent inputs are positions in ascending order.
        missing, last = self.missing, len(self.values) + len(self.missing)
        if missing != sorted(set(missing)) or any(not 0 <= k < last for k in missing):
            raise VerifyException(f"onnx.node: {missing} are no positions of inputs")
        # node_c4: each region has a name of its own, and ends in a yield.
        names = [n.data for n in self.names] if self.names is not None else []
        if len(names) != len(self.regions_given) or len(set(names)) != len(names):
            raise VerifyException(f"onnx.node: names {names} of {len(self.regions_given)} graphs")
        for region in self.regions_given:
            if not isinstance(region.block.last_op, YieldOp):
                raise VerifyException("onnx.node: a graph does not end in onnx.yield")
        # node_c3: there is a version.
        if self.since.data < 1:
            raise VerifyException(f"onnx.node: version {self.since.data}, expected 1 or more")

    @classmethod
    def parse(cls, parser: Parser) -> NodeOp:
        """Parse the form shown above."""
        operator = parser.parse_str_literal(" of an operator")
        parser.parse_keyword("since")
        since = parser.parse_integer(allow_boolean=False, allow_negative=False)
        pos = parser.pos
        operands = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN,
            lambda: (
                None if parser.parse_optional_keyword("none") else parser.parse_unresolved_operand()
            ),
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        parser.parse_punctuation("->")
        results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
        present = [o for o in operands if o is not None]
        values = iter(parser.resolve_operands(present, types, pos))
        inputs = [None if o is None else next(values) for o in operands]
        graphs: dict[str, Region] = {}
        while parser.parse_optional_keyword("graph") is not None:
            name = parser.parse_str_literal(" of a graph")
            graphs[name] = parser.parse_region()
        return cls.of(operator, since, inputs, attributes, results, graphs)

    def print(self, printer: Printer) -> None:
        """Print the form shown above."""
        printer.print_string(" ")
        printer.print_string_literal(self.operator.data)
        printer.print_string(f" since {self.since.data} (")
        for k, value in enumerate(self.inputs):
            printer.print_string(", " if k else "")
            if value is None:
                printer.print_string("none")
            else:
                printer.print_ssa_value(value)
        printer.print_string(")")
        if self.attributes:
            printer.print_string(" ")
            printer.print_attr_dict(self.attributes)
        printer.print_string(" : (")
        printer.print_list(self.values, lambda v: printer.print_attribute(v.type))
        printer.print_string(") -> (")
        printer.print_list(self.outputs, lambda v: printer.print_attribute(v.type))
        printer.print_string(")")
        for name, region in self.graphs.items():
            printer.print_string(" graph ")
            printer.print_string_literal(name)
            printer.print_string(" ")
            printer.print_region(region)


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends a graph attribute with its results."""

    name = "onnx.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), HasParent(NodeOp), Pure())
    assembly_format = "($values^ `:` type($values))? attr-dict"


Onnx = Dialect("onnx", [NodeOp, YieldOp], [UnknownType])
