"""``Call``: what functions that legalize see of a node or layer: inputs, errors, and a builder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import BlockArgument, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.movement import ReshapeOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.opc.unary import CastOp
from opc.dialects.shape import (
    MAX_RANK,
    Requirement,
    Shape,
    element,
    normalize_axis,
    shape_of,
    shape_text,
    tensor_of,
)
from opc.errors import InputError, UnsupportedError, UsageError
from opc.frontend.python.array import Array
from opc.frontend.verify import shorten
from opc.support.locations import location_of

from .containers import Held
from .data_dependent import data_extents, with_numbers
from .extent_facts import Ones
from .known import Known
from .op_builder import Builder, Insert, Result, Value
from .traced import NodeTrace

if TYPE_CHECKING:
    from opc.frontend.legalizer import Legalizer

    from .random import Stream


class Call(Builder):
    """A node or layer of a model with legalized inputs, in a function that is legalized."""

    def __init__(
        self,
        inputs: Sequence[Value | None],
        insert: Insert,
        into: Legalizer[Any, Any],
        op: Operation,
    ) -> None:
        super().__init__(insert, op)
        self.into = into
        self.trace = NodeTrace(self)
        self.inputs = [self.tensor(v) if isinstance(v, Known | Array) else v for v in inputs]
        while self.inputs and self.inputs[-1] is None:
            self.inputs.pop()

    @property
    def label(self) -> str:
        """The node and its operator, in errors."""
        return self.operator

    @property
    def place(self) -> str:
        """The source location of the node."""
        assert self.at is not None
        return location_of(self.at)

    @property
    def operator(self) -> str:
        """The name of its operator."""
        raise NotImplementedError

    @property
    def input_count(self) -> int:
        """The number of inputs that its operator names."""
        return len(self.inputs)

    def input_name(self, position: int) -> str:
        """The name of an input."""
        raise NotImplementedError

    def attr(self, name: str) -> Any:
        """An attribute as a Python value, or its default."""
        raise NotImplementedError

    def applied(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """What a function of arrays gives; its errors name the node, which it does not know."""
        try:
            return function(*args, **named)
        except (InputError, UsageError) as error:
            if error.message.startswith(self.label):
                raise
            raise self.error(error.message) from error

    def expect(self, position: int, shape: Sequence[ex.Expr | int]) -> None:
        """Require the shape of an input."""
        actual, name = self.shape(position), self.input_name(position)
        if len(actual) != len(shape):
            raise self.error(f"{name} has rank {len(actual)}, expected {len(shape)}")
        for e, f in zip(actual, map(ex.Expr.of, shape), strict=True):
            self.require("equal", e, f, f"an extent of {name} does not fit")

    def dims(self, *shapes: str) -> list[ex.Expr]:
        """The extents that the shapes of the first inputs name, as in ``"N C H W", "R 5"``.

        A letter is one extent wherever it stands; ``*`` is any shape.  InputError for an input of
        another rank, or with an extent that cannot be the stated one.
        """
        named: dict[str, ex.Expr] = {}
        for position, text in enumerate(shapes):
            if text == "*" or not self.has(position):
                continue
            stated, shape = text.split(), self.shape(position)
            name, expected = self.input_name(position), ", ".join(stated)
            what = f"input {name} is {shape_text(shape)}, expected [{expected}]"
            if len(shape) != len(stated):
                raise self.error(what)
            for letter, extent in zip(stated, shape, strict=True):
                number = ex.const(int(letter)) if letter.isdigit() else None
                self.require("equal", extent, number or named.setdefault(letter, extent), what)
        return list(named.values())

    def __getitem__(self, position: int) -> SSAValue:
        """An input as a tensor."""
        return self.tensor(self.value(position))

    def traced(self, position: int, type: el.ElementType | None = None) -> Any:
        """An input as a traced array, in its own element type or another one."""
        value = self[position]
        return self.trace.array(value if type is None else self.cast(value, type))

    def has(self, position: int) -> bool:
        """Whether an input is present."""
        return position < len(self.inputs) and self.inputs[position] is not None

    def tensors(self) -> list[SSAValue]:
        """All inputs as tensors."""
        return [self[k] for k in range(len(self.inputs))]

    def value(self, position: int) -> Result:
        """A present input: a tensor, or a container of such."""
        value = self.inputs[position]
        assert value is not None
        return value

    def element(self, position: int = 0) -> el.ElementType:
        """The element type of an input."""
        value = self.value(position)
        return value.type if isinstance(value, Held) else element(tensor_of(value))

    def shape(self, position: int = 0) -> Shape:
        """The extents of an input."""
        return shape_of(tensor_of(self[position]))

    def rank(self, position: int = 0) -> int:
        """The rank of an input."""
        return len(self.shape(position))

    def known(self, position: int) -> Known | None:
        """The elements of an input if known at compile time."""
        value = self.inputs[position]
        return self.known_of(value) if isinstance(value, SSAValue) else None

    def known_list(self, position: int) -> Shape | None:
        """The elements of a list, a scalar or 1-D tensor, if known at compile time."""
        if self.rank(position) > 1:
            raise self.error(
                f"input {self.input_name(position)} has rank {self.rank(position)}, "
                "expected a scalar or 1-D tensor"
            )
        known = self.known(position)
        if known is None:
            return () if self.shape(position) == (0,) else None
        return known.exprs

    def known_numbers(self, position: int) -> list[int] | None:
        """The elements of an input in order if they are constants."""
        known = self.known(position)
        return None if known is None else known.constants()

    def numbers(self, position: int) -> list[int]:
        """The numbers in a list.  UnsupportedError unless known at compile time."""
        known = self.known_list(position)
        numbers = [n for e in known or () if (n := e.constant) is not None]
        if known is None or len(numbers) != len(known):
            raise self.unsupported(f"input {self.input_name(position)} is not known when compiling")
        return numbers

    def extents(self, position: int) -> Shape:
        """The extents in a list, known or read at run time."""
        known = self.known_list(position)
        return self.read("plain", position) if known is None else known

    def extent_in(self, position: int) -> ex.Expr:
        """The one number of an input as an extent, known or read at run time."""
        name, known = self.input_name(position), self.known(position)
        if any(e.constant not in (None, 1) for e in self.shape(position)):
            shown = shape_text(self.shape(position))
            raise self.error(f"input {name} is {shown}, expected one element")
        if known is None:
            value = self.cast(self.reshape(self[position], ()), el.I64)
            (extent,) = self.read_value("plain", value)
            return extent
        (extent,) = known.exprs
        if extent.constant is not None and extent.constant < 0:
            raise self.error(f"input {name} is {extent_text(extent)}, expected 0 or more")
        return extent

    def require(self, relation: str, a: ex.Expr, b: ex.Expr, what: str) -> None:
        """Add a requirement on extents.  InputError if it cannot hold."""
        need = Requirement(relation, a, b, f"{self.operator}: {what}")
        if need.decided() is False or self.into.ones.refutes(need):
            raise self.error(f"{what}: {extent_text(a)} and {extent_text(b)}")
        if need.decided() is None:
            self.state(RequireOp.of(need))

    def state(self, need: RequireOp) -> None:
        """Insert a requirement."""
        self.insert(need)

    def symbol(self) -> str:
        """A symbol that is new to the function and its bodies."""
        return self.into.symbol()

    @property
    def ones(self) -> Ones:
        """Which extents are 1."""
        return self.into.ones

    def data_extent(self, value: SSAValue, most: ex.Expr | int | None) -> ex.Expr:
        """A computed i64 of rank 0 as an extent of at most ``most``, or None for a capacity."""
        bound = None if most is None else ex.Expr.of(most)
        return self.into.capacities.data_extent(self.insert, value, bound, self.symbol())

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
        values = self.list_of_known_length(self[position], self.input_name(position), length)
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
        """The extents that a tensor of integers gives at run time.

        ``most`` are their upper bounds, used if the integers are computed in the function.
        """
        count = ex.product(shape_of(tensor_of(values))).constant
        assert count is not None
        rank = ReadExtentsOp.rank(rule, count, len(extents))
        if not 0 <= rank <= MAX_RANK:
            raise self.error(f"the result would have rank {rank}")
        origin = _origin(values)
        key = rule, origin, count, extents, most
        if isinstance(origin, BlockArgument) and key in self.into.read:
            return self.into.read[key]
        if self.into.capacities.outer is not None:
            computed = data_extents(self, rule, values, extents, most, self.data_extent)
            if computed is not None:
                return computed
        names = [self.symbol() for _ in range(rank)]
        self.insert(ReadExtentsOp.of(rule, values, extents, names, most))
        shape = with_numbers(rule, values, extents, tuple(map(ex.sym, names)))
        return self.into.read.setdefault(key, shape)

    def stream(self, seed: SSAValue | None = None) -> Stream:
        """A new stream of random numbers, from a seed or the caller's."""
        try:
            return self.into.streams.next(seed)
        except UnsupportedError as error:
            raise self.unsupported(error.message) from None

    def axis(self, axis: int, rank: int) -> int:
        """An axis counted from the front.  VerifyException if it is out of range."""
        return normalize_axis(axis, rank)

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


def _origin(values: SSAValue) -> SSAValue:
    """The tensor that integers are a reshape of, or a cast to a wider type."""
    while isinstance(values.owner, ReshapeOp | CastOp):
        source = values.owner.operands[0]
        before, after = (element(tensor_of(v)) for v in (source, values))
        if not before.is_integer or before.bits > after.bits:
            break
        values = source
    return values
