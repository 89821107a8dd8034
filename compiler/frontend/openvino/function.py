"""One function of an OpenVINO model, whose layers become operators: see ``legalize_openvino``."""

from __future__ import annotations

from xdsl.dialects.builtin import NoneType
from xdsl.ir import Attribute

from opc.dialects.openvino import LayerOp, stated_element
from opc.dialects.shape import fits, shape_of, tensor_of, type_text
from opc.frontend.legalizer import Legalizer, Outcome
from opc.frontend.models.containers import Held
from opc.frontend.models.kinds import Kinds
from opc.frontend.models.op_builder import Insert, Result
from opc.frontend.openvino.ops import find
from opc.frontend.openvino.ops.layer import Layer, label, named
from opc.frontend.openvino.scan import needed
from opc.support.locations import location_of


class LegalizeOpenvinoFunction(Legalizer[LayerOp, Layer]):
    """Legalizes one function."""

    written_as = LayerOp

    def rank(self, result: int) -> int | None:
        """The rank that a result must have; a port without extents states none."""
        return super().rank(result) if self.ranks is not None else super().rank(result) or None

    def check_supported(self) -> None:
        """Raise UnsupportedError that lists every operator without a schema, with its count."""
        kinds = Kinds()
        for op in self.block.ops:
            if isinstance(op, LayerOp) and find(op.operator.data, op.opset.data) is None:
                type, opset = op.operator.data, op.opset.data
                needed(kinds, type, f"opset{opset}", named(op), location_of(op))
        kinds.check()

    def names_of(self, op: LayerOp) -> tuple[str, str, str]:
        """``ReduceSum opset1``, the layer with its id and name, and both."""
        return f"{op.operator.data} opset{op.opset.data}", named(op), label(op)

    def call(self, op: LayerOp, insert: Insert) -> Layer:
        """One layer."""
        schema = find(op.operator.data, op.opset.data)
        assert schema is not None
        return Layer(op, schema, [self.held.get(v, v) for v in op.inputs], insert, self)

    def outcome(self, call: Layer) -> Outcome:
        """The results of a layer."""
        return call.results()

    def check_result(self, call: Layer, number: int, declared: Attribute, result: Result) -> None:
        """InputError unless the output port agrees with the result, where it states a type."""
        assert not isinstance(result, Held)
        type = tensor_of(result)
        same = stated_element(declared) in (NoneType(), type.element_type)
        extents = shape_of(declared)
        # Without extents a port can be of any rank.
        if not same or (extents and not fits(extents, shape_of(type))):
            raise call.error(
                f"the result is {type_text(type)}, but the port says {type_text(declared)}"
            )
