"""``opc.if``: runs one of two bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import FlatSymbolRefAttrConstr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from .. import element as el
from ..shape import Tensor, tensor_type
from .control import Binding, ControlOp, arguments_of, refer, results_of, typed


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
        return IfOp(
            operands=[condition, list(captured[0]), list(captured[1]), []],
            result_types=[list(types)],
            properties={"then_callee": refer(callees[0]), "else_callee": refer(callees[1])},
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
