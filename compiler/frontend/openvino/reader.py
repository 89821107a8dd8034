"""OpenVINO IR, an ``.xml`` file with its ``.bin``, to a module in the ``openvino`` dialect.

The reader is mechanical: Parameter layers become arguments, Const layers ``opc.constant``, Result
layers operands of the return, and every other layer ``openvino.layer`` with attributes as text.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    IntAttr,
    ModuleOp,
    NoneType,
    StringAttr,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from opc.dialects import expr as ex
from opc.dialects.blob import deferred
from opc.dialects.element import ElementType
from opc.dialects.named import EXTENT_BOUNDS, INPUT_NAMES, RESULT_NAMES
from opc.dialects.opc.base import check_size
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.openvino import NAME, TYPE, LayerOp, YieldOp
from opc.dialects.openvino_ports import Ports
from opc.dialects.shape import UNKNOWN, tensor_type
from opc.errors import InputError, UnsupportedError
from opc.frontend.mlir.reader import read_bytes
from opc.frontend.onnx.tensors import unpacked
from opc.frontend.requested_outputs import unique, wanted
from opc.frontend.verify import verify
from opc.support.safe_open import DataFile

from .net import (
    BODIES,
    Layer,
    Port,
    bound_ports,
    element_named,
    layers_of,
    written_shape,
)
from .scan import STATE, STATES, check_layers, name_of, requested, unsorted
from .xml import number, parse

HINT = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}\Z")
"""Names that values keep in IR text; the attributes of the function have all of them."""


def read_openvino(path: str | os.PathLike[str], content: bytes | None = None) -> ModuleOp:
    """The module of an IR model; its weights stay in the file beside it.

    ``content`` is that of the file, if it was read already.  Raises :class:`InputError` for
    unreadable or malformed files, :class:`UnsupportedError` for what opc cannot compile.
    """
    name = os.fspath(path)
    root = parse(read_bytes(path) if content is None else content, name)
    layers, outputs = requested(layers_of(root), wanted())
    check_layers(layers)
    model = root.attributes.get("name", "")
    weights = Weights(Path(name).with_suffix(".bin"))
    function = _Reader(weights, layers).function(model if TYPE.match(model) else "main", outputs)
    module = ModuleOp([function])
    function.location = location(root.place)
    verify(module)
    return module


def location(place: str) -> FileLineColLoc:
    """The location that ``file:line:column`` says."""
    file, line, column = place.rsplit(":", 2)
    return FileLineColLoc(StringAttr(file), IntAttr(int(line)), IntAttr(int(column)))


class Weights:
    """The ``.bin`` file of a model, opened when the first constant asks for it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: DataFile | None = None

    def constant(
        self, element: ElementType, shape: Sequence[int], offset: int, size: int, layer: Layer
    ) -> Attribute:
        """The elements at an offset.  InputError if ``size`` does not fit the shape or the file."""
        try:
            check_size(tensor_type(element, list(map(ex.const, shape))))
        except VerifyException as error:
            raise layer.error(str(error)) from None
        count = math.prod(shape)
        wanted = count * element.bytes if element.bits != 4 else -(-count // 2)
        # OpenVINO writes one byte for a constant without elements.
        if size != wanted and not (wanted == 0 and size == 1):
            raise layer.error(f"{size} bytes, but {list(shape)} elements of {element} are {wanted}")
        if not wanted:
            return deferred(lambda: np.zeros(shape, element.dtype), element, shape)
        file = self._opened(layer)
        if offset + size > file.size:
            raise layer.error(
                f"bytes {offset} to {offset + size} lie outside {self.path.name}, which has "
                f"{file.size}"
            )

        def load() -> np.ndarray[Any, Any]:
            data = file.read(offset, size)
            if element.bits == 4:
                return unpacked(data, element, count).reshape(shape)
            data = data != 0 if element.bits == 1 else data.view(element.dtype)
            return data.reshape(shape)

        return deferred(load, element, shape)

    def _opened(self, layer: Layer) -> DataFile:
        if self._file is None:
            try:
                self._file = DataFile(self.path.parent, self.path.name)
            except ValueError as error:
                raise layer.error(f"its weights cannot be read: {error}") from None
        return self._file


class _Reader:
    """Makes the function of a model, or the body of a layer."""

    def __init__(self, weights: Weights, layers: list[Layer]) -> None:
        self.layers = layers
        self.weights = weights
        self.block = Block()
        self.values: dict[tuple[int, int], SSAValue] = {}
        self.assigned: dict[str, SSAValue] = {}

    def function(self, name: str, outputs: Mapping[int, str]) -> FuncOp:
        """The function of a model; ``outputs`` has the names of those that are wanted, by layer."""
        inputs, results = unsorted(self.layers, "Parameter"), unsorted(self.layers, "Result")
        if not results and not outputs:
            raise InputError("the model has no Result", self.layers[0].place if self.layers else "")
        states = _states(self.layers)
        values = self.fill(inputs, results, states)
        self.block.add_op(ReturnOp(*values))
        types = [a.type for a in self.block.args], [v.type for v in values]
        function = FuncOp(name, types, Region(self.block))
        input_names = [*(name_of(x.name, self.only_output(x).names) for x in inputs), *states]
        function.attributes[INPUT_NAMES] = _names(input_names)
        stated = [
            "".join(x.data.get(_shape_key(x), "").split())
            for x in (*inputs, *(reading[0] for reading in states.values()))
        ]
        if any(".." in text for text in stated):
            function.attributes[EXTENT_BOUNDS] = _names(stated)
        assigned = [layer for layer in self.layers if layer.type == "Assign"]
        result_names = [outputs[layer.id] for layer in (*results, *assigned)]
        function.attributes[RESULT_NAMES] = _names(result_names)
        return function

    def fill(
        self,
        inputs: list[Layer],
        results: list[Layer],
        states: Mapping[str, Sequence[Layer]] | None = None,
    ) -> list[SSAValue]:
        """Fill the block; returns the results, then the new values of states.

        A state is an input: the caller passes its old value.
        """
        # All layers that read a state read one argument.
        for reading in (*([layer] for layer in inputs), *(states or {}).values()):
            stated = self.stated(reading[0], self.only_output(reading[0]))
            argument = self.block.insert_arg(_type(*stated), len(self.block.args))
            for layer in reading:
                self.define(layer, self.only_output(layer), argument)
        for layer in self.layers:
            if layer.type == "Const":
                self.constant(layer)
            elif layer.type in STATES:
                self.assign(layer, states is not None)
            elif layer.type not in ("Parameter", "Result"):
                self.layer(layer)
        return [*(self.result(layer) for layer in results), *self.assigned.values()]

    def body(self, layer: Layer, tag: str) -> tuple[Region, Ports]:
        """The body of a layer, and how the layer binds it."""
        inner = _Reader(self.weights, layer.bodies[tag])
        inputs, results = (unsorted(inner.layers, type) for type in ("Parameter", "Result"))
        values = inner.fill(inputs, results)
        inner.block.add_op(YieldOp.build(operands=[values]))
        assert layer.element is not None
        ids = ([i.id for i in inputs], [r.id for r in results])
        return Region(inner.block), bound_ports(layer, layer.element, BODIES[tag], *ids)

    def assign(self, layer: Layer, is_outermost: bool) -> None:
        """Record the new value of a state."""
        if not is_outermost:
            raise UnsupportedError(f"{layer.label}: a state in a body", layer.place)
        if layer.type != "Assign":
            return
        name = self.attribute(layer, STATE)
        if len(layer.sources) != 1 or name in self.assigned:
            raise layer.error(f"{len(layer.sources)} inputs, or {name!r} is assigned twice")
        self.assigned[name] = self.value(layer, *layer.sources[0])
        for port in layer.outputs.values():
            self.define(layer, port, self.assigned[name])

    def constant(self, layer: Layer) -> None:
        port = self.only_output(layer)
        element, shape = self.stated(layer, port)
        static = [e for e in shape if e is not None]
        if len(static) != len(shape):
            raise layer.error(f"its shape is {list(shape)}, expected extents")
        offset, size = (
            number(self.attribute(layer, key), key, layer.place, 0) for key in ("offset", "size")
        )
        value = self.weights.constant(element, static, offset, size, layer)
        self.define(layer, port, *self.add(ConstantOp(value=value), layer))

    def layer(self, layer: Layer) -> None:
        inputs = [self.value(layer, source, port) for source, port in layer.sources]
        attributes: dict[str, Attribute] = {k: StringAttr(v) for k, v in layer.data.items()}
        attributes[NAME] = StringAttr(layer.name)
        types = [_type(port.element, port.shape) for port in layer.outputs.values()]
        bodies = {tag: self.body(layer, tag) for tag in layer.bodies}
        op = LayerOp.of(layer.type, layer.opset, inputs, attributes, types, bodies)
        for port, value in zip(layer.outputs.values(), self.add(op, layer), strict=True):
            self.define(layer, port, value)

    def result(self, layer: Layer) -> SSAValue:
        if len(layer.sources) != 1:
            raise layer.error(f"{len(layer.sources)} inputs, expected one")
        return self.value(layer, *layer.sources[0])

    def value(self, layer: Layer, source: Layer, port: int) -> SSAValue:
        """The value that a layer reads.  InputError if its source is a Result, which has none."""
        value = self.values.get((source.id, port))
        if value is None:
            raise layer.error(f"its input comes from {source.label}, which computes nothing")
        return value

    def add(self, op: Operation, layer: Layer) -> Sequence[SSAValue]:
        """Add an operation; its results."""
        op.location = location(layer.place)
        self.block.add_op(op)
        return op.results

    def define(self, layer: Layer, port: Port, value: SSAValue) -> None:
        self.values[layer.id, port.id] = value
        if HINT.match(layer.name):
            value.name_hint = SSAValue.extract_valid_name(layer.name)

    def only_output(self, layer: Layer) -> Port:
        """The output of a layer that has no other, and no input unless it reads a state."""
        if len(layer.outputs) != 1 or (layer.sources and layer.type not in STATES):
            raise layer.error(
                f"{len(layer.sources)} inputs, {len(layer.outputs)} outputs, expected one output"
            )
        return next(iter(layer.outputs.values()))

    def attribute(self, layer: Layer, key: str) -> str:
        text = layer.data.get(key)
        if text is None:
            raise layer.error(f"it has no {key}")
        return text

    def stated(self, layer: Layer, port: Port) -> tuple[ElementType, tuple[int | None, ...]]:
        """Element type and shape by the attributes, else by the port."""
        key = "variable_type" if layer.type in STATES else "element_type"
        named, text = layer.data.get(key), layer.data.get(_shape_key(layer))
        element = element_named(named, layer.place) if named is not None else port.element
        if element is None:
            raise layer.error("it states no element_type")
        shape = port.shape if text is None else written_shape(text, layer.place)
        agree = len(shape) == len(port.shape) and all(
            a is None or b is None or a == b for a, b in zip(shape, port.shape, strict=True)
        )
        if port.element not in (None, element) or not agree:
            raise layer.error(
                f"it is {element}{_text(shape)}, but its port says "
                f"{port.element or element}{_text(port.shape)}"
            )
        return element, shape


def _shape_key(layer: Layer) -> str:
    return "variable_shape" if layer.type in STATES else "shape"


def _states(layers: list[Layer]) -> dict[str, list[Layer]]:
    """The layers that read each state, by its name."""
    states: dict[str, list[Layer]] = {}
    for layer in layers:
        if layer.type == "ReadValue":
            if STATE not in layer.data:
                raise layer.error(f"it has no {STATE}")
            states.setdefault(layer.data[STATE], []).append(layer)
    return states


def _type(element: ElementType | None, shape: Sequence[int | None]) -> Attribute:
    known = NoneType() if element is None else element
    return tensor_type(known, [UNKNOWN if e is None else e for e in shape])


def _text(shape: Sequence[int | None]) -> str:
    return f"[{', '.join('?' if e is None else str(e) for e in shape)}]"


def _names(names: Sequence[str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(n) for n in unique(names)])
