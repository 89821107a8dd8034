"""Control flow: If, Loop and TensorIterator, as the equivalent nodes of ONNX.

An iteration gathers its slice of an input; slices of an output are stacked, and concatenated along
their axis after the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import NoneType, StringAttr
from xdsl.ir import Block, Operation, SSAValue

import opc.numpy as onp
from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.parts import TO_THE_END
from opc.dialects.openvino import LayerOp
from opc.dialects.openvino_ports import Parts, Ports
from opc.dialects.shape import Tensor, element, shape_of, tensor_of, tensor_type
from opc.dialects.walking import walk
from opc.frontend.legalize_graphs import outline_block, write
from opc.frontend.models import known as kn
from opc.frontend.models.bodies import Outlined, joined
from opc.frontend.models.op_builder import Result, Value
from opc.frontend.models.parts import BACKWARDS, sliced
from opc.frontend.onnx.ops.control import choose
from opc.frontend.onnx.ops.loops import ENDLESS, repeat

from .as_onnx import NodeAdapter
from .layer import Data, Layer
from .schema import openvino

if TYPE_CHECKING:
    from opc.frontend.tail_duplication import Tail

UNSTATED = tensor_type(NoneType(), ())


class WithBodies(NodeAdapter):
    """A layer as a node of ONNX whose graphs are its bodies."""

    def block(self, name: str) -> Block:
        """A copy of the named body, in the form of the node's graph."""
        raise NotImplementedError

    def inline(self, name: str, arguments: Sequence[Result]) -> list[Result]:
        """Write a body before the layer; returns its results."""
        return write(self.into, self.layer.op, self.block(name), arguments)

    def outline(self, name: str, types: Sequence[Tensor], sequences: object = None) -> Outlined:
        """Make a function of a body, with arguments of these types."""
        return outline_block(self.into, self.layer.op, self.block(name), types)

    def size(self, name: str) -> int:
        """The number of layers of a body."""
        return sum(isinstance(op, LayerOp) for op in walk(_body(self.layer, name)[0]))


def _body(layer: Layer, name: str) -> tuple[Block, Ports]:
    """A copy of a body, and its bindings; InputError if the layer has no such body."""
    body = layer.op.bodies.get(name)
    if body is None:
        raise layer.error(f"it has no <{name}>")
    region, ports = body
    return region.clone().detach_block(0), ports


def _layer(
    before: Operation, type: str, opset: int, *inputs: SSAValue, **attributes: str
) -> SSAValue:
    """The result of a new layer in a body."""
    texts = {name: StringAttr(text) for name, text in attributes.items()}
    return _inserted(LayerOp.of(type, opset, inputs, texts, [UNSTATED]), before)


def _constant(before: Operation, array: Any, type: el.ElementType = el.I64) -> SSAValue:
    """A new constant in a body."""
    return _inserted(ConstantOp.of(np.asarray(array, type.dtype), type), before)


def _inserted(new: Operation, before: Operation) -> SSAValue:
    assert before.parent is not None
    before.parent.insert_op_before(new, before)
    return new.results[0]


class Choice(WithBodies):
    """If-8 as If of ONNX, whose branches use outer values directly."""

    def tail(self, branch: Callable[[str], Block] | None = None) -> Tail[Any]:
        """The operations behind the layer, which its branches may compute."""
        return super().tail(branch or self.block)

    def block(self, name: str) -> Block:
        """A branch that yields the outputs in order."""
        block, ports = _body(self.layer, name.replace("branch", "body"))
        for value, argument in zip(list(block.args), ports.arguments, strict=True):
            if argument.source is None or argument.parts is not None or argument.back is not None:
                raise self.error("a branch takes nothing but inputs as they are")
            value.replace_all_uses_with(self.layer.op.inputs[argument.source])
            block.erase_arg(value)
        end = block.last_op
        assert end is not None
        end.operands = [end.operands[output.result] for output in ports.outputs]
        return block


@openvino("If", 8)
def choose_8(layer: Layer) -> Any:
    """If-8 --> the taken branch if it is known when compiling, else opc.if."""
    return Choice(layer, "If", 25, layer.inputs[:1]).legalized(choose)


