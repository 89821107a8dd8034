"""One function of an OpenVINO model, whose layers become operators: see ``legalize_openvino``."""

from __future__ import annotations

from functools import partial

from xdsl.dialects import func
from xdsl.dialects.builtin import NoneType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects.budgets import BudgetExceeded
from opc.dialects.opc.base import OpcOp, check_size
from opc.dialects.openvino import LayerOp, stated_element
from opc.dialects.shape import fits, shape_of, tensor_of, tensor_type, type_text
from opc.frontend.legalize_graphs import outline_block, write
from opc.frontend.legalizer import Legalizer
from opc.frontend.models.kinds import Kinds
from opc.frontend.models.known import Known
from opc.frontend.openvino.ops import find
from opc.frontend.openvino.ops.evaluate import evaluate
from opc.frontend.openvino.ops.layer import Bodies, Layer, label, named
from opc.frontend.openvino.scan import needed
from opc.frontend.tails import Tail
from opc.graph.costs import prefers_sort
from opc.graph.fold_constants import at_once
from opc.support.locations import location_of


class LegalizeOpenvinoFunction(Legalizer[LayerOp]):
    """The pass on one function."""

    written_as = LayerOp

    def __init__(self, function: func.FuncOp, block: Block) -> None:
        super().__init__(function, block)
        outlined = partial(outline_block, self)
        self.bodies = Bodies(
            partial(write, self), outlined, partial(Tail, self), self.capacities, self.ones
        )

    def rank(self, result: int) -> int | None:
        """The rank that a result must have; a port without extents says none."""
        return super().rank(result) if self.ranks is not None else super().rank(result) or None

    def check_supported(self) -> None:
        """UnsupportedError that lists every operator without a row, and how often it occurs."""
        kinds = Kinds()
        for op in self.block.ops:
            if isinstance(op, LayerOp) and find(op.operator.data, op.opset.data) is None:
                type, opset = op.operator.data, op.opset.data
                needed(kinds, type, f"opset{opset}", named(op), location_of(op))
        kinds.check()

    def names_of(self, op: LayerOp) -> tuple[str, str, str]:
        """``ReduceSum opset1``, the layer with its id and name, and both."""
        return f"{op.operator.data} opset{op.opset.data}", named(op), label(op)

    def legalize(self, op: LayerOp) -> None:
        """Put operators in front of a layer, and use their result instead of its own."""
        schema = find(op.operator.data, op.opset.data)
        assert schema is not None

        made: list[Operation] = []

        def insert(new: Operation) -> None:
            if isinstance(new, OpcOp):
                check_size(new.type)
            new.location = op.location
            self.block.insert_op_before(new, op)
            made.append(new)

        inputs = [self.known.get(v, v) for v in op.inputs]
        layer = Layer(
            op, schema, inputs, insert, self.fresh, self.bodies, self.streams.next, prefers_sort
        )
        try:
            found = evaluate(layer) or schema.legalize(layer)
            results = found if isinstance(found, tuple) else (found,)
            if len(op.outputs) > len(results):
                raise layer.error(f"{len(op.outputs)} outputs, expected {len(results)}")
            constants = at_once(made)
            for k, (old, result) in enumerate(zip(op.outputs, results, strict=False)):
                if isinstance(result, SSAValue):
                    result = constants.get(result, result)
                self.replace(layer, k, old, result)
        except BudgetExceeded as error:
            raise layer.unsupported(str(error)) from None
        except VerifyException as error:
            raise layer.error(str(error)) from None

    def replace(
        self, layer: Layer, number: int, old: SSAValue, result: SSAValue | Known | None
    ) -> None:
        """Use a result for an output of a layer."""
        if result is None:
            if old.first_use is not None:
                raise layer.unsupported(f"output {number} is not supported")
            return
        self.check(layer, old.type, result)
        if isinstance(result, Known):
            self.known[old] = result
            return
        if old.name_hint is not None and result.name_hint is None:
            result.name_hint = old.name_hint
        old.replace_all_uses_with(result)

    def check(self, layer: Layer, stated: Attribute, result: SSAValue | Known) -> None:
        """The output port says what the operator gives, as far as it says anything."""
        if isinstance(result, Known):
            found = tensor_type(result.type, result.shape)
        else:
            found = tensor_of(result)
        same = stated_element(stated) in (NoneType(), found.element_type)
        declared = shape_of(stated)
        # Without extents a port can be of any rank.
        if not same or (declared and not fits(declared, shape_of(found))):
            raise layer.error(
                f"the result is {type_text(found)}, but the port says {type_text(stated)}"
            )
