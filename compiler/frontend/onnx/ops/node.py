"""``Node``: the inputs, attributes and builder that legalization functions use."""

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
    """Callbacks that legalize subgraphs of nodes."""

    inline: Callable[[NodeOp, str, Sequence[Result]], list[Result]]
    """Inlines a subgraph before its node with these arguments; returns its results."""
    write: Callable[[NodeOp, Block, Sequence[Result]], list[Result]]
    """Inlines a block of the function before a node; returns its results."""
    outline: Callable[[NodeOp, str, Sequence[Tensor], Sequence[Held | None]], Outlined]
    """Outlines a subgraph as a body with arguments of these types, some of them sequences."""
    tail: Callable[[NodeOp, Callable[[str], Block] | None], Tail]
    """The operations after a node, which its branches, by default its subgraphs, may compute."""


@dataclass(frozen=True)
class Scope:
    """Callbacks and state that the nodes of a function share."""

    state: Callable[[RequireOp], None]
    fresh: Callable[[], str]
    graphs: Graphs
    stream: Callable[[SSAValue | None], Stream]
    """The next stream of random numbers, from a seed or the caller's."""
    note: Callable[[str], None]
    """Attaches a note for the user to the function."""
    prefers_sort: Callable[[int, int], bool]
    """See ``Builder.prefers_sort``."""
    capacities: Capacities
    ones: Ones


