"""What a legalizing function sees of a layer: its inputs, its attributes, and how to build."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.extent_text import extent_text
from opc.dialects.opc.base import OpcOp
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.opc.read_extents import ReadExtentsOp
from opc.dialects.opc.symbols import RequireOp
from opc.dialects.opc.unary import RoundOp
from opc.dialects.openvino import NAME, LayerOp
from opc.dialects.shape import (
    MAX_RANK,
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
from opc.frontend.models.known import Known
from opc.frontend.models.ones import Ones
from opc.frontend.models.op_builder import Builder
from opc.frontend.models.outlined import Outlined, Tail
from opc.frontend.models.random import Stream
from opc.frontend.models.upper_bounds import Capacities
from opc.frontend.verify import shorten, shown
from opc.support.locations import location_of

from .schema import Schema, canonical

Result: TypeAlias = "SSAValue | Known"


@dataclass(frozen=True)
class Bodies:
    """How the bodies of layers are legalized."""

    write: Callable[[Operation, Block, Sequence[Result]], list[Result]]
    """Puts a block, which becomes part of the function, in front of a layer; what it yields."""
    outline: Callable[[Operation, Block, Sequence[Tensor]], Outlined]
    """Makes a body of control flow of a block, with arguments of these types."""
    tail: Callable[[LayerOp, Callable[[str], Block]], Tail]
    """What follows a layer whose bodies, which a function copies by name, are branches."""
    capacities: Capacities
    ones: Ones


class Layer(Builder):
    """One layer of a model, with its inputs already legalized."""

    def __init__(
        self,
        op: LayerOp,
        schema: Schema,
        inputs: Sequence[Result],
        insert: Callable[[Operation], None],
        fresh: Callable[[str], str],
        bodies: Bodies,
        stream: Callable[[SSAValue | None], Stream],
        prefers_sort: Callable[[int, int], bool],
    ) -> None:
        super().__init__(insert)
        self.op = op
        self.schema = schema
        self.inputs = list(inputs)
        self.fresh = fresh
        self.bodies = bodies
        self._stream = stream
        self._sorts = prefers_sort
        self._tensors: dict[int, SSAValue] = {}
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
            found, allowed = self.element(k), self.schema.types[spec.type]
            if found not in allowed:
                raise self.error(
                    f"input {spec.name} is {found}, expected one of {el.names(allowed)}"
                )
            if bound.setdefault(spec.type, found) is not found and spec.type == "T":
                raise self.error(f"inputs are {bound[spec.type]} and {found}, expected one type")

    def _decoded(self) -> dict[str, Any]:
        known = {a.name: a for a in self.schema.attributes}
        given: dict[str, Any] = {}
        for key, text in self.op.text.items():
            name = canonical(key)
            if name not in known:
                raise self.error(
                    f"unknown attribute {shown(key)}; it has {', '.join(known) or 'none'}"
                )
            if name in given:
                raise self.error(f"attribute {name} is given twice")
            try:
                given[name] = known[name].decode(text)
            except ValueError as error:
                raise self.error(f"attribute {name}: {error}") from None
        for name, spec in known.items():
            if name not in given:
                if spec.default is None:
                    raise self.error(f"attribute {name} is missing")
                given[name] = spec.decode(spec.default)
        return given

    def __getitem__(self, position: int) -> SSAValue:
        """An input as a tensor."""
        if position not in self._tensors:
            self._tensors[position] = self.tensor(self.inputs[position])
        return self._tensors[position]

    def has(self, position: int) -> bool:
        """Whether an input is there."""
        return position < len(self.inputs)

    def element(self, position: int = 0) -> el.ElementType:
        """The element type of an input."""
        value = self.inputs[position]
        return value.type if isinstance(value, Known) else element(tensor_of(value))

    def shape(self, position: int = 0) -> Shape:
        """The extents of an input."""
        value = self.inputs[position]
        if isinstance(value, Known):
            return tuple(map(ex.const, value.shape))
        return shape_of(tensor_of(value))

    def rank(self, position: int = 0) -> int:
        """The rank of an input."""
        return len(self.shape(position))

    def known(self, position: int) -> Known | None:
        """The elements of an input of integers if they are known when compiling."""
        return self.exact(self.wrapped(position))

    def wrapped(self, position: int) -> Known | None:
        """The same, where large extents may exceed the type, which then wraps."""
        value = self.inputs[position]
        return value if isinstance(value, Known) else kn.constant(value)

    def known_list(self, position: int) -> tuple[ex.Expr, ...] | None:
        """The elements of a list, a scalar or 1-D tensor, if they are known when compiling."""
        if self.rank(position) > 1:
            name = self.schema.inputs[position].name
            raise self.error(
                f"input {name} has rank {self.rank(position)}, expected a scalar or 1-D tensor"
            )
        found = self.known(position)
        if found is None and self.shape(position) == (0,):
            return ()
        return None if found is None else found.exprs

    def known_numbers(self, position: int) -> tuple[int, ...] | None:
        """The elements of a list if they are numbers when compiling."""
        found = self.known_list(position)
        if found is None:
            return None
        values = [e.constant for e in found]
        return None if None in values else tuple(v for v in values if v is not None)

    def numbers(self, position: int) -> tuple[int, ...]:
        """The numbers in a list; UnsupportedError unless they are known when compiling."""
        found = self.known_numbers(position)
        if found is None:
            name = self.schema.input(position).name
            raise self.unsupported(f"input {name} is not known when compiling")
        return found

    def one_number(self, position: int) -> int:
        """The only number in a list, which must be known when compiling."""
        found = self.numbers(position)
        if len(found) != 1:
            name = self.schema.input(position).name
            raise self.error(f"input {name} has {len(found)} elements, expected one")
        return found[0]

    def extents(self, position: int) -> Shape:
        """The extents that a list holds, which a run reads where they are not known."""
        found = self.known_list(position)
        return self.read_extents("plain", position, ()) if found is None else found

    def number(self, position: int) -> float | None:
        """The value of an input of one element, if it is a constant."""
        value = self.inputs[position]
        if isinstance(value, Known) or not isinstance(value.owner, ConstantOp):
            return None
        array = value.owner.array()
        return float(array.reshape(-1)[0]) if array.size == 1 else None

    def scalar(self, position: int) -> SSAValue:
        """An input of one element as a tensor of rank 0."""
        shape = self.shape(position)
        if any(e.constant not in (None, 1) for e in shape):
            name = self.schema.inputs[position].name
            raise self.error(f"input {name} has shape {shape_text(shape)}, expected one element")
        return self.reshape(self[position], ())

    def stream(self, seed: SSAValue | None = None) -> Stream:
        """Random numbers of its own, of a seed or of that which the caller gives."""
        try:
            return self._stream(seed)
        except UnsupportedError as error:
            raise self.unsupported(error.message) from None

    def prefers_sort(self, count: int, stages: int) -> bool:
        """Whether to sort in so many stages, rather than find so many elements one by one."""
        return self._sorts(count, stages)

    def attr(self, name: str) -> Any:
        """An attribute as a Python value."""
        return self._attributes[name]

    def axis(self, axis: int, rank: int, what: str = "axis") -> int:
        """An axis counted from the front; an error outside [-rank, rank - 1]."""
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

    def require(self, relation: str, a: ex.Expr, b: ex.Expr, what: str) -> None:
        """State what must hold between extents; an error if it cannot hold."""
        need = Requirement(relation, a, b, f"{self.schema.type}: {what}")
        if need.decided() is False or self.bodies.ones.refutes(need):
            raise self.error(f"{what}: {extent_text(a)} and {extent_text(b)}")
        if need.decided() is None:
            self.insert(RequireOp.of(need))

    def data_extent(self, value: SSAValue, most: ex.Expr | int | None) -> ex.Expr:
        """An i64 of rank 0 that is computed, as an extent of at most so much.

        None where nothing bounds it: it has a capacity then.
        """
        bound = None if most is None else ex.Expr.of(most)
        return self.bodies.capacities.data_extent(self.insert, value, bound, self.fresh("v"))

    def read_extents(self, rule: str, values: int, extents: Shape) -> Shape:
        """The extents that an input gives when the function runs, as new symbols."""
        name = self.schema.inputs[values].name
        listed = self.list_of_known_length(self[values], name)
        if listed is None:
            raise self.unsupported(f"the length of input {name} is unknown: it decides the rank")
        count = ex.product(shape_of(tensor_of(listed))).constant or 0
        if ReadExtentsOp.rank(rule, count, len(extents)) < 0:
            raise self.error(f"{count} axes given for rank {len(extents)}")
        return self.read_value(rule, listed, extents)

    def read_value(
        self, rule: str, values: SSAValue, extents: Shape = (), most: Shape | None = None
    ) -> Shape:
        """The extents that so many integers give when the function runs, as new symbols.

        ``most`` are their bounds, where they may be computed.
        """
        count = ex.product(shape_of(tensor_of(values))).constant
        assert count is not None
        rank = ReadExtentsOp.rank(rule, count, len(extents))
        if not 0 <= rank <= MAX_RANK:
            raise self.error(f"the result would have rank {rank}")
        if self.bodies.capacities.outer is not None:
            found = data_extents(self, rule, values, extents, most, self.data_extent)
            if found is not None:
                return found
        symbols = [self.fresh("v") for _ in range(rank)]
        self.insert(ReadExtentsOp.of(rule, values, extents, symbols, most))
        return with_numbers(rule, values, extents, tuple(map(ex.sym, symbols)))

    def apply(self, kind: type[OpcOp], *operands: SSAValue | float, **params: Any) -> SSAValue:
        """An operator; numbers take the element type of the last tensor."""
        tensors = [o for o in operands if isinstance(o, SSAValue)]
        type = element(tensor_of(tensors[-1]))
        return self.add(
            kind(
                *(o if isinstance(o, SSAValue) else self.constant(o, type) for o in operands),
                **params,
            )
        )

    def widened(self, x: SSAValue) -> SSAValue:
        """f16 and bf16 as f32, for what takes several steps and must be rounded once."""
        return self.cast(x, el.F32) if element(tensor_of(x)).is_small_float else x

    def precise(self, x: SSAValue) -> SSAValue:
        """f16 and bf16 as f32, everything else as f64: digits to spare for a formula."""
        return self.cast(x, el.F32 if element(tensor_of(x)).is_small_float else el.F64)

    def rounded(self, x: SSAValue, type: el.ElementType) -> SSAValue:
        """A floating-point result in the type of the layer; for integers, the nearest one."""
        return self.cast(self.add(RoundOp(x)) if type.is_integer else x, type)

    def error(self, message: str) -> InputError:
        """What is wrong with the layer."""
        return InputError(f"{self.label}: {shorten(message)}", location_of(self.op))

    def unsupported(self, message: str) -> UnsupportedError:
        """What opc cannot compile about the layer."""
        return UnsupportedError(f"{self.label}: {shorten(message)}", location_of(self.op))

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
