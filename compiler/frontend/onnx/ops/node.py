"""``Node``: the inputs, attributes and builder that legalization functions use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import BlobAttr, elements
from opc.dialects.onnx import NAME, ORDINAL, NodeOp
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.symbols import RequireOp, SplitAxesOp
from opc.dialects.shape import DimsAttr, Shape, Tensor, type_text
from opc.dialects.walking import walk
from opc.frontend.legalize_graphs import copied, outline_block, write
from opc.frontend.models.bodies import Outlined
from opc.frontend.models.call import Call
from opc.frontend.models.containers import Held
from opc.frontend.models.op_builder import Insert, Result, Value
from opc.frontend.tail_duplication import Tail
from opc.frontend.verify import shown
from opc.support.locations import has_line, location_of

from .schema import SCHEMAS, Schema, element_numbered, newest_with

if TYPE_CHECKING:
    from opc.frontend.legalizer import Legalizer


class Node(Call):
    """A node of a model with legalized inputs."""

    schema: Schema

    def __init__(
        self,
        op: NodeOp,
        schema: Schema,
        inputs: Sequence[Value | None],
        ordinal: int,
        insert: Insert,
        into: Legalizer[Any, Any],
    ) -> None:
        super().__init__(inputs, insert, into, op)
        self.op = op
        self.schema = schema
        self.ordinal = ordinal

    def with_inputs(self, *inputs: Value | None, schema: Schema | None = None) -> Node:
        """The node with other inputs, and optionally the schema of another operator."""
        node = Node(self.op, schema or self.schema, inputs, self.ordinal, self.insert, self.into)
        node.trace = self.trace  # Arrays of both are combined.
        return node

    def with_moved_attributes(self) -> Node:
        """The node with attributes as inputs, where they are inputs of the newest version.

        ``Squeeze(x) {axes = [0]}  -->  Squeeze(x, [0])``; floats become f64, numbers lists.
        """
        versions, inputs = SCHEMAS[self.operator], self.inputs.copy()
        names = {a.name.lower(): a.name for a in self.schema.signature.attributes}
        for k, value in enumerate(versions[max(versions)].signature.inputs):
            name = names.get(value.name.lower())
            if name is not None and not self.has(k) and (stated := self.attr(name)) is not None:
                array = np.atleast_1d(np.asarray(stated))
                type = el.F64 if array.dtype.kind == "f" and array.size else el.I64
                inputs += [None] * (k + 1 - len(inputs))
                inputs[k] = self.constant(array, type)
        return self if inputs == self.inputs else self.with_inputs(*inputs)

    def apply(self, operator: str, since: int, *inputs: Value | None) -> Any:
        """The results of another operator as arrays, with the attributes of the node."""
        schema = SCHEMAS[operator][since]
        outcome = schema.legalize(self.with_inputs(*inputs, schema=schema))
        results = outcome if isinstance(outcome, tuple) else (outcome,)
        arrays = [None if r is None else self.trace.array(self.tensor(r)) for r in results]
        return tuple(arrays) if isinstance(outcome, tuple) else arrays[0]

    @property
    def operator(self) -> str:
        """The name of its operator."""
        return self.schema.operator

    @property
    def since(self) -> int:
        """The version of the operator."""
        return self.schema.since

    @property
    def input_count(self) -> int:
        """The number of inputs that its operator names."""
        return len(self.schema.signature.inputs)

    def input_name(self, position: int) -> str:
        """The name of an input."""
        return self.schema.signature.input(position).name

    def state(self, need: RequireOp) -> None:
        """Insert a requirement at the start of the function."""
        self.into.state(need)

    def note(self, text: str) -> None:
        """Attach a note about unusual results for the user."""
        self.into.note(f"{self.label}: {text}")

    def data_extent_within(self, value: SSAValue, most: ex.Expr, capacity: str | None) -> ex.Expr:
        """A computed i64 of rank 0 as an extent of at most ``most``, the named capacity if any."""
        name = self.symbol()
        self.insert(DataExtentOp.of(value, most, name, capacity))
        return ex.sym(name)

    def capacity(self) -> tuple[ex.Expr, str]:
        """A new capacity, and its name in the public function."""
        return self.into.capacities.next()

    def split(self, position: int, extents: Shape, kept: int) -> tuple[Shape, Shape]:
        """Extents split by the axes that an input holds at run time; see ``opc.split_axes``.

        Returns the extents with 1 at these axes, and with 1 at all others, ``kept`` in number.
        """
        counts = (len(extents), len(extents), kept)
        names = [[self.symbol() for _ in range(count)] for count in counts]
        op = SplitAxesOp.of(self[position], DimsAttr(extents), names, False)
        self.insert(op)
        return op.split[:2]

    def attr(self, name: str) -> Any:
        """An attribute as a Python value, or its default.

        A version without the attribute does what the default of another version says.
        """
        own = (a for a in self.schema.signature.attributes if a.name == name)
        spec, attribute = next(own, None), self.op.attributes.get(name)
        spec = spec or newest_with(self.operator, name)
        if attribute is None:
            if spec.required:
                raise self.error(f"attribute {name} is missing")
            return spec.default
        return decode(attribute)

    def wide(self, position: int = 0) -> el.ElementType:
        """The type that accumulates values of an input: f32 for f16 and bf16."""
        return self.element(position).computed

    def choice(self, name: str, *allowed: Any) -> Any:
        """An attribute, one of these values.  InputError for others."""
        value = self.attr(name)
        if value not in allowed:
            text, *texts = (f'"{v}"' if isinstance(v, str) else str(v) for v in (value, *allowed))
            expected = " or ".join([", ".join(texts[:-1]), texts[-1]])
            raise self.error(f"attribute {name} is {text}, expected {expected}")
        return value

    def type_in(
        self,
        name: str,
        allowed: Callable[[el.ElementType], bool] = lambda type: type.is_float and type.bits >= 16,
        default: el.ElementType | None = None,
    ) -> el.ElementType:
        """The element type that an attribute numbers, or the default.  InputError for others.

        Unless ``allowed`` says otherwise, it is a float of 16 bits or more.
        """
        number = self.attr(name)
        if not number and default is not None:
            return default
        type = None if number is None else element_numbered(number)
        if type is None or not allowed(type):
            raise self.error(f"attribute {name} is {number}, which is no element type for it")
        return type

    def refuse(self, *names: str) -> None:
        """UnsupportedError if one of these attributes is set."""
        for name in names:
            if self.attr(name):
                raise self.unsupported(f"attribute {name} is not supported")

    def at_least(self, name: str, least: float) -> Any:
        """An attribute, a number from ``least`` on.  InputError for others."""
        value = self.attr(name)
        if value is None or not value >= least:
            raise self.error(f"attribute {name} is {value}, expected {least} or more")
        return value

    def ranked(self, position: int, *ranks: int, least: int | None = None) -> Shape:
        """The extents of an input of one of these ranks, or of one from ``least`` on.

        InputError for others.
        """
        shape = self.shape(position)
        if len(shape) not in ranks and (least is None or len(shape) < least):
            what = f"input {self.input_name(position)} is {type_text(self[position].type)}"
            expected = " or ".join(map(str, ranks)) if least is None else f"{least} or more"
            raise self.error(f"{what}, expected rank {expected}")
        return shape

    def one(self, position: int) -> Any:
        """An input of one element and at most one axis, as an array of rank 0."""
        shape = self.shape(position)
        if len(shape) > 1 or any(e.constant not in (None, 1) for e in shape):
            what = f"input {self.input_name(position)} is {type_text(self[position].type)}"
            raise self.error(f"{what}, expected one element")
        return self.traced(position).reshape(())

    def array(self, name: str) -> np.ndarray[Any, np.dtype[Any]]:
        """A list attribute as an array of i64 or f64; empty if absent."""
        attribute = self.op.attributes.get(name)
        if not isinstance(attribute, DenseArrayBase):
            return np.zeros(0, np.int64)
        values = cast("DenseArrayBase[Float32Type]", attribute)
        if kind_of(values) == "ints":
            return np.frombuffer(values.data.data, np.int64)
        return np.frombuffer(values.data.data, np.float32).astype(np.float64)

    def codes(self, name: str, words: Sequence[str]) -> np.ndarray[Any, np.dtype[Any]]:
        """A list attribute of strings as indices into ``words``.  InputError for other strings."""
        index = {word: k for k, word in enumerate(words)}
        texts = self.attr(name) or ()
        for word in set(texts) - set(index):
            raise self.error(f'{name} has "{word}"')
        return np.fromiter(map(index.__getitem__, texts), np.int64, len(texts))

    def inline(self, name: str, arguments: Sequence[Result]) -> list[Result]:
        """Inline a subgraph before the node; returns its results."""
        self._expect(name, len(arguments))
        return write(self.into, self.op, copied(self.op, name), arguments)

    def outline(
        self, name: str, types: Sequence[Tensor], sequences: Sequence[Held | None] | None = None
    ) -> Outlined:
        """Outline a subgraph as a body with arguments of these types.

        ``sequences``, one for each argument, allows sequences, which are passed value by value.
        """
        self._expect(name, len(types if sequences is None else sequences))
        body = outline_block(self.into, self.op, copied(self.op, name), types, sequences or ())
        if sequences is None and any(body.sequences):
            raise self.unsupported(f"a sequence or an optional value cannot leave {name}")
        return body

    def tail(self, branch: Callable[[str], Block] | None = None) -> Tail[Any]:
        """The operations after the node, to compute in its branches, by default its subgraphs."""
        for name in self.op.graphs:
            self._expect(name, 0)
        return Tail(self.into, self.op, branch or partial(copied, self.op))

    def _expect(self, name: str, count: int) -> None:
        inputs = len(self.op.graphs[name].block.args)
        if inputs != count:
            raise self.error(f"{name} has {inputs} inputs, expected {count}")

    def size(self, name: str) -> int:
        """The number of nodes in a subgraph, including nested ones."""
        return sum(isinstance(op, NodeOp) for op in walk(self.op.graphs[name]))

    def given(self, name: str) -> bool:
        """Whether the node has an attribute."""
        return name in self.op.attributes or name in self.op.graphs

    @property
    def label(self) -> str:
        """``node 3 "name" (Sub-6)``."""
        return label(self.op, self.ordinal)

    @property
    def place(self) -> str:
        """The source location of the node."""
        parent = self.op.parent_op()
        return location_of(self.op if parent is None or has_line(self.op.location) else parent)


def label(op: NodeOp, ordinal: int) -> str:
    """``node 3 "name" (Sub-6)``."""
    return f"{named(op, ordinal)} ({shown(op.operator.data)}-{op.since.data})"


def named(op: NodeOp, ordinal: int) -> str:
    """``node 3 "name"``."""
    name = _text(op, NAME)
    return f"node {_text(op, ORDINAL) or ordinal}" + (f' "{shown(name)}"' if name else "")


def _text(op: NodeOp, attribute: str) -> str:
    value = op.attributes.get(attribute)
    return value.data if isinstance(value, StringAttr) else ""


KINDS: dict[type[Attribute], str] = {
    IntegerAttr: "int",
    FloatAttr: "float",
    StringAttr: "string",
    UnitAttr: "type_proto",
    BlobAttr: "tensor",
}
"""The kinds of attributes that are neither lists nor written out."""


def kind_of(attr: Attribute) -> str:
    """The kind of an attribute as schemas name it, without a look at long lists of numbers."""
    kind = KINDS.get(type(attr), "")
    if isinstance(attr, DenseArrayBase):
        number = cast("DenseArrayBase[Float32Type]", attr).elt_type
        kind = "floats" if isinstance(cast(Attribute, number), Float32Type) else "ints"
    elif isinstance(attr, ArrayAttr):
        items = cast("ArrayAttr[Attribute]", attr)
        kind = "strings" if all(isinstance(a, StringAttr) for a in items) else ""
    elif isinstance(attr, DenseIntOrFPElementsAttr):
        kind = "tensor" if el.element_of(cast(Attribute, attr.get_element_type())) else ""
    return kind or str(cast(Attribute, attr))[:40]


def decode(attr: Attribute) -> Any:
    """The Python value of an attribute of a node: a number, text, tuple or array, or None."""
    if isinstance(attr, IntegerAttr):
        return int(attr.value.data)
    if isinstance(attr, FloatAttr):
        return float(attr.value.data)
    if isinstance(attr, StringAttr):
        return attr.data
    if isinstance(attr, DenseArrayBase):
        return tuple(cast("DenseArrayBase[Float32Type]", attr).get_values())
    if isinstance(attr, ArrayAttr):
        return tuple(decode(a) for a in cast("ArrayAttr[Attribute]", attr))
    return elements(attr)