class Repetition(WithBodies):
    """Loop-5 or TensorIterator-1 as Loop of ONNX."""

    def __init__(self, layer: Layer, first: Sequence[Value | None], ports: Ports) -> None:
        self.ports = ports
        self.carried = [a for a in ports.arguments if a.back is not None]
        starts = [layer.inputs[a.source] for a in self.carried if a.source is not None]
        if len(starts) != len(self.carried):
            raise layer.error("the number of the iteration is not a result of the body")
        backs = [a.back for a in self.carried]
        self.stacked = [o for o in ports.outputs if o.parts is not None or o.result not in backs]
        count = len(starts) + len(self.stacked)
        super().__init__(layer, "Loop", 25, [*first, *starts], outputs=count)
        self.over = {
            k: _apart(layer, layer[a.source], a.parts)
            for k, a in enumerate(ports.arguments)
            if a.source is not None and a.parts is not None
        }

    def block(self, name: str) -> Block:
        """The body: (number, condition, carried...) --> (condition, carried..., stacked...)."""
        block, ports = _body(self.layer, name)
        first, end, values = block.first_op, block.last_op, list(block.args)
        assert first is not None and end is not None
        number = block.insert_arg(tensor_type(el.I64, ()), 0)
        block.insert_arg(tensor_type(el.I1, ()), 1)
        for k, (value, argument) in enumerate(zip(values, ports.arguments, strict=True)):
            if argument.back is not None:
                continue
            if argument.source is None:
                new = self.numbered(number, tensor_of(value), first)
            elif argument.parts is not None:
                axis = _constant(first, argument.parts.axis)
                new = _layer(first, "Gather", 8, self.over[k], number, axis)
            else:
                new = self.layer.op.inputs[argument.source]
            value.replace_all_uses_with(new)
            block.erase_arg(value)
        results = list(end.operands)
        if self.ports.condition is None:
            condition = _constant(end, True, el.I1)
        else:
            condition = _layer(end, "Squeeze", 1, results[self.ports.condition])
        carried = [results[a.back] for a in self.carried if a.back is not None]
        end.operands = [condition, *carried, *(results[o.result] for o in self.stacked)]
        return block

    def numbered(self, number: SSAValue, type: Tensor, first: Operation) -> SSAValue:
        """The number of the iteration, in the type of the body's Parameter, before ``first``."""
        if type.element_type != el.I64.type:
            wanted = element(type).name
            number = _layer(first, "Convert", 1, number, destination_type=wanted)
        if not shape_of(type):
            return number
        return _layer(first, "Reshape", 1, number, _constant(first, [1]), special_zero="false")

    def outputs(self) -> tuple[Result, ...]:
        """The outputs of the layer."""
        values = self.legalized(repeat)
        backs = [a.back for a in self.carried]
        results: list[Result] = []
        for output in self.ports.outputs:
            if output.parts is None and output.result in backs:
                results.append(values[backs.index(output.result)])
                continue
            every = self.tensor(values[len(backs) + self.stacked.index(output)])
            if output.parts is not None:
                results.append(_together(self.layer, every, output.parts))
            else:
                last = sliced(self, every, [0], [(-1, TO_THE_END, 1)])
                results.append(self.reshape(last, shape_of(tensor_of(every))[1:]))
        return tuple(results)


def _bounds(layer: Layer, extent: ex.Expr, parts: Parts) -> tuple[ex.Expr, ex.Expr]:
    """The half-open range of an axis that the iterations slice."""
    if abs(parts.stride) != parts.size or parts.size < 1:
        raise layer.unsupported(f"parts of {parts.size} in steps of {parts.stride}")
    start, end = (extent + (n + 1) if n < 0 else ex.const(n) for n in (parts.start, parts.end))
    return (start, end) if parts.stride > 0 else (end, start)


def _apart(layer: Layer, x: SSAValue, parts: Parts) -> SSAValue:
    """x with a new axis of iterations before the sliced axis, in their order."""
    shape = shape_of(tensor_of(x))
    axis = layer.axis(parts.axis, len(shape))
    low, high = _bounds(layer, shape[axis], parts)
    if (low, high) != (0, shape[axis]):
        x = sliced(layer, x, [axis], [(low, high, 1)])
    layer.require("divides", high - low, ex.const(parts.size), "parts do not fill the axis")
    count = ex.floordiv(high - low, parts.size)
    x = layer.reshape(x, (*shape[:axis], count, parts.size, *shape[axis + 1 :]))
    return sliced(layer, x, [axis], [BACKWARDS]) if parts.stride < 0 else x


def _together(layer: Layer, x: SSAValue, parts: Parts) -> SSAValue:
    """The slices of all iterations (first axis of x) concatenated along their axis."""
    if abs(parts.stride) != parts.size:
        raise layer.unsupported(f"parts of {parts.size} in steps of {parts.stride}")
    if parts.stride < 0:
        x = sliced(layer, x, [0], [BACKWARDS])
    return joined(layer, x, layer.axis(parts.axis, len(shape_of(tensor_of(x))) - 1))


@openvino("Loop", 5)
def loop(layer: Layer) -> Any:
    """Loop-5 --> opc.scan; a negative trip count is no bound."""
    known = layer.known_numbers(0)
    count: Any = layer.inputs[0]
    if known is None and layer.known(0) is None:
        number = layer.scalar(0, el.I64)
        count = onp.where(number < 0, ENDLESS, number)
    elif known is not None and known[0] < 0:
        count = None
    return Repetition(layer, [count, layer.inputs[1]], _body(layer, "body")[1]).outputs()


@openvino("TensorIterator", 1)
def iterate(layer: Layer, *inputs: Data) -> Any:
    """TensorIterator-1 --> opc.scan over the slices of an input."""
    _, ports = _body(layer, "body")
    counts: list[ex.Expr] = []
    for argument in ports.arguments:
        if argument.source is not None and argument.parts is not None:
            x, parts = inputs[argument.source], argument.parts
            low, high = _bounds(layer, x.extents[layer.axis(parts.axis, x.ndim)], parts)
            counts.append(ex.floordiv(high - low, parts.size))
    if not counts:
        raise layer.unsupported("no input says how many iterations there are")
    for count in counts[1:]:
        layer.require("equal", count, counts[0], "the numbers of iterations differ")
    first = [kn.of(counts[:1], ()), kn.of([1], (), el.I1)]
    return Repetition(layer, first, ports).outputs()
