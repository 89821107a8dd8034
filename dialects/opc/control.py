"""Control flow, whose bodies are functions: the base, and ``opc.if``.

A body is a private ``func.func`` of the same module, so passes over functions include bodies.  A
body captures nothing: values are arguments, and its extents are symbols of its own.

The results are tensors; after plan-buffers, an operation fills the buffers in ``into`` instead.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias, cast

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from .. import expr as ex
from ..effects import OnBuffers
from ..formats import Formatted
from ..shape import Tensor, shape_of, tensor_type, type_text
from .functions import function_named, module_of
from .symbols import SymbolSource

MAX_DEPTH = 64
"""The greatest nesting depth of bodies: passes and the C recurse into them."""

Equal: TypeAlias = "tuple[ex.Expr, ex.Expr]"
"""Two extents that must be equal at run time."""


def typed(type: Attribute) -> Tensor:
    """The tensor type of a tensor or buffer type."""
    return tensor_type(cast("Tensor", type).element_type, shape_of(type))


@dataclass
class Binding:
    """The values of a body's symbols where it is called, and the extents that must be equal."""

    values: dict[str, ex.Expr] = field(default_factory=dict[str, ex.Expr])
    equal: list[Equal] = field(default_factory=list[Equal])

    def argument(self, wanted: Attribute, actual: Tensor) -> None:
        """Bind an argument of type ``wanted`` to a value.  VerifyException if types differ."""
        type = typed(wanted)
        self.same(type, actual)
        for e, f in zip(shape_of(type), shape_of(actual), strict=True):
            if (name := e.symbol()) is None:
                self.equal.append((e, f))
            elif (known := self.values.setdefault(name, f)) != f:
                self.equal.append((known, f))

    def result(self, type: Attribute) -> Tensor:
        """The type of a result where the body is called."""
        tensor = typed(type)
        return tensor_type(tensor.element_type, [self.extent(e) for e in shape_of(tensor)])

    def extent(self, e: ex.Expr) -> ex.Expr:
        """The value of an extent of the body where it is called."""
        return e.substitute(self.values)

    def meet(self, a: Tensor, b: Tensor) -> None:
        """Require that two types are equal.  VerifyException if they cannot be."""
        self.same(a, b)
        self.equal += zip(shape_of(a), shape_of(b), strict=True)

    @staticmethod
    def same(a: Tensor, b: Tensor) -> None:
        """VerifyException unless element types and ranks are equal."""
        # control_c1: a value has the expected element type and rank.
        if a.element_type != b.element_type or len(shape_of(a)) != len(shape_of(b)):
            raise VerifyException(f"found {type_text(b)}, expected {type_text(a)}")


class ControlOp(Formatted):
    """An operation whose bodies are functions."""

    traits = traits_def(OnBuffers())

    @property
    @abstractmethod
    def callees(self) -> tuple[str, ...]:
        """The names of the bodies."""

    @property
    @abstractmethod
    def operands_filled(self) -> list[SSAValue]:
        """The buffers that are filled, for results and others: the last operands."""

    @abstractmethod
    def bindings(self) -> list[Binding]:
        """The binding of each body.  VerifyException if operands and bodies do not fit."""

    @abstractmethod
    def infer_results(self) -> list[Tensor]:
        """The types of the results."""

    @property
    @abstractmethod
    def targets(self) -> list[SSAValue]:
        """The buffers that are filled, or the results."""

    def body_named(self, name: str) -> FuncOp:
        """The body of that name.  VerifyException if there is none."""
        body = function_named(self, name)
        # control_c2: bodies are functions of the module.
        if body is None:
            raise VerifyException(f"{self.name}: there is no function @{name}")
        return body

    def bodies(self) -> list[FuncOp]:
        """The bodies."""
        return [self.body_named(name) for name in self.callees]

    def equal(self) -> list[Equal]:
        """The extents that must be equal at run time."""
        return [(a, b) for binding in self.bindings() for a, b in binding.equal if a != b]

    def verify_(self) -> None:
        """Check arguments and results against the bodies."""
        module = module_of(self)
        if module is None:
            return
        around = self.parent_op()
        try:
            types = self.infer_results() if self.bindings() else []
            if isinstance(around, FuncOp):
                ops = (op for op in around.body.block.ops if isinstance(op, ControlOp))
                if self is next(ops):
                    list(bodies_below(around))
        except VerifyException as e:
            message = str(e).removeprefix(f"{self.name}: ")
            raise VerifyException(f"{self.name}: {message}") from None
        # control_c3: results, or filled buffers, are those of the body.
        if len(self.targets) != len(types):
            raise VerifyException(
                f"{self.name}: {len(self.targets)} results, the body gives {len(types)}"
            )
        for target, type in zip(self.targets, types, strict=True):
            try:
                Binding.same(type, typed(target.type))
            except VerifyException as e:
                raise VerifyException(f"{self.name}: a result: {e}") from None


def bodies_below(function: FuncOp) -> Iterator[FuncOp]:
    """The bodies that a function needs, directly or not, each once and after those it needs."""
    seen = set[str]()
    yield from _below(function, seen, (function.sym_name.data,))


