"""What a legalizing function sees of a node: its inputs, its attributes, and how to build."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.blob import elements
from opc.dialects.extent_text import extent_text
from opc.dialects.onnx import NAME, ORDINAL, NodeOp
from opc.dialects.opc.data_extent import DataExtentOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import RequireOp, SplitAxesOp
from opc.dialects.shape import (
    MAX_RANK,
    DimsAttr,
    Requirement,
    Shape,
    Tensor,
    element,
    shape_of,
    shape_text,
    tensor_of,
)
from opc.errors import InputError, UnsupportedError
from opc.frontend.models import known as kn
from opc.frontend.models.data_dependent import data_extents, with_numbers
from opc.frontend.models.known import Held, Known
from opc.frontend.models.ones import Ones
from opc.frontend.models.op_builder import Builder, Insert, Result
from opc.frontend.models.outlined import Outlined, Tail
from opc.frontend.models.random import Stream
from opc.frontend.models.upper_bounds import Capacities
from opc.frontend.verify import shorten, shown
from opc.support.locations import has_line, location_of

from .schema import Schema


@dataclass(frozen=True)
class Graphs:
    """How graphs among the attributes of nodes are legalized."""

    inline: Callable[[NodeOp, str, Sequence[Result]], list[Result]]
    """Puts one in front of its node, with these arguments; what it gives."""
    write: Callable[[NodeOp, Block, Sequence[Result]], list[Result]]
    """Puts a block, which becomes part of the function, in front of a node; what it gives."""
    outline: Callable[[NodeOp, str, Sequence[Tensor], Sequence[Held | None]], Outlined]
    """Makes a body of one, with arguments of these types, some of them sequences."""
    tail: Callable[[NodeOp, Callable[[str], Block] | None], Tail]
    """What follows a node whose branches, its graphs if nothing else makes them, may compute it."""


@dataclass(frozen=True)
class Scope:
    """What the nodes of one function share: its start, and a source of new symbols."""

    state: Callable[[RequireOp], None]
    fresh: Callable[[], str]
    graphs: Graphs
    stream: Callable[[SSAValue | None], Stream]
    """The next stream of random numbers, of a seed or of that of the caller."""
    note: Callable[[str], None]
    """Writes down what the user of the function should know."""
    prefers_sort: Callable[[int, int], bool]
    """What is asked of a builder."""
    capacities: Capacities
    ones: Ones


class Node(Builder):
    """One node of a model, with its inputs already legalized."""

    def __init__(
        self,
        op: NodeOp,
        schema: Schema,
        inputs: Sequence[Result | None],
        ordinal: int,
        insert: Insert,
        scope: Scope,
    ) -> None:
        super().__init__(insert)
        self.op = op
        self.schema = schema
        self.inputs = list(inputs)
        while self.inputs and self.inputs[-1] is None:
            self.inputs.pop()
        self.ordinal = ordinal
        self._scope = scope
        self._tensors: dict[int, tuple[Result, SSAValue]] = {}

    def prefers_sort(self, count: int, stages: int) -> bool:
        """Whether to sort in so many stages, rather than find so many elements one by one."""
        return self._scope.prefers_sort(count, stages)

    def with_inputs(self, *inputs: Result | None, schema: Schema | None = None) -> Node:
        """The node with other inputs, or with what another operator has of them."""
        return Node(self.op, schema or self.schema, inputs, self.ordinal, self.insert, self._scope)

    @property
    def since(self) -> int:
        """The version of the operator."""
        return self.schema.since

    def __getitem__(self, position: int) -> SSAValue:
        """An input as a tensor."""
        value, known = self.value(position), self._tensors.get(position)
        if known is None or known[0] is not value:
            # A loop takes inputs apart: what stood there may be another one now.
            known = self._tensors[position] = value, self.tensor(value)
        return known[1]

    def has(self, position: int) -> bool:
        """Whether an input is there."""
        return position < len(self.inputs) and self.inputs[position] is not None

    def tensors(self) -> list[SSAValue]:
        """All inputs."""
        return [self[k] for k in range(len(self.inputs))]

    def element(self, position: int = 0) -> el.ElementType:
        """The element type of an input."""
        value = self.value(position)
        return value.type if isinstance(value, Known) else element(tensor_of(value))

    def shape(self, position: int = 0) -> Shape:
        """The extents of an input."""
        value = self.value(position)
        if isinstance(value, Known):
            return tuple(map(ex.const, value.shape))
        return shape_of(tensor_of(value))

    def known(self, position: int) -> Known | None:
        """The elements of an input if they are known when compiling."""
        return self.exact(self.wrapped(position))

    def wrapped(self, position: int) -> Known | None:
        """The same, where large extents may exceed the type, which then wraps."""
        value = self.inputs[position]
        if value is None or isinstance(value, Known):
            return value
        return kn.constant(value)

    def known_numbers(self, position: int) -> list[int] | None:
        """The elements of an input in order if they are numbers when compiling."""
        known = self.known(position)
        return None if known is None else known.constants()

    def value(self, position: int) -> Result:
        """An input that is there: a tensor, or what is known of it when compiling."""
        value = self.inputs[position]
        assert value is not None
        return value

    def require(self, relation: str, a: ex.Expr, b: ex.Expr, what: str) -> None:
        """State what must hold between extents; an error if it cannot hold."""
        need = Requirement(relation, a, b, f"{self.schema.operator}: {what}")
        if need.decided() is False or self._scope.ones.refutes(need):
            raise self.error(f"{what}: {extent_text(a)} and {extent_text(b)}")
        if need.decided() is None:
            self._scope.state(RequireOp.of(need))

    def note(self, text: str) -> None:
        """Write down what is unusual about the results, for whoever compiles the model."""
        self._scope.note(f"{self.label}: {text}")

    def symbol(self) -> str:
        """A symbol that nothing has, neither the function nor the bodies made for this node."""
        return self._scope.fresh()

    def data_extent(self, value: SSAValue, most: ex.Expr | int | None) -> ex.Expr:
        """An i64 of rank 0 that is computed, as an extent of at most so much.

        None where nothing bounds it: it has a capacity then.
        """
        bound = None if most is None else ex.Expr.of(most)
        return self._scope.capacities.data_extent(self.insert, value, bound, self._scope.fresh())

    def data_extent_within(self, value: SSAValue, most: ex.Expr, capacity: str | None) -> ex.Expr:
        """An i64 of rank 0 as an extent of at most so much, a capacity if it has a name."""
        name = self._scope.fresh()
        self.insert(DataExtentOp.of(value, most, name, capacity))
        return ex.sym(name)

    def capacity(self) -> tuple[ex.Expr, str]:
        """A new capacity, and its name in the public function."""
        return self._scope.capacities.next()

    def read(
        self,
        rule: str,
        position: int,
        extents: Shape = (),
        most: Shape | None = None,
        length: int | None = None,
    ) -> Shape:
        """The extents that an input holds when the function runs; see ``opc.read_extents``.

        They are as many as are wanted, or as the input can have.
        """
        values = self.list_of_known_length(self[position], self.schema.input(position).name, length)
        if values is None:
            raise self.unsupported(
                f"input {position} decides the rank of the result, and has "
                f"{shape_text(self.shape(position))} elements; its length, or the most that it "
                "can be, must be known when compiling"
            )
        return self.read_value(rule, values, extents, most)

    def read_value(
        self, rule: str, values: SSAValue, extents: Shape = (), most: Shape | None = None
    ) -> Shape:
        """The extents that so many integers give when the function runs."""
        count = ex.product(shape_of(tensor_of(values))).constant
        assert count is not None
        rank = ReadExtentsOp.rank(rule, count, len(extents))
        if not 0 <= rank <= MAX_RANK:
            raise self.error(f"the result would have rank {rank}")
        if self._scope.capacities.outer is not None:
            found = data_extents(self, rule, values, extents, most, self.data_extent)
            if found is not None:
                return found
        names = [self._scope.fresh() for _ in range(rank)]
        self.insert(ReadExtentsOp.of(rule, values, extents, names, most))
        return with_numbers(rule, values, extents, tuple(map(ex.sym, names)))

    def split(self, position: int, extents: Shape, kept: int) -> tuple[Shape, Shape]:
        """Extents split by the axes that an input holds when the function runs.

        First those with 1 for each of these axes, then 1 but for them; ``kept`` is how many axes
        there are besides.  See ``opc.split_axes``.
        """
        counts = (len(extents), len(extents), kept)
        names = [[self._scope.fresh() for _ in range(count)] for count in counts]
        op = SplitAxesOp.of(self[position], DimsAttr(extents), names, False)
        self.insert(op)
        return op.split[:2]

    def stream(self, seed: SSAValue | None = None) -> Stream:
        """Random numbers of its own, of a seed or of that which the caller gives."""
        try:
            return self._scope.stream(seed)
        except UnsupportedError as error:
            raise self.unsupported(error.message) from None

    def attr(self, name: str) -> Any:
        """An attribute as a Python value: its default if it is absent."""
        spec = next(a for a in self.schema.attributes if a.name == name)
        found = self.op.attributes.get(name)
        if found is None:
            if spec.required:
                raise self.error(f"attribute {name} is missing")
            return spec.default
        value, kind = decode(found)
        is_empty = kind != "tensor" and value == ()
        if kind != spec.kind and not (is_empty and spec.kind.endswith("s")):
            raise self.error(f"attribute {name} is of kind {kind}, expected {spec.kind}")
        return value

    def numbers(self, name: str) -> np.ndarray[Any, np.dtype[Any]]:
        """An attribute that is a list of numbers, i64 or f64; empty if it is absent."""
        found = self.op.attributes.get(name)
        if found is None:
            return np.zeros(0, np.int64)
        if not isinstance(found, DenseArrayBase):
            return np.asarray(self.attr(name), np.int64)
        listed = cast("DenseArrayBase[Float32Type]", found)
        is_float = isinstance(cast(Attribute, listed.elt_type), Float32Type)
        array = np.frombuffer(listed.data.data, np.float32 if is_float else np.int64)
        return array.astype(np.float64) if is_float else array

    def codes(self, name: str, words: Sequence[str]) -> np.ndarray[Any, np.dtype[Any]]:
        """An attribute that is a list of some words, as their places; an error for another one."""
        place = {word: k for k, word in enumerate(words)}
        found = self.attr(name) or ()
        for word in set(found) - set(place):
            raise self.error(f'{name} has "{word}"')
        return np.fromiter(map(place.__getitem__, found), np.int64, len(found))

    def inline(self, name: str, arguments: Sequence[Result]) -> list[Result]:
        """Write a graph among the attributes in front of the node; what it gives."""
        self._expect(name, len(arguments))
        return self._scope.graphs.inline(self.op, name, arguments)

    def write(self, block: Block, arguments: Sequence[Result]) -> list[Result]:
        """Write the nodes of a block in front of the node; what it yields."""
        return self._scope.graphs.write(self.op, block, arguments)

    def outline(
        self, name: str, types: Sequence[Tensor], sequences: Sequence[Held | None] | None = None
    ) -> Outlined:
        """Make a body of a graph among the attributes, with arguments of these types.

        With ``sequences``, one for each argument, it may take and give some, value by value.
        """
        self._expect(name, len(types if sequences is None else sequences))
        made = self._scope.graphs.outline(self.op, name, types, sequences or ())
        if sequences is None and any(made.sequences):
            raise self.unsupported(f"a sequence or an optional value cannot leave {name}")
        return made

    def tail(self, branch: Callable[[str], Block] | None = None) -> Tail:
        """What follows the node, which its branches may compute: its graphs, or others by name."""
        for name in self.op.graphs:
            self._expect(name, 0)
        return self._scope.graphs.tail(self.op, branch)

    @property
    def ones(self) -> Ones:
        """Which extents are 1."""
        return self._scope.ones

    def _expect(self, name: str, count: int) -> None:
        found = len(self.op.graphs[name].block.args)
        if found != count:
            raise self.error(f"{name} has {found} inputs, expected {count}")

    def size(self, name: str) -> int:
        """How many nodes a graph among the attributes has, those inside of them too."""
        return sum(isinstance(op, NodeOp) for op in self.op.graphs[name].walk())

    def given(self, name: str) -> bool:
        """Whether an attribute is written at the node."""
        return name in self.op.attributes or name in self.op.graphs

    def axis(self, axis: int, rank: int, what: str = "axis") -> int:
        """An axis counted from the front; an error where there is none of that number.

        Versions before 11 do not speak of negative axes and indices.  Exporters wrote them all the
        same, and runtimes take them, so every version does.
        """
        if not -rank <= axis < rank:
            raise self.error(
                f"{what} {axis} is outside [{-rank}, {rank - 1}] for rank {rank}"
                if rank
                else f"{what} {axis} given for rank 0"
            )
        return axis % rank

    def axes(self, axes: Sequence[int], rank: int) -> tuple[int, ...]:
        """Axes counted from the front, each named once."""
        found = tuple(self.axis(a, rank) for a in axes)
        if len(set(found)) != len(found):
            raise self.error(f"axes {list(axes)} name an axis twice")
        return found

    def error(self, message: str) -> InputError:
        """What is wrong with the node."""
        return InputError(f"{self.label}: {shorten(message)}", self.place)

    def unsupported(self, message: str) -> UnsupportedError:
        """What opc cannot compile about the node."""
        return UnsupportedError(f"{self.label}: {shorten(message)}", self.place)

    @property
    def label(self) -> str:
        """``node 3 "name" (Sub-6)``."""
        return label(self.op, self.ordinal)

    @property
    def place(self) -> str:
        """Where the node is written."""
        whole = self.op.parent_op()
        return location_of(self.op if whole is None or has_line(self.op.location) else whole)


def label(op: NodeOp, ordinal: int) -> str:
    """``node 3 "name" (Sub-6)``."""
    return f"{named(op, ordinal)} ({shown(op.operator.data)}-{op.since.data})"


def named(op: NodeOp, ordinal: int) -> str:
    """``node 3 "name"``."""
    name = _text(op, NAME)
    return f"node {_text(op, ORDINAL) or ordinal}" + (f' "{shown(name)}"' if name else "")


def _text(op: NodeOp, attribute: str) -> str:
    found = op.attributes.get(attribute)
    return found.data if isinstance(found, StringAttr) else ""


def kind_of(attr: DenseArrayBase[Any] | ArrayAttr[Any]) -> str:
    """The kind of an attribute that is a list, empty for a list of other attributes."""
    if isinstance(attr, DenseArrayBase):
        return "floats" if isinstance(attr.elt_type, Float32Type) else "ints"
    return "strings" if all(isinstance(a, StringAttr) for a in attr.data) else ""


def decode(attr: Attribute) -> tuple[Any, str]:
    """The Python value of an attribute of a node, and its kind."""
    if isinstance(attr, IntegerAttr):
        return int(attr.value.data), "int"
    if isinstance(attr, FloatAttr):
        return float(attr.value.data), "float"
    if isinstance(attr, StringAttr):
        return attr.data, "string"
    if isinstance(attr, UnitAttr):
        return None, "type_proto"
    if isinstance(attr, DenseArrayBase):
        listed = cast("DenseArrayBase[Float32Type]", attr)
        is_float = isinstance(cast(Attribute, listed.elt_type), Float32Type)
        return tuple(listed.get_values()), "floats" if is_float else "ints"
    if isinstance(attr, ArrayAttr):
        listed_texts = cast("ArrayAttr[Attribute]", attr)
        texts = [a for a in listed_texts if isinstance(a, StringAttr)]
        if len(texts) == len(listed_texts):
            return tuple(a.data for a in texts), "strings"
    other = cast("Attribute", attr)
    array = elements(other)
    if array is not None:
        return array, "tensor"
    return other, str(other)[:40]
