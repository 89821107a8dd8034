"""One function of an OpenVINO model, whose layers become operators: see ``legalize_openvino``."""

from __future__ import annotations

from functools import partial
from itertools import count

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, NoneType, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import expr as ex
from opc.dialects.budgets import BudgetExceeded
from opc.dialects.opc.base import OpcOp, check_size
from opc.dialects.opc.symbols import SymbolSource
from opc.dialects.openvino import LayerOp, stated_element
from opc.dialects.shape import UNKNOWN, fits, shape_of, tensor_of, tensor_type
from opc.errors import UnsupportedError
from opc.frontend.models.capacities import Capacities
from opc.frontend.models.kinds import Kinds
from opc.frontend.models.known import Known
from opc.frontend.onnx.ops.node import Builder
from opc.frontend.openvino.ops import find
from opc.frontend.openvino.ops.evaluate import evaluate
from opc.frontend.openvino.ops.layer import Bodies, Layer, label, named
from opc.frontend.openvino.scan import needed
from opc.locations import location_of

from .costs import sorts
from .fold_constants import at_once
from .legalize_graphs import Written, outline_block, write
from .rewriting import set_type
from .seeds import Streams


class LegalizeFunction:
    """The pass on one function."""

    written_as = LayerOp

    def __init__(self, function: func.FuncOp, block: Block) -> None:
        self.function = function
        self.block = block
        self.known: dict[SSAValue, Known] = {}
        self.names = {n for e in self.extents() for n in e.symbols()}
        self.capacities = Capacities(block, self.fresh)
        outlined = partial(outline_block, self)
        self.bodies = Bodies(partial(write, self), outlined, self.capacities)
        self.streams = Streams(function, block)
        self.written = Written()
        self.kept: list[Block] = []
        """Blocks whose arguments are known values."""
        self.nodes: list[LayerOp] = []

    def run(self) -> None:
        """Rewrite the function.  Raises InputError or UnsupportedError for what does not fit."""
        layers = [op for op in self.block.ops if isinstance(op, LayerOp)]
        check_operators(layers)
        self.name_arguments()
        kinds, without = Kinds(), set[SSAValue]()
        for op in layers:
            try:
                # What is wrong with a layer hides nothing but the layers that need its result.
                needed = [v for inner in op.walk() for v in inner.operands]
                if without.isdisjoint(needed):
                    self.legalize(op)
                    self.nodes.append(op)
                    continue
            except UnsupportedError as error:
                kind = f"{op.operator.data} opset{op.opset.data}"
                text = error.message.removeprefix(f"{label(op)}: ")
                kinds.add_error(f"{kind} ({text})", named(op), error)
            without.update(op.outputs)
        kinds.check()
        end = self.block.last_op
        assert end is not None
        self.materialize(end)
        # A value that is known stays until nobody asks for it as a tensor.
        for op in reversed(self.nodes):
            if op.parent is not None:
                op.parent.erase_op(op)
        outputs = [v.type for v in end.operands]
        self.function.function_type = FunctionType.from_lists(
            [a.type for a in self.block.args], outputs
        )

    def materialize(self, end: Operation) -> None:
        """Give the end of the function tensors for what it returns."""
        for k, value in enumerate(end.operands):
            if value in self.known and isinstance(value.owner, LayerOp | Block):
                builder = Builder(lambda new: self.block.insert_op_before(new, end))
                end.operands[k] = builder.tensor(self.known[value])

    def extents(self) -> list[ex.Expr]:
        """Every extent that is written anywhere."""
        values = [*self.block.args, *(v for op in self.block.ops for v in op.results)]
        tensors = [v for v in values if isinstance(v.type, TensorType)]
        found = [e for v in tensors for e in shape_of(tensor_of(v))]
        sources = [op for op in self.block.ops if isinstance(op, SymbolSource)]
        return found + [ex.sym(name) for op in sources for name in op.defined]

    def fresh(self, prefix: str) -> str:
        """A symbol that nothing has yet."""
        name = next(n for n in (f"{prefix}{k}" for k in count()) if n not in self.names)
        self.names.add(name)
        return name

    def name_arguments(self) -> None:
        """``tensor<?x4xf32> --> tensor<?x4xf32, #opc.dims<s0, 4>>``."""
        for arg in self.block.args:
            shape = [ex.sym(self.fresh("s")) if e == UNKNOWN else e for e in shape_of(arg.type)]
            set_type(arg, tensor_type(tensor_of(arg).element_type, shape))

    def legalize(self, op: LayerOp) -> None:
        """Put operators in front of a layer, and use their result instead of its own."""
        row = find(op.operator.data, op.opset.data)
        assert row is not None

        made: list[Operation] = []

        def insert(new: Operation) -> None:
            if isinstance(new, OpcOp):
                check_size(new.type)
            new.location = op.location
            self.block.insert_op_before(new, op)
            made.append(new)

        inputs = [self.known.get(v, v) for v in op.inputs]
        layer = Layer(op, row, inputs, insert, self.fresh, self.bodies, self.streams.next, sorts)
        try:
            found = evaluate(layer) or row.legalize(layer)
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
        value = result
        if isinstance(value, Known):
            self.known[old] = value
            if all(isinstance(use.operation, LayerOp) for use in old.uses):
                return
            made = layer.tensor(value)
            self.known[made] = value
            value = made
        if old.name_hint is not None and value.name_hint is None:
            value.name_hint = old.name_hint
        old.replace_all_uses_with(value)

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
            raise layer.error(f"the result is {found}, but the port says {stated}")


def check_operators(layers: list[LayerOp]) -> None:
    """UnsupportedError that lists every operator without a row, and how often it occurs."""
    kinds = Kinds()
    for op in layers:
        type, opset = op.operator.data, op.opset.data
        if find(type, opset) is None:
            needed(kinds, type, f"opset{opset}", named(op), location_of(op))
    kinds.check()