def _below(function: FuncOp, seen: set[str], around: tuple[str, ...]) -> Iterator[FuncOp]:
    for op in function.body.block.ops:
        bodies = op.bodies() if isinstance(op, ControlOp) else []
        if isinstance(op, SymbolSource) and (computes := op.body) is not None:
            bodies = [computes]
        if bodies:
            for body in bodies:
                name = body.sym_name.data
                # control_c4: no body needs itself, directly or not.
                if name in around:
                    raise VerifyException(f"{op.name}: body @{name} needs itself")
                if len(around) > MAX_DEPTH:
                    raise VerifyException(
                        f"{op.name}: bodies are more than {MAX_DEPTH} deep in each other"
                    )
                if name not in seen:
                    yield from _below(body, seen, (*around, name))
                    if name not in seen:
                        seen.add(name)
                        yield body


def arguments_of(body: FuncOp, count: int) -> list[Attribute]:
    """The argument types of a body, without the buffers that plan-buffers adds."""
    types = [a.type for a in body.body.block.args][:count]
    # control_c5: a body has as many arguments as there are values.
    if len(types) != count or (body.function_type.outputs.data and len(body.args) != count):
        raise VerifyException(f"body @{body.sym_name.data} takes {len(body.args)}, found {count}")
    return types


def results_of(body: FuncOp, count: int) -> list[Attribute]:
    """The result types of a body with ``count`` arguments."""
    end = body.body.block.last_op
    if end is not None and end.operands:
        return [v.type for v in end.operands]
    return [a.type for a in body.body.block.args][count:-1]


def refer(name: str) -> SymbolRefAttr:
    """A reference to a body."""
    return SymbolRefAttr(name)


def strides_of(type: Attribute) -> ex.Expr:
    """The stride of the leading axis, in elements."""
    return ex.product(shape_of(type)[1:])


@irdl_op_definition
class IfOp(ControlOp):
    """The results of the first body if a condition, an i1 of rank 0, is true, else of the second.

    ::

        %r = opc.if %c then @one (%x) else @other (%x, %y)
            : (tensor<i1>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>)

    The other body does not run, and its requirements are not checked.
    """

    name = "opc.if"
    then_callee = prop_def(FlatSymbolRefAttrConstr)
    else_callee = prop_def(FlatSymbolRefAttrConstr)
    condition = operand_def()
    then_captured = var_operand_def()
    else_captured = var_operand_def()
    into = var_operand_def()
    outputs = var_result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    FORMAT: ClassVar[str] = (
        "$condition `then` $then_callee ` ` `(` $then_captured `)` "
        "`else` $else_callee ` ` `(` $else_captured `)` "
        "(`into` ` ` `(` $into^ `)`)? custom<Signature>()"
    )

    @staticmethod
    def of(
        condition: SSAValue,
        callees: tuple[str, str],
        captured: tuple[Sequence[SSAValue], Sequence[SSAValue]],
        types: Sequence[Attribute],
    ) -> IfOp:
        """The choice; ``types`` are those of the results."""
        then, other = map(refer, callees)
        return IfOp.new(
            condition, *captured, [], results=[types], then_callee=then, else_callee=other
        )

    @property
    def targets(self) -> list[SSAValue]:
        """The buffers that are filled, or the results."""
        return list(self.into or self.outputs)

    @property
    def callees(self) -> tuple[str, ...]:
        """The body for true and that for false."""
        both = (self.then_callee, self.else_callee)
        return tuple(c.root_reference.data for c in both)

    @property
    def operands_filled(self) -> list[SSAValue]:
        """The results."""
        return list(self.into)

    @property
    def arms(self) -> list[tuple[FuncOp, Sequence[SSAValue]]]:
        """Each body with its arguments."""
        return list(zip(self.bodies(), (self.then_captured, self.else_captured), strict=True))

    def _arm(self, body: FuncOp, values: Sequence[SSAValue]) -> tuple[Binding, list[Tensor]]:
        binding = Binding()
        for wanted, v in zip(arguments_of(body, len(values)), values, strict=True):
            binding.argument(wanted, typed(v.type))
        return binding, [binding.result(t) for t in results_of(body, len(values))]

    def bindings(self) -> list[Binding]:
        """The binding of each body."""
        # if_c1: the condition is an i1 of rank 0.
        if typed(self.condition.type) != tensor_type(el.I1, ()):
            raise VerifyException(f"the condition is {self.condition.type}")
        (first, then_types), (second, else_types) = (self._arm(*arm) for arm in self.arms)
        # if_c2: both bodies have results of the same types.
        if len(then_types) != len(else_types):
            raise VerifyException(
                f"the bodies give {len(then_types)} and {len(else_types)} results"
            )
        for a, b in zip(then_types, else_types, strict=True):
            second.meet(a, b)
        return [first, second]

    def infer_results(self) -> list[Tensor]:
        """The result types of the body for true."""
        return self._arm(*self.arms[0])[1]
