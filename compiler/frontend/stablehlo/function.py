"""One function of a StableHLO module, whose operations become operators."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Attribute, Block, SSAValue

from opc.dialects.shape import Tensor, element, fits, shape_of, tensor_of, type_text
from opc.dialects.stablehlo import NodeOp
from opc.dialects.walking import walk
from opc.frontend.legalize_graphs import outline_block
from opc.frontend.legalizer import Legalizer, Outcome
from opc.frontend.models.bodies import Outlined
from opc.frontend.models.kinds import Kinds
from opc.frontend.models.op_builder import Insert, Result
from opc.support.locations import location_of

from .node import Node
from .ops import refusal


class LegalizeStablehloFunction(Legalizer[NodeOp, Node]):
    """Legalizes one function."""

    written_as = NodeOp

    def check_supported(self) -> None:
        """Raise UnsupportedError that lists every operation without a meaning, with its count."""
        kinds = Kinds()
        for op in walk(self.block):
            if isinstance(op, NodeOp):
                reason = refusal(op)
                if reason is not None:
                    kinds.add(reason, op.operator.data, location_of(op))
        kinds.check()

    def names_of(self, op: NodeOp) -> tuple[str, str, str]:
        """The operation, three times: it has no other name."""
        name = op.operator.data
        return name, name, name

    def call(self, op: NodeOp, insert: Insert) -> Node:
        """One operation."""
        return Node(op, op.inputs, insert, self)

    def outcome(self, call: Node) -> Outcome:
        """The results of an operation."""
        return tuple(x.value for x in call.results())

    def check_result(self, call: Node, number: int, declared: Attribute, result: Result) -> None:
        """InputError unless the declared type fits the result."""
        assert isinstance(result, SSAValue)
        wanted, type = call.types[number], tensor_of(result)
        same = element(wanted) is element(type)
        if not same or not fits(shape_of(wanted), shape_of(type)):
            raise call.error(f"the result is {type_text(type)}, the text says {type_text(wanted)}")

    def outlined(self, op: NodeOp, block: Block, types: Sequence[Tensor]) -> Outlined:
        """A private function of a block, with arguments of these types."""
        return outline_block(self, op, block, types)
