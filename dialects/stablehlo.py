"""The ``stablehlo`` dialect: the operations of a StableHLO module, before they are legalized.

One operation represents every operation of ``stablehlo`` and ``chlo``;
compiler/frontend/stablehlo/ops has their meaning.  Constants are ``opc.constant``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    TensorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Dialect, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from .effects import OfModel


@irdl_op_definition
class NodeOp(IRDLOperation):
    """An operation: its name, operands, attributes, result types and regions."""

    name = "stablehlo.node"
    operator = prop_def(StringAttr)
    inputs = var_operand_def()
    outputs = var_result_def()
    bodies = var_region_def("single_block")
    traits = traits_def(OfModel())

    @staticmethod
    def of(
        operator: str,
        inputs: Sequence[SSAValue],
        attributes: Mapping[str, Any],
        types: Sequence[Attribute],
        bodies: Sequence[Region] = (),
    ) -> NodeOp:
        """The operation; attributes are Python values."""
        return NodeOp(
            operands=[list(inputs)],
            result_types=[list(types)],
            properties={"operator": StringAttr(operator)},
            attributes={name: encoded(value) for name, value in attributes.items()},
            regions=[list(bodies)],
        )

    def verify_(self) -> None:
        """Check the types, and the ends of bodies."""
        for value in (*self.operands, *self.results):
            # hlo_node_c1: values are tensors.
            if not isinstance(value.type, TensorType):
                raise VerifyException(f"{self.name}: expected tensors, found {value.type}")
        for region in self.bodies:
            # hlo_node_c2: a body ends in stablehlo.yield.
            if not isinstance(region.block.last_op, YieldOp):
                raise VerifyException(f"{self.name}: a body does not end in stablehlo.yield")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The end of a body, with its results."""

    name = "stablehlo.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator(), Pure())


def encoded(value: Any) -> Attribute:
    """A Python value as an attribute."""
    if isinstance(value, bool):
        return IntegerAttr(int(value), i1)
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    if isinstance(value, float):
        return FloatAttr(value, f64)
    if isinstance(value, dict):
        entries = cast("dict[str, Any]", value)
        return DictionaryAttr({name: encoded(inner) for name, inner in entries.items()})
    if isinstance(value, list | tuple):
        return ArrayAttr([encoded(inner) for inner in cast("list[Any]", value)])
    return StringAttr(str(value))


def decoded(attr: Attribute) -> Any:
    """The Python value of an attribute that ``encoded`` made."""
    if isinstance(attr, IntegerAttr):
        number = cast("IntegerAttr[IntegerType]", attr)
        return bool(number.value.data) if number.type == i1 else number.value.data
    if isinstance(attr, FloatAttr):
        return cast("FloatAttr[Any]", attr).value.data
    if isinstance(attr, DictionaryAttr):
        return {name: decoded(inner) for name, inner in attr.data.items()}
    if isinstance(attr, ArrayAttr):
        return [decoded(inner) for inner in cast("ArrayAttr[Attribute]", attr)]
    assert isinstance(attr, StringAttr)
    return attr.data


StableHlo = Dialect("stablehlo", [NodeOp, YieldOp])
