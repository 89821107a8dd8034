"""The interface of legalizing functions: inputs and attributes of a layer, and a builder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import StringAttr

from opc.dialects import element as el
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.openvino import NAME, LayerOp
from opc.dialects.shape import Shape, shape_text
from opc.frontend.models.call import Call
from opc.frontend.models.op_builder import Insert, Result
from opc.frontend.verify import shown
from opc.support.locations import location_of

from .schema import Schema, canonical

if TYPE_CHECKING:
    from opc.frontend.legalizer import Legalizer


class Layer(Call):
    """One layer of a model, with its inputs already legalized."""

    schema: Schema

    def __init__(
        self,
        op: LayerOp,
        schema: Schema,
        inputs: Sequence[Result],
        insert: Insert,
        into: Legalizer[Any, Any],
    ) -> None:
        super().__init__(inputs, insert, into, op)
        self.op = op
        self.schema = schema
        self._check_inputs()
        self._attributes = self._decoded()

    def _check_inputs(self) -> None:
        least, most = self.schema.least, self.schema.most
        if len(self.inputs) < least or (most is not None and len(self.inputs) > most):
            several = f"{least} to {most}" if most is not None else f"at least {least}"
            wanted = str(least) if least == most else several
            raise self.error(f"{len(self.inputs)} inputs, expected {wanted}")
        bound: dict[str, el.ElementType] = {}
        for k in range(len(self.inputs)):
            spec = self.schema.input(k)
            type, allowed = self.element(k), self.schema.types[spec.type]
            if type not in allowed:
                raise self.error(
                    f"input {spec.name} is {type}, expected one of {el.names(allowed)}"
                )
            if bound.setdefault(spec.type, type) is not type and spec.type == "T":
                raise self.error(f"inputs are {bound[spec.type]} and {type}, expected one type")

    def _decoded(self) -> dict[str, Any]:
        known = {a.name: a for a in self.schema.attributes}
        values: dict[str, Any] = {}
        for key, text in self.op.text.items():
            name = canonical(key)
            if name not in known:
                raise self.error(
                    f"unknown attribute {shown(key)}; it has {', '.join(known) or 'none'}"
                )
            if name in values:
                raise self.error(f"attribute {name} is given twice")
            try:
                values[name] = known[name].decode(text)
            except ValueError as error:
                raise self.error(f"attribute {name}: {error}") from None
        for name, spec in known.items():
            if name not in values:
                if spec.default is None:
                    raise self.error(f"attribute {name} is missing")
                values[name] = spec.decode(spec.default)
        return values

    @property
    def operator(self) -> str:
        """The name of its operator."""
        return self.schema.type

    @property
    def place(self) -> str:
        """The source location of the layer."""
        return location_of(self.op)

    @property
    def input_count(self) -> int:
        """The number of inputs that its operator names."""
        return len(self.schema.inputs)

    def input_name(self, position: int) -> str:
        """The name of an input."""
        return self.schema.input(position).name

    def known_numbers(self, position: int) -> list[int] | None:
        """The elements of a list if they are numbers when compiling."""
        return [] if self.known_list(position) == () else super().known_numbers(position)

    def stated(self, position: int, count: int) -> Shape:
        """The extents in a list of ``count``.  UnsupportedError unless known at compile time."""
        known = self.known_list(position)
        if known is None:
            raise self.unsupported(f"input {self.input_name(position)} is not known when compiling")
        if len(known) != count:
            name = self.input_name(position)
            raise self.error(f"input {name} has {len(known)} elements, expected {count}")
        return known

    def one_number(self, position: int) -> int:
        """The only number in a list, which must be known when compiling."""
        numbers = self.numbers(position)
        if len(numbers) != 1:
            name = self.input_name(position)
            raise self.error(f"input {name} has {len(numbers)} elements, expected one")
        return numbers[0]

    def number(self, position: int) -> float | None:
        """The value of an input of one element, if it is a constant."""
        op = self[position].owner
        if not isinstance(op, ConstantOp):
            return None
        array = op.array()
        return float(array.reshape(-1)[0]) if array.size == 1 else None

    def scalar(self, position: int, type: el.ElementType | None = None) -> Any:
        """An input of one element as an array of rank 0, in its own element type or another one."""
        shape = self.shape(position)
        if any(e.constant not in (None, 1) for e in shape):
            name = self.schema.inputs[position].name
            raise self.error(f"input {name} has shape {shape_text(shape)}, expected one element")
        return self.traced(position, type).reshape(())

    def attr(self, name: str) -> Any:
        """An attribute as a Python value."""
        return self._attributes[name]

    @property
    def label(self) -> str:
        """``layer "name" (ReduceSum opset1)``."""
        return label(self.op)


def label(op: LayerOp) -> str:
    """``layer "name" (ReduceSum opset1)``."""
    return f"{named(op)} ({op.operator.data} opset{op.opset.data})"


def named(op: LayerOp) -> str:
    """``layer "name"``."""
    name = op.attributes.get(NAME)
    return f'layer "{shown(name.data)}"' if isinstance(name, StringAttr) else "layer"