class Node(Builder):
    """A node of a model with legalized inputs."""

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
        """Whether sorting in ``stages`` beats searching ``count`` elements one by one."""
        return self._scope.prefers_sort(count, stages)

    def with_inputs(self, *inputs: Result | None, schema: Schema | None = None) -> Node:
        """The node with other inputs, and optionally the schema of another operator."""
        return Node(self.op, schema or self.schema, inputs, self.ordinal, self.insert, self._scope)

    @property
    def since(self) -> int:
        """The version of the operator."""
        return self.schema.since

    def __getitem__(self, position: int) -> SSAValue:
        """An input as a tensor."""
        value, known = self.value(position), self._tensors.get(position)
        if known is None or known[0] is not value:
            # Legalizing a loop may replace inputs, so the cached value is checked.
            known = self._tensors[position] = value, self.tensor(value)
        return known[1]

    def has(self, position: int) -> bool:
        """Whether an input is present."""
        return position < len(self.inputs) and self.inputs[position] is not None

    def tensors(self) -> list[SSAValue]:
        """All inputs as tensors."""
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
        """The elements of an input if known at compile time."""
        return self.exact(self.wrapped(position))

    def wrapped(self, position: int) -> Known | None:
        """As ``known``, but large extents may exceed the element type and wrap."""
        value = self.inputs[position]
        if value is None or isinstance(value, Known):
            return value
        return kn.constant(value)

    def known_numbers(self, position: int) -> list[int] | None:
        """The elements of an input in order if they are constants."""
        known = self.known(position)
        return None if known is None else known.constants()

    def value(self, position: int) -> Result:
        """A present input: a tensor, or its value known at compile time."""
        value = self.inputs[position]
        assert value is not None
        return value

    def require(self, relation: str, a: ex.Expr, b: ex.Expr, what: str) -> None:
        """Add a requirement on extents.  InputError if it cannot hold."""
        need = Requirement(relation, a, b, f"{self.schema.operator}: {what}")
        if need.decided() is False or self._scope.ones.refutes(need):
            raise self.error(f"{what}: {extent_text(a)} and {extent_text(b)}")
        if need.decided() is None:
            self._scope.state(RequireOp.of(need))

    def note(self, text: str) -> None:
        """Attach a note about unusual results for the user."""
        self._scope.note(f"{self.label}: {text}")

    def symbol(self) -> str:
        """A symbol that is new to the function and its bodies."""
        return self._scope.fresh()

    def data_extent(self, value: SSAValue, most: ex.Expr | int | None) -> ex.Expr:
        """A computed i64 of rank 0 as an extent of at most ``most``, or None for a capacity."""
        bound = None if most is None else ex.Expr.of(most)
        return self._scope.capacities.data_extent(self.insert, value, bound, self._scope.fresh())

    def data_extent_within(self, value: SSAValue, most: ex.Expr, capacity: str | None) -> ex.Expr:
        """A computed i64 of rank 0 as an extent of at most ``most``, the named capacity if any."""
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
        """The extents that an input holds at run time; see ``opc.read_extents``.

        Their number is ``length``, or the most that the input can have.
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
        """The extents that a tensor of integers gives at run time."""
        count = ex.product(shape_of(tensor_of(values))).constant
        assert count is not None
        rank = ReadExtentsOp.rank(rule, count, len(extents))
        if not 0 <= rank <= MAX_RANK:
            raise self.error(f"the result would have rank {rank}")
        if self._scope.capacities.outer is not None:
            computed = data_extents(self, rule, values, extents, most, self.data_extent)
            if computed is not None:
                return computed
        names = [self._scope.fresh() for _ in range(rank)]
        self.insert(ReadExtentsOp.of(rule, values, extents, names, most))
        return with_numbers(rule, values, extents, tuple(map(ex.sym, names)))

    def split(self, position: int, extents: Shape, kept: int) -> tuple[Shape, Shape]:
        """Extents split by the axes that an input holds at run time; see ``opc.split_axes``.

        Returns the extents with 1 at these axes, and with 1 at all others, ``kept`` in number.
        """
        counts = (len(extents), len(extents), kept)
        names = [[self._scope.fresh() for _ in range(count)] for count in counts]
        op = SplitAxesOp.of(self[position], DimsAttr(extents), names, False)
        self.insert(op)
        return op.split[:2]

    def stream(self, seed: SSAValue | None = None) -> Stream:
        """A new stream of random numbers, from a seed or the caller's."""
        try:
            return self._scope.stream(seed)
        except UnsupportedError as error:
            raise self.unsupported(error.message) from None

    def attr(self, name: str) -> Any:
        """An attribute as a Python value, or its default."""
        spec = next(a for a in self.schema.attributes if a.name == name)
        attribute = self.op.attributes.get(name)
        if attribute is None:
            if spec.required:
                raise self.error(f"attribute {name} is missing")
            return spec.default
        value, kind = decode(attribute)
        is_empty = kind != "tensor" and value == ()
        if kind != spec.kind and not (is_empty and spec.kind.endswith("s")):
            raise self.error(f"attribute {name} is of kind {kind}, expected {spec.kind}")
        return value

    def numbers(self, name: str) -> np.ndarray[Any, np.dtype[Any]]:
        """A list attribute as an array of i64 or f64; empty if absent."""
        attribute = self.op.attributes.get(name)
        if attribute is None:
            return np.zeros(0, np.int64)
        if not isinstance(attribute, DenseArrayBase):
            return np.asarray(self.attr(name), np.int64)
        values = cast("DenseArrayBase[Float32Type]", attribute)
        is_float = isinstance(cast(Attribute, values.elt_type), Float32Type)
        array = np.frombuffer(values.data.data, np.float32 if is_float else np.int64)
        return array.astype(np.float64) if is_float else array

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
        return self._scope.graphs.inline(self.op, name, arguments)

    def write(self, block: Block, arguments: Sequence[Result]) -> list[Result]:
        """Inline a block before the node; returns what it yields."""
        return self._scope.graphs.write(self.op, block, arguments)

    def outline(
        self, name: str, types: Sequence[Tensor], sequences: Sequence[Held | None] | None = None
    ) -> Outlined:
        """Outline a subgraph as a body with arguments of these types.

        ``sequences``, one for each argument, allows sequences, which are passed value by value.
        """
        self._expect(name, len(types if sequences is None else sequences))
        body = self._scope.graphs.outline(self.op, name, types, sequences or ())
        if sequences is None and any(body.sequences):
            raise self.unsupported(f"a sequence or an optional value cannot leave {name}")
        return body

    def tail(self, branch: Callable[[str], Block] | None = None) -> Tail:
        """The operations after the node, which its branches may compute; see ``Graphs.tail``."""
        for name in self.op.graphs:
            self._expect(name, 0)
        return self._scope.graphs.tail(self.op, branch)

    @property
    def ones(self) -> Ones:
        """Which extents are 1."""
        return self._scope.ones

    def _expect(self, name: str, count: int) -> None:
        inputs = len(self.op.graphs[name].block.args)
        if inputs != count:
            raise self.error(f"{name} has {inputs} inputs, expected {count}")

    def size(self, name: str) -> int:
        """The number of nodes in a subgraph, including nested ones."""
        return sum(isinstance(op, NodeOp) for op in self.op.graphs[name].walk())

    def given(self, name: str) -> bool:
        """Whether the node has an attribute."""
        return name in self.op.attributes or name in self.op.graphs

    def axis(self, axis: int, rank: int, what: str = "axis") -> int:
        """An axis counted from the front.  InputError if it is out of range.

        Versions before 11 do not define negative axes and indices, but exporters write them and
        runtimes accept them.
        """
        if not -rank <= axis < rank:
            raise self.error(
                f"{what} {axis} is outside [{-rank}, {rank - 1}] for rank {rank}"
                if rank
                else f"{what} {axis} given for rank 0"
            )
        return axis % rank

    def axes(self, axes: Sequence[int], rank: int) -> tuple[int, ...]:
        """Distinct axes counted from the front."""
        positive = tuple(self.axis(a, rank) for a in axes)
        if len(set(positive)) != len(positive):
            raise self.error(f"axes {list(axes)} name an axis twice")
        return positive

    def error(self, message: str) -> InputError:
        """An error in the node."""
        return InputError(f"{self.label}: {shorten(message)}", self.place)

    def unsupported(self, message: str) -> UnsupportedError:
        """An error for what opc cannot compile."""
        return UnsupportedError(f"{self.label}: {shorten(message)}", self.place)

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


def kind_of(attr: DenseArrayBase[Any] | ArrayAttr[Any]) -> str:
    """The kind of a list attribute; empty for a list of other attributes."""
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
        values = cast("DenseArrayBase[Float32Type]", attr)
        is_float = isinstance(cast(Attribute, values.elt_type), Float32Type)
        return tuple(values.get_values()), "floats" if is_float else "ints"
    if isinstance(attr, ArrayAttr):
        items = cast("ArrayAttr[Attribute]", attr)
        texts = [a for a in items if isinstance(a, StringAttr)]
        if len(texts) == len(items):
            return tuple(a.data for a in texts), "strings"
    other = cast("Attribute", attr)
    array = elements(other)
    if array is not None:
        return array, "tensor"
    return other, str(other)[:40]
