"""``Node``: an operation with its operands as traced arrays, and the bodies that it has."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.ir import SSAValue

from opc.dialects import element as el
from opc.dialects import expr as ex
from opc.dialects.opc.movement import ConstantOp
from opc.dialects.shape import Shape, Tensor, element, shape_of, tensor_of
from opc.dialects.stablehlo import NodeOp, YieldOp, decoded
from opc.frontend.models.call import Call
from opc.frontend.models.op_builder import Insert
from opc.frontend.models.traced import NodeTrace

if TYPE_CHECKING:
    from .function import LegalizeStablehloFunction

Meaning: TypeAlias = "Callable[..., Any]"


@dataclass(frozen=True)
class Operator:
    """What an operation means: a function of arrays and, by keyword, of attributes.

    Its parameter ``node`` is the operation itself.  A pointwise function takes arrays of any shape
    for scalars, so bodies of reductions and sorts may have it.
    """

    meaning: Meaning
    pointwise: bool
    parameters: Mapping[str, inspect.Parameter]


OPERATORS: dict[str, Operator] = {}
"""Operation --> its meaning."""


def enter(name: str, meaning: Meaning, pointwise: bool = False) -> None:
    """Enter the meaning of an operation; names without a dialect are of ``stablehlo``."""
    name = name if "." in name else f"stablehlo.{name}"
    OPERATORS[name] = Operator(meaning, pointwise, inspect.signature(meaning).parameters)


def operation(*names: str, pointwise: bool = False) -> Callable[[Meaning], Meaning]:
    """Register a function as the meaning of operations."""

    def register(meaning: Meaning) -> Meaning:
        for name in names:
            enter(name, meaning, pointwise)
        return meaning

    return register


class Node(Call):
    """An operation whose operands are legalized."""

    def __init__(
        self,
        op: NodeOp,
        inputs: Sequence[SSAValue],
        insert: Insert,
        into: LegalizeStablehloFunction,
        is_inside: bool = False,
    ) -> None:
        super().__init__(inputs, insert, into, op)
        self.op = op
        self.into: LegalizeStablehloFunction = into
        self.is_inside = is_inside
        """Whether it is in the body of a reduction or a sort, where arrays stand for scalars."""

    @property
    def operator(self) -> str:
        """``stablehlo.add``."""
        return self.op.operator.data

    def input_name(self, position: int) -> str:
        """``operand 0``."""
        return f"operand {position}"

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """The attributes as Python values."""
        return {name: decoded(attr) for name, attr in self.op.attributes.items()}

    def attr(self, name: str) -> Any:
        """An attribute; InputError if it is missing."""
        if name not in self.attributes:
            raise self.error(f"attribute {name} is missing")
        return self.attributes[name]

    @property
    def types(self) -> list[Tensor]:
        """The types of the results, as the text has them."""
        return [tensor_of(v) for v in self.op.outputs]

    @property
    def kind(self) -> el.ElementType:
        """The element type of the first result, as the text has it."""
        return element(self.types[0])

    @property
    def result_shape(self) -> Shape:
        """The shape of the first result, as the text has it."""
        return shape_of(self.types[0])

    def pairs(self, position: int) -> list[list[ex.Expr]]:
        """The numbers of an operand of two columns as extents, known or read at run time."""
        self.inputs[position] = self.reshape(self[position], [2 * self.shape(position)[0]])
        numbers = self.extents(position)
        return [list(numbers[k : k + 2]) for k in range(0, len(numbers), 2)]

    def results(self) -> list[Any]:
        """The results as arrays."""
        operator = OPERATORS.get(self.operator)
        if operator is None:
            raise self.unsupported("is not supported")
        if self.is_inside and not operator.pointwise:
            raise self.unsupported("is not supported in a body, which computes on scalars")
        named: dict[str, Any] = {}
        for name, parameter in operator.parameters.items():
            if name == "node":
                named[name] = self
            elif parameter.kind is parameter.KEYWORD_ONLY and (
                name in self.attributes or parameter.default is parameter.empty
            ):
                named[name] = self.attr(name)
        values = self.tensors()
        is_small = operator.pointwise and any(element(tensor_of(v)).is_small for v in values)
        if is_small:
            values = [self.computed(v) for v in values]
        arrays = [self.trace.array(v) for v in values]
        try:
            inspect.signature(operator.meaning).bind(*arrays, **named)
        except TypeError:
            raise self.error(f"found {len(arrays)} operands") from None
        try:
            result = self.applied(operator.meaning, *arrays, **named)
        except (LookupError, TypeError, ValueError) as error:
            raise self.error(f"attributes do not fit the operands ({error})") from error
        if is_small:
            result = self.trace.array(self.cast(result.value, self.kind))
        return list(cast("Sequence[Any]", result)) if isinstance(result, list | tuple) else [result]

    def computed(self, x: SSAValue) -> SSAValue:
        """Numbers of a type that is only moved in a type that computes."""
        wide = {"float": el.F32, "signed": el.BY_NAME["i32"], "unsigned": el.BY_NAME["ui32"]}
        return self.cast(x, wide.get(element(tensor_of(x)).small, element(tensor_of(x))))

    def body(self, number: int, arguments: Sequence[Any]) -> list[Any]:
        """The results of a body of scalars for arrays, in the trace of these."""
        trace: NodeTrace = arguments[0].trace
        at, combiner = trace.node, self.attributes.get("combiner")
        if combiner is not None:
            # ``applies stablehlo.xor`` stands for a body of that operation alone.
            operands = [x.value for x in arguments]
            op = NodeOp.of(combiner, operands, {}, [tensor_of(operands[0])])
            op.location = self.op.location
            results = Node(op, operands, at.insert, self.into, True).results()
            op.drop_all_references()
            return results
        block = self.op.bodies[number].block
        if len(block.args) != len(arguments):
            raise self.error(f"a body has {len(block.args)} arguments, expected {len(arguments)}")
        values: dict[SSAValue, SSAValue] = {
            argument: x.value for argument, x in zip(block.args, arguments, strict=True)
        }

        def known(value: SSAValue) -> SSAValue:
            if value not in values:
                if isinstance(value.owner, ConstantOp):
                    type = element(tensor_of(value))
                    values[value] = at.constant(value.owner.array(), type)
                elif at is self:
                    values[value] = value
                else:
                    raise self.unsupported("a body that uses a computed value from outside")
            return values[value]

        for op in block.ops:
            if isinstance(op, NodeOp):
                inner = Node(op, [known(v) for v in op.inputs], at.insert, self.into, True)
                values.update(zip(op.outputs, (x.value for x in inner.results()), strict=True))
            elif isinstance(op, YieldOp):
                return [trace.array(known(v)) for v in op.values]
        raise self.error("a body without results")

    def only_operator(self, number: int) -> str | None:
        """The name of a body of one operation of its two arguments, in any order."""
        block = self.op.bodies[number].block
        first, end = block.first_op, block.last_op
        if (
            not isinstance(first, NodeOp)
            or not isinstance(end, YieldOp)
            or first.next_op is not end
        ):
            return None
        same = set(first.inputs) == set(block.args) and len(block.args) == len(first.inputs) == 2
        return first.operator.data if same and list(end.values) == list(first.outputs) else None
